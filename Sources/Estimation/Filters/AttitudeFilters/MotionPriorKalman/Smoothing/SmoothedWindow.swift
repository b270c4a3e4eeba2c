internal import InertialNumerics
internal import InertialRotations

/// The smoothed state at the end of an epoch, or of a start-up, from a whole window.
struct SmoothedPoint: Sendable {
  var time: Double
  /// The duration of the epoch, in seconds; 0 for other points.
  var duration = 0.0
  /// The index of the point among the links of its trace.
  var link: Int
  /// The number of samples before the point.
  var sampleCount: Int
  /// The number of resets of tilt and velocity before the point.
  var segment: Int
  var isStart = false
  /// The rotations of the earth frame up to the point: corrections are in axes at the time of the point.
  var turn: Quaternion
  /// The rotations from the filter's attitude to the smoothed one, as rotation vectors in earth axes: before and after
  /// the filter's own correction at the point.
  var before: Vector3
  var after: Vector3
  var gyroscopeBias: Vector3
  /// The correction of the bias.
  var biasError: Vector3
  var attitudeCovariance: Matrix3
  /// `MotionPriorKalman.persistentFraction`.
  var persistentFraction: Double
}

/// The backward pass over a trace: section 5 of docs/theory/flagship.md.
struct SmoothedWindow: Sendable {
  /// The points, sorted by time.
  private(set) var points: [SmoothedPoint] = []
  /// The numbers of samples and rotations at the ends of the segments between start-ups, except for the last segment.
  private(set) var ends: [(samples: Int, turns: Int)] = []
  /// The rotations of the earth frame, with the heading corrections of fields that were first used late.
  private(set) var turns: [Quaternion]
  /// The variance of the heading that a field determines later, in rad².
  private var laterHeadingVariance = 0.0
  /// The smoothed error of the heading just after a field was first used, before the point that precedes it.
  private var alignedHeading: Double?
  /// The pass for all errors, and that for the heading from the epochs without a field, which motion corrects only in
  /// part.
  private var passes = [ErrorAdjoint(MotionErrors.layout, hasCovariance: false)]

  /// - Parameters:
  ///   - limit: The time of the last requested point.
  ///   - covarianceTime: The end of the data for the covariance.
  init(_ trace: SmoothingTrace, _ errors: ErrorTrace, pointsTo limit: Double, covarianceFrom covarianceTime: Double) {
    turns = trace.turns
    points.reserveCapacity(trace.links.count)
    for link in trace.links { if case .startedOver = link.kind { ends.append((link.samples, link.turns)) } }
    var segment = ends.count
    for index in trace.links.indices.reversed() {
      let link = trace.links[index]
      if link.time <= covarianceTime { forEachPass { $0.hasCovariance = true } }
      if case .startedOver(let keepsHeading) = link.kind {
        forEachPass {
          $0.forget(keepsHeading ? MotionErrors.tilt : MotionErrors.attitude.indices)
          $0.forget(MotionErrors.velocity.indices)
        }
        (segment, laterHeadingVariance, alignedHeading) = (segment - 1, 0, nil)
        continue
      }
      if link.time <= limit {
        let first = segment > 0 ? ends[segment - 1].turns : 0
        points.append(point(at: link, index, segment, errors, turnsFrom: first))
      }
      if case .epoch(_, _, hasField: false) = link.kind, passes.count == 1 {
        passes.append(passes[0])
        passes[1].partialError = MotionErrors.heading
      }
      for epoch in ((index > 0 ? trace.links[index - 1].epochs : 0)..<link.epochs).reversed() {
        forEachPass { $0.cross(errors, epoch) }
      }
      if case .alignedToField(let turn, let isRelearned) = link.kind { crossField(turn, isRelearned) }
    }
    points.reverse()
  }

  private mutating func forEachPass(_ body: (inout ErrorAdjoint) -> Void) {
    for index in passes.indices { body(&passes[index]) }
  }

  /// - Parameter first: The index of the segment's first rotation of the earth frame.
  private mutating func point(
    at link: SmoothingTrace.Link, _ index: Int, _ segment: Int, _ errors: ErrorTrace, turnsFrom first: Int
  ) -> SmoothedPoint {
    let epoch = link.epochs - 1
    let heading = MotionErrors.heading
    var error = passes[0].errors(MotionErrors.attitude, errors, epoch)
    let biasError = passes[0].errors(MotionErrors.gyroscopeBias, errors, epoch)
    var covariance = passes[0].covariance(MotionErrors.attitude, errors, epoch)
    if passes.count > 1 {
      error.z = passes[1].error(heading, errors, epoch)
      covariance.m33 = max(covariance.m33, passes[1].covariance(heading, heading, errors, epoch))
    }
    covariance.m33 += laterHeadingVariance
    if let alignedHeading {
      // The axes before the field are rotated, so that the heading is continuous.
      let turn = turns[link.turns - 1]
      let change = turn.conjugate * rotationAboutZ(error.z - alignedHeading) * turn
      for index in first..<link.turns { turns[index] = turns[index] * change }
      self.alignedHeading = nil
    }
    var point = SmoothedPoint(
      time: link.time, link: index, sampleCount: link.samples, segment: segment, turn: turns[link.turns - 1],
      before: error, after: error, gyroscopeBias: link.gyroscopeBias + biasError, biasError: biasError,
      attitudeCovariance: covariance, persistentFraction: link.persistentFraction)
    switch link.kind {
    case .started: (point.isStart, point.persistentFraction) = (true, 0)
    case .epoch(let duration, let turn, _): (point.duration, point.before) = (duration, error + turn)
    case .alignedToField, .startedOver: break
    }
    return point
  }

  /// Crosses backward the first use of a field, or of a field that shows another heading. Earlier measurements contain
  /// no information about it, but a field that is first used determines the direction of the earlier axes.
  private mutating func crossField(_ turn: Matrix3, _ isRelearned: Bool) {
    forEachPass {
      $0.forget(MotionErrors.heading..<MotionErrors.heading + 1)
      $0.forget(MotionErrors.fieldAndDelay.indices)
      $0.turn(MotionErrors.inEarthAxes, by: turn)
    }
    guard !isRelearned, let met = points.last else { return }
    (laterHeadingVariance, alignedHeading) = (met.attitudeCovariance.m33, met.after.z)
  }
}
