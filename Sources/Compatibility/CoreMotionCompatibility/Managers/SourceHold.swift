internal import InertialLive

/// An owner's hold on a source, for those of its streams that are active: attached while there is one.
///
/// Streams start and stop under the owner's monitor, together with the hold. The source is called without it, but for
/// `leaveSource`: a source that was waiting for a handler must not run on between the stop of the last stream and the
/// end of the attachment, as the next start goes on from there. Nothing is let go under the monitor, as what goes with it
/// may call the owner.
final class SourceHold: @unchecked Sendable {
  private let monitor: Monitor
  private var attachment: SensorAttachment?
  private var attached: (any SensorSource)?
  private var isAttaching = false
  private var token = 0

  init(monitor: Monitor) { self.monitor = monitor }

  /// The source that is held; nil while no stream is active. Not under the monitor.
  var source: (any SensorSource)? { monitor.withLock { attached } }

  /// Whether the receiver of that token is listened to. Under the monitor.
  func isCurrent(_ token: Int) -> Bool { token == self.token }

  /// Starts something, and attaches to the source unless that is done.
  ///
  /// - Parameters:
  ///   - receiver: makes what is attached, of its token; under the monitor.
  ///   - isNeeded: whether a stream is active; under the monitor.
  ///   - start: under the monitor; its result is let go without.
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
    // A source may tell something before it returns.
    let new = source.attach(receiver)
    monitor.lock()
    isAttaching = false
    // Stopped meanwhile.
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

  /// Stops something, and leaves the source where nothing needs it any more. When that one's attachment has ended here,
  /// the owner gets nothing more; beside a start or a stop of another thread, that one sees to it.
  ///
  /// - Parameters:
  ///   - isNeeded: whether a stream is active yet; under the monitor.
  ///   - stop: under the monitor; its result is handed on.
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
