public import InertialLogs
public import InertialSensors

/// What a source tells those who listen to it, in order.
public enum SensorEvent: Sendable {
  /// Good samples of the motion sensors, in chronological order. Samples with one timestamp come together: the motion of the last
  /// time need not wait for the next event.
  case samples([SensorSample])
  /// Good samples of other channels, in order of time; each comes before motion samples of later times.
  case auxiliary([AuxiliarySample])
  /// Nothing has come for so many seconds of the source's real time. Told once, when it is noticed; it is over with the
  /// next sample.
  case silence(Double)
  /// What comes next does not follow what came before: somebody has moved a recording to another place.
  case discontinuity
  /// Nothing more will come; with the reason, where it is a fault.
  case end(LogError?)
}

/// Takes what a source tells, on the source's own thread: for no longer than it must.
public protocol SensorReceiver: AnyObject, Sendable {
  /// Takes the next event, in order of time.
  func receive(_ event: SensorEvent)
}

/// Sensors that can be listened to: a recording that is played, a stream, or hardware.
///
/// A source tells nothing while nobody is attached. It may be used from any thread.
public protocol SensorSource: AnyObject, Sendable {
  /// As messages name it.
  var name: String { get }
  /// The motion sensors it has.
  var channels: Set<SensorChannel> { get }
  /// The other channels it has.
  var auxiliaryChannels: Set<AuxiliaryChannel> { get }
  /// UNIX time in seconds of time 0 of the samples; nil where it is not known.
  var epoch: Double? { get }
  /// Declination at the place and date of the samples, radians, positive where magnetic north is east of true north;
  /// nil where the place is not known.
  var declination: Double? { get }
  /// What whoever uses the source should know, a line each.
  var warnings: [String] { get }
  /// What time it is: seconds on the clock of the samples; nil where the source keeps none.
  var time: Double? { get }
  /// The mean rate of a channel in Hz; nil where it is not known beforehand.
  func rate(of channel: SensorChannel) -> Double?
  /// Whether the source waits for its receivers, as a recording does that is played as fast as possible. Where it does
  /// not, a receiver that queues what it gets must drop what it cannot keep.
  var waitsForReceivers: Bool { get }
  /// Begins to tell `receiver` what comes from now on, until the attachment is cancelled or gone.
  ///
  /// The source keeps the receiver until then.
  func attach(_ receiver: any SensorReceiver) -> SensorAttachment
}

extension SensorSource {
  public var auxiliaryChannels: Set<AuxiliaryChannel> { [] }
  public var epoch: Double? { nil }
  public var declination: Double? { nil }
  public var warnings: [String] { [] }
  public var time: Double? { nil }
  public func rate(of channel: SensorChannel) -> Double? { nil }
  public var waitsForReceivers: Bool { false }
}

/// A receiver's hold on a source. It is cancelled when it is gone.
public final class SensorAttachment: Sendable {
  private let leave: @Sendable () -> Void
  private let cut: @Sendable () -> Void

  /// - Parameters:
  ///   - leave: takes the receiver off the source's list, and waits for nothing.
  ///   - cut: ends the delivery, and waits for one that is going on. Both are called once or more, from any thread.
  public init(leave: @escaping @Sendable () -> Void, cut: @escaping @Sendable () -> Void) {
    self.leave = leave
    self.cut = cut
  }

  deinit { cancel() }

  /// Sees to it that the source begins no other delivery, and waits for none: it stands where it is. May be called under
  /// a lock that the receiver takes. What is going on is ended by `cancel`.
  public func leaveSource() { leave() }

  /// Ends the delivery. When this returns, the receiver gets nothing more: a delivery that another thread is at is
  /// waited for. It may be called from within a delivery, but not under a lock that the receiver takes.
  public func cancel() {
    // In this order, so that a recording does not run on while the last delivery is waited for.
    leave()
    cut()
  }
}
