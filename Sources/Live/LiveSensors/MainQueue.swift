#if WITHOUT_RUN_LOOP
  internal import InertialSystem
#else
  internal import Foundation
#endif

/// Functions that wait on the main thread while the main queue is still being served.
enum MainQueue {
  /// The maximum time in the run loop between two checks of the condition, in seconds.
  private static let slice = 0.01

  #if WITHOUT_RUN_LOOP
    // The command and the library for other languages do not link Foundation: they deliver nothing on a main queue.
    static let isHere = false
    static func serve(until deadline: Double) -> Bool { false }
    static func finish(until deadline: Double) {}
    static func finish() async {}
  #else
    static var isHere: Bool { Thread.isMainThread }

    /// Serves the main queue for a short time, or until it has run an operation.
    ///
    /// - Returns: `false` if the queue cannot be served because the caller itself runs on it.
    static func serve(until deadline: Double) -> Bool {
      let end = min(deadline - MonotonicClock.now, slice)
      return RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: max(0, end)))
    }

    /// Serves the main queue until the operations that are enqueued now have finished.
    static func finish(until deadline: Double) {
      let mark = Operation()
      OperationQueue.main.addOperation(mark)
      while !mark.isFinished, MonotonicClock.now < deadline {
        guard serve(until: deadline) else { return }
      }
    }

    /// Waits until the operations that are enqueued in the main queue now have finished.
    static func finish() async {
      await withCheckedContinuation { continuation in
        OperationQueue.main.addOperation { continuation.resume() }
      }
    }
  #endif
}
