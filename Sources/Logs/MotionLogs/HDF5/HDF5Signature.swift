internal import InertialSystem

/// The first bytes of an HDF5 file's superblock (HDF5 File Format Specification 3.0, II.A).
private let signature: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]

/// Whether a file begins with the HDF5 signature. Needs no HDF5 library.
///
/// The specification also permits the superblock at byte 512, 1024, 2048 ..., after a user block. BROAD has no user
/// block, and searching text logs for a superblock has no benefit.
func isHDF5(_ head: some Collection<UInt8>) -> Bool { head.starts(with: signature) }

/// Returns the size of the HDF5 file at `path`, in bytes.
///
/// - Throws: ``LogError`` if it is not an HDF5 file or cannot be read.
func checkedHDF5Size(path: String) throws(LogError) -> Int {
  // The type is checked before opening, as opening a pipe waits for its other end.
  var status = stat()
  if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
    throw LogError(path: path, problem: "is not a regular file", remedy: "give the path of an HDF5 file")
  }
  let file = try InputFile(path: path)
  guard let size = file.size, size > 0 else {
    throw LogError(path: path, problem: "the file is empty", remedy: "give the path of an HDF5 file")
  }
  guard isHDF5(try file.readBytes(upTo: signature.count)) else {
    throw LogError(
      path: path, problem: "is not an HDF5 file: the signature is missing", remedy: "give the path of an HDF5 file")
  }
  return size
}

#if !HDF5
  extension LogError {
    /// Returns the error of a build without the trait `HDF5`.
    static func missingHDF5(_ path: String) -> LogError {
      LogError(
        path: path, problem: "this build of Inertial cannot read HDF5",
        remedy: "install libhdf5-dev and build with the trait HDF5 (on by default; swift build --traits HDF5)")
    }
  }
#endif
