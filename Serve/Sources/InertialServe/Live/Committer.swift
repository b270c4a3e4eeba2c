internal import NIOPosix

/// Stores recordings on disk, and then acknowledges their messages.
///
/// The server's thread collects the messages. Other threads wait for the disk, so that a slow disk delays only the
/// clients that wait for it. All messages that arrive while their file is being stored are committed together.
final class Committer: @unchecked Sendable {
  private let server: WebServer
  private let pool = NIOThreadPool(numberOfThreads: 4)

  /// A message, the size of its file with it, and a closure for the response to its sender.
  private struct Entry {
    var size: Int
    var done: (WebResponse?) -> Void
  }

  /// The messages of a file that wait for its next commit.
  private struct Batch {
    var file: RecordingFile
    var entries: [Entry] = []
  }

  // Used by the server's thread.
  /// A closure that is called for each file that could not be stored, before its clients are answered.
  var reportFailure: (RecordingFile, RecordingFile.Failure) -> Void = { _, _ in }
  private var pending: [ObjectIdentifier: Batch] = [:]
  /// The files that are being stored.
  private var busy: Set<ObjectIdentifier> = []

  init(server: WebServer) {
    self.server = server
    pool.start()
  }

  /// Adds a message that was appended to a file.
  ///
  /// - Parameter done: A closure that is called after the commit, with the response if the message may be lost.
  func add(_ file: RecordingFile, done: @escaping (WebResponse?) -> Void = { _ in }) {
    pending[ObjectIdentifier(file), default: Batch(file: file)].entries.append(Entry(size: file.size, done: done))
  }

  /// Begins to commit the added messages, except those of files that are being stored.
  func commit() {
    for (key, batch) in pending where !busy.contains(key) {
      pending[key] = nil
      busy.insert(key)
      let (file, size) = (batch.file, batch.entries.map(\.size).max() ?? 0)
      file.committedSize = max(file.committedSize, size)
      let batch = Unchecked(batch)
      pool.submit { [self] _ in
        let failure = file.synchronize(upTo: size)
        server.post { [self] in acknowledge(batch.value, failure) }
      }
    }
  }

  /// Ends the threads after the commits in progress.
  func end() { pool.shutdownGracefully { _ in } }

  private func acknowledge(_ batch: Batch, _ failure: RecordingFile.Failure?) {
    let file = batch.file
    busy.remove(ObjectIdentifier(file))
    if let failure { reportFailure(file, failure) }
    // The system may report a failed write of a file only once.
    let text = "\(file.path): the recording failed; send the samples again, they go to a new recording"
    let response = failure?.response ?? (file.hasFailed ? WebResponse(500, text) : nil)
    for entry in batch.entries { entry.done(response) }
  }
}
