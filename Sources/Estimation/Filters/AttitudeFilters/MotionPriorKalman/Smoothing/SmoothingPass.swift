internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// The filter forward over samples as they come, and backward over what it left whenever a window of them is full.
struct SmoothingPass: Sendable {
  /// Seconds of what follows that tell how well something is known, where more would only tell it better: constants
  /// go on being learned for a long time, but by ever less.
  private static let covarianceLookahead = 300.0
  /// Seconds of what follows that tell what the next pass can use: the speed of a moment, and whether its field is to
  /// be believed.
  private static let firstLookahead = 300.0
  /// Least seconds that become final at once, so that a short lookahead does not mean a pass backward for each epoch.
  private static let leastStep = 60.0

  private var filter: MotionPriorKalman
  /// Seconds that follow what is to be final.
  private let lookahead: Double
  /// Seconds that become final at once.
  private let step: Double
  /// Whether attitudes are wanted, with their covariance; else what the next pass can use.
  private let isLast: Bool
  private var startTime: Double?
  private var levels: SpeedLevels
  /// The last point that was final.
  private var previous: SmoothedPoint?
  /// What the latest window has to tell the next pass.
  private(set) var speeds: [KnownSpeeds.Speed] = []

  init(_ parameters: MotionPriorKalman.Parameters, isLast: Bool) {
    filter = MotionPriorKalman(parameters: parameters)
    filter.correction.trace = SmoothingTrace(keepsSamples: isLast)
    lookahead = isLast ? parameters.lookahead : min(parameters.lookahead, Self.firstLookahead)
    step = max(Self.leastStep, 0.125 * lookahead)
    self.isLast = isLast
    levels = SpeedLevels(memory: parameters.knownMotionMemory)
  }

  /// Takes what an earlier pass has found of the epochs to come.
  mutating func learn(_ speeds: [KnownSpeeds.Speed]) { filter.learn(speeds) }

  /// What the filter makes of measurements.
  var measurements: MeasurementLog? {
    get { filter.measurements }
    set { filter.measurements = newValue }
  }

  /// When fields showed a north that was found to be wrong later, s.
  var disowned: [ClosedRange<Double>] { filter.correction.trace?.disowned ?? [] }

  /// The gyroscope bias's prior, as it is now.
  var biasInformation: Double { filter.state.biasPrior.information }

  /// Takes the gyroscope bias's prior that an earlier pass has found; only before the first sample.
  mutating func learn(biasInformation: Double) {
    guard startTime == nil else { return }
    filter.state.biasPrior = BiasPrior(found: biasInformation)
    filter.state.covariance.isolate(
      ErrorIndex.gyroscopeBiases, variance: 1 / biasInformation)
  }

  mutating func update(_ sample: HeldSample) {
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

  /// What a window's backward pass has made final.
  struct Result {
    /// Up to which all is final.
    var time: Double
    /// nil of a pass that is not the last.
    var estimates: SmoothedEstimates?
  }

  /// Smooths what there is, and makes final all of it at the end, else all but the lookahead.
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

/// A sample that waits.
struct HeldSample: Sendable {
  enum Sensor: UInt8, Sendable {
    case gyroscope, accelerometer, magneticField
  }

  var sensor: Sensor
  var time: Double
  var value: Vector3
}
