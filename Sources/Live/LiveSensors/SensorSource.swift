public import InertialLogs
public import InertialSensors

/// An event that a source delivers to its receivers, in order.
public enum SensorEvent: Sendable {
  /// Valid samples of the motion sensors, in chronological order. Samples with one timestamp are delivered together, so
  /// that the motion of the last epoch need not wait for the next event.
  case samples([SensorSample])
  /// Valid samples of other channels, in chronological order, each before the motion samples with later timestamps.
  case auxiliary([AuxiliarySample])
  /// Silence: the source has delivered no sample for the given number of seconds of real time. Reported once, when it
  /// is detected; ends with the next sample.
  case silence(Double)
  /// The next sample does not follow the previous one, for example because a recording was moved to another position.
  case discontinuity
  /// The source has ended, with the reason if it is an error.
  case end(LogError?)
}

/// A receiver of a source's events. It is called on the source's thread and should return quickly.
public protocol SensorReceiver: AnyObject, Sendable {
  /// Receives the next event, in chronological order.
  func receive(_ event: SensorEvent)
}

/// A source of sensor samples: a recording that is played, a stream, or hardware.
///
/// A source delivers nothing while no receiver is attached. It may be used from any thread.
public protocol SensorSource: AnyObject, Sendable {
  /// The name used in messages.
  var name: String { get }
  /// The motion sensors of the source.
  var channels: Set<SensorChannel> { get }
  /// The other channels of the source.
  var auxiliaryChannels: Set<AuxiliaryChannel> { get }
  /// The UNIX time of time 0 of the samples, in seconds, or `nil` if it is unknown.
  var epoch: Double? { get }
  /// The declination at the place and date of the samples, in radians, positive if magnetic north is east of true
  /// north, or `nil` if the place is unknown.
  var declination: Double? { get }
  /// The warnings for users of the source, one line per warning.
  var warnings: [String] { get }
  /// The current time on the samples' clock, in seconds, or `nil` if the source has no clock.
  var time: Double? { get }
  /// Returns the mean rate of a channel in Hz, or `nil` if it is unknown in advance.
  func rate(of channel: SensorChannel) -> Double?
  /// Whether the source waits for its receivers, as a recording does at infinite speed. Otherwise, a receiver that
  /// queues events must drop the events that it cannot keep.
  var waitsForReceivers: Bool { get }
  /// Starts delivering events to `receiver`, until the attachment is cancelled or deallocated.
  ///
  /// The source retains the receiver until then.
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

/// A receiver's attachment to a source. It is cancelled when it is deallocated.
public final class SensorAttachment: Sendable {
  private let leave: @Sendable () -> Void
  private let cut: @Sendable () -> Void

  /// Creates an attachment.
  ///
  /// - Parameters:
  ///   - leave: Removes the receiver from the source's list, without waiting.
  ///   - cut: Ends the delivery, and waits for one that is in progress. Both are called at least once, from any thread.
  public init(leave: @escaping @Sendable () -> Void, cut: @escaping @Sendable () -> Void) {
    self.leave = leave
    self.cut = cut
  }

  deinit { cancel() }

  /// Prevents the source from starting another delivery, without waiting for one in progress; the source's clock stops.
  /// May be called under a lock that the receiver acquires. `cancel` ends the delivery in progress.
  public func leaveSource() { leave() }

  /// Ends the delivery. After the call returns, the receiver gets no more events: the call waits for a delivery that
  /// another thread is making. It may be called from within a delivery, but not under a lock that the receiver
  /// acquires.
  public func cancel() {
    // In this order, so that a recording does not continue while the last delivery finishes.
    leave()
    cut()
  }
}
