extension QuaternionEKF {
  /// The noise of the sensors, as densities that are valid for every sample rate.
  package struct Parameters: EpochParameters {
    package var noise = KalmanNoise()
    /// The handling of the start, rest, gaps and invalid samples.
    package var handling = HandlingParameters()
    package var headingReference = HeadingReference.magneticNorth

    package init() {}
  }
}

/// The quaternion extended Kalman filter for real logs.
package typealias QuaternionEKFFilter = EpochFilter<QuaternionEKF>
