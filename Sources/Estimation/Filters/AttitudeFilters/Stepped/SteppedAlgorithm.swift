internal import InertialNumerics
public import InertialRotations

/// The mathematics of a filter that the literature writes as one step per gyroscope sample: from an attitude and the
/// samples of one moment to the next attitude.
///
/// A researcher can call it as it is; `SteppedFilter` makes of it a filter for real logs. The earth frame is north,
/// west, up: X points to magnetic north as soon as a step had a field.
public protocol SteppedAlgorithm: Sendable {
  /// What a user sets: physical units, independent of the sample rate.
  associatedtype Parameters: SteppedParameters
  /// Everything that changes from step to step.
  associatedtype State: SteppedState

  /// The filter's name in commands, tables and saved states.
  static var name: String { get }
  /// What it is, in a sentence, for tables.
  static var summary: String { get }
  /// Where its mathematics is from.
  static var source: String { get }
  /// What it takes and gives.
  static var traits: FilterTraits { get }

  /// An algorithm with these parameters; its state is kept beside it.
  init(parameters: Parameters)
  /// The parameters that it runs with.
  var parameters: Parameters { get }

  /// Advances the state by one step.
  func advance(_ state: inout State, by step: MotionStep)
}

/// The samples of one moment and the time since the moment before.
public struct MotionStep: Sendable, Equatable {
  /// Mean angular rate over the step, rad/s in device axes, bias included.
  public var rate: Vector3
  /// Raw acceleration in g, device axes, Core Motion's sign; nil where there is none, or less than 0.1 g of it.
  public var acceleration: Vector3?
  /// Magnetic field in µT, device axes, hard iron removed; nil where there is none.
  public var magneticField: Vector3?
  /// Seconds since the step before, positive.
  public var duration: Double

  /// A step from its parts: rad/s, g, µT and seconds; nil for a sensor without a new sample.
  public init(rate: Vector3, acceleration: Vector3? = nil, magneticField: Vector3? = nil, duration: Double) {
    self.rate = rate
    self.acceleration = acceleration
    self.magneticField = magneticField
    self.duration = duration
  }
}

/// What a stepped algorithm remembers.
public protocol SteppedState: Sendable, Codable, Equatable {
  /// The state at an attitude of which nothing else is known.
  init(earthFromDevice: Quaternion)
  /// Unit quaternion, device to earth.
  var earthFromDevice: Quaternion { get }
  /// rad/s, device axes; zero for algorithms that estimate none.
  var gyroscopeBias: Vector3 { get }
  /// Whether the last field was told to be disturbed.
  var isMagneticallyDisturbed: Bool { get }
  /// Whether the algorithm is finding its attitude anew, for a reason of its own.
  var isConverging: Bool { get }

  /// Takes an attitude from outside, after the start-up, a gap, or the first field; a bias is kept; what was
  /// measured with the attitude before, such as a dip, may be learned anew.
  mutating func restart(at attitude: Quaternion)
}

extension SteppedState {
  public var isMagneticallyDisturbed: Bool { false }
  public var isConverging: Bool { false }
}

/// The parameters of a stepped algorithm: its own numbers and how it starts, rests and treats gaps.
public protocol SteppedParameters: FilterParameters {
  /// How start, rest, gaps and bad samples are handled.
  var handling: HandlingParameters { get set }
}
