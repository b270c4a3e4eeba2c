public import InertialFilters
public import InertialLogs
public import InertialRecognition
public import InertialSensors
internal import InertialSystem

/// Counts the steps of a log.
public struct StepsJob: Sendable {
  /// File, folder, or "-" for standard input.
  public var input: String
  /// The properties of the log that only the user can specify.
  public var log = LogOptions()
  /// Parameters of the pedometer.
  public var pedometer = Pedometer.Parameters()
  /// The filter that fuses a raw log.
  public var filter = FilterKind.standard

  /// A job for one log.
  public init(input: String) { self.input = input }

  /// The steps of a log.
  public struct Report: Sendable {
    /// The contents of the log and its problems.
    public var log: LogSummary
    /// The source of the motion.
    public var source: MotionSource?
    /// The timestamp of the first sample with an acceleration, in seconds.
    public var firstTime: Double
    /// The timestamp of the last sample with an acceleration, in seconds.
    public var lastTime: Double
    /// The totals of the whole log.
    public var data: PedometerData
    /// The steps, events and updates with their times.
    package var history: PedometerHistory
    /// The times of the steps, in seconds.
    public var stepTimes: [Double] { history.steps.map(\.time) }

    /// The totals of each walk, from a resumption to the following pause.
    package var walks: [PedometerData] {
      let events = history.events
      return events.indices.filter { events[$0].type == .resume }.map { index in
        let last = index + 1 < events.count ? events[index + 1].time : lastTime
        // The step at the pause belongs to the walk.
        var data = history.query(from: events[index].time, to: last.nextUp)
        data.end = last
        return data
      }
    }
  }

  /// Counts the steps.
  ///
  /// - Parameter progress: Called periodically with the fraction of the log that has been read, 0...1.
  public func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    try TrackOptions.checkHeight(pedometer.height)
    let fresh = StepsRecord(pedometer)
    var record = fresh
    let (summary, source, _) = try feed.runMotion(
      filter: filter, restart: { record = fresh }, progress: progress, auxiliary: { record.update($0) },
      consume: { record.update($0) })
    let total = record.finish()
    guard let times = record.times else { throw nothing }
    return Report(
      log: summary, source: source, firstTime: times.lowerBound, lastTime: times.upperBound, data: total,
      history: record.history)
  }

  /// Returns the pedometer's input from the log.
  public func samples() throws(FusionError) -> [MotionSample] {
    try feed.motionSamples(filter: filter, orThrow: nothing) { $0.acceleration != nil }
  }

  private var feed: LogFeed { LogFeed(motionOf: input, options: log, auxiliary: StepsPass.channels) }

  private var nothing: FusionError {
    .badData(
      "\(input): the log has no acceleration with gravity; step detection needs accelerometer samples, or user "
        + "acceleration together with gravity or attitude")
  }
}

extension StepsJob.Report: Encodable {
  /// Encodes the document of `inertial steps --json`.
  public func encode(to encoder: any Encoder) throws {
    try EncodedObject([
      "input": log.description.path, "format": log.description.format, "source": source, "firstTime": firstTime,
      "lastTime": lastTime, "steps": data.numberOfSteps, "distance": data.distance, "distanceSigma": data.distanceSigma,
      "floorsAscended": data.floorsAscended, "floorsDescended": data.floorsDescended,
      "averageActivePace": data.averageActivePace, "events": history.events, "updates": history.updates,
      "stepTimes": stepTimes, "warnings": log.warnings,
    ]).encode(to: encoder)
  }
}
