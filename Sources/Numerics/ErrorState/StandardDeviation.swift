extension Double {
  /// The standard deviation of this variance: its square root, and infinity if it is negative or NaN.
  ///
  /// An invalid covariance contains no information; a deviation of 0 would mean that the value is certain.
  package var standardDeviation: Double { self >= 0 ? squareRoot() : .infinity }
}

extension Vector3 {
  /// The standard deviations of these variances by component; see `Double.standardDeviation`.
  package var standardDeviations: Vector3 {
    Vector3(x.standardDeviation, y.standardDeviation, z.standardDeviation)
  }
}
