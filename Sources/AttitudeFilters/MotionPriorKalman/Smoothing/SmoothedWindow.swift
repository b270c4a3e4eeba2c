internal import LinearAlgebra
internal import Rotations
internal import Sensors

/// What is known at the end of an epoch, or of a start-up, from all of a window.
struct SmoothedPoint: Sendable {
  var time: Double
  /// Of the epoch, seconds; 0 for the end of a start-up.
  var duration: Double
  /// Where it is among the links of its trace.
  var link: Int
  /// How many samples came before it.
  var sampleCount: Int
  /// How many times tilt and velocity were forgotten before it.
  var segment: Int
  var isStart: Bool
  /// The turns of the earth frame up to it: corrections are in axes of then.
  var turn: Quaternion
  /// What turns the filter's attitude into the smoothed one, as rotation vectors in earth axes: before and after the
  /// filter's own correction at the point.
  var before: Vector3
  var after: Vector3
  var gyroscopeBias: Vector3
  /// What the bias is corrected by.
  var biasError: Vector3
  var velocity: Vector3
  var attitudeCovariance: Matrix3
  /// `MotionPriorKalman.lastingShare`.
  var lastingShare: Double
}

/// The pass backward over a trace.
struct SmoothedWindow: Sendable {
  /// In order of time.
  private(set) var points: [SmoothedPoint] = []
  /// The ends of the segments between start-ups, but for the last.
  private(set) var ends: [SmoothingTrace.Place] = []

  /// Of nothing.
  init() {}

  /// - Parameters:
  ///   - limit: the time of the last point that is wanted.
  ///   - covarianceTime: the end of what counts for the covariance; nil where none is wanted.
  init(_ trace: SmoothingTrace, pointsTo limit: Double, covarianceFrom covarianceTime: Double?) {
    var backward = BackwardPass()
    let rowLength = SmoothingTrace.rowCount * ErrorIndex.count
    var rowStart = trace.covarianceRows.count
    points.reserveCapacity(trace.links.count)
    for case .startedOver(let place) in trace.links { ends.append(place) }
    var segment = ends.count
    trace.covarianceRows.withUnsafeBufferPointer { rows in
      trace.gains.withUnsafeBufferPointer { gains in
        for (index, link) in trace.links.enumerated().reversed() {
          switch link {
          case .epoch(let epoch):
            rowStart -= rowLength
            if let covarianceTime, epoch.time <= covarianceTime { backward.hasCovariance = true }
            let rows = UnsafeBufferPointer(rebasing: rows[rowStart..<rowStart + rowLength])
            if epoch.time <= limit {
              var point = Self.point(epoch, rows, backward)
              (point.link, point.segment, point.turn) = (index, segment, trace.turns[epoch.place.turns - 1])
              points.append(point)
            }
            for update in epoch.updates.reversed() {
              let first = update * ErrorIndex.count
              backward.measure(
                trace.updates[update],
                gain: UnsafeBufferPointer(rebasing: gains[first..<first + ErrorIndex.count]))
            }
            backward.propagate(by: epoch.transition)
          case .started(let snapshot, let place):
            guard snapshot.time <= limit else { break }
            var point = Self.point(snapshot, sampleCount: place.samples, backward)
            (point.link, point.segment, point.turn) = (index, segment, trace.turns[place.turns - 1])
            points.append(point)
          case .metField(let turn): backward.forgetField(turn.matrix)
          case .startedOver:
            backward.forgetMotion()
            segment -= 1
          }
        }
      }
    }
    points.reverse()
  }

  private static func point(
    _ epoch: SmoothingTrace.Epoch, _ rows: UnsafeBufferPointer<Float>, _ backward: BackwardPass
  ) -> SmoothedPoint {
    let after = backward.errors(rows, at: ErrorIndex.attitude)
    let biasError = backward.errors(rows, at: ErrorIndex.gyroscopeBias)
    return SmoothedPoint(
      time: epoch.time, duration: epoch.duration, link: 0, sampleCount: epoch.place.samples, segment: 0,
      isStart: false, turn: .identity, before: after + epoch.turn, after: after,
      gyroscopeBias: epoch.gyroscopeBias + biasError, biasError: biasError,
      velocity: epoch.velocity + backward.errors(rows, at: ErrorIndex.velocity),
      attitudeCovariance: backward.attitudeCovariance(rows), lastingShare: epoch.lastingShare)
  }

  private static func point(
    _ snapshot: SmoothingTrace.Snapshot, sampleCount: Int, _ backward: BackwardPass
  ) -> SmoothedPoint {
    var rows: [Float] = []
    for row in 0..<SmoothingTrace.rowCount {
      for column in 0..<ErrorIndex.count { rows.append(Float(snapshot.covariance[row, column])) }
    }
    return rows.withUnsafeBufferPointer { rows in
      let error = backward.errors(rows, at: ErrorIndex.attitude)
      let biasError = backward.errors(rows, at: ErrorIndex.gyroscopeBias)
      return SmoothedPoint(
        time: snapshot.time, duration: 0, link: 0, sampleCount: sampleCount, segment: 0, isStart: true,
        turn: .identity, before: error, after: error,
        gyroscopeBias: snapshot.gyroscopeBias + biasError, biasError: biasError, velocity: .zero,
        attitudeCovariance: backward.attitudeCovariance(rows), lastingShare: 0)
    }
  }
}
