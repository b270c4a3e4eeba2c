internal import InertialLive

/// Waits for the disk on a dedicated thread, so that a slow disk delays only the clients that wait for it.
///
/// All messages that arrive while the disk is busy are committed together.
final class Committer: @unchecked Sendable {
  private let monitor = Monitor()
  private var job: (files: [(file: RecordingFile, size: Int)], done: @Sendable ([RecordingFile.Failure?]) -> Void)?
  private var isEnding = false

  init() { DetachedThread.start { [self] in run() } }

  /// Writes the first `size` bytes of each file to disk. Only one job may be active.
  ///
  /// - Parameter done: A closure that the committer's thread calls with the failure of each file, or `nil` for a
  ///   success.
  func commit(
    _ files: [(file: RecordingFile, size: Int)], done: @escaping @Sendable ([RecordingFile.Failure?]) -> Void
  ) {
    monitor.withLock {
      precondition(job == nil, "the previous commit has not ended")
      job = (files, done)
      monitor.broadcast()
    }
  }

  /// Ends the thread after the current job.
  func end() {
    monitor.withLock {
      isEnding = true
      monitor.broadcast()
    }
  }

  private func run() {
    while true {
      monitor.lock()
      while job == nil, !isEnding { monitor.wait() }
      guard let job else {
        monitor.unlock()
        return
      }
      monitor.unlock()
      let failures = job.files.map { $0.file.synchronize(upTo: $0.size) }
      monitor.withLock { self.job = nil }
      job.done(failures)
    }
  }
}
