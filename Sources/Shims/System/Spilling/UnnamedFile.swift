/// A file without a name. It is deleted with this object or with the process, even after a crash.
package final class UnnamedFile: Sendable {
  /// The file descriptor, open for reading and writing.
  package let descriptor: Int32

  /// Creates an empty file in the folder of `name`, or returns `nil`, with `errno`, on failure.
  ///
  /// - Parameter name: A path that ends in `XXXXXX`. It is used briefly if the file system cannot create a file without
  ///   a name.
  package init?(name: String) {
    let folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? "./"
    var made: Int32 = -1
    #if os(Linux)
      // O_TMPFILE, a macro that Swift does not import.
      made = open(folder, 0o20_000_000 | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600)
    #endif
    if made < 0 {
      var name = Array(name.utf8CString)
      made = mkstemp(&name)
      if made >= 0 { unlink(name) }
    }
    guard made >= 0 else { return nil }
    descriptor = made
  }

  deinit { close(descriptor) }

  /// Writes all bytes at an offset. Returns `false`, with `errno`, on failure.
  func put(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  /// Fills a buffer with the bytes at an offset.
  func get(_ buffer: UnsafeMutableRawBufferPointer, from offset: Int) throws(SpillError) {
    var done = 0
    while done < buffer.count {
      let count = pread(descriptor, buffer.baseAddress! + done, buffer.count - done, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SpillError(number: count < 0 ? errno : EIO) }
      done += count
    }
  }
}

/// An error that is thrown if data in a temporary file cannot be read.
public struct SpillError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The system's `errno`.
  package let number: Int32

  public var description: String {
    "a temporary file in \(temporaryFolder) cannot be read again: \(String(cString: strerror(number)))"
  }
}

/// The folder for temporary files, without a trailing slash: `TMPDIR`, or `/tmp`.
package var temporaryFolder: String {
  let named = getenv("TMPDIR").map { String(cString: $0).withoutSlashesAtEnd } ?? ""
  return named.isEmpty ? "/tmp" : named
}
