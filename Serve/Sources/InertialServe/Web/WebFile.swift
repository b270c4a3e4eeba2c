internal import InertialSystem

/// A file that is sent piece by piece, with the size that it had when it was opened.
final class WebFile: @unchecked Sendable {
  let size: Int
  private let descriptor: Int32
  private var offset = 0

  /// Opens a file, or returns `nil` if it is not a regular file that can be read. Links are not followed.
  init?(path: String) {
    descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    size = Int(status.st_size)
    if !isFile { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Returns the next bytes, at most `count`: empty at the end, and `nil` if the file has become shorter or cannot be
  /// read. One call at a time, by any thread.
  func next(_ count: Int) -> [UInt8]? {
    let count = min(count, size - offset)
    guard count > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    var got = 0
    while got < count {
      let more = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress! + got, count - got, off_t(offset + got))
      }
      if more < 0, errno == EINTR { continue }
      guard more > 0 else { return nil }
      got += more
    }
    offset += count
    return bytes
  }
}
