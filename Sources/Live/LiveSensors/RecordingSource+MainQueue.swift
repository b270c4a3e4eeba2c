#if WITHOUT_RUN_LOOP
  internal import InertialSystem
#else
  internal import Foundation
#endif

// Waits on the main thread, during which the main queue is still served.
extension RecordingSource {
  #if WITHOUT_RUN_LOOP
    // The command and the library for other languages do not link Foundation: they deliver nothing on a main queue.
    static let isOnMainThread = false
    static func serveMainQueue(until deadline: Double) -> Bool { false }
    static func finishMainQueue(until deadline: Double) {}
    static func finishMainQueue() async {}
  #else
    /// Whether the caller runs on the main thread.
    static var isOnMainThread: Bool { Thread.isMainThread }

    /// Serves the main queue for at most 0.01 s, or until it has run an operation.
    ///
    /// - Returns: `false` if the queue cannot be served because the caller itself runs on it.
    static func serveMainQueue(until deadline: Double) -> Bool {
      let end = min(deadline - MonotonicClock.now, 0.01)
      return RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: max(0, end)))
    }

    /// Serves the main queue until the operations that are enqueued now have finished.
    static func finishMainQueue(until deadline: Double) {
      let mark = Operation()
      OperationQueue.main.addOperation(mark)
      while !mark.isFinished, MonotonicClock.now < deadline {
        guard serveMainQueue(until: deadline) else { return }
      }
    }

    /// Waits until the operations that are enqueued in the main queue now have finished.
    static func finishMainQueue() async {
      await withCheckedContinuation { continuation in
        OperationQueue.main.addOperation { continuation.resume() }
      }
    }
  #endif
}
