public import LinearAlgebra

extension QuaternionEKF {
  /// The noise of the sensors, as densities: one set serves every sample rate.
  public struct Parameters: EpochParameters {
    public var noise = KalmanNoise()
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

/// The quaternion extended Kalman filter for real logs.
public typealias QuaternionEKFFilter = EpochFilter<QuaternionEKF>
