internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// The filter's records for the offline form. The trace is never bound to a name here: a second reference would make
/// every addition copy it.
extension MotionPriorKalman {
  mutating func traceSample(at time: Double) {
    let (attitude, flags) = (carriedOn, flags)
    correction.trace?.addSample(at: time, attitude, flags)
    guard let outcomes = measurements?.outcomes else { return }
    if correction.trace?.measured == nil { correction.trace?.measured = [] }
    if !outcomes.isEmpty { correction.trace?.measured?.append(.init(time: time, outcomes: outcomes)) }
  }

  mutating func traceStart() {
    let snapshot = snapshot
    correction.trace?.addStart(snapshot)
  }

  /// - Parameter turn: The rotation of the earth frame, about the vertical.
  mutating func traceEpoch(_ transition: ErrorTransition) {
    let (turn, persistentFraction) = (correction.vector(at: ErrorIndex.attitude), persistentFraction)
    correction.trace?.close(
      transition, at: state.time ?? 0, duration: state.epoch.duration, turn: turn,
      gyroscopeBias: state.gyroscopeBias, velocity: state.velocity,
      persistentFraction: persistentFraction, state.covariance)
  }

  private var snapshot: SmoothingTrace.Snapshot {
    var rows: [Float] = []
    SmoothingTrace.appendRows(of: state.covariance, to: &rows)
    return SmoothingTrace.Snapshot(
      time: state.time ?? -.infinity, gyroscopeBias: state.gyroscopeBias, covarianceRows: rows)
  }

  /// Adds the speeds of later epochs that an earlier pass has found.
  mutating func learn(_ speeds: [EpochSpeeds.Speed]) {
    if knownSpeeds == nil { knownSpeeds = EpochSpeeds() }
    knownSpeeds?.add(speeds)
  }
}
