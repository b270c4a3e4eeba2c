internal import InertialNumerics

/// The moments of a measurement with up to three components over sigma points: equation (19).
struct MeasuredMoments {
  /// The mean deviation δ̄ of the predictions from the estimate's.
  private(set) var mean = Vector3.zero
  /// The innovation covariance S.
  private(set) var covariance: Matrix3
  /// The covariances of the measurement with the attitude and bias errors, one row per component.
  private var attitude = Matrix3.zero
  private var bias = Matrix3.zero

  /// Creates the moments of the sensor's noise alone.
  init(variance: Double) { covariance = Matrix3(diagonal: Vector3(repeating: variance)) }

  /// Adds a pair of points with their deviations.
  mutating func add(_ pair: SigmaPoints.Column, _ plus: Vector3, _ minus: Vector3, weight: Double) {
    mean += weight * (plus + minus)
    covariance.add(Matrix3(outer: plus, plus), scaledBy: weight)
    covariance.add(Matrix3(outer: minus, minus), scaledBy: weight)
    let difference = weight * (plus - minus)
    attitude.add(Matrix3(outer: difference, pair.turn), scaledBy: 1)
    bias.add(Matrix3(outer: difference, pair.bias), scaledBy: 1)
  }

  /// Adds the point at the mean.
  mutating func addMean(weight: Double) { covariance.add(Matrix3(outer: mean, mean), scaledBy: weight) }

  /// Calls a function with each component's covariance with the errors, innovation and variance, given the previous
  /// components: equation (20), the elimination S = L D Lᵀ.
  func decorrelate(_ innovation: Vector3, count: Int, _ body: (ErrorValues, Double, Double) -> Void) {
    var z = innovation
    var s: InlineArray<3, Vector3> = [covariance.row(0), covariance.row(1), covariance.row(2)]
    var c: InlineArray<3, SigmaPoints.Column> = [column(0), column(1), column(2)]
    for component in 0..<count {
      let (row, pivot) = (s[component], s[component][component])
      var values = ErrorValues()
      values[EpochErrors.attitude] = c[component].turn
      values[EpochErrors.bias] = c[component].bias
      body(values, z[component], pivot)
      for next in component + 1..<max(count, component + 1) {
        let factor = s[next][component] / pivot
        z[next] -= factor * z[component]
        s[next] -= factor * row
        c[next].turn -= factor * c[component].turn
        c[next].bias -= factor * c[component].bias
      }
    }
  }

  private func column(_ component: Int) -> SigmaPoints.Column {
    SigmaPoints.Column(turn: attitude.row(component), bias: bias.row(component))
  }
}
