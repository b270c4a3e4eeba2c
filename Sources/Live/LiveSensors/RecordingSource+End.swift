extension RecordingSource {
  /// Waits until all who are attached have been told of the end; false where that takes longer than `timeout` seconds.
  ///
  /// On the main thread it serves the main queue meanwhile, so that handlers on `OperationQueue.main`, `DispatchQueue.main`
  /// and the main actor are called, and returns when those of the last updates have been. It cannot where the main queue
  /// itself has called it, as from within such a handler: there handlers wait until it returns, so give a `timeout`, or use
  /// the form for asynchronous code.
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

  /// As the other, for asynchronous code: no thread is held up. On the main actor it returns when the handlers of the last
  /// updates on the main queue have been called.
  ///
  /// - Returns: false where it takes longer than `timeout` seconds, or the task is cancelled.
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

/// Whether nobody waits any more.
private final class CancelledWait: Sendable {
  private let monitor = Monitor()
  private nonisolated(unsafe) var value = false

  var isCancelled: Bool { monitor.withLock { value } }
  func cancel() { monitor.withLock { value = true } }
}
