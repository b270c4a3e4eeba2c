package import InertialNumerics

extension MEKF {
  /// The noise of the sensors, as densities: one set serves every sample rate.
  package struct Parameters: EpochParameters {
    /// As of every filter in epochs, but that a field corrects heading and bias and never the tilt.
    package var noise = KalmanNoise(fieldMovesTilt: 0)
    /// How start, rest, gaps and bad samples are handled.
    package var handling = HandlingParameters()
    /// What the covariance is calculated with.
    package var core = KalmanCore.blas
    package var headingReference = HeadingReference.magneticNorth

    package init() {}
  }
}

/// The multiplicative filter for real logs.
package typealias MEKFFilter = EpochFilter<MEKF>
