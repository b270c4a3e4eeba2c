public import InertialNumerics
public import InertialSensors

/// The offline form of `MotionPriorKalman`: the Rauch-Tung-Striebel smoother over the same model (Rauch, Tung and
/// Striebel, "Maximum likelihood estimates of linear dynamic systems", AIAA J. 3 (1965)), in overlapping windows.
///
/// Memory does not grow with the recording: an estimate uses at least the following `lookahead` seconds.
public struct MotionPriorSmoother: AttitudeSmoother, MeasurementReporting {
  /// The seconds of later samples used for the covariance. More would change it little: constants continue to be
  /// learned, but ever more slowly.
  private static let covarianceLookahead = 300.0
  /// The minimum seconds that become final at once, so that a short lookahead does not require a backward pass for each
  /// epoch.
  private static let minimumStep = 60.0

  private(set) var filter: MotionPriorKalman
  /// The seconds that become final at once.
  private let step: Double
  /// The time of the first sample that is not final.
  private var startTime: Double?
  /// The last final point.
  private var previous: SmoothedPoint?
  /// The final estimates, by window.
  private var results: [SmoothedEstimates] = []

  /// The kinds of measurements that the smoother can report, as for the filter.
  public static var measurementKinds: [MeasurementKind] { MotionPriorKalman.measurementKinds }

  /// The measurement outcomes of the forward pass, or `nil` if they were not requested.
  public var measurements: MeasurementLog? {
    get { filter.measurements }
    set { filter.measurements = newValue }
  }

  init(parameters: MotionPriorKalman.Parameters) {
    filter = MotionPriorKalman(parameters: parameters)
    filter.startTrace()
    step = max(Self.minimumStep, 0.125 * parameters.lookahead)
  }

  public mutating func update(gyroscope: Vector3, at time: Double) {
    filter.update(gyroscope: gyroscope, at: time)
    if startTime == nil { startTime = filter.state.time }
    smoothFullWindow()
  }

  public mutating func update(accelerometer: Vector3, at time: Double) {
    filter.update(accelerometer: accelerometer, at: time)
    smoothFullWindow()
  }

  public mutating func update(magneticField: Vector3, at time: Double) {
    filter.update(magneticField: magneticField, at: time)
    smoothFullWindow()
  }

  public mutating func finish() { smooth(isEnd: true) }

  public mutating func next() -> TimedAttitudeEstimate? {
    while !results.isEmpty {
      if let estimate = results[0].next() { return estimate }
      results.removeFirst()
    }
    return nil
  }

  private mutating func smoothFullWindow() {
    guard let startTime, let time = filter.state.time, time - startTime >= filter.parameters.lookahead + step else {
      return
    }
    smooth(isEnd: false)
  }

  /// Smooths the trace. All results become final at the end, otherwise all except for the lookahead.
  private mutating func smooth(isEnd: Bool) {
    let limit = isEnd ? Double.infinity : (filter.state.time ?? 0) - filter.parameters.lookahead
    guard let final = addResults(to: limit) else { return }
    if let point = final.point { previous = point }
    let epochs = filter.trace?.removeFirst(links: final.point.map { $0.link + 1 } ?? 0, samples: final.samples) ?? 0
    filter.state.kalman.trace?.removeFirst(epochs)
    startTime = limit
  }

  /// Adds the estimates up to a time, and returns the last final point and the number of samples. The traces have no
  /// other reference afterwards, so their changes do not copy them.
  private mutating func addResults(to limit: Double) -> (point: SmoothedPoint?, samples: Int)? {
    guard let trace = filter.trace, let errors = filter.state.kalman.trace else { return nil }
    let window = SmoothedWindow(trace, errors, pointsTo: limit, covarianceFrom: limit + Self.covarianceLookahead)
    let count = limit == .infinity ? trace.samples.count : window.points.last?.sampleCount ?? 0
    if let estimate = filter.estimate {
      results.append(
        SmoothedEstimates(
          window, of: trace, first: count, after: previous, filter: filter.state, last: estimate)
      )
    }
    return (window.points.last, count)
  }
}

extension MotionPriorKalman: SmoothableFilter {
  public static func smoother(parameters: Parameters) -> MotionPriorSmoother {
    MotionPriorSmoother(parameters: parameters)
  }
}
