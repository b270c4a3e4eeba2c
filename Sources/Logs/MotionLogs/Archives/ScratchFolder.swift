internal import InertialSystem

/// A private folder for what a log holds packed. It and its files are removed on request, or with it.
///
/// A lock on it says that it is in use: one without belongs to a process that was killed, and goes with the next one made.
/// Open files can be read to their end after that, as POSIX has it: a reader that has opened its files needs no folder,
/// and nothing is left behind however the program ends.
package final class ScratchFolder {
  let path: String
  private var files: [String] = []
  private var folders: [String] = []
  /// Held open for its lock.
  private let descriptor: Int32
  private static let prefix = "inertial-"

  /// Makes a folder that nobody else can read, in TMPDIR or /tmp; an error that blames `log` where that fails.
  init(for log: String) throws(LogError) {
    let parent = temporaryFolder
    Self.removeLeftovers(in: parent)
    var template = Array("\(parent)/\(Self.prefix)\(getpid())-XXXXXX".utf8CString)
    let made = Unfinished.step(begins: Self.text(template)) { mkdtemp(&template) == nil ? -1 : 0 }
    guard made == 0 else {
      throw LogError(
        path: log, problem: "no folder to unpack it into: \(systemMessage(errno))",
        remedy: "set TMPDIR to a folder with room that can be written")
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

  /// Removes the folders of this user that no process holds.
  private static func removeLeftovers(in parent: String) {
    let now = time(nil)
    for name in PartialName.names(in: parent) where isOurs(name) {
      let path = parent + "/" + name
      var status = stat()
      // One that was made just now may not have its lock yet.
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
        now - modification(status) > 60
      else { continue }
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { PartialName.remove(path) }
    }
  }

  /// Whether a name is `inertial-PROCESS-` and six letters or digits.
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

  /// Removes the folder and what was made in it.
  func remove() {
    for file in files { unlink(path + "/" + file) }
    // Those within others were made later.
    for folder in folders.reversed() { rmdir(path + "/" + folder) }
    Unfinished.step(ends: path) { rmdir(path) }
    files = []
    folders = []
  }

  /// Makes a file at a place in the folder, with the folders that it takes; an error that blames `log`.
  ///
  /// - Parameter parts: the names of folders and of the file, none of which may be "..", "." or hold a "/".
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
      remedy: "set TMPDIR to a folder with room that can be written")
  }
}

/// A file in a scratch folder, open for writing. Closes itself.
final class ScratchFile {
  private let descriptor: Int32
  private let log: String

  fileprivate init(descriptor: Int32, log: String) {
    self.descriptor = descriptor
    self.log = log
  }

  deinit { close(descriptor) }

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
