package import InertialNumerics

extension QuaternionEKF {
  /// The noise of the sensors, as densities: one set serves every sample rate.
  package struct Parameters: EpochParameters {
    package var noise = KalmanNoise()
    /// How start, rest, gaps and bad samples are handled.
    package var handling = HandlingParameters()
    /// What the covariance is calculated with.
    package var core = KalmanCore.blas
    package var headingReference = HeadingReference.magneticNorth

    package init() {}
  }
}

/// The quaternion extended Kalman filter for real logs.
package typealias QuaternionEKFFilter = EpochFilter<QuaternionEKF>
