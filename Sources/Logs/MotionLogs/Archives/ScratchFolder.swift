internal import InertialSystem

/// A private folder for the unpacked files of a log. It and its files are removed by `remove()` or on deinitialization.
///
/// A lock marks the folder as in use: a folder without a lock belongs to a process that was killed, and is removed when
/// the next folder is created. As POSIX specifies, open files stay readable after their removal. A reader that has
/// opened its files does not need the folder, and no files remain however the program ends.
package final class ScratchFolder {
  let path: String
  private var files: [String] = []
  private var folders: [String] = []
  /// The open descriptor that holds the lock.
  private let descriptor: Int32
  private static let prefix = "inertial-"

  /// Creates a folder in TMPDIR or /tmp that only this user can read.
  ///
  /// - Throws: ``LogError`` with the path `log` if the folder cannot be created.
  init(for log: String) throws(LogError) {
    let parent = temporaryFolder
    Self.removeLeftovers(in: parent)
    var template = Array("\(parent)/\(Self.prefix)\(getpid())-XXXXXX".utf8CString)
    let made = AtomicFile.temporaryStep(begins: Self.text(template)) { mkdtemp(&template) == nil ? -1 : 0 }
    guard made == 0 else {
      throw LogError(
        path: log, problem: "there is no folder to unpack it into: \(systemMessage(errno))",
        remedy: "set TMPDIR to a writable folder with free space")
    }
    path = Self.text(template)
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor >= 0 { flock(descriptor, LOCK_SH | LOCK_NB) }
  }

  deinit {
    remove()
    if descriptor >= 0 { close(descriptor) }
  }

  private static func text(_ template: [CChar]) -> String {
    template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  /// Removes this user's folders that no process has locked.
  private static func removeLeftovers(in parent: String) {
    let now = time(nil)
    for name in AtomicFolder.names(in: parent) where isOurs(name) {
      let path = parent + "/" + name
      var status = stat()
      // A folder that was just created may not have its lock yet.
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
        now - modification(status) > 60
      else { continue }
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { AtomicFolder.remove(path) }
    }
  }

  /// Whether a name is `inertial-PROCESS-` with a suffix of six characters.
  private static func isOurs(_ name: String) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 3 && name.hasPrefix(prefix) && pid_t(parts[1]) != nil && parts[2].utf8.count == 6
  }

  private static func modification(_ status: stat) -> time_t {
    #if canImport(Darwin)
      status.st_mtimespec.tv_sec
    #else
      status.st_mtim.tv_sec
    #endif
  }

  /// Removes the folder and its content.
  func remove() {
    for file in files { unlink(path + "/" + file) }
    // Nested folders were created after their parents.
    for folder in folders.reversed() { rmdir(path + "/" + folder) }
    AtomicFile.temporaryStep(ends: path) { rmdir(path) }
    files = []
    folders = []
  }

  /// Creates a file in the folder, including its parent folders.
  ///
  /// - Parameter parts: The names of the folders and of the file. None may be ".." or ".", or contain a "/".
  /// - Throws: ``LogError`` with the path `log` if the file cannot be created.
  func makeFile(_ parts: [String], for log: String) throws(LogError) -> ScratchFile {
    var place = ""
    for part in parts.dropLast() {
      place += place.isEmpty ? part : "/" + part
      if folders.contains(place) { continue }
      guard mkdir(path + "/" + place, 0o700) == 0 else { throw Self.failure(log, errno) }
      folders.append(place)
    }
    let name = parts.joined(separator: "/")
    let descriptor = open(path + "/" + name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure(log, errno) }
    files.append(name)
    return ScratchFile(descriptor: descriptor, log: log)
  }

  fileprivate static func failure(_ log: String, _ number: Int32) -> LogError {
    LogError(
      path: log, problem: "cannot be unpacked: \(systemMessage(number))",
      remedy: "set TMPDIR to a writable folder with free space")
  }
}

/// A file in a scratch folder, open for writing. It is closed on deinitialization.
final class ScratchFile {
  private let descriptor: Int32
  private let log: String

  fileprivate init(descriptor: Int32, log: String) {
    self.descriptor = descriptor
    self.log = log
  }

  deinit { close(descriptor) }

  /// Appends the bytes that a function puts into a buffer, until it returns 0.
  func append(_ read: (UnsafeMutableRawBufferPointer) throws(LogError) -> Int) throws(LogError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 1)
    defer { buffer.deallocate() }
    while true {
      let count = try read(buffer)
      if count == 0 { return }
      try append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws(LogError) {
    var done = 0
    while done < bytes.count {
      let count = systemWrite(descriptor, bytes.baseAddress! + done, bytes.count - done)
      if count < 0 {
        if errno == EINTR { continue }
        throw ScratchFolder.failure(log, errno)
      }
      done += count
    }
  }
}
