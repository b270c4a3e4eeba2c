internal import InertialSystem

/// A text file that is there from the start and grows line by line, for output that somebody waits for.
///
/// What has been written stays whatever ends the process; a later one may go on behind the last whole line. While one
/// process writes, another that wants to is told so.
final class GrowingFile: OutputFile {
  let path: String
  /// The last whole line that an earlier process has left; nil for a new file, or where there is none but the header.
  private(set) var lastLine: String?
  private var descriptor: Int32

  /// What happens where the file is there already.
  enum Existing {
    /// An error (`OutputError.Kind.exists`).
    case refuse
    /// Its content is replaced.
    case replace
    /// It goes on behind its last whole line; what an ended process has left behind that is cut off.
    case goOn
  }

  /// - Parameter header: the first line, with its end; a file that goes on must have the same.
  init(path: String, header: String, existing: Existing) throws(OutputError) {
    self.path = path
    // Nobody else can begin it at the same time.
    let exclusively = existing == .refuse ? O_EXCL : 0
    func openFile() -> Int32 {
      open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | exclusively, 0o666)
    }
    descriptor = openFile()
    // A link is replaced as any output is, and never written through.
    if descriptor < 0, errno == ELOOP, existing == .replace, unlink(path) == 0 { descriptor = openFile() }
    guard descriptor >= 0 else {
      if errno == ELOOP {
        throw OutputError(
          kind: .exists, path: path, problem: "is a symbolic link", remedy: "give the path of the file itself")
      }
      guard errno == EEXIST, existing == .refuse else { throw AtomicFile.error(errno, path: path) }
      throw OutputError(
        kind: .exists, path: path, problem: "exists already",
        remedy: "give another path, --resume to go on behind its last row, or --force to replace it")
    }
    do throws(OutputError) {
      try begin(header: header, existing: existing)
    } catch {
      close(descriptor)
      descriptor = -1
      throw error
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    try AtomicFile.write(bytes, to: descriptor, path: path)
  }

  func prepare() throws(OutputError) {
    guard descriptor >= 0 else { return }
    try AtomicFile.synchronize(descriptor, path: path)
  }

  func commit() throws(OutputError) {
    guard descriptor >= 0 else { return }
    try prepare()
    try AtomicFile.synchronizeFolder(of: path, path: path)
    defer { descriptor = -1 }
    guard close(descriptor) == 0 else { throw AtomicFile.error(errno, path: path) }
  }

  private func begin(header: String, existing: Existing) throws(OutputError) {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw OutputError(
        kind: .other, path: path, problem: "another process is writing it", remedy: "give another path, or end that one"
      )
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw AtomicFile.error(errno, path: path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw OutputError(kind: .other, path: path, problem: "is not a regular file", remedy: "give the path of a file")
    }
    if existing == .replace { try truncate(to: 0) }
    let size = existing == .goOn ? Int(status.st_size) : 0
    guard size > 0 else { return try write(header) }
    guard try text(from: 0, count: min(size, header.utf8.count)) == header else {
      throw OutputError(
        kind: .other, path: path, problem: "has other columns than are to be written",
        remedy: "give the options of the run that began it, or another path")
    }
    try cutOff(size: size, headerSize: header.utf8.count)
  }

  /// Finds the last line, and removes what stands behind it without a line end.
  private func cutOff(size: Int, headerSize: Int) throws(OutputError) {
    // Longer than any line of numbers.
    let tail = Array(try text(from: max(headerSize, size - (1 << 16)), count: min(size - headerSize, 1 << 16)).utf8)
    guard let end = tail.lastIndex(of: 0x0A) else { return try truncate(to: size - tail.count) }
    try truncate(to: size - (tail.count - end - 1))
    let start = tail[..<end].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    lastLine = String(decoding: tail[start..<end], as: UTF8.self)
  }

  private func truncate(to size: Int) throws(OutputError) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw AtomicFile.error(errno, path: path) }
  }

  private func text(from offset: Int, count: Int) throws(OutputError) -> String {
    var bytes = [UInt8](repeating: 0, count: count)
    var place = 0
    while place < count {
      let size = bytes.withUnsafeMutableBytes { buffer in
        pread(descriptor, buffer.baseAddress! + place, count - place, off_t(offset + place))
      }
      if size < 0, errno == EINTR { continue }
      guard size >= 0 else { throw AtomicFile.error(errno, path: path) }
      if size == 0 { break }
      place += size
    }
    return String(decoding: bytes[..<place], as: UTF8.self)
  }
}
