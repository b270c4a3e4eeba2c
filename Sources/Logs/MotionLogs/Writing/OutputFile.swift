internal import InertialSystem

/// Outputs other than files: standard output, open descriptors, pipes and devices.
package enum OutputStreams {
  /// Returns the open descriptor that a path refers to: 1 for "-" and `/dev/stdout`, N for `/dev/fd/N` and
  /// `/proc/self/fd/N`, or `nil` for any other path.
  package static func descriptor(of path: String) -> Int32? {
    switch path {
    case "-", "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default: break
    }
    for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
      return Int32(path.dropFirst(folder.count)).flatMap { $0 >= 0 ? $0 : nil }
    }
    return nil
  }

  /// Whether output to a path goes to a stream: an open descriptor, or an existing pipe or device. A symbolic link is
  /// never a stream.
  package static func isStream(_ path: String) -> Bool {
    var status = stat()
    return descriptor(of: path) != nil
      || (lstat(path, &status) == 0 && ![S_IFREG, S_IFDIR, S_IFLNK].contains(status.st_mode & S_IFMT))
  }

  /// Returns "-" for every path of standard output, so that no other output is printed between the rows; other paths
  /// are unchanged.
  package static func plainName(_ path: String) -> String {
    if descriptor(of: path) == STDOUT_FILENO { return "-" }
    guard isStream(path), let identity = FileIdentity(path), identity != FileIdentity("/dev/null") else { return path }
    return identity == FileIdentity(descriptor: STDOUT_FILENO) ? "-" : path
  }
}

/// The destination of a writer's bytes.
protocol OutputFile: AnyObject {
  /// Writes all bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError)
  /// Waits until all written bytes are safely on disk.
  func prepare() throws(OutputError)
  /// Completes the output. Nothing can be written afterwards.
  func commit() throws(OutputError)
}

extension AtomicFile: OutputFile {}

extension OutputFile {
  /// Writes a string as UTF-8.
  func write(_ text: String) throws(OutputError) { try write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) throws(OutputError) {
    try bytes.withUnsafeBufferPointer { bytes throws(OutputError) in try write(UnsafeRawBufferPointer(bytes)) }
  }
}
