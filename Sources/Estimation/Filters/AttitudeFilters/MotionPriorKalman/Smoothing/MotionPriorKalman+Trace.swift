internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// The filter's records for the offline form. The trace is never bound to a name here: a second reference would make
/// every addition copy it.
extension MotionPriorKalman {
  /// Begins to record.
  mutating func startTrace() {
    trace = SmoothingTrace()
    state.kalman.trace = ErrorTrace(MotionErrors.layout, keeping: [MotionErrors.attitude, MotionErrors.gyroscopeBias])
  }

  mutating func traceSample(at time: Double) {
    let sample = SmoothingTrace.Sample(
      time: time, northFromDevice: extrapolatedAttitude, spin: state.rate.norm, flags: flags,
      turns: trace?.turns.count ?? 0)
    trace?.samples.append(sample)
    guard let outcomes = measurements?.outcomes else { return }
    if trace?.measured == nil { trace?.measured = [] }
    if !outcomes.isEmpty { trace?.measured?.append(.init(time: time, outcomes: outcomes)) }
  }

  /// - Parameter turn: The rotation of the attitude by the epoch's measurements.
  mutating func traceEpoch(turned turn: Vector3) {
    trace(.epoch(duration: state.epoch.duration, turn: turn, hasField: state.field.isKnown))
  }

  mutating func traceStart() { trace(.started) }

  /// - Parameter turn: The rotation of the earth frame, about the vertical.
  mutating func traceField(turn: Quaternion, isRelearned: Bool) {
    trace(.alignedToField(turn.matrix, isRelearned: isRelearned))
  }

  mutating func traceStartOver(keepsHeading: Bool) {
    guard trace != nil else { return }
    trace(.startedOver(keepsHeading: keepsHeading))
    trace?.turns.append(.identity)
  }

  private mutating func trace(_ kind: SmoothingTrace.Link.Kind) {
    let link = SmoothingTrace.Link(
      kind: kind, time: state.time ?? -.infinity, samples: trace?.samples.count ?? 0, turns: trace?.turns.count ?? 0,
      epochs: state.kalman.trace?.count ?? 0, gyroscopeBias: state.gyroscopeBias,
      persistentFraction: persistentFraction)
    trace?.links.append(link)
  }
}
