internal import InertialSystem

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
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw LogError(path: path, problem: "is not a regular file", remedy: "give the path of an HDF5 file")
    }
    let file = try InputFile(path: path)
    guard let size = file.size, size > 0 else {
      throw LogError(path: path, problem: "the file is empty", remedy: "give the path of an HDF5 file")
    }
    guard begins(try file.readBytes(upTo: bytes.count)) else {
      throw LogError(
        path: path, problem: "is not an HDF5 file: the signature is missing",
        remedy: "give the path of an HDF5 file")
    }
    return size
  }
}
