public import InertialLogs
public import InertialSensors

/// Sensors whose samples arrive as lines, from standard input, over UDP or TCP, or from `inertial serve`: see
/// `StreamAddress`.
///
/// Lines are read while a receiver is attached. Samples that arrive out of order are dropped and counted, repeated
/// samples are merged, and implausible samples are skipped. With a `horizon`, samples may arrive out of order by this
/// time, and are delayed by as much. After `maximumSilence` seconds without a line the source reports silence and
/// continues to wait.
public final class StreamSource: SensorSource, @unchecked Sendable {
  public let name: String
  /// The declared sensors; the actual ones are unknown before the first line.
  public let channels: Set<SensorChannel>
  public let auxiliaryChannels: Set<AuxiliaryChannel>
  public let declination: Double?
  public let warnings: [String]
  /// The duration without a line after which the source reports silence, in seconds.
  public let maximumSilence: Double
  /// The local port of the datagrams or the connection, or `nil` if the stream does not use one.
  public let port: UInt16?

  /// The statistics of the samples so far.
  public struct Counts: Sendable, Equatable {
    /// The number of received lines.
    public var lines = 0
    /// The number of lines that could not be parsed.
    public var malformedLines = 0
    /// The error of the first malformed line.
    public var firstError: LogError?
    /// The number of lines dropped because their timestamps are far from those of the adjacent lines.
    public var outliers = 0
    /// The number of jumps of the clock: the sender has restarted, or its clock was set.
    public var jumps = 0
    /// The last clock jump.
    public var lastJump: ClockJump?
    /// The number of ignored datagrams from senders other than the accepted one.
    public var refusedDatagrams = 0
    /// The number of datagrams that the system discarded because they were not read in time; 0 if the system does not
    /// report it.
    public var lostDatagrams = 0
    /// The numbers of received, implausible, late and repeated samples by channel.
    public var channels: [SensorChannel: ChannelReport] = [:]
    /// The number of samples that arrived out of order and were dropped.
    public var droppedCount: Int { channels.values.reduce(0) { $0 + $1.late } }
    /// The number of duplicate samples.
    public var collapsedCount: Int { channels.values.reduce(0) { $0 + $1.collapsed } }
  }

  /// A clock jump, in seconds.
  public struct ClockJump: Sendable, Equatable, Codable {
    /// The last timestamp before the jump.
    public var from: Double
    /// The first timestamp after the jump.
    public var to: Double
  }

  private let stream: SampleStream
  private let monitor = Monitor()
  private var receivers: [Delivery] = []
  private var isReading = false
  private var endEvent: SensorEvent?
  private var currentCounts = Counts()
  /// Used only by the reading thread, of which there is at most one.
  private var processor: StreamProcessor

  /// Creates a source that reads a stream.
  ///
  /// - Parameters:
  ///   - address: The address that the stream is read from.
  ///   - channels: The sensors that send.
  ///   - declination: The declination in radians, positive if magnetic north is east of true north, or `nil` if it is
  ///     unknown.
  ///   - warnings: The warnings for users of the stream, one line per warning.
  ///   - horizon: The maximum time by which a sample may arrive out of order, in seconds.
  ///   - options: The log options; `auxiliary` specifies the other channels that send.
  ///   - admission: The senders whose datagrams are accepted.
  ///   - maximumSilence: The time without a line after which silence is reported, in seconds.
  /// - Throws: `LogError` if the address cannot be listened on, or the server does not respond.
  public convenience init(
    _ address: StreamAddress, channels: Set<SensorChannel> = [.accelerometer, .gyroscope, .magnetometer],
    options: LogOptions = LogOptions(), admission: SenderPolicy = SenderPolicy(), declination: Double? = nil,
    warnings: [String] = [], horizon: Double = 0, maximumSilence: Double = 2
  ) throws(LogError) {
    self.init(
      try SampleStream(address, options: options, admission: admission), channels: channels, options: options,
      declination: declination,
      warnings: warnings, horizon: horizon, maximumSilence: maximumSilence)
  }

  /// Creates a source that reads a stream that is already open, and takes ownership of it.
  package init(
    _ stream: SampleStream, channels: Set<SensorChannel> = [.accelerometer, .gyroscope, .magnetometer],
    options: LogOptions = LogOptions(), declination: Double? = nil, warnings: [String] = [], horizon: Double = 0,
    maximumSilence: Double = 2
  ) {
    self.stream = stream
    name = stream.name
    port = stream.port
    self.channels = channels
    auxiliaryChannels = options.auxiliary
    self.declination = declination
    self.warnings = warnings
    self.maximumSilence = maximumSilence
    processor = StreamProcessor(name: stream.name, options: options, horizon: horizon)
  }

  /// The statistics of the samples so far.
  public var counts: Counts { monitor.withLock { currentCounts } }

  /// The number of samples that arrived out of order and were dropped.
  public var droppedCount: Int { counts.droppedCount }

  public func attach(_ receiver: any SensorReceiver) -> SensorAttachment {
    let delivery = Delivery(receiver)
    monitor.withLock {
      receivers.append(delivery)
      if !isReading {
        isReading = true
        DetachedThread.start { [self] in run() }
      }
    }
    return SensorAttachment(leave: { [weak self] in self?.detach(delivery) }, cut: { delivery.cancel() })
  }

  private func detach(_ delivery: Delivery) {
    monitor.withLock {
      guard let index = receivers.firstIndex(where: { $0 === delivery }) else { return }
      receivers.remove(at: index)
      if receivers.isEmpty { stream.interrupt() }
    }
  }

  // MARK: The thread

  private func run() {
    while keepsReading() {
      if let end = monitor.withLock({ endEvent }) {
        deliverEnd(end)
      } else {
        readLine()
      }
    }
  }

  /// Returns whether a receiver is attached; if none is, the thread is marked as ended under the same lock.
  private func keepsReading() -> Bool {
    monitor.withLock {
      if receivers.isEmpty { isReading = false }
      return !receivers.isEmpty
    }
  }

  private func readLine() {
    do throws(LogError) {
      let outcome = try processor.read(stream, silence: maximumSilence, deliver: deliver)
      let counts = processor.counts(stream)
      monitor.withLock { currentCounts = counts }
      if outcome == .end { end(nil) }
    } catch {
      end(error)
    }
  }

  private func end(_ error: LogError?) {
    processor.finish(deliver: deliver)
    let counts = processor.counts(stream)
    monitor.withLock {
      currentCounts = counts
      endEvent = .end(error)
    }
  }

  /// Reports the end to all receivers and detaches them.
  private func deliverEnd(_ event: SensorEvent) {
    let notified = monitor.withLock {
      defer { receivers = [] }
      return receivers
    }
    for delivery in notified { delivery.deliver(event) }
  }

  private func deliver(_ event: SensorEvent) {
    for delivery in monitor.withLock({ receivers }) { delivery.deliver(event) }
  }
}
