internal import InertialNumerics
internal import InertialRotations
package import InertialSensors

extension SteppedFilter {
  public struct State: Sendable, Codable, Equatable {
    // What does not depend on the algorithm is first, so that its place in memory is the same for all.

    /// What the algorithm knew after the last step.
    var known = KnownAttitude()
    package internal(set) var flags: AttitudeFlags = []
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
    /// The latest step, and whether it waits for samples of its moment.
    var step = MomentStep()
    var isPending = false
    var rest = RestDetector()
    /// The algorithm's own state, X to magnetic north where a field was used.
    package internal(set) var algorithm = Algorithm.State(earthFromDevice: .identity)

    package init() {}
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

/// The mean rate from one moment to the next, and its seconds.
struct MomentStep: Sendable, Codable, Equatable {
  var rate = Vector3.zero
  var duration = 0.0
  var time = 0.0
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
