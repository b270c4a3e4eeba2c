internal import LinearAlgebra
internal import Rotations
internal import Sensors

/// The filter forward over samples as they come, and backward over what it left whenever a window of them is full.
struct SmoothingPass: Sendable {
  private var filter: MotionPriorKalman
  /// Seconds. What is final of a window is its first half, for which as much again is known of what came after.
  private let window: Double
  /// Whether attitudes are wanted, with their covariance; else what the next pass can use.
  private let isLast: Bool
  private var startTime: Double?
  private var levels: SpeedLevels
  /// The last point that was final.
  private var previous: SmoothedPoint?
  private var isFirstWindow = true
  /// What the latest window has to tell the next pass.
  private(set) var knowledge = SmoothingKnowledge()

  init(_ parameters: MotionPriorKalman.Parameters, isLast: Bool) {
    filter = MotionPriorKalman(parameters: parameters)
    filter.correction.trace = SmoothingTrace(keepsSamples: isLast)
    window = 2 * parameters.lookahead
    self.isLast = isLast
    levels = SpeedLevels(memory: parameters.knownMotionMemory)
  }

  mutating func learn(_ knowledge: SmoothingKnowledge) { filter.learn(knowledge) }

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
    return time - startTime >= window
  }

  /// Smooths what there is, and makes final all of it at the end, else all but the lookahead.
  ///
  /// - Parameter body: takes each attitude that is final.
  /// - Returns: the time up to which all is final.
  mutating func smooth(isEnd: Bool, _ body: (TimedAttitudeEstimate) -> Void) -> Double {
    let limit = isEnd ? Double.infinity : (filter.state.time ?? 0) - 0.5 * window
    let (smoothed, count, lastPoint) = backward(to: limit)
    let sampleCount = isEnd ? filter.correction.trace?.samples.count ?? 0 : lastPoint?.sampleCount ?? 0
    if isLast {
      if let trace = filter.correction.trace, let estimate = filter.estimate {
        smoothed.estimates(
          of: trace, first: sampleCount,
          SmoothedWindow.Surroundings(
            previous: previous, earthFromNorth: filter.state.earthFromNorth, last: estimate),
          body)
      }
    } else {
      teach(smoothed, first: count)
    }
    if let lastPoint { previous = lastPoint }
    filter.correction.trace?.removeFirst(links: lastPoint.map { $0.link + 1 } ?? 0, samples: sampleCount)
    startTime = limit
    return lastPoint.map { isEnd ? .infinity : $0.time } ?? limit
  }

  private func backward(to limit: Double) -> (SmoothedWindow, count: Int, last: SmoothedPoint?) {
    guard let trace = filter.correction.trace else { return (SmoothedWindow(), 0, nil) }
    let smoothed = SmoothedWindow(trace, hasCovariance: isLast)
    let count = smoothed.points.prefix { $0.time <= limit }.count
    return (smoothed, count, count > 0 ? smoothed.points[count - 1] : nil)
  }

  private mutating func teach(_ smoothed: SmoothedWindow, first count: Int) {
    knowledge = SmoothingKnowledge()
    // Later constants are not those of the start.
    if isFirstWindow { (knowledge.sensors, knowledge.field) = (smoothed.sensors, smoothed.field) }
    isFirstWindow = false
    let epochs = smoothed.points.map {
      SpeedLevels.Epoch(time: $0.time, duration: $0.duration, velocity: $0.velocity)
    }
    knowledge.add(levels.levels(of: epochs, first: count))
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
