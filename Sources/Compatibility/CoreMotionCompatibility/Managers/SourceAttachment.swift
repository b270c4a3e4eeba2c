internal import InertialLive

/// An owner's attachment to a source, which lasts while at least one of its streams is active.
///
/// Streams start and stop under the owner's monitor, together with the attachment. The source is called outside the
/// monitor, except for `leaveSource`: a source that was waiting for a handler must not continue between the stop of the
/// last stream and the end of the attachment, as the next start resumes from there. No object is released under the
/// monitor, because its deallocation may call the owner.
final class SourceAttachment: @unchecked Sendable {
  private let monitor: Monitor
  private var attachment: SensorAttachment?
  private var attached: (any SensorSource)?
  private var isAttaching = false
  private var token = 0

  init(monitor: Monitor) { self.monitor = monitor }

  /// The attached source, or `nil` while no stream is active. Not called under the monitor.
  var source: (any SensorSource)? { monitor.withLock { attached } }

  /// Returns whether the receiver of a token is attached. Called under the monitor.
  func isCurrent(_ token: Int) -> Bool { token == self.token }

  /// Starts a stream, and attaches to the source if needed.
  ///
  /// - Parameters:
  ///   - receiver: A closure that creates the receiver for a token; called under the monitor.
  ///   - isNeeded: Whether a stream is active; called under the monitor.
  ///   - start: A closure that starts the stream under the monitor; its result is released outside it.
  func start<Old>(
    _ source: any SensorSource, receiver: (Int) -> any SensorReceiver, isNeeded: () -> Bool, _ start: () -> Old
  ) {
    monitor.lock()
    let old = start()
    defer { withExtendedLifetime(old) {} }
    guard attachment == nil, !isAttaching else { return monitor.unlock() }
    isAttaching = true
    token += 1
    attached = source
    let receiver = receiver(token)
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
}
