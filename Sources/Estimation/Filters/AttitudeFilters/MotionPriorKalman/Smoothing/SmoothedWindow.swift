internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// The smoothed state at the end of an epoch, or of a start-up, from a whole window.
struct SmoothedPoint: Sendable {
  var time: Double
  /// The duration of the epoch, in seconds; 0 for the end of a start-up.
  var duration: Double
  /// The index of the point among the links of its trace.
  var link: Int
  /// The number of samples before the point.
  var sampleCount: Int
  /// The number of resets of tilt and velocity before the point.
  var segment: Int
  var isStart: Bool
  /// The rotations of the earth frame up to the point: corrections are in axes at the time of the point.
  var turn: Quaternion
  /// The rotations from the filter's attitude to the smoothed one, as rotation vectors in earth axes: before and after
  /// the filter's own correction at the point.
  var before: Vector3
  var after: Vector3
  var gyroscopeBias: Vector3
  /// The correction of the bias.
  var biasError: Vector3
  var velocity: Vector3
  var attitudeCovariance: Matrix3
  /// `MotionPriorKalman.persistentFraction`.
  var persistentFraction: Double
}

/// The backward pass over a trace.
struct SmoothedWindow: Sendable {
  /// The points, sorted by time.
  private(set) var points: [SmoothedPoint] = []
  /// The ends of the segments between start-ups, except for the last segment.
  private(set) var ends: [SmoothingTrace.Place] = []

  /// Creates an empty window.
  init() {}

  /// - Parameters:
  ///   - limit: The time of the last requested point.
  ///   - covarianceTime: The end of the data for the covariance, or `nil` if no covariance is requested.
  init(
    _ trace: SmoothingTrace, pointsTo limit: Double, covarianceFrom covarianceTime: Double?, on core: KalmanCore
  ) {
    /// The first pass is for all errors; the last one is for the heading, which motion corrects only partially.
    var passes = [BackwardPass(on: core)]
    let rowLength = SmoothingTrace.rowCount * ErrorIndex.count
    var rowStart = trace.covarianceRows.count
    points.reserveCapacity(trace.links.count)
    for case .startedOver(let place) in trace.links { ends.append(place) }
    var segment = ends.count
    /// Whether the next epoch, backward, ended with the first use of a field.
    var isBeforeField = false
    func forEachPass(_ body: (inout BackwardPass) -> Void) { for index in passes.indices { body(&passes[index]) } }
    trace.covarianceRows.withUnsafeBufferPointer { rows in
      trace.gains.withUnsafeBufferPointer { gains in
        for (index, link) in trace.links.enumerated().reversed() {
          switch link {
          case .epoch(let epoch):
            rowStart -= rowLength
            if let covarianceTime, epoch.time <= covarianceTime { forEachPass { $0.hasCovariance = true } }
            let rows = UnsafeBufferPointer(rebasing: rows[rowStart..<rowStart + rowLength])
            if isBeforeField, let met = points.last {
              forEachPass { $0.tieHeading(rows, error: met.before.z, variance: met.attitudeCovariance.m33) }
            }
            isBeforeField = false
            if epoch.time <= limit {
              var point = Self.point(
                at: epoch.time, epoch.place, of: trace, link: index, segment, epoch.gyroscopeBias, rows, passes)
              (point.duration, point.isStart, point.persistentFraction) = (
                epoch.duration, false, epoch.persistentFraction
              )
              point.before += epoch.turn
              point.velocity = epoch.velocity + passes[0].errors(rows, at: ErrorIndex.velocity)
              points.append(point)
            }
            for index in epoch.updates.reversed() {
              let (first, update) = (index * ErrorIndex.count, trace.updates[index])
              let gain = UnsafeBufferPointer(rebasing: gains[first..<first + ErrorIndex.count])
              if let held = update.held, held.headingFraction > 0, passes.count == 1 {
                passes.append(passes[0])
                passes[1].isOfHeading = true
              }
              forEachPass { $0.measure(update, gain: gain) }
            }
            forEachPass { $0.propagate(by: epoch.transition) }
          case .started(let snapshot, let place):
            guard snapshot.time <= limit else { break }
            snapshot.covarianceRows.withUnsafeBufferPointer { rows in
              points.append(
                Self.point(
                  at: snapshot.time, place, of: trace, link: index, segment, snapshot.gyroscopeBias, rows, passes))
            }
          case .metField(let turn, let isAnew):
            forEachPass { $0.forgetField(turn.matrix, withHeading: isAnew) }
            isBeforeField = !isAnew
          case .startedOver:
            forEachPass { $0.forgetMotion() }
            segment -= 1
          }
        }
      }
    }
    points.reverse()
  }

  /// Returns the point at the end of a start-up with the samples after it. The point of an epoch also includes the
  /// epoch's own measurements.
  private static func point(
    at time: Double, _ place: SmoothingTrace.Place, of trace: SmoothingTrace, link: Int, _ segment: Int,
    _ gyroscopeBias: Vector3, _ rows: UnsafeBufferPointer<Float>, _ passes: [BackwardPass]
  ) -> SmoothedPoint {
    var error = passes[0].errors(rows, at: ErrorIndex.attitude)
    let biasError = passes[0].errors(rows, at: ErrorIndex.gyroscopeBias)
    var covariance = passes[0].attitudeCovariance(rows)
    if passes.count > 1 {
      error.z = passes[1].errors(rows, at: ErrorIndex.attitude).z
      covariance.m33 = max(covariance.m33, passes[1].attitudeCovariance(rows).m33)
    }
    return SmoothedPoint(
      time: time, duration: 0, link: link, sampleCount: place.samples, segment: segment, isStart: true,
      turn: trace.turns[place.turns - 1], before: error, after: error, gyroscopeBias: gyroscopeBias + biasError,
      biasError: biasError, velocity: .zero, attitudeCovariance: covariance, persistentFraction: 0)
  }
}
