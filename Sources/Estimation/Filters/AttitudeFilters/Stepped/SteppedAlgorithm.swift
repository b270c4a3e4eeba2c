internal import InertialNumerics
public import InertialRotations

/// The mathematics of a filter that the literature defines as one step per gyroscope sample: from an attitude and the
/// samples of an epoch to the next attitude.
///
/// It can be called directly; `SteppedFilter` turns it into a filter for real logs. The earth frame is north, west, up:
/// X points to magnetic north once a step has had a field.
public protocol SteppedAlgorithm: Sendable {
  /// The settings for users: in physical units, independent of the sample rate.
  associatedtype Parameters: SteppedParameters
  /// The complete state that changes from step to step.
  associatedtype State: SteppedState

  /// The filter's name in commands, tables and saved states.
  static var name: String { get }
  /// A description in one sentence, for tables.
  static var summary: String { get }
  /// The publication of the filter's mathematics.
  static var source: String { get }
  /// The inputs and outputs of the filter.
  static var traits: FilterTraits { get }

  /// Creates an algorithm with these parameters; the caller keeps its state.
  init(parameters: Parameters)
  /// The parameters of the algorithm.
  var parameters: Parameters { get }

  /// Advances the state by one step.
  func advance(_ state: inout State, by step: MotionStep)
}

/// The samples of one epoch and the time since the previous epoch.
public struct MotionStep: Sendable, Equatable {
  /// The mean angular rate over the step, in rad/s in device axes, bias included.
  public var rate: Vector3
  /// The raw acceleration in g, device axes, with Core Motion's sign, or `nil` if it is missing or below 0.1 g.
  public var acceleration: Vector3?
  /// The magnetic field in µT, device axes, hard iron removed, or `nil` if it is missing.
  public var magneticField: Vector3?
  /// The time since the previous step, in seconds, positive.
  public var duration: Double

  /// Creates a step from its parts, in rad/s, g, µT and seconds; `nil` for a sensor without a new sample.
  public init(rate: Vector3, acceleration: Vector3? = nil, magneticField: Vector3? = nil, duration: Double) {
    self.rate = rate
    self.acceleration = acceleration
    self.magneticField = magneticField
    self.duration = duration
  }
}

/// The state of a stepped algorithm.
public protocol SteppedState: Sendable, Codable, Equatable {
  /// Creates an initial state at an attitude.
  init(earthFromDevice: Quaternion)
  /// The unit quaternion, device to earth.
  var earthFromDevice: Quaternion { get }
  /// The gyroscope bias, in rad/s, in device axes; zero for algorithms that do not estimate it.
  var gyroscopeBias: Vector3 { get }
  /// Whether the last field was classified as disturbed.
  var isMagneticallyDisturbed: Bool { get }
  /// Whether the algorithm is converging again for an internal reason.
  var isConverging: Bool { get }

  /// Sets the attitude after the start-up, a gap, or the first field. A bias is kept; quantities measured with the
  /// previous attitude, such as a dip, may be learned again.
  mutating func restart(at attitude: Quaternion)
}

extension SteppedState {
  public var isMagneticallyDisturbed: Bool { false }
  public var isConverging: Bool { false }
}

/// The state of an algorithm with no more than an attitude and the gyroscope's bias. A restart keeps the bias.
public struct AttitudeAndBias: SteppedState {
  public var earthFromDevice: Quaternion
  public var gyroscopeBias = Vector3.zero

  public init(earthFromDevice: Quaternion) { self.earthFromDevice = earthFromDevice }

  public mutating func restart(at attitude: Quaternion) { earthFromDevice = attitude }
}

/// The parameters of a stepped algorithm: its own numbers, and the handling of the start, rest and gaps.
public protocol SteppedParameters: FilterParameters {
  /// The handling of the start, rest, gaps and invalid samples.
  var handling: HandlingParameters { get set }
}
