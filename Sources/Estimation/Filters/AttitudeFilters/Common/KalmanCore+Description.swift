internal import InertialNumerics

extension KalmanCore {
  /// Returns the parameter `core` of a filter that stores its choice at `path`.
  static func description<Parameters>(
    of path: any WritableKeyPath<Parameters, KalmanCore> & Sendable
  ) -> ParameterDescription<Parameters> {
    ParameterDescription(
      "core", path, "Implementation of the covariance: BLAS and LAPACK, or loops of fixed size.")
  }
}
