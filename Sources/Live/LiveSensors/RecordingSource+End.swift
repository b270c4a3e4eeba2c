extension RecordingSource {
  /// Waits until the end has been reported to all attached receivers. Returns `false` if this takes longer than
  /// `timeout` seconds.
  ///
  /// On the main thread the function serves the main queue while it waits, so that handlers on `OperationQueue.main`,
  /// `DispatchQueue.main` and the main actor are called, and returns after the handlers of the last updates. It cannot
  /// serve the main queue if the main queue itself is running the caller, as within such a handler. Handlers then wait
  /// until the function returns: pass a `timeout`, or use the asynchronous form.
  @discardableResult
  public func waitForEnd(timeout: Double = .infinity) -> Bool {
    let deadline = MonotonicClock.now + timeout
    guard MainQueue.isHere else { return waitForEnd(until: deadline) }
    while !waitForEnd(until: -.infinity) {
      guard MonotonicClock.now < deadline else { return false }
      guard MainQueue.serve(until: deadline) else { return waitForEnd(until: deadline) }
    }
    MainQueue.finish(until: deadline)
    return true
  }

  /// Waits for the end without blocking a thread. On the main actor, the function returns after the handlers of the
  /// last updates on the main queue.
  ///
  /// - Returns: `false` if the wait takes longer than `timeout` seconds, or the task is cancelled.
  @discardableResult
  public func waitForEnd(
    timeout: Double = .infinity, isolation: isolated (any Actor)? = #isolation
  ) async -> Bool {
    let deadline = MonotonicClock.now + timeout
    let call = CancelledWait()
    let isOver = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DetachedThread.start { [self] in
          continuation.resume(returning: waitForEnd(until: deadline) { call.isCancelled })
        }
      }
    } onCancel: {
      call.cancel()
      wakeWaiters()
    }
    if isOver, isolation === MainActor.shared { await MainQueue.finish() }
    return isOver
  }
}

/// Whether a wait has been cancelled.
private final class CancelledWait: Sendable {
  private let monitor = Monitor()
  private nonisolated(unsafe) var value = false

  var isCancelled: Bool { monitor.withLock { value } }
  func cancel() { monitor.withLock { value = true } }
}
