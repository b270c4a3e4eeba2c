public import Activity
internal import AttitudeFilters
public import MotionLogs
public import Sensors

/// Counts the steps of a log.
public struct StepsJob: Sendable {
  /// File, folder, or "-" for standard input.
  public var input: String
  public var log = LogOptions()
  public var pedometer = Pedometer.Parameters()
  /// What fuses a raw log.
  public var filter = FilterKind.standard

  public init(input: String) { self.input = input }

  public struct Report: Sendable {
    public var log: LogSummary
    public var source: MotionSource?
    /// Time of the first and the last moment with an acceleration, seconds.
    public var firstTime: Double
    public var lastTime: Double
    /// Everything from the first to the last moment.
    public var data: PedometerData
    /// The steps, events and updates with their times.
    public var history: PedometerHistory
  }

  /// - Parameter progress: called now and then with the share of the log that was read, 0 to 1.
  public func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    var pass = StepsPass(pedometer)
    let (summary, source) = try feed.run(
      restart: { pass = StepsPass(pedometer) }, progress: progress, auxiliary: { pass.take($0) },
      consume: { pass.take($0) })
    pass.finish()
    guard let first = pass.firstTime, let last = pass.lastTime else { throw noAcceleration }
    return Report(
      log: summary, source: source, firstTime: first, lastTime: last, data: pass.pedometer.data, history: pass.history)
  }

  /// What the pedometer is given of the log, in memory.
  public func samples() throws(FusionError) -> [MotionSample] {
    let samples = try feed.samples().filter { $0.acceleration != nil }
    guard !samples.isEmpty else { throw noAcceleration }
    return samples
  }

  private var noAcceleration: FusionError {
    .badData(
      "\(input): the log has no acceleration with gravity; steps are counted in the accelerometer's samples, or in user "
        + "acceleration with gravity or attitude beside it")
  }

  private var feed: MotionSampleFeed {
    var options = log
    options.auxiliary.insert(.barometer)
    var feed = MotionSampleFeed(path: input, options: options)
    feed.filter = filter
    return feed
  }
}

/// The pedometer over a log.
private struct StepsPass {
  private(set) var pedometer: Pedometer
  private(set) var history = PedometerHistory()
  private var floors = WalkedFloors()
  private(set) var firstTime: Double?
  private(set) var lastTime: Double?

  init(_ parameters: Pedometer.Parameters) { pedometer = Pedometer(parameters: parameters) }

  mutating func take(_ sample: MotionSample) {
    guard sample.acceleration != nil else { return }
    firstTime = firstTime ?? sample.time
    lastTime = sample.time
    floors.update(sample)
    for output in pedometer.update(sample) { history.append(output) }
  }

  mutating func take(_ sample: AuxiliarySample) {
    let isFirst = !floors.isKnown
    let ways = floors.update(sample)
    // Where there is a barometer and nothing was climbed, none is what was climbed.
    if isFirst, floors.isKnown { add(ascended: 0, descended: 0, at: sample.time) }
    add(ways)
  }

  private mutating func add(_ ways: [FloorEvent]) {
    for way in ways { add(ascended: way.ascended, descended: way.descended, at: way.end) }
  }

  private mutating func add(ascended: Int, descended: Int, at time: Double) {
    pedometer.addFloors(ascended: ascended, descended: descended)
    history.appendFloors(ascended: ascended, descended: descended, at: time)
  }

  mutating func finish() {
    add(floors.finish())
    for output in pedometer.finish() { history.append(output) }
  }
}
