internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// A filter that runs forward over incoming samples, and backward over its trace whenever a window is full.
struct SmoothingPass: Sendable {
  /// The seconds of later samples used for the covariance. More would change it little: constants continue to be
  /// learned, but ever more slowly.
  private static let covarianceLookahead = 300.0
  /// The seconds of later samples that determine the inputs of the next pass: the speed at each time, and the validity
  /// of its field.
  private static let firstLookahead = 300.0
  /// The minimum seconds that become final at once, so that a short lookahead does not require a backward pass for each
  /// epoch.
  private static let minimumStep = 60.0

  private var filter: MotionPriorKalman
  /// The seconds of later samples required for a final result.
  private let lookahead: Double
  /// The seconds that become final at once.
  private let step: Double
  /// Whether the pass computes attitudes with their covariance, and not inputs of the next pass.
  private let isLast: Bool
  private var startTime: Double?
  private var levels: SpeedLevels
  /// The last final point.
  private var previous: SmoothedPoint?
  /// The speeds of the latest window for the next pass.
  private(set) var speeds: [EpochSpeeds.Speed] = []

  init(_ parameters: MotionPriorKalman.Parameters, isLast: Bool) {
    filter = MotionPriorKalman(parameters: parameters)
    filter.correction.trace = SmoothingTrace(keepsSamples: isLast)
    lookahead = isLast ? parameters.lookahead : min(parameters.lookahead, Self.firstLookahead)
    step = max(Self.minimumStep, 0.125 * lookahead)
    self.isLast = isLast
    levels = SpeedLevels(memory: parameters.knownMotionMemory)
  }

  /// Adds the speeds of later epochs that an earlier pass has found.
  mutating func learn(_ speeds: [EpochSpeeds.Speed]) { filter.learn(speeds) }

  /// The filter's measurement outcomes.
  var measurements: MeasurementLog? {
    get { filter.measurements }
    set { filter.measurements = newValue }
  }

  /// The intervals in which fields showed a north that was later found to be wrong, in s.
  var disowned: [ClosedRange<Double>] { filter.correction.trace?.disowned ?? [] }

  /// The present prior of the gyroscope bias.
  var biasInformation: Double { filter.state.biasPrior.information }

  /// Sets the gyroscope bias's prior that an earlier pass has found; only before the first sample.
  mutating func learn(biasInformation: Double) {
    guard startTime == nil else { return }
    filter.state.biasPrior = BiasPrior(found: biasInformation)
    filter.state.covariance.isolate(
      ErrorIndex.gyroscopeBiases, variance: 1 / biasInformation)
  }

  mutating func update(_ sample: PendingSample) {
    switch sample.sensor {
    case .gyroscope:
      filter.update(gyroscope: sample.value, at: sample.time)
      if startTime == nil { startTime = filter.state.time }
    case .accelerometer: filter.update(accelerometer: sample.value, at: sample.time)
    case .magneticField: filter.update(magneticField: sample.value, at: sample.time)
    }
  }

  var windowIsFull: Bool {
    guard let startTime, let time = filter.state.time else { return false }
    return time - startTime >= lookahead + step
  }

  /// The final results of a window's backward pass.
  struct Result {
    /// The time up to which all results are final.
    var time: Double
    /// The estimates; `nil` for all passes but the last.
    var estimates: SmoothedEstimates?
  }

  /// Smooths the trace. All results become final at the end, otherwise all except for the lookahead.
  mutating func smooth(isEnd: Bool) -> Result {
    let limit = isEnd ? Double.infinity : (filter.state.time ?? 0) - lookahead
    let (smoothed, count, lastPoint) = backward(to: limit)
    let sampleCount = isEnd ? filter.correction.trace?.samples.count ?? 0 : lastPoint?.sampleCount ?? 0
    var result = Result(time: lastPoint.map { isEnd ? .infinity : $0.time } ?? limit)
    if isLast {
      if let trace = filter.correction.trace, let estimate = filter.estimate {
        result.estimates = SmoothedEstimates(
          smoothed, of: trace, first: sampleCount, after: previous, earthFromNorth: filter.state.earthFromNorth,
          last: estimate)
      }
    } else {
      let epochs = smoothed.points.map {
        SpeedLevels.Epoch(time: $0.time, duration: $0.duration, velocity: $0.velocity)
      }
      speeds = levels.levels(of: epochs, first: count)
    }
    if let lastPoint { previous = lastPoint }
    filter.correction.trace?.removeFirst(links: lastPoint.map { $0.link + 1 } ?? 0, samples: sampleCount)
    startTime = limit
    return result
  }

  private func backward(to limit: Double) -> (SmoothedWindow, count: Int, last: SmoothedPoint?) {
    guard let trace = filter.correction.trace else { return (SmoothedWindow(), 0, nil) }
    let smoothed =
      isLast
      ? SmoothedWindow(
        trace, pointsTo: limit, covarianceFrom: limit + Self.covarianceLookahead, on: filter.parameters.core)
      : SmoothedWindow(trace, pointsTo: .infinity, covarianceFrom: nil, on: filter.parameters.core)
    let count = smoothed.points.prefix { $0.time <= limit }.count
    return (smoothed, count, count > 0 ? smoothed.points[count - 1] : nil)
  }
}

/// A buffered sample.
struct PendingSample: Sendable {
  enum Sensor: UInt8, Sendable {
    case gyroscope, accelerometer, magneticField
  }

  var sensor: Sensor
  var time: Double
  var value: Vector3
}
