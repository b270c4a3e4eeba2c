internal import InertialFilters
public import InertialLogs
public import InertialRecognition
public import InertialSensors

/// Counts the steps of a log.
public struct StepsJob: Sendable {
  /// File, folder, or "-" for standard input.
  public var input: String
  /// What only the user can know about the log.
  public var log = LogOptions()
  /// Parameters of the pedometer.
  public var pedometer = Pedometer.Parameters()
  /// What fuses a raw log.
  public var filter = FilterKind.standard

  /// A job for one log.
  public init(input: String) { self.input = input }

  /// The steps of a log.
  public struct Report: Sendable {
    /// What was read, and what was wrong with it.
    public var log: LogSummary
    /// Where the motion comes from.
    public var source: MotionSource?
    /// Time of the first and the last moment with an acceleration, seconds.
    public var firstTime: Double
    /// The last moment with an acceleration, seconds.
    public var lastTime: Double
    /// Everything from the first to the last moment.
    public var data: PedometerData
    /// The steps, events and updates with their times.
    package var history: PedometerHistory
  }

  /// - Parameter progress: called now and then with the share of the log that was read, 0 to 1.
  public func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    let fresh = StepsRecord(pedometer)
    var record = fresh
    let (summary, source) = try feed.run(
      restart: { record = fresh }, progress: progress, auxiliary: { record.update($0) },
      consume: { record.update($0) })
    let (history, total) = record.finish()
    guard let times = record.times else { throw feed.nothing }
    return Report(
      log: summary, source: source, firstTime: times.lowerBound, lastTime: times.upperBound, data: total,
      history: history)
  }

  /// What the pedometer is given of the log, in memory.
  public func samples() throws(FusionError) -> [MotionSample] { try feed.samples { $0.acceleration != nil } }

  private var feed: MotionSampleFeed {
    MotionSampleFeed(
      path: input, options: log, filter: filter, auxiliary: StepsPass.channels,
      lack: "no acceleration with gravity; steps are counted in the accelerometer's samples, or in user acceleration "
        + "with gravity or attitude beside it")
  }
}
