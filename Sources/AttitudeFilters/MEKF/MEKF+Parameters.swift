public import LinearAlgebra

extension MEKF {
  /// The noise of the sensors, as densities: one set serves every sample rate.
  public struct Parameters: EpochParameters {
    /// As of every filter in epochs, but that a field corrects heading and bias and never the tilt.
    public var noise = KalmanNoise(fieldMovesTilt: 0)
    /// How start, rest, gaps and bad samples are handled.
    public var handling = HandlingParameters()
    /// What the covariance is calculated with.
    public var core = KalmanCore.blas
    public var headingReference = HeadingReference.magneticNorth

    public init() {}

    public static var descriptions: [ParameterDescription<Self>] {
      KalmanNoise.descriptions(at: \.noise) + HandlingParameters.descriptions(at: \.handling)
        + [KalmanCore.description(of: \.core)]
    }

    public static var classicalNames: [ParameterDescription<Self>] {
      KalmanNoise.classicalNames(at: \.noise)
    }
  }
}

/// The multiplicative filter for real logs.
public typealias MEKFFilter = EpochFilter<MEKF>
