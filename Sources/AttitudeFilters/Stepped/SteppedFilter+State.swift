internal import LinearAlgebra
internal import Rotations
public import Sensors

extension SteppedFilter {
  public struct State: Sendable, Codable, Equatable {
    // What does not depend on the algorithm is first, so that its place in memory is the same for all.

    /// What the algorithm knew after the last step.
    var known = KnownAttitude()
    public internal(set) var flags: AttitudeFlags = []
    /// Radians from the algorithm's X to that of the output.
    var headingOffset = 0.0
    var gate = SampleGate()
    var start = SteppedStart()
    var isStartingUp = true
    var isAligned = false
    var isHeadingTied = false
    var isResting = false
    var heldRate = SampleHold()
    var acceleration = HeldVector()
    var field = HeldVector()
    var pending: PendingStep?
    /// The sensors that had a sample for the moment before, and those that have had one for this moment.
    var (expected, joined): (StepSensors, StepSensors) = ([], [])
    var rest = RestDetector()
    /// The algorithm's own state, X to magnetic north where a field was used.
    public internal(set) var algorithm = Algorithm.State(earthFromDevice: .identity)
    /// What the last step was taken from; nil where no sample can join it any more.
    var before: TakenStep<Algorithm.State>?

    public init() {}
  }
}

/// What the start-up, after the start and after a gap, has gathered.
struct SteppedStart: Sendable, Codable, Equatable {
  var strapdown = Strapdown()
  var means = StartUp()
  /// Seconds integrated; counted to the end of the start-up.
  var age = 0.0
  var hasField = false
}

/// A rate whose moment's other samples may still come.
struct PendingStep: Sendable, Codable, Equatable {
  var rate: Vector3
  var duration: Double
  var time: Double
}

/// A step that is taken, to be taken back if a sample of its moment still comes.
struct TakenStep<AlgorithmState: SteppedState>: Sendable, Codable, Equatable {
  var step: PendingStep
  /// Before the step.
  var algorithm: AlgorithmState
}

/// The sensors whose samples join the gyroscope's in a step.
struct StepSensors: OptionSet, Sendable, Codable {
  let rawValue: UInt8
  static var acceleration: StepSensors { StepSensors(rawValue: 1) }
  static var field: StepSensors { StepSensors(rawValue: 2) }
  static var all: StepSensors { [.acceleration, .field] }
}

/// What an algorithm's state says of the attitude, to be read without knowing the algorithm.
struct KnownAttitude: Sendable, Codable, Equatable {
  var earthFromDevice = Quaternion.identity
  var gyroscopeBias = Vector3.zero
  var flags: AttitudeFlags = []

  init() {}

  @inline(__always)
  init(_ state: some SteppedState) {
    earthFromDevice = state.earthFromDevice
    gyroscopeBias = state.gyroscopeBias
    if state.isMagneticallyDisturbed { flags.insert(.magneticDisturbance) }
    if state.isConverging { flags.insert(.converging) }
  }
}
