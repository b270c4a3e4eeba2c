internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

extension SteppedFilter {
  public struct State: Sendable, Codable, Equatable {
    // The members that do not depend on the algorithm come first, so that their memory offsets are the same for all.

    /// The algorithm's estimate after the last step.
    var known = AttitudeSnapshot()
    /// The angle from the algorithm's X to the output's X, in radians.
    var headingOffset = 0.0
    var timeline = SensorTimeline()
    /// The attitude of the start-up, integrated from the gyroscope.
    var strapdown = Strapdown()
    /// Whether the start-up has had a field.
    var hasStartField = false
    var isHeadingTied = false
    var heldRate = SampleHold()
    var acceleration = PropagatedVector()
    var field = PropagatedVector()
    /// The latest step, and whether it awaits more samples of its epoch.
    var step = EpochInput()
    var isPending = false
    /// The algorithm's own state, with X to magnetic north once a field was used.
    package internal(set) var algorithm = Algorithm.State(earthFromDevice: .identity)

    package init() {}
  }
}

/// The mean rate between two epochs, and the time between them in seconds.
struct EpochInput: Sendable, Codable, Equatable {
  var rate = Vector3.zero
  var duration = 0.0
  var time = 0.0
}

/// The estimate in an algorithm's state, readable without the type of the algorithm.
struct AttitudeSnapshot: Sendable, Codable, Equatable {
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
