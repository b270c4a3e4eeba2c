internal import InertialSystem

/// The input of format recognition: the first bytes of a file, or the contents of a folder.
struct LogCandidate {
  let path: String
  /// The file's first bytes, at most 64 KiB; empty for a folder.
  var head: [UInt8] = []
  /// The folder; nil for a file.
  var folder: LogFolder?

  static let headSize = 1 << 16

  /// Creates a candidate from the first bytes of an input that is not a file.
  init(path: String, head: [UInt8]) {
    self.path = path
    self.head = Self.decoded(head)
  }

  /// Returns the head in UTF-8, converted from UTF-16 or UTF-32.
  private static func decoded(_ head: [UInt8]) -> [UInt8] {
    guard let encoding = TextEncoding(head: head) else { return head }
    var text: [UInt8] = []
    _ = encoding.decode(head, into: &text, isAtEnd: false)
    return text
  }

  /// Examines a file or folder.
  init(path: String) throws(LogError) {
    self.path = path
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      if status.st_mode & S_IFMT == S_IFDIR { folder = try LogFolder(path: path) }
      // The bytes of a pipe can be read only once, by the reader.
      return
    }
    head = Self.decoded(try InputFile(path: path).readBytes(upTo: Self.headSize))
  }
}
