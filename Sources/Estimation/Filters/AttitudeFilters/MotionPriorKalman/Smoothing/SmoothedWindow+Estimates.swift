internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// The smoothed attitudes of a window's samples, computed on demand.
struct SmoothedEstimates: Sendable {
  private let samples: [SmoothingTrace.Sample]
  private let turns: [Quaternion]
  private let points: [SmoothedPoint]
  private let ends: [(samples: Int, turns: Int)]
  /// The rotation about the vertical to the frame of the reported attitudes.
  private let earthFromNorth: Quaternion
  /// The covariance of the accelerometer bias in addition to the filter's, in (m/s²)².
  private let hiddenForceBias: Matrix3
  private var between: Between
  /// The filter's measurement outcomes, sorted by time, or `nil` if they were not requested.
  private let measured: [SmoothingTrace.Measured]?
  private var nextMeasured = 0
  private var position = 0
  private var nextPoint = 0
  private var segment = 0

  /// - Parameters:
  ///   - count: The number of the trace's samples to use.
  ///   - previous: The last final point before this window.
  ///   - filter: The state of the filter at the end of the window.
  ///   - last: The filter's estimate at the end of the window.
  init(
    _ window: SmoothedWindow, of trace: SmoothingTrace, first count: Int, after previous: SmoothedPoint?,
    filter: MotionPriorKalman.State, last: AttitudeEstimate
  ) {
    samples = Array(trace.samples.prefix(count))
    measured = trace.measured
    (points, ends, turns) = (window.points, window.ends, window.turns)
    (earthFromNorth, hiddenForceBias) = (filter.earthFromNorth, filter.hiddenForceBias)
    between = Between(previous: previous, last: last)
  }

  mutating func next() -> TimedAttitudeEstimate? {
    guard position < samples.count else { return nil }
    let sample = samples[position]
    while segment < ends.count, position >= ends[segment].samples { segment += 1 }
    while nextPoint < points.count, points[nextPoint].time < sample.time || isOver(nextPoint, at: sample.time) {
      between.previous = points[nextPoint]
      nextPoint += 1
    }
    between.next = nextPoint < points.count ? points[nextPoint] : nil
    let turn = turns[sample.turns - 1]
    let correction = between.correction(of: sample, at: position, segment: segment, turn: turn)
    position += 1
    // Later rotations of the earth frame also apply to earlier samples.
    let lastTurn = turns[(segment < ends.count ? ends[segment].turns : turns.count) - 1]
    let frame = earthFromNorth * lastTurn * turn.conjugate
    let attitude = frame * Quaternion(stepBy: correction.turn) * sample.northFromDevice
    return TimedAttitudeEstimate(
      time: sample.time,
      estimate: AttitudeEstimate(
        earthFromDevice: attitude.normalized ?? attitude, gyroscopeBias: correction.bias,
        attitudeSigma: correction.sigma(of: attitude, hiddenForceBias, in: frame, spin: sample.spin),
        flags: sample.flags),
      outcomes: outcomes(of: sample))
  }

  /// Returns whether another point at the same time is before the present sample too, as after a change of the frame.
  private func isOver(_ point: Int, at time: Double) -> Bool {
    point + 1 < points.count && points[point + 1].time == time && points[point + 1].sampleCount <= position
  }

  /// Returns the measurement outcomes of the forward pass.
  private mutating func outcomes(of sample: SmoothingTrace.Sample) -> [MeasurementOutcome]? {
    guard let measured else { return nil }
    guard nextMeasured < measured.count, measured[nextMeasured].time <= sample.time else { return [] }
    nextMeasured += 1
    return measured[nextMeasured - 1].outcomes
  }
}

/// The points before and after a sample.
private struct Between {
  var previous: SmoothedPoint?
  var next: SmoothedPoint?
  var last: AttitudeEstimate

  init(previous: SmoothedPoint?, last: AttitudeEstimate) {
    self.previous = previous
    self.last = last
    // The previous final point is in the same segment as the start of the window.
    self.previous?.segment = 0
  }

  /// The correction of a sample's attitude, in earth axes of its time.
  struct Correction {
    var turn: Vector3
    var bias: Vector3
    /// The smoothed covariance, or `nil` if only the filter's is available.
    var covariance: Matrix3?
    var persistentFraction = 0.0
    var fallback: Vector3?

    init(_ turn: Vector3, of point: SmoothedPoint) {
      self.turn = turn
      bias = point.gyroscopeBias
      covariance = point.attitudeCovariance
      persistentFraction = point.persistentFraction
    }

    init(unknown last: AttitudeEstimate) {
      turn = .zero
      bias = last.gyroscopeBias
      fallback = last.attitudeSigma
    }

    func sigma(
      of attitude: Quaternion, _ hiddenForceBias: Matrix3, in frame: Quaternion, spin: Double
    ) -> Vector3? {
      guard let covariance else { return fallback }
      return MotionPriorKalman.attitudeSigma(
        covariance, of: attitude, hiddenForceBias: hiddenForceBias, turned: frame,
        persistentFraction: persistentFraction, spin: spin)
    }
  }

  /// - Parameter turn: The rotation of the earth frame up to the sample.
  func correction(
    of sample: SmoothingTrace.Sample, at index: Int, segment: Int, turn: Quaternion
  ) -> Correction {
    func turned(_ vector: Vector3, from point: SmoothedPoint) -> Vector3 {
      point.turn == turn ? vector : (turn * point.turn.conjugate).rotate(vector)
    }
    guard let next, next.segment == segment else {
      guard let previous, previous.segment == segment else { return Correction(unknown: last) }
      return Correction(turned(previous.after, from: previous), of: previous)
    }
    if sample.time == next.time {
      return Correction(turned(index < next.sampleCount ? next.before : next.after, from: next), of: next)
    }
    if next.isStart {
      // Backward from the start-up's end: the attitude relative to that end, and the bias that it was integrated with.
      let frame = next.turn * turn.conjugate
      let rotation = frame * sample.northFromDevice
      let error = next.after + (next.time - sample.time) * rotation.rotate(next.biasError)
      return Correction(frame.conjugate.rotate(error), of: next)
    }
    guard let previous, previous.segment == segment, next.duration > 0 else {
      return Correction(turned(next.before, from: next), of: next)
    }
    let fraction = max(0, min(1, 1 - (next.time - sample.time) / next.duration))
    var correction = Correction(
      (1 - fraction) * turned(previous.after, from: previous) + fraction * turned(next.before, from: next), of: next)
    correction.bias = (1 - fraction) * previous.gyroscopeBias + fraction * next.gyroscopeBias
    correction.covariance = (1 - fraction) * previous.attitudeCovariance + fraction * next.attitudeCovariance
    return correction
  }
}
