internal import LinearAlgebra
internal import Rotations
internal import Sensors

/// The smoothed attitude of every sample.
extension SmoothedWindow {
  /// What of the window's surroundings the estimates need.
  struct Surroundings {
    /// The last point that was final before this window.
    var previous: SmoothedPoint?
    /// A turn about the vertical to the frame that attitudes are reported in.
    var earthFromNorth: Quaternion
    /// What the filter says at the end of the window.
    var last: AttitudeEstimate
  }

  /// Gives the estimates of the first samples of a trace.
  func estimates(
    of trace: SmoothingTrace, first count: Int, _ surroundings: Surroundings, _ body: (TimedAttitudeEstimate) -> Void
  ) {
    var between = Between(previous: surroundings.previous, last: surroundings.last)
    var position = 0
    var segment = 0
    for (index, sample) in trace.samples.prefix(count).enumerated() {
      while segment < ends.count, index >= ends[segment].samples { segment += 1 }
      while position < points.count, points[position].time < sample.time {
        between.previous = points[position]
        position += 1
      }
      between.next = position < points.count ? points[position] : nil
      let turn = trace.turns[sample.turns - 1]
      let correction = between.correction(of: sample, at: index, segment: segment, turn: turn)
      let lastTurn = trace.turns[(segment < ends.count ? ends[segment].turns : trace.turns.count) - 1]
      // Later turns of the earth frame hold for what came before them.
      let frame = surroundings.earthFromNorth * lastTurn * turn.conjugate
      let attitude = frame * Quaternion(rotationVector: correction.turn) * sample.northFromDevice
      body(
        TimedAttitudeEstimate(
          time: sample.time,
          estimate: AttitudeEstimate(
            earthFromDevice: attitude.normalized ?? attitude, gyroscopeBias: correction.bias,
            attitudeSigma: correction.sigma(in: frame), flags: sample.flags)))
    }
  }
}

/// The points to either side of a sample.
private struct Between {
  var previous: SmoothedPoint?
  var next: SmoothedPoint?
  var last: AttitudeEstimate

  init(previous: SmoothedPoint?, last: AttitudeEstimate) {
    self.previous = previous
    self.last = last
    // What was final before is of the same segment as what begins the window.
    self.previous?.segment = 0
  }

  /// What is to be done to a sample's attitude, in earth axes of its time.
  struct Correction {
    var turn: Vector3
    var bias: Vector3
    /// nil where only the filter knows.
    var covariance: Matrix3?
    var fallback: Vector3?

    init(_ turn: Vector3, of point: SmoothedPoint) {
      self.turn = turn
      bias = point.gyroscopeBias
      covariance = point.attitudeCovariance
    }

    init(unknown last: AttitudeEstimate) {
      turn = .zero
      bias = last.gyroscopeBias
      fallback = last.attitudeSigma
    }

    func sigma(in frame: Quaternion) -> Vector3? {
      guard var covariance else { return fallback }
      if frame != .identity {
        let turn = frame.matrix
        covariance = turn * covariance * turn.transpose
      }
      func sigma(_ variance: Double) -> Double { max(0, variance).squareRoot() }
      return Vector3(sigma(covariance.m11), sigma(covariance.m22), sigma(covariance.m33))
    }
  }

  /// - Parameter turn: of the earth frame up to the sample.
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
      // Back from the start-up's end: the attitude as it is seen from there, and the bias that it was integrated with.
      let frame = next.turn * turn.conjugate
      let rotation = frame * sample.northFromDevice
      let error = next.after + (next.time - sample.time) * rotation.rotate(next.biasError)
      return Correction(frame.conjugate.rotate(error), of: next)
    }
    guard let previous, previous.segment == segment, next.duration > 0 else {
      return Correction(turned(next.before, from: next), of: next)
    }
    let share = max(0, min(1, 1 - (next.time - sample.time) / next.duration))
    var correction = Correction(
      (1 - share) * turned(previous.after, from: previous) + share * turned(next.before, from: next), of: next)
    correction.bias = (1 - share) * previous.gyroscopeBias + share * next.gyroscopeBias
    correction.covariance = (1 - share) * previous.attitudeCovariance + share * next.attitudeCovariance
    return correction
  }
}
