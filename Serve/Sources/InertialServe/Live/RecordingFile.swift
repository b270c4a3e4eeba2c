internal import InertialEssentials
internal import InertialSystem

/// A recording that grows message by message. An acknowledged message is stored even if the process is killed.
///
/// The server's thread writes; the committer's thread waits for the disk. If a file could not be committed, or was
/// deleted, truncated or replaced meanwhile, it has failed permanently: the next message begins a new one.
final class RecordingFile: @unchecked Sendable {
  struct Failure: Error {
    /// Whether the disk is full, which the user can resolve.
    var isFull: Bool
    /// Whether the name is in use.
    var isTaken = false
    var text: String
    /// The response to the sender of a message that is lost.
    var response: WebResponse { WebResponse(isFull ? 507 : 500, text) }
  }

  let name: String
  let path: String
  private let descriptor: Int32
  private let folder: String
  /// Whether the file's name is stored. Used by the committer's thread.
  private var isNameStored = false
  /// The size of all complete lines, in bytes.
  private(set) var size = 0
  /// The number of bytes in the last commit request. Used by the server's thread.
  var committedSize = 0
  /// Whether messages in the file may be lost. Used by the server's thread.
  var hasFailed = false

  /// Creates a file.
  ///
  /// - Parameter header: The first line, without a line break.
  init(folder: String, name: String, header: String) throws(Failure) {
    (self.name, self.folder, path) = (name, folder, folder.appendingPathPart(name))
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure(errno, path) }
    do throws(Failure) {
      try append(Array(header.utf8))
    } catch {
      unlink(path)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// Appends a line. If this fails, no part of the line remains, or the file has failed.
  func append(_ line: [UInt8]) throws(Failure) {
    // A message is one line of the file, regardless of the white space that the sender has used.
    var bytes = line
    for index in bytes.indices where bytes[index] == 0x0A || bytes[index] == 0x0D { bytes[index] = 0x20 }
    bytes.append(0x0A)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress! + done, $0.count - done) }
      if count < 0 {
        let number = errno
        if number == EINTR { continue }
        // The next line must not continue a part of this one.
        if ftruncate(descriptor, off_t(size)) != 0 { hasFailed = true }
        throw Self.failure(number, path)
      }
      done += count
    }
    size += bytes.count
  }

  /// Waits until the first `size` bytes are stored in the file that has the name.
  func synchronize(upTo size: Int) -> Failure? {
    if let number = Self.store(descriptor) { return Self.failure(number, path) }
    if !isNameStored {
      let directory = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard directory >= 0 else { return Self.failure(errno, folder) }
      defer { close(directory) }
      if let number = Self.store(directory) { return Self.failure(number, folder) }
      isNameStored = true
    }
    var (own, named) = (stat(), stat())
    guard fstat(descriptor, &own) == 0 else { return Self.failure(errno, path) }
    guard own.st_size >= off_t(size) else { return loss("was cut off") }
    guard lstat(path, &named) == 0 else { return loss("was deleted or renamed") }
    guard (own.st_dev, own.st_ino) == (named.st_dev, named.st_ino) else { return loss("was replaced") }
    return nil
  }

  /// Waits until a file or folder is stored, and returns the number of the error if it may not be.
  private static func store(_ descriptor: Int32) -> Int32? {
    while fsync(descriptor) != 0 {
      if errno == EINTR { continue }
      // Some file systems do not support the call.
      return [EINVAL, ENOTSUP, ENOSYS].contains(errno) ? nil : errno
    }
    return nil
  }

  private func loss(_ what: String) -> Failure {
    Failure(
      isFull: false,
      text: "\(path): the recording \(what) while in progress; send the samples again, they go to a new recording")
  }

  private static func failure(_ number: Int32, _ path: String) -> Failure {
    let isFull = number == ENOSPC || number == EDQUOT || number == EFBIG
    return Failure(
      isFull: isFull, isTaken: number == EEXIST,
      text: "\(path): cannot be written: \(String(cString: strerror(number))); "
        + (isFull ? "free some disk space on the server" : "use a folder that is writable for the server"))
  }
}
