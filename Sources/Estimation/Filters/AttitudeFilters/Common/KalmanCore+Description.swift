internal import InertialNumerics

extension KalmanCore {
  /// The parameter `core` of a filter that holds its choice at `path`.
  static func description<Parameters>(
    of path: any WritableKeyPath<Parameters, KalmanCore> & Sendable
  ) -> ParameterDescription<Parameters> {
    ParameterDescription(
      "core", path, "What the covariance is calculated with: BLAS and LAPACK, or loops of fixed size.")
  }
}
