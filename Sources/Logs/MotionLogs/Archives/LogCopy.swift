internal import InertialSystem

/// A private copy of a log's file in its present state, for a reader that needs it unchanged. It is removed on
/// deinitialization.
package final class LogCopy {
  /// The path of the copy, which has the file's name.
  package let path: String
  private let folder: ScratchFolder

  /// Copies a file.
  ///
  /// - Throws: ``LogError`` if the file cannot be read or there is no space for the copy.
  package init(of log: String) throws(LogError) {
    let input = open(log, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else {
      throw LogError(path: log, problem: "cannot be opened: \(systemMessage(errno))", remedy: "check the path")
    }
    defer { close(input) }
    var status = stat()
    var rest = fstat(input, &status) == 0 ? Int(status.st_size) : 0
    folder = try ScratchFolder(for: log)
    let name = log.lastPathPart
    path = folder.path + "/" + name
    try folder.makeFile([name], for: log).append { (buffer) throws(LogError) in
      while rest > 0 {
        let count = systemRead(input, buffer.baseAddress!, min(rest, buffer.count))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          throw LogError(path: log, problem: "cannot be read", remedy: "wait until its recorder has finished")
        }
        rest -= count
        return count
      }
      return 0
    }
  }
}
