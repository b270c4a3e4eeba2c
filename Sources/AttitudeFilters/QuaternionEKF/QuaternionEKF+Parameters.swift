extension QuaternionEKF {
  /// The noise of the sensors, as densities: one set serves every sample rate.
  public struct Parameters: EpochParameters {
    public var noise = KalmanNoise()
    public var handling = HandlingParameters()
    public var headingReference = HeadingReference.magneticNorth

    public init() {}

    public static var descriptions: [ParameterDescription<Self>] {
      KalmanNoise.descriptions(at: \.noise) + HandlingParameters.descriptions(at: \.handling)
    }

    public static var classicalNames: [ParameterDescription<Self>] {
      KalmanNoise.classicalNames(at: \.noise)
    }
  }
}

/// The quaternion extended Kalman filter for real logs.
public typealias QuaternionEKFFilter = EpochFilter<QuaternionEKF>
