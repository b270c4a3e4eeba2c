internal import InertialSystem

/// An output file that is created completely or not at all.
///
/// Bytes go to a file without a name in the same folder, which `commit` names: an aborted process leaves no file.
/// Systems without nameless files use `.<name>.partial-<process>`, which `commit` renames. Without a commit this file
/// is removed, or, if the process was killed, by the next output of the same name. The bytes are safely on disk before
/// the file has its name, and the name is when `commit` returns. Without `force` no file is ever replaced, not even a
/// file created in the meantime. Symbolic links are never written through: with `force` the file replaces the link,
/// without it the link is an error. Output to a stream (standard output, a pipe, a device) is held back until `commit`,
/// which opens the stream once, so that a consumer never receives rows that become invalid.
package final class AtomicFile {
  /// The requested path.
  package let path: String
  /// The file that `commit` creates or replaces.
  private let target: String
  /// The temporary name, or `nil` if bytes go directly to a stream or to a file without a name.
  private var temporary: String?
  /// Whether the bytes are in a file without a name.
  private var isNameless = false
  /// Whether an existing file may be replaced.
  private let mayReplace: Bool
  /// Whether the output is not a file: standard output, a pipe, a device.
  private let isStream: Bool
  /// The bytes for a stream, until the output is complete; `nil` for a file, and for a live stream.
  private var held: SpoolFile?
  private var descriptor: Int32

  /// Creates an output. An existing file is an error (`OutputError.Kind.exists`) unless `force` is set.
  ///
  /// - Parameters:
  ///   - isNamed: Whether the file has a temporary name even if nameless files are available.
  ///   - isLive: Whether a stream receives the bytes immediately.
  package init(path: String, force: Bool = false, isNamed: Bool = false, isLive: Bool = false) throws(OutputError) {
    self.path = path == "-" ? "standard output" : path
    mayReplace = force
    isStream = Self.isStream(path)
    guard !isStream else {
      // If the reader closes early, write(2) returns an error instead of terminating the process.
      signal(SIGPIPE, SIG_IGN)
      target = path
      descriptor = -1
      if isLive { try openStream() } else { held = SpoolFile(holding: path) }
      return
    }
    var status = stat()
    let isThere = lstat(path, &status) == 0
    let kind = status.st_mode & S_IFMT
    if isThere, kind == S_IFDIR {
      throw OutputError(kind: .other, path: path, problem: "is a folder", remedy: "give the path of a file")
    }
    if isThere, !force { throw Self.exists(path, isLink: kind == S_IFLNK) }
    target = path
    Self.removeLeftovers(of: target)
    if !isNamed, let nameless = Self.openNameless(beside: target) {
      descriptor = nameless
      isNameless = true
    } else {
      let made = try Self.createTemporary(for: target) {
        open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      }
      (descriptor, temporary) = (made.result, made.name)
    }
  }

  deinit { abandon() }

  /// A path by which a library that opens files itself can fill this file before it has its name; `nil` for a stream.
  ///
  /// The path leads to the new, empty file. The library must close it before `commit`.
  var pathToFill: String? { isNameless ? "/proc/self/fd/\(descriptor)" : temporary }

  /// Writes all bytes.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    guard let held else { return try Self.write(bytes, to: descriptor, path: path) }
    try held.append(bytes)
  }

  /// Opens the output stream.
  private func openStream() throws(OutputError) {
    if let number = Self.streamDescriptor(of: target) {
      descriptor = number == STDOUT_FILENO ? number : fcntl(number, F_DUPFD_CLOEXEC, 3)
    } else {
      descriptor = open(target, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    }
    guard descriptor >= 0 else { throw Self.error(errno, path: path) }
  }

  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String) throws(OutputError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = UnsafeRawBufferPointer(rebasing: rest)
      let count = systemWrite(descriptor, piece.baseAddress, piece.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw error(errno, path: path)
      }
    }
  }

  /// Writes a string as UTF-8.
  package func write(_ text: String) throws(OutputError) {
    try write(Array(text.utf8))
  }

  /// Waits until all written bytes are safely on disk, so that `commit` only has to name the file.
  package func prepare() throws(OutputError) {
    guard descriptor >= 0, !isStream else { return }
    try Self.synchronize(descriptor, path: path)
  }

  /// Moves the file to its path. Nothing can be written afterwards.
  package func commit() throws(OutputError) {
    if let held {
      self.held = nil
      try openStream()
      let (descriptor, path) = (self.descriptor, self.path)
      try held.forEachPiece { (piece) throws(OutputError) in try Self.write(piece, to: descriptor, path: path) }
    }
    guard descriptor >= 0 else { return }
    try prepare()
    if isNameless {
      if mayReplace {
        let source = "/proc/self/fd/\(descriptor)"
        temporary = try Self.createTemporary(for: target) {
          linkat(AT_FDCWD, source, AT_FDCWD, $0, AT_SYMLINK_FOLLOW)
        }.name
      } else {
        try Self.link("/proc/self/fd/\(descriptor)", to: target, path: path)
      }
      isNameless = false
    }
    let isOwn = descriptor != STDOUT_FILENO
    let closed = isOwn ? close(descriptor) : 0
    descriptor = -1
    guard closed == 0 else {
      let number = errno
      abandon()
      throw Self.error(number, path: path)
    }
    if let name = temporary {
      do throws(OutputError) {
        try Self.move(name, to: target, mayReplace: mayReplace, path: path)
      } catch {
        abandon()
        throw error
      }
      temporary = nil
    }
    if !isStream { try Self.synchronizeFolder(of: target, path: path) }
  }

  /// Removes an uncommitted output. Called automatically without a commit.
  package func abandon() {
    if descriptor > STDERR_FILENO { close(descriptor) }
    (descriptor, held) = (-1, nil)
    if let name = temporary { Self.temporaryStep(ends: name) { unlink(name) } }
    temporary = nil
  }

  // MARK: The disk

  /// Waits until the bytes of an open file are safely on disk.
  static func synchronize(_ descriptor: Int32, path: String) throws(OutputError) {
    while fsync(descriptor) != 0 {
      if errno == EINTR { continue }
      // Some file systems do not support this call.
      if errno == EINVAL || errno == ENOTSUP || errno == ENOSYS { return }
      throw error(errno, path: path)
    }
  }

  /// Waits until the names in the folder of a file are safely on disk.
  static func synchronizeFolder(of target: String, path: String) throws(OutputError) {
    let folder = folder(of: target)
    let descriptor = open(folder.isEmpty ? "." : String(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // A folder may be writable but not readable.
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    try synchronize(descriptor, path: path)
  }

  /// Renames a file; without `mayReplace`, fails even for a file created under the new name in the meantime.
  private static func move(_ name: String, to target: String, mayReplace: Bool, path: String) throws(OutputError) {
    if mayReplace {
      guard Self.temporaryStep(ends: name, { rename(name, target) }) == 0 else { throw error(errno, path: path) }
      return
    }
    try link(name, to: target, path: path)
    Self.temporaryStep(ends: name) { unlink(name) }
  }

  /// Names a file; the name must be unused.
  private static func link(_ name: String, to target: String, path: String) throws(OutputError) {
    guard linkat(AT_FDCWD, name, AT_FDCWD, target, AT_SYMLINK_FOLLOW) != 0 else { return }
    let number = errno
    // Without hard links, the check for an existing file is not atomic.
    if [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(number), access(target, F_OK) != 0, rename(name, target) == 0 {
      return
    }
    guard number == EEXIST else { throw error(number, path: path) }
    throw OutputError(
      kind: .exists, path: path, problem: "has been written by another process meanwhile",
      remedy: "give another path, or --force to replace it")
  }

  // MARK: Files

  /// Opens a file without a name, or returns `nil` if the system or the file system does not support it.
  private static func openNameless(beside target: String) -> Int32? {
    #if os(Linux)
      // O_TMPFILE, a macro that Swift does not import: its own bit, and O_DIRECTORY.
      let flag = Int32(0o20_000_000) | O_DIRECTORY
      // The file is named through /proc, which a minimal container may lack.
      guard access("/proc/self/fd", X_OK) == 0 else { return nil }
      let folder = Self.folder(of: target)
      let descriptor = open(folder.isEmpty ? "." : String(folder), flag | O_WRONLY | O_CLOEXEC, 0o666)
      return descriptor >= 0 ? descriptor : nil
    #else
      return nil
    #endif
  }

  /// Returns the part of a path before the name, with the trailing slash; empty if the path is a name.
  static func folder(of target: String) -> Substring {
    target[..<(target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex)]
  }

  /// Returns the error of an output whose path exists, without `force`.
  ///
  /// - Parameter isLink: Whether the path is a symbolic link, which is never written through.
  static func exists(_ path: String, isLink: Bool) -> OutputError {
    OutputError(
      kind: .exists, path: path, problem: isLink ? "is a symbolic link" : "exists already",
      remedy: "give another path, or --force to replace \(isLink ? "the link" : "it")")
  }

  /// Returns the error of an output for a system's error number.
  static func error(_ number: Int32, path: String) -> OutputError {
    let elsewhere = "give another path"
    return switch number {
    case ENOENT, ENOTDIR:
      OutputError(
        kind: .noFolder, path: path, problem: "the output folder does not exist",
        remedy: "create it, or \(elsewhere)")
    case EACCES, EPERM, EROFS:
      OutputError(
        kind: .notPermitted, path: path, problem: "the output folder may not be written to",
        remedy: "change its permissions, or \(elsewhere)")
    case ENOSPC, EDQUOT:
      OutputError(
        kind: .diskFull, path: path, problem: "the disk is full", remedy: "free some space, or \(elsewhere)")
    case EPIPE:
      OutputError(
        kind: .closedPipe, path: path, problem: "its reader has closed it", remedy: "keep the reader open")
    default:
      OutputError(
        kind: .other, path: path, problem: "cannot be written: \(systemMessage(number))", remedy: elsewhere)
    }
  }
}
