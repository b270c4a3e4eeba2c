extension MEKF {
  /// The noise of the sensors, as densities that are valid for every sample rate.
  package struct Parameters: EpochParameters {
    /// The noise as for all filters in epochs, except that a field corrects heading and bias and never the tilt.
    package var noise = KalmanNoise(fieldMovesTilt: 0)
    /// The handling of the start, rest, gaps and invalid samples.
    package var handling = HandlingParameters()
    package var headingReference = HeadingReference.magneticNorth

    package init() {}
  }
}

/// The multiplicative filter for real logs.
package typealias MEKFFilter = EpochFilter<MEKF>
