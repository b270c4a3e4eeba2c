internal import InertialSystem

/// A file opened for reading, or standard input if the path is "-". Closes itself.
final class InputFile {
  /// The name of the file in messages.
  let name: String
  /// The size in bytes, or `nil` if it is unknown (a pipe, a terminal).
  let size: Int?
  /// Whether the file is a terminal, or a device that may never end.
  let isDevice: Bool
  private let descriptor: Int32

  /// Opens a file. Throws ``LogError`` if the file does not exist, cannot be read or is a folder.
  ///
  /// - Parameter mayBeStream: Whether a pipe or a device is allowed. A path given by the user may be a stream. Other
  ///   files of a log may not, as reading could block indefinitely.
  init(path: String, mayBeStream: Bool = false) throws(LogError) {
    if path == "-" {
      name = "standard input"
      descriptor = STDIN_FILENO
    } else {
      name = path
      // Opening a pipe without a writer would block.
      descriptor = open(path, O_RDONLY | O_CLOEXEC | (mayBeStream ? 0 : O_NONBLOCK))
      guard descriptor >= 0 else { throw Self.openingError(path: path, number: errno) }
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.openingError(path: path, number: errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      if descriptor != STDIN_FILENO { close(descriptor) }
      throw LogError(path: path, problem: "is a folder", remedy: "give the path of a file")
    }
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    guard isRegular || mayBeStream || descriptor == STDIN_FILENO else {
      close(descriptor)
      throw LogError(
        path: path, problem: "is not a regular file", remedy: "give a file")
    }
    isDevice = [S_IFCHR, S_IFBLK].contains(status.st_mode & S_IFMT)
    size = isRegular ? Int(status.st_size) : nil
  }

  /// Whether a path is standard input, a pipe or a device, whose bytes can be read only once.
  static func isStream(_ path: String) -> Bool {
    var status = stat()
    guard path != "-" else { return true }
    return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  deinit { if descriptor > STDIN_FILENO { close(descriptor) } }

  /// Reads at most `buffer.count` bytes; returns 0 at the end. A pipe returns the available bytes.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(LogError) -> Int {
    try repeating { systemRead(descriptor, buffer.baseAddress, buffer.count) }
  }

  /// Reads at most `buffer.count` bytes at an offset of a regular file; returns 0 past its end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at position: UInt64) throws(LogError) -> Int {
    guard !buffer.isEmpty, let position = off_t(exactly: position) else { return 0 }
    return try repeating { pread(descriptor, buffer.baseAddress, buffer.count, position) }
  }

  /// Repeats a call of the system until no signal interrupts it.
  private func repeating(_ call: () -> Int) throws(LogError) -> Int {
    while true {
      let count = call()
      if count >= 0 { return count }
      if errno != EINTR { throw readingError }
    }
  }

  /// Reads the given number of bytes at an offset of a regular file; returns fewer at its end.
  func bytes(_ count: Int, at position: UInt64) throws(LogError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let more = try bytes.withUnsafeMutableBufferPointer { bytes throws(LogError) in
        let rest = UnsafeMutableBufferPointer(rebasing: bytes[done...])
        return try read(into: UnsafeMutableRawBufferPointer(rest), at: position + UInt64(done))
      }
      if more == 0 { break }
      done += more
    }
    bytes.removeLast(count - done)
    return bytes
  }

  private var readingError: LogError {
    LogError(path: name, problem: "cannot be read: \(systemMessage(errno))", remedy: "check the disk and try again")
  }

  private static func openingError(path: String, number: Int32) -> LogError {
    switch number {
    case ENOENT: LogError(path: path, problem: "no such file", remedy: "check the path")
    case EACCES, EPERM:
      LogError(
        path: path, problem: "permission denied", remedy: "allow reading it (chmod u+r) or copy it elsewhere")
    default:
      LogError(path: path, problem: "cannot be opened: \(systemMessage(number))", remedy: "check the path")
    }
  }
}

/// Returns the system's message for an error number, in lower case.
func systemMessage(_ number: Int32) -> String {
  let text = String(cString: strerror(number))
  return text.prefix(1).lowercased() + text.dropFirst()
}
