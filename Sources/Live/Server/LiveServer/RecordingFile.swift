internal import InertialEssentials
internal import InertialSystem

/// A recording that grows message by message. What was acknowledged is in it whatever ends the process.
///
/// The server's thread writes; another waits for the disk. A file that could not be brought to the disk, or was deleted, cut
/// off or replaced meanwhile, has failed for good: the next message begins another.
final class RecordingFile: @unchecked Sendable {
  struct Failure: Error {
    /// Whether there is no room: something that a person can change.
    var isFull: Bool
    var text: String
  }

  let name: String
  let path: String
  private let descriptor: Int32
  /// Bytes of whole lines.
  private(set) var size = 0
  private(set) var messageCount = 0
  /// The bytes that the committer was given last. Used by the server's thread.
  var committedSize = 0
  /// Whether messages in it may be lost. Used by the server's thread.
  var hasFailed = false

  /// - Parameter header: the first line, without its end.
  init(folder: String, name: String, header: String) throws(Failure) {
    (self.name, path) = (name, folder.appendingPathPart(name))
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure(errno, path) }
    do throws(Failure) {
      try append(Array(header.utf8))
    } catch {
      unlink(path)
      throw error
    }
    messageCount = 0
    // The file's name is to be safe as well.
    let place = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if place >= 0 {
      fsync(place)
      close(place)
    }
  }

  deinit { close(descriptor) }

  /// Appends a line. Where that fails nothing of it stays.
  func append(_ line: [UInt8]) throws(Failure) {
    // A line of the file is a message, whatever white space the sender has put between its parts.
    var bytes = line
    for place in bytes.indices where bytes[place] == 0x0A || bytes[place] == 0x0D { bytes[place] = 0x20 }
    bytes.append(0x0A)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress! + done, $0.count - done) }
      if count < 0 {
        let number = errno
        if number == EINTR { continue }
        ftruncate(descriptor, off_t(size))
        throw Self.failure(number, path)
      }
      done += count
    }
    size += bytes.count
    messageCount += 1
  }

  /// Waits until the first `size` bytes are stored, in the file that has the name.
  func synchronize(upTo size: Int) -> Failure? {
    while fsync(descriptor) != 0 {
      if errno == EINTR { continue }
      // Some file systems have no such call.
      guard errno == EINVAL || errno == ENOTSUP || errno == ENOSYS else { return Self.failure(errno, path) }
      break
    }
    var (own, named) = (stat(), stat())
    guard fstat(descriptor, &own) == 0 else { return Self.failure(errno, path) }
    guard own.st_size >= off_t(size) else { return loss("was cut off") }
    guard lstat(path, &named) == 0 else { return loss("was deleted or renamed") }
    guard (own.st_dev, own.st_ino) == (named.st_dev, named.st_ino) else { return loss("was replaced") }
    return nil
  }

  private func loss(_ what: String) -> Failure {
    Failure(isFull: false, text: "\(path): the recording \(what) while it was made; send again, another is begun")
  }

  private static func failure(_ number: Int32, _ path: String) -> Failure {
    let isFull = number == ENOSPC || number == EDQUOT || number == EFBIG
    return Failure(
      isFull: isFull,
      text: "\(path): cannot be written: \(String(cString: strerror(number))); "
        + (isFull ? "make room on the disk of the server" : "give the server a folder that it may write to"))
  }
}
