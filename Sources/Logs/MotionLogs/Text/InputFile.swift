internal import InertialSystem

/// A file open for reading, or standard input where the path is "-". Closes itself.
final class InputFile {
  /// As messages name it.
  let name: String
  /// Bytes; nil where the end is not known beforehand (a pipe, a terminal).
  let size: Int?
  /// Whether it is a terminal, or a device that may never end.
  let isDevice: Bool
  private let descriptor: Int32

  /// Opens a file; an error where it is not there, may not be read or is a folder.
  ///
  /// - Parameter mayBeStream: whether a pipe or a device is welcome: what the user names may be one, the other files of
  ///   a log may not, as nobody may ever write to them.
  init(path: String, mayBeStream: Bool = false) throws(LogError) {
    if path == "-" {
      name = "standard input"
      descriptor = STDIN_FILENO
    } else {
      name = path
      // A pipe that nobody writes to would hold up its opening.
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

  /// Whether a path is standard input, a pipe or a device, whose bytes can be read but once.
  static func isStream(_ path: String) -> Bool {
    var status = stat()
    guard path != "-" else { return true }
    return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  deinit { if descriptor > STDIN_FILENO { close(descriptor) } }

  /// Reads at most `buffer.count` bytes; 0 at the end. A pipe gives what it has.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(LogError) -> Int {
    while true {
      let count = systemRead(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { throw readingError }
    }
  }

  /// Reads at most `buffer.count` bytes from a place of a regular file; 0 behind its end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at place: UInt64) throws(LogError) -> Int {
    guard !buffer.isEmpty, let place = off_t(exactly: place) else { return 0 }
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, place)
      if count >= 0 { return count }
      if errno != EINTR { throw readingError }
    }
  }

  /// So many bytes from a place of a regular file; fewer where it ends.
  func bytes(_ count: Int, at place: UInt64) throws(LogError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let more = try bytes.withUnsafeMutableBufferPointer { bytes throws(LogError) in
        let rest = UnsafeMutableBufferPointer(rebasing: bytes[done...])
        return try read(into: UnsafeMutableRawBufferPointer(rest), at: place + UInt64(done))
      }
      if more == 0 { break }
      done += more
    }
    return Array(bytes[..<done])
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

/// The system's words for an error number, without a capital.
func systemMessage(_ number: Int32) -> String {
  let text = String(cString: strerror(number))
  return text.prefix(1).lowercased() + text.dropFirst()
}
