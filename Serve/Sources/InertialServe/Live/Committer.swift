internal import InertialLive

/// Stores recordings on disk, and then acknowledges their messages.
///
/// The server's thread collects the messages. Another thread waits for the disk, so that a slow disk delays only the
/// clients that wait for it. All messages that arrive while the disk is busy are committed together.
final class Committer: @unchecked Sendable {
  private let server: WebServer

  // Used by the server's thread.
  /// A closure that is called for each file that could not be stored, before its clients are answered.
  var reportFailure: (RecordingFile, RecordingFile.Failure) -> Void = { _, _ in }
  /// The messages for the next commit: each a client, or `nil` for a source, its file and the size of the file.
  private var pending: [(client: WebClient?, file: RecordingFile, size: Int)] = []
  /// The messages of the commit in progress.
  private var current: [(client: WebClient?, file: RecordingFile, size: Int)] = []

  // Protected by the monitor.
  private let monitor = Monitor()
  private var job: [(file: RecordingFile, size: Int)]?
  private var isEnding = false

  init(server: WebServer) {
    self.server = server
    DetachedThread.start { [self] in run() }
  }

  /// Adds a message that was appended to a file; its client, if there is one, is answered after the commit.
  func add(_ file: RecordingFile, for client: WebClient?) { pending.append((client, file, file.size)) }

  /// Removes a client that has disconnected.
  func forget(_ client: WebClient) { pending.removeAll { $0.client === client } }

  /// Begins to commit the added messages, unless a commit is in progress.
  func commit() {
    guard current.isEmpty, !pending.isEmpty else { return }
    (current, pending) = (pending, [])
    var files: [(file: RecordingFile, size: Int)] = []
    for (_, file, size) in current {
      if let index = files.firstIndex(where: { $0.file === file }) {
        files[index].size = max(files[index].size, size)
      } else {
        files.append((file, size))
      }
    }
    for (file, size) in files { file.committedSize = max(file.committedSize, size) }
    monitor.withLock {
      job = files
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
      guard let files = job else { return monitor.unlock() }
      monitor.unlock()
      let results = files.map { (file: $0.file, failure: $0.file.synchronize(upTo: $0.size)) }
      monitor.withLock { job = nil }
      server.post { [self] in acknowledge(results) }
    }
  }

  private func acknowledge(_ results: [(file: RecordingFile, failure: RecordingFile.Failure?)]) {
    let waiting = current
    current = []
    for case (let file, let failure?) in results { reportFailure(file, failure) }
    for (client, file, _) in waiting {
      if let failure = results.first(where: { $0.file === file })?.failure {
        client?.finish(failure.response)
      } else if file.hasFailed {
        // The system may report a failed write of a file only once.
        client?.finish(
          WebResponse(500, "\(file.path): the recording failed; send the samples again, they go to a new recording"))
      } else {
        client?.finish(WebResponse(200, "ok"))
      }
    }
  }
}
