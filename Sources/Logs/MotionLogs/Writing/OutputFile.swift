internal import InertialSystem

/// Outputs that are no files: standard output, open descriptors, pipes and devices.
package enum OutputStreams {
  /// The open descriptor that a path stands for: 1 for "-" and `/dev/stdout`, N for `/dev/fd/N` and `/proc/self/fd/N`; nil
  /// for any other path.
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

  /// Whether what is written to a path goes to a stream: an open descriptor, or a pipe or device that is there. A symbolic
  /// link is never a stream.
  package static func isStream(_ path: String) -> Bool {
    var status = stat()
    return descriptor(of: path) != nil
      || (lstat(path, &status) == 0 && ![S_IFREG, S_IFDIR, S_IFLNK].contains(status.st_mode & S_IFMT))
  }

  /// "-" for every path of standard output, so that nothing else is printed between the rows; any other path as it is.
  package static func plainName(_ path: String) -> String {
    if descriptor(of: path) == STDOUT_FILENO { return "-" }
    guard isStream(path), let identity = FileIdentity(path), identity != FileIdentity("/dev/null") else { return path }
    return identity == FileIdentity(descriptor: STDOUT_FILENO) ? "-" : path
  }
}

/// Where a writer's bytes go, in order.
protocol OutputFile: AnyObject {
  /// Writes all the bytes; an error where the disk is full or the reader has gone.
  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError)
  /// Waits until all that was written is safe on the disk.
  func prepare() throws(OutputError)
  /// The output is whole. Nothing can be written after it.
  func commit() throws(OutputError)
}

extension AtomicFile: OutputFile {}

extension OutputFile {
  /// Writes a text as UTF-8.
  func write(_ text: String) throws(OutputError) { try write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) throws(OutputError) {
    try bytes.withUnsafeBufferPointer { bytes throws(OutputError) in try write(UnsafeRawBufferPointer(bytes)) }
  }
}
