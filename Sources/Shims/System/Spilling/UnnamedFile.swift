/// A file that has no name. It goes with this object, or with the process, however that ends.
package final class UnnamedFile: Sendable {
  /// Open for reading and writing.
  package let descriptor: Int32

  /// Makes an empty file in the folder of `name`; nil, with `errno`, where that fails.
  ///
  /// - Parameter name: a path that ends in `XXXXXX`. Only a file system that cannot make a file without a name lends it such
  ///   a one, for a moment.
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

  /// Writes all bytes at an offset; false, with `errno`, where that fails.
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

  /// Fills a buffer with the bytes from an offset on.
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

/// What was put on the disk for later cannot be read again.
public struct SpillError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The system's `errno`.
  package let number: Int32

  public var description: String {
    "a temporary file in \(temporaryFolder) cannot be read again: \(String(cString: strerror(number)))"
  }
}

/// The folder for temporary files, without a slash at its end: `TMPDIR`, or `/tmp`.
package var temporaryFolder: String {
  var named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
  while named.count > 1, named.hasSuffix("/") { named.removeLast() }
  return named.isEmpty ? "/tmp" : named
}
