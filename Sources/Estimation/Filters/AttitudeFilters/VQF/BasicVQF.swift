public import InertialNumerics

/// VQF's basic form: inclination and heading correction, without bias, rest detection and magnetic disturbance
/// rejection.
///
/// D. Laidig and T. Seel, "VQF: Highly accurate IMU orientation estimation with bias estimation and magnetic
/// disturbance rejection", Information Fusion 91 (2023), the basic filter: identical to the last bit to `VQF` with all
/// three switched off.
public struct BasicVQF: AttitudeFilter {
  public static let name = "basic-vqf"
  public static let summary = "gravity low-passed in the gyroscope's own frame, heading by the field; no bias"
  public static let source = "Laidig and Seel 2023, the basic filter"
  public static let traits: FilterTraits = [.accelerometer, .magneticField, .separatesHeading]

  public typealias State = VQF.State

  public let parameters: Parameters
  private var filter: VQF

  public init(parameters: Parameters = Parameters()) {
    self.init(parameters: parameters, state: State(parameters.full))
  }

  public init(parameters: Parameters, state: State) {
    self.parameters = parameters
    filter = VQF(parameters: parameters.full, state: state)
  }

  public var state: State { filter.state }
  // Inlined, as the protocol's getter would otherwise copy the filter.
  @inline(__always)
  public var estimate: AttitudeEstimate? { filter.estimate }

  public mutating func update(gyroscope: Vector3, at time: Double) { filter.update(gyroscope: gyroscope, at: time) }
  public mutating func update(accelerometer: Vector3, at time: Double) {
    filter.update(accelerometer: accelerometer, at: time)
  }
  public mutating func update(magneticField: Vector3, at time: Double) {
    filter.update(magneticField: magneticField, at: time)
  }
}

extension BasicVQF {
  /// The published defaults, valid for every sample rate. They equal those of the same names in `VQF.Parameters`.
  public struct Parameters: FilterParameters {
    /// The time constant of the gravity low-pass, in seconds.
    public var accelerationTimeConstant = 3.0
    /// The time constant of the heading correction, in seconds.
    public var magneticTimeConstant = 9.0
    /// The gyroscope's rate in Hz; 0 = from the timestamps.
    public var gyroscopeRate = 0.0
    /// The accelerometer's rate in Hz; 0 = from the timestamps.
    public var accelerometerRate = 0.0
    /// The field's rate in Hz; 0 = from the timestamps.
    public var magneticFieldRate = 0.0
    /// The longest time between samples that is integrated over, in seconds.
    public var gapThreshold = 0.5
    public var headingReference = HeadingReference.magneticNorth

    public init() {}

    /// The full filter's parameters, with bias, rest and disturbances switched off.
    fileprivate var full: VQF.Parameters {
      get {
        var full = VQF.Parameters()
        (full.motionBiasEstimation, full.restBiasEstimation, full.disturbanceRejection) = (0, 0, 0)
        (full.accelerationTimeConstant, full.magneticTimeConstant) = (accelerationTimeConstant, magneticTimeConstant)
        (full.gyroscopeRate, full.accelerometerRate) = (gyroscopeRate, accelerometerRate)
        (full.magneticFieldRate, full.gapThreshold) = (magneticFieldRate, gapThreshold)
        full.headingReference = headingReference
        return full
      }
      set {
        (accelerationTimeConstant, magneticTimeConstant) = (
          newValue.accelerationTimeConstant, newValue.magneticTimeConstant
        )
        (gyroscopeRate, accelerometerRate) = (newValue.gyroscopeRate, newValue.accelerometerRate)
        (magneticFieldRate, gapThreshold) = (newValue.magneticFieldRate, newValue.gapThreshold)
      }
    }

    private static let names = [
      "accelerationTimeConstant", "magneticTimeConstant", "gyroscopeRate", "accelerometerRate", "magneticFieldRate",
      "gapThreshold",
    ]

    public static let descriptions: [ParameterDescription<Self>] = VQF.Parameters.descriptions
      .filter { names.contains($0.name) }.map { ParameterDescription($0, of: \.full) }
  }
}
