internal import LiveSensors

/// Waits for the disk on a thread of its own, so that a slow one holds nobody up but those who wait for it.
///
/// All that came while the disk was busy goes on together.
final class Committer: @unchecked Sendable {
  private let monitor = Monitor()
  private var job: (files: [RecordingFile], done: @Sendable ([String: RecordingFile.Failure]) -> Void)?
  private var isEnding = false

  init() { DetachedThread.start { [self] in run() } }

  /// Has files brought to the disk; `done` is called by the committer's thread with what failed, by the file's name. One
  /// job at a time.
  func commit(_ files: [RecordingFile], done: @escaping @Sendable ([String: RecordingFile.Failure]) -> Void) {
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
      var failures: [String: RecordingFile.Failure] = [:]
      for file in job.files { failures[file.name] = file.synchronize() }
      monitor.withLock { self.job = nil }
      job.done(failures)
    }
  }
}
