internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// What the filter tells the offline form. Nothing here binds the trace to a name: a second reference to it would make
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

  /// - Parameter turn: of the earth frame, about the vertical.
  mutating func traceEpoch(_ transition: ErrorTransition) {
    let (turn, lastingShare) = (correction.vector(at: ErrorIndex.attitude), lastingShare)
    correction.trace?.close(
      transition, at: state.time ?? 0, duration: state.epoch.duration, turn: turn,
      gyroscopeBias: state.gyroscopeBias, velocity: state.velocity,
      lastingShare: lastingShare, state.covariance)
  }

  private var snapshot: SmoothingTrace.Snapshot {
    var rows: [Float] = []
    SmoothingTrace.appendRows(of: state.covariance, to: &rows)
    return SmoothingTrace.Snapshot(
      time: state.time ?? -.infinity, gyroscopeBias: state.gyroscopeBias, covarianceRows: rows)
  }

  /// Takes what an earlier pass has found of the epochs to come.
  mutating func learn(_ speeds: [KnownSpeeds.Speed]) {
    if knownSpeeds == nil { knownSpeeds = KnownSpeeds() }
    knownSpeeds?.add(speeds)
  }
}
