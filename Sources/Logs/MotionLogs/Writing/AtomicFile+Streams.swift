internal import InertialSystem

// Outputs other than files: standard output, open descriptors, pipes and devices.
extension AtomicFile {
  /// Returns the open descriptor that a path refers to: 1 for "-" and `/dev/stdout`, N for `/dev/fd/N` and
  /// `/proc/self/fd/N`, or `nil` for any other path.
  package static func streamDescriptor(of path: String) -> Int32? {
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
    return streamDescriptor(of: path) != nil
      || (lstat(path, &status) == 0 && ![S_IFREG, S_IFDIR, S_IFLNK].contains(status.st_mode & S_IFMT))
  }

  /// Returns "-" for every path of standard output, so that no other output is printed between the rows; other paths
  /// are unchanged.
  package static func plainName(_ path: String) -> String {
    if streamDescriptor(of: path) == STDOUT_FILENO { return "-" }
    guard isStream(path), let identity = FileIdentity(path), identity != FileIdentity("/dev/null") else { return path }
    return identity == FileIdentity(descriptor: STDOUT_FILENO) ? "-" : path
  }
}
