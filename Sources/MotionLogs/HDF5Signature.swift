#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Recognises HDF5 files without the HDF5 library.
enum HDF5Signature {
  /// The first bytes of the superblock (HDF5 File Format Specification 3.0, II.A).
  private static let bytes: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Whether the beginning of a file is that of an HDF5 file.
  ///
  /// The specification also allows the superblock at byte 512, 1024, 2048 ..., behind a user block; BROAD
  /// has none and a reader that searches a text log for one would gain nothing.
  static func begins(_ head: some Collection<UInt8>) -> Bool { head.starts(with: bytes) }

  /// The size in bytes of the HDF5 file at `path`; an error where it is not one or cannot be read.
  static func checkedSize(path: String) throws(LogError) -> Int {
    // Asked before opening: to open a pipe waits for its other end.
    var status = stat()
    let found = stat(path, &status) == 0
    guard !found || status.st_mode & S_IFMT == S_IFREG else {
      throw LogError(path: path, problem: "is not a regular file", remedy: "give the path of an HDF5 file")
    }
    let descriptor = found ? open(path, O_RDONLY) : -1
    guard descriptor >= 0 else {
      throw LogError(
        path: path, problem: "cannot be opened: \(String(cString: strerror(errno)))",
        remedy: "check the path and its permissions")
    }
    defer { _ = close(descriptor) }
    guard status.st_size > 0 else {
      throw LogError(path: path, problem: "the file is empty", remedy: "give the path of an HDF5 file")
    }
    var head = [UInt8](repeating: 0, count: bytes.count)
    let length = pread(descriptor, &head, head.count, 0)
    guard length == head.count, begins(head) else {
      throw LogError(
        path: path, problem: "is not an HDF5 file: the signature is missing",
        remedy: "give the path of an HDF5 file")
    }
    return Int(status.st_size)
  }
}
