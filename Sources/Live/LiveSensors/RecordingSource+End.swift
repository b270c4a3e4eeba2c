internal import InertialSystem
internal import Synchronization

extension RecordingSource {
  /// Waits until the end has been reported to all attached receivers. Returns `false` if this takes longer than
  /// `timeout` seconds.
  ///
  /// It also returns `false`, with one line on standard error, if no receiver is attached and the clock does not run for
  /// `maximumSilence` seconds, because then nothing leads to the end: every start was refused, or the last handler has
  /// stopped and the recording is played as fast as possible.
  ///
  /// On the main thread the function serves the main queue while it waits, so that handlers on `OperationQueue.main`,
  /// `DispatchQueue.main` and the main actor are called, and returns after the handlers of the last updates. It cannot
  /// serve the main queue if the main queue itself is running the caller, as within such a handler. Handlers then wait
  /// until the function returns: pass a `timeout`, or use the asynchronous form.
  @discardableResult
  public func waitForEnd(timeout: Double = .infinity) -> Bool {
    let deadline = MonotonicClock.now + timeout
    var idleness = Idleness()
    guard Self.isOnMainThread else { return waitOrGiveUp(until: deadline, &idleness) }
    while !waitForEnd(until: -.infinity, &idleness) {
      guard MonotonicClock.now < deadline else { return false }
      guard !idleness.isOver else { return giveUp() }
      guard Self.serveMainQueue(until: deadline) else { return waitOrGiveUp(until: deadline, &idleness) }
    }
    Self.finishMainQueue(until: deadline)
    return true
  }

  private func waitOrGiveUp(
    until deadline: Double, _ idleness: inout Idleness, unless isCalledOff: () -> Bool = { false }
  ) -> Bool {
    let isOver = waitForEnd(until: deadline, &idleness, unless: isCalledOff)
    return !isOver && idleness.isOver ? giveUp() : isOver
  }

  /// Prints why the end will not come, and returns `false`.
  private func giveUp() -> Bool {
    let line =
      "\(name): waitForEnd gives up: no handler is active, so the recording does not play; "
      + "check that a start was not refused (error 105, 109 or 111), and stop handlers after the end\n"
    _ = Array(line.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    return false
  }

  /// Waits for the end without blocking a thread. On the main actor, the function returns after the handlers of the
  /// last updates on the main queue.
  ///
  /// - Returns: `false` if the wait takes longer than `timeout` seconds, the task is cancelled, or nothing leads to the
  ///   end, as for the blocking form.
  @discardableResult
  public func waitForEnd(
    timeout: Double = .infinity, isolation: isolated (any Actor)? = #isolation
  ) async -> Bool {
    let deadline = MonotonicClock.now + timeout
    let isCancelled = Mutex(false)
    let isOver = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DetachedThread.start { [self] in
          var idleness = Idleness()
          continuation.resume(
            returning: waitOrGiveUp(until: deadline, &idleness) { isCancelled.withLock { $0 } })
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
