internal import InertialLive

/// An owner's attachment to a source, which lasts while at least one of its streams is active.
///
/// Streams start and stop under the owner's monitor, together with the attachment. The source is called outside the
/// monitor, except for `leaveSource`: a source that was waiting for a handler must not continue between the stop of the
/// last stream and the end of the attachment, as the next start resumes from there. No object is released under the
/// monitor, because its deallocation may call the owner.
final class SourceAttachment: @unchecked Sendable {
  private let ownSource: (any SensorSource)?
  private let monitor: Monitor
  private var attachment: SensorAttachment?
  private var attached: (any SensorSource)?
  private var isAttaching = false
  private var token = 0

  /// Creates an attachment of an owner with its own source, or with the process's if `nil`.
  init(_ ownSource: (any SensorSource)? = nil, monitor: Monitor) {
    (self.ownSource, self.monitor) = (ownSource, monitor)
  }

  /// The attached source; while no stream is active, the owner's own source or the process's. Not called under the
  /// monitor.
  var source: (any SensorSource)? { monitor.withLock { attached } ?? ownSource ?? MotionSensors.defaultSource }

  /// Returns whether the receiver of a token is attached. Called under the monitor.
  func isCurrent(_ token: Int) -> Bool { token == self.token }

  /// Starts a stream, and attaches to the source if needed.
  ///
  /// - Parameters:
  ///   - receive: A closure that processes an event, with the token of the attachment; called on the source's thread.
  ///     It must not retain the owner.
  ///   - isNeeded: Whether a stream is active; called under the monitor.
  ///   - start: A closure that starts the stream under the monitor; its result is released outside it.
  func start<Old>(
    _ source: any SensorSource, receive: @escaping @Sendable (SensorEvent, _ token: Int) -> Void,
    isNeeded: () -> Bool, _ start: () -> Old
  ) {
    monitor.lock()
    let old = start()
    defer { withExtendedLifetime(old) {} }
    guard attachment == nil, !isAttaching else { return monitor.unlock() }
    isAttaching = true
    token += 1
    attached = source
    let receiver = Receiver(token: token, receive)
    monitor.unlock()
    // A source may deliver events before `attach` returns.
    let new = source.attach(receiver)
    monitor.lock()
    isAttaching = false
    // The stream may have been stopped meanwhile.
    let isNeeded = isNeeded()
    if isNeeded {
      attachment = new
    } else {
      token += 1
      attached = nil
      new.leaveSource()
    }
    monitor.unlock()
    if !isNeeded { new.cancel() }
  }

  /// Stops a stream, and detaches from the source if no stream is active. After the attachment has ended here, the
  /// owner receives no more events; if another thread is starting or stopping a stream, that thread ends the
  /// attachment.
  ///
  /// - Parameters:
  ///   - isNeeded: Whether a stream is still active; called under the monitor.
  ///   - stop: A closure that stops the stream under the monitor; its result is returned.
  func stop<Result>(isNeeded: () -> Bool, _ stop: () -> Result) -> Result {
    monitor.lock()
    let result = stop()
    let last = isNeeded() ? nil : attachment
    let source = last.flatMap { _ in attached }
    if let last {
      last.leaveSource()
      (attachment, attached) = (nil, nil)
      token += 1
    }
    monitor.unlock()
    last?.cancel()
    withExtendedLifetime(source) {}
    return result
  }

  /// Forwards the source's events to the owner without retaining it.
  private final class Receiver: SensorReceiver {
    private let token: Int
    private let consume: @Sendable (SensorEvent, Int) -> Void

    init(token: Int, _ consume: @escaping @Sendable (SensorEvent, Int) -> Void) {
      (self.token, self.consume) = (token, consume)
    }

    func receive(_ event: SensorEvent) { consume(event, token) }
  }
}
