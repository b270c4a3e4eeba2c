internal import InertialSystem

/// An output file that is there as a whole or not at all.
///
/// Bytes go to a file without a name in the same folder, which `commit` names: nothing is left whatever ends the
/// process. Where the system has no such files, they go to `.<name>.partial-<process>`, which `commit` renames and
/// which is removed without a commit, or by the next output of the name where the process was killed. The bytes are safe
/// on the disk before the file has its name, and the name is when `commit` returns. Without `force` nothing is ever
/// replaced, not even what has come under the name since. Nothing is written through a symbolic link: with `force` the
/// file takes the link's place, without it the link is an error. What goes to a stream (standard output, a pipe, a device)
/// is held back until `commit`, which opens the stream once, so that a consumer never gets rows that become void.
package final class AtomicFile {
  /// The file asked for.
  package let path: String
  /// The file that `commit` makes or replaces.
  private let target: String
  /// nil where bytes go straight to a stream, or to a file without a name.
  private var temporary: String?
  /// Whether the bytes are in a file without a name.
  private var isNameless = false
  /// Whether the name may be taken from another file.
  private let mayReplace: Bool
  /// Whether the bytes go to what is no file: standard output, a pipe, a device.
  private let isStream: Bool
  /// The bytes for a stream, until all of them are known; nil for a file, and for a live stream.
  private var held: SpoolFile?
  private var descriptor: Int32

  /// Begins an output. An existing file is an error (`OutputError.Kind.exists`) unless `force`.
  ///
  /// - Parameter isLive: whether a stream gets the bytes as they are written.
  package convenience init(path: String, force: Bool = false, isLive: Bool = false) throws(OutputError) {
    try self.init(path: path, force: force, isNamed: false, isLive: isLive)
  }

  /// - Parameter isNamed: whether the bytes go to a file with a temporary name even where nameless ones are to be had.
  init(path: String, force: Bool = false, isNamed: Bool, isLive: Bool = false) throws(OutputError) {
    self.path = path == "-" ? "standard output" : path
    mayReplace = force
    isStream = OutputStreams.isStream(path)
    guard !isStream else {
      // A reader that leaves early is then an error of write(2) and not the death of the process.
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
    PartialName.removeLeftovers(of: target)
    if !isNamed, let nameless = Self.openNameless(beside: target) {
      descriptor = nameless
      isNameless = true
    } else {
      (descriptor, temporary) = try Self.openTemporary(beside: target, path: path)
    }
  }

  deinit { abandon() }

  /// A path by which a library that opens files itself can fill this one before it has its name; nil for a stream.
  ///
  /// What is at the path is the new file, empty. It must be closed by the library before `commit`.
  var pathToFill: String? { isNameless ? "/proc/self/fd/\(descriptor)" : temporary }

  /// Writes all the bytes; an error where the disk is full or the reader has gone.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    guard let held else { return try Self.write(bytes, to: descriptor, path: path) }
    try held.append(bytes)
  }

  /// Opens the stream that the output is.
  private func openStream() throws(OutputError) {
    if let number = OutputStreams.descriptor(of: target) {
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

  /// Writes a text as UTF-8.
  package func write(_ text: String) throws(OutputError) {
    try Array(text.utf8).withUnsafeBufferPointer { bytes throws(OutputError) in
      try write(UnsafeRawBufferPointer(bytes))
    }
  }

  /// Waits until all that was written is safe on the disk, so that `commit` has but a name to give.
  package func prepare() throws(OutputError) {
    guard descriptor >= 0, !isStream else { return }
    try Self.synchronize(descriptor, path: path)
  }

  /// Puts the file in its place. Nothing can be written after it.
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
        temporary = try Self.name(descriptor, beside: target, path: path)
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

  /// Removes what was written, unless it has been committed. Without a commit this happens of itself.
  package func abandon() {
    if descriptor > STDERR_FILENO { close(descriptor) }
    (descriptor, held) = (-1, nil)
    if let name = temporary { Unfinished.step(ends: name) { unlink(name) } }
    temporary = nil
  }

  // MARK: The disk

  /// Waits until the bytes of an open file are safe on the disk.
  static func synchronize(_ descriptor: Int32, path: String) throws(OutputError) {
    while fsync(descriptor) != 0 {
      if errno == EINTR { continue }
      // Some file systems have no such call.
      if errno == EINVAL || errno == ENOTSUP || errno == ENOSYS { return }
      throw error(errno, path: path)
    }
  }

  /// Waits until the names in the folder of a file are safe on the disk.
  static func synchronizeFolder(of target: String, path: String) throws(OutputError) {
    let folder = folder(of: target)
    let descriptor = open(folder.isEmpty ? "." : String(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // One may write to a folder that one may not read.
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    try synchronize(descriptor, path: path)
  }

  /// Gives a file another name; where it may replace nothing, not even what has come under that name just now.
  private static func move(_ name: String, to target: String, mayReplace: Bool, path: String) throws(OutputError) {
    if mayReplace {
      guard Unfinished.step(ends: name, { rename(name, target) }) == 0 else { throw error(errno, path: path) }
      return
    }
    try link(name, to: target, path: path)
    Unfinished.step(ends: name) { unlink(name) }
  }

  /// Gives a file a name that is free.
  private static func link(_ name: String, to target: String, path: String) throws(OutputError) {
    guard linkat(AT_FDCWD, name, AT_FDCWD, target, AT_SYMLINK_FOLLOW) != 0 else { return }
    let number = errno
    // A file system without hard links: what is there can be looked for only.
    if [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(number), access(target, F_OK) != 0, rename(name, target) == 0 {
      return
    }
    guard number == EEXIST else { throw error(number, path: path) }
    throw OutputError(
      kind: .exists, path: path, problem: "has been written by somebody else meanwhile",
      remedy: "give another path, or --force to replace it")
  }

  // MARK: Files

  /// A file that has no name yet; nil where the system or the file system has none such.
  private static func openNameless(beside target: String) -> Int32? {
    #if os(Linux)
      // O_TMPFILE, a macro that Swift does not import: its own bit, and O_DIRECTORY.
      let flag = Int32(0o20_000_000) | O_DIRECTORY
      // Its name is given through /proc, which a bare container may lack.
      guard access("/proc/self/fd", X_OK) == 0 else { return nil }
      let folder = Self.folder(of: target)
      let descriptor = open(folder.isEmpty ? "." : String(folder), flag | O_WRONLY | O_CLOEXEC, 0o666)
      return descriptor >= 0 ? descriptor : nil
    #else
      return nil
    #endif
  }

  /// Gives a nameless file a temporary name, so that it can replace another in one step.
  private static func name(_ descriptor: Int32, beside target: String, path: String) throws(OutputError) -> String {
    for attempt in 0..<100 {
      let temporary = PartialName.make(for: target, attempt: attempt)
      let linked = Unfinished.step(begins: temporary) {
        linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, temporary, AT_SYMLINK_FOLLOW)
      }
      if linked == 0 { return temporary }
      if errno != EEXIST { throw error(errno, path: path) }
    }
    throw error(EEXIST, path: path)
  }

  /// The part of a path before the name, with the slash at its end; empty where the path is a name.
  static func folder(of target: String) -> Substring {
    target[..<(target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex)]
  }

  private static func openTemporary(beside target: String, path: String) throws(OutputError) -> (
    Int32, String
  ) {
    for attempt in 0..<100 {
      let temporary = PartialName.make(for: target, attempt: attempt)
      let descriptor = Unfinished.step(begins: temporary) {
        open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      }
      if descriptor >= 0 { return (descriptor, temporary) }
      if errno != EEXIST { throw error(errno, path: path) }
    }
    throw error(EEXIST, path: path)
  }

  /// The error of an output whose path exists, without `force`.
  ///
  /// - Parameter isLink: whether a symbolic link is there, which nothing is written through.
  static func exists(_ path: String, isLink: Bool) -> OutputError {
    OutputError(
      kind: .exists, path: path, problem: isLink ? "is a symbolic link" : "exists already",
      remedy: "give another path, or --force to replace \(isLink ? "the link" : "it")")
  }

  /// What a system's error number means for an output.
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
        kind: .closedPipe, path: path, problem: "nobody reads it any more", remedy: "keep the reader open")
    default:
      OutputError(
        kind: .other, path: path, problem: "cannot be written: \(systemMessage(number))", remedy: elsewhere)
    }
  }
}
