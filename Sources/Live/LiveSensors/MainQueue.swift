#if WITHOUT_RUN_LOOP
  internal import InertialSystem
#else
  internal import Foundation
#endif

/// Waiting on the main thread without stopping what is to be done there.
enum MainQueue {
  /// Longest time that is spent in the run loop before what is waited for is looked at again, seconds.
  private static let slice = 0.01

  #if WITHOUT_RUN_LOOP
    // The command and the library for other programs do without Foundation: nothing is delivered on a main queue there.
    static let isHere = false
    static func serve(until deadline: Double) -> Bool { false }
    static func finish(until deadline: Double) {}
    static func finish() async {}
  #else
    static var isHere: Bool { Thread.isMainThread }

    /// Serves the main queue for a moment, or until it has done something.
    ///
    /// - Returns: false where it cannot be served, as the caller has been called by it.
    static func serve(until deadline: Double) -> Bool {
      let end = min(deadline - MonotonicClock.now, slice)
      return RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: max(0, end)))
    }

    /// Serves the main queue until the operations that are in it now have been done.
    static func finish(until deadline: Double) {
      let mark = Operation()
      OperationQueue.main.addOperation(mark)
      while !mark.isFinished, MonotonicClock.now < deadline {
        guard serve(until: deadline) else { return }
      }
    }

    /// Waits until the operations that are in the main queue now have been done.
    static func finish() async {
      await withCheckedContinuation { continuation in
        OperationQueue.main.addOperation { continuation.resume() }
      }
    }
  #endif
}
