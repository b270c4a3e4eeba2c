internal import Synchronization

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
    guard Self.isOnMainThread else { return waitForEnd(until: deadline) }
    while !waitForEnd(until: -.infinity) {
      guard MonotonicClock.now < deadline else { return false }
      guard Self.serveMainQueue(until: deadline) else { return waitForEnd(until: deadline) }
    }
    Self.finishMainQueue(until: deadline)
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
    let isCancelled = Mutex(false)
    let isOver = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DetachedThread.start { [self] in
          continuation.resume(returning: waitForEnd(until: deadline) { isCancelled.withLock { $0 } })
        }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
      wakeWaiters()
    }
    if isOver, isolation === MainActor.shared { await Self.finishMainQueue() }
    return isOver
  }
}
