internal import InertialSystem

/// A text file that exists from the start and grows line by line, for output that is read in real time.
///
/// Written lines remain even if the process is killed; a later process may continue after the last complete line. A
/// lock prevents concurrent writers: the second process fails with an error.
final class AppendOnlyFile: OutputFile {
  let path: String
  /// The last complete line of an earlier process, or `nil` for a new file or a file with only a header.
  private(set) var lastLine: String?
  private var descriptor: Int32

  /// - Parameters:
  ///   - header: The first line, with its line end; a continued file must have the same header.
  ///   - force: Whether the content of an existing file is replaced; otherwise the file is an error
  ///     (`OutputError.Kind.exists`).
  ///   - goesOn: Whether an existing file is continued after its last complete line, regardless of `force`; an
  ///     incomplete line of an ended process is removed.
  init(path: String, header: String, force: Bool = false, goesOn: Bool = false) throws(OutputError) {
    self.path = path
    // Prevents other processes from creating the file at the same time.
    let mustBeNew = !force && !goesOn
    func openFile() -> Int32 {
      open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | (mustBeNew ? O_EXCL : 0), 0o666)
    }
    descriptor = openFile()
    // A link is replaced, like that of any output, and never written through.
    if descriptor < 0, errno == ELOOP, force, !goesOn, unlink(path) == 0 { descriptor = openFile() }
    guard descriptor >= 0 else {
      if errno == ELOOP {
        throw OutputError(
          kind: .exists, path: path, problem: "is a symbolic link", remedy: "give the path of the file itself")
      }
      guard errno == EEXIST, mustBeNew else { throw AtomicFile.error(errno, path: path) }
      throw OutputError(
        kind: .exists, path: path, problem: "exists already",
        remedy: "give another path, --resume to continue after its last row, or --force to replace it")
    }
    do throws(OutputError) {
      try begin(header: header, force: force, goesOn: goesOn)
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

  private func begin(header: String, force: Bool, goesOn: Bool) throws(OutputError) {
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
    guard goesOn, status.st_size > 0 else {
      if force { try truncate(to: 0) }
      return try write(header)
    }
    let size = Int(status.st_size)
    guard try text(from: 0, count: min(size, header.utf8.count)) == header else {
      throw OutputError(
        kind: .other, path: path, problem: "has columns that differ from those to be written",
        remedy: "give the options of the run that began it, or another path")
    }
    try cutOff(size: size, headerSize: header.utf8.count)
  }

  /// Finds the last line, and removes any bytes after the last line end.
  private func cutOff(size: Int, headerSize: Int) throws(OutputError) {
    // The limit exceeds any line of numbers.
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
    var position = 0
    while position < count {
      let size = bytes.withUnsafeMutableBytes { buffer in
        pread(descriptor, buffer.baseAddress! + position, count - position, off_t(offset + position))
      }
      if size < 0, errno == EINTR { continue }
      guard size >= 0 else { throw AtomicFile.error(errno, path: path) }
      if size == 0 { break }
      position += size
    }
    return String(decoding: bytes[..<position], as: UTF8.self)
  }
}
