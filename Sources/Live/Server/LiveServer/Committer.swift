internal import InertialLive

/// Waits for the disk on a thread of its own, so that a slow one holds nobody up but those who wait for it.
///
/// All that came while the disk was busy goes on together.
final class Committer: @unchecked Sendable {
  private let monitor = Monitor()
  private var job: (files: [(file: RecordingFile, size: Int)], done: @Sendable ([RecordingFile.Failure?]) -> Void)?
  private var isEnding = false

  init() { DetachedThread.start { [self] in run() } }

  /// Brings the first `size` bytes of each file to the disk. One job at a time.
  ///
  /// - Parameter done: called by the committer's thread with the failure of each file, nil if there was none.
  func commit(
    _ files: [(file: RecordingFile, size: Int)], done: @escaping @Sendable ([RecordingFile.Failure?]) -> Void
  ) {
    monitor.withLock {
      precondition(job == nil, "the last commit has not ended")
      job = (files, done)
      monitor.broadcast()
    }
  }

  /// Ends the thread behind the job at hand.
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
