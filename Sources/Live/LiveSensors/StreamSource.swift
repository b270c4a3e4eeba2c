public import InertialLogs
public import InertialSensors

/// Sensors whose samples come as lines, from standard input, over UDP or TCP, or from `inertial serve`: see `StreamAddress`.
///
/// Lines are read while somebody is attached. Samples that come out of order are dropped and counted, repeated ones
/// collapse, impossible ones are skipped; with a `horizon`, samples may be as much out of order and are held back as
/// long. After `longestSilence` seconds without a line the source says that it is silent, and goes on waiting.
public final class StreamSource: SensorSource, @unchecked Sendable {
  public let name: String
  /// The sensors that were said to send; before the first line nothing else can be known.
  public let channels: Set<SensorChannel>
  public let auxiliaryChannels: Set<AuxiliaryChannel>
  public let declination: Double?
  public let warnings: [String]
  /// Seconds without a line after which the source says that it is silent.
  public let longestSilence: Double
  /// The port that datagrams or a connection come to; nil of what is read without.
  public let port: UInt16?

  /// What became of the samples so far.
  public struct Counts: Sendable, Equatable {
    /// Lines that came.
    public var lines = 0
    /// Lines that could not be read.
    public var malformedLines = 0
    /// What was wrong with the first of them.
    public var firstError: LogError?
    /// Lines left out as their time is far from that of those before and behind them.
    public var outliers = 0
    /// How often the clock has jumped: a sender has started anew, or its clock was set.
    public var jumps = 0
    /// The last of these jumps.
    public var lastJump: ClockJump?
    /// Datagrams of others than the one sender that is heard, left out.
    public var refusedDatagrams = 0
    /// Datagrams that the system threw away, as they were not read in time; 0 where it does not tell.
    public var lostDatagrams = 0
    /// Samples by channel: how many came, were impossible, late, repeated.
    public var channels: [SensorChannel: ChannelReport] = [:]
    /// Samples that came out of order and were dropped.
    public var droppedCount: Int { channels.values.reduce(0) { $0 + $1.late } }
    /// Samples that came twice.
    public var collapsedCount: Int { channels.values.reduce(0) { $0 + $1.collapsed } }
  }

  /// A clock's jump, in seconds.
  public struct ClockJump: Sendable, Equatable {
    /// The last time before it.
    public var from: Double
    /// The first time after it.
    public var to: Double
  }

  private let stream: SampleStream
  private let monitor = Monitor()
  private var deliveries: [Delivery] = []
  private var isReading = false
  private var hasEnded: SensorEvent?
  private var currentCounts = Counts()
  /// Used by the reading thread alone, of which there is never more than one.
  private var judge: StreamJudge

  /// - `channels`: the sensors that send.
  /// - `declination`: radians, positive where magnetic north is east of true north; nil where it is not known.
  /// - `warnings`: what whoever uses the stream should know, a line each.
  /// - `horizon`: seconds that a sample may come out of order.
  /// - `options`: `auxiliary` says which other channels send.
  /// - `admission`: whose datagrams are taken.
  /// - Throws: where the address cannot be listened at, or the server does not answer.
  public convenience init(
    _ address: StreamAddress, channels: Set<SensorChannel> = [.accelerometer, .gyroscope, .magnetometer],
    options: LogOptions = LogOptions(), admission: StreamAdmission = StreamAdmission(), declination: Double? = nil,
    warnings: [String] = [], horizon: Double = 0, longestSilence: Double = 2
  ) throws(LogError) {
    self.init(
      try SampleStream(address, options: options, admission: admission), channels: channels, options: options,
      declination: declination,
      warnings: warnings, horizon: horizon, longestSilence: longestSilence)
  }

  /// Listens to a stream that is already open, which then belongs to the source.
  package init(
    _ stream: SampleStream, channels: Set<SensorChannel> = [.accelerometer, .gyroscope, .magnetometer],
    options: LogOptions = LogOptions(), declination: Double? = nil, warnings: [String] = [], horizon: Double = 0,
    longestSilence: Double = 2
  ) {
    self.stream = stream
    name = stream.name
    port = stream.port
    self.channels = channels
    auxiliaryChannels = options.auxiliary
    self.declination = declination
    self.warnings = warnings
    self.longestSilence = longestSilence
    judge = StreamJudge(name: stream.name, options: options, horizon: horizon)
  }

  /// What became of the samples so far.
  public var counts: Counts { monitor.withLock { currentCounts } }

  /// Samples that came out of order and were dropped.
  public var droppedCount: Int { counts.droppedCount }

  public func attach(_ receiver: any SensorReceiver) -> SensorAttachment {
    let delivery = Delivery(receiver)
    monitor.withLock {
      deliveries.append(delivery)
      if !isReading {
        isReading = true
        DetachedThread.start { [self] in run() }
      }
    }
    return SensorAttachment(leave: { [weak self] in self?.detach(delivery) }, cut: { delivery.cancel() })
  }

  private func detach(_ delivery: Delivery) {
    monitor.withLock {
      guard let index = deliveries.firstIndex(where: { $0 === delivery }) else { return }
      deliveries.remove(at: index)
      if deliveries.isEmpty { stream.interrupt() }
    }
  }

  // MARK: The thread

  private func run() {
    while goesOn() {
      if let end = monitor.withLock({ hasEnded }) {
        tellEnd(end)
      } else {
        readLine()
      }
    }
  }

  /// Whether anybody listens; where nobody does, the thread's end is settled in the same breath.
  private func goesOn() -> Bool {
    monitor.withLock {
      if deliveries.isEmpty { isReading = false }
      return !deliveries.isEmpty
    }
  }

  private func readLine() {
    do throws(LogError) {
      let outcome = try judge.read(stream, silence: longestSilence, tell: tell)
      let counts = judge.counts(stream)
      monitor.withLock { currentCounts = counts }
      if outcome == .end { end(nil) }
    } catch {
      end(error)
    }
  }

  private func end(_ error: LogError?) {
    judge.finish(tell: tell)
    let counts = judge.counts(stream)
    monitor.withLock {
      currentCounts = counts
      hasEnded = .end(error)
    }
  }

  /// Tells of the end all who listen; then nothing is left to be done for them.
  private func tellEnd(_ event: SensorEvent) {
    let told = monitor.withLock {
      defer { deliveries = [] }
      return deliveries
    }
    for delivery in told { delivery.deliver(event) }
  }

  private func tell(_ event: SensorEvent) {
    for delivery in monitor.withLock({ deliveries }) { delivery.deliver(event) }
  }
}
