internal import SystemLibrary

/// An output folder that is there as a whole or not at all.
///
/// Files go to `place`, a folder `.<name>.partial-<process>` beside it, which `commit` gives its name. An empty folder is
/// taken as none. With `force` a folder is replaced only where the new one has every file of it: what somebody else has
/// put there is never removed.
package final class AtomicFolder {
  /// The folder asked for.
  package let path: String
  /// Where its files are written until `commit`.
  package let place: String
  private let force: Bool
  private var isOver = false

  /// Begins a folder. An existing one is an error (`OutputError.Kind.exists`) unless `force`, or it is empty.
  package init(path: String, force: Bool = false) throws(OutputError) {
    let path = Self.withoutSlashes(path)
    self.path = path
    self.force = force
    try Self.check(path, force: force)
    let folder = AtomicFile.folder(of: path)
    for attempt in 0..<100 {
      let place =
        "\(folder).\(path.dropFirst(folder.count)).partial-\(getpid())" + (attempt == 0 ? "" : "-\(attempt)")
      if mkdir(place, 0o777) == 0 {
        self.place = place
        return
      }
      if errno != EEXIST { throw AtomicFile.error(errno, path: path) }
    }
    throw AtomicFile.error(EEXIST, path: path)
  }

  deinit { abandon() }

  /// Makes a folder below `place`, with those that it takes, and gives its path.
  package func makeFolder(_ name: String) throws(OutputError) -> String {
    var made = place
    for part in name.split(separator: "/") {
      made += "/" + part
      guard mkdir(made, 0o777) == 0 || errno == EEXIST else { throw AtomicFile.error(errno, path: path) }
    }
    return made
  }

  /// Writes a text as a file below `place`, whose folder must be there.
  package func write(_ text: String, to name: String) throws(OutputError) {
    let file = try AtomicFile(path: place + "/" + name)
    try file.write(text)
    try file.commit()
  }

  /// Gives the folder its name. Nothing can be written after it.
  package func commit() throws(OutputError) {
    guard !isOver else { return }
    if rename(place, path) == 0 {
      isOver = true
      return
    }
    guard errno == ENOTEMPTY || errno == EEXIST else { throw AtomicFile.error(errno, path: path) }
    try Self.check(path, force: force)
    let new = Set(Self.files(in: place))
    if let foreign = Self.files(in: path).first(where: { !new.contains($0) }) {
      throw OutputError(
        kind: .exists, path: path, problem: "has \(foreign), which is no file of the new folder",
        remedy: "move it away, or give another path")
    }
    try exchange()
    isOver = true
  }

  /// Removes what was written, unless it has been committed. Without a commit this happens of itself.
  package func abandon() {
    guard !isOver else { return }
    isOver = true
    Self.remove(place)
  }

  /// - Throws: where something is there already that a new folder would have to replace, without leave to do so.
  package static func check(_ path: String, force: Bool) throws(OutputError) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw OutputError(
        kind: .other, path: path, problem: "is a file, and the format is a folder", remedy: "give another path")
    }
    guard force || names(in: path).isEmpty else {
      throw OutputError(
        kind: .exists, path: path, problem: "exists already",
        remedy: "give another path, or --force to replace it")
    }
  }

  /// Removes what processes that are no more have left of a folder that they had not put in its place.
  package static func removeLeftovers(of path: String) {
    let path = withoutSlashes(path)
    let folder = AtomicFile.folder(of: path)
    let prefix = ".\(path.dropFirst(folder.count)).partial-"
    for name in names(in: folder.isEmpty ? "." : String(folder)) where name.hasPrefix(prefix) {
      guard let process = name.dropFirst(prefix.count).split(separator: "-").first.flatMap({ pid_t($0) }),
        process > 0, kill(process, 0) != 0, errno == ESRCH
      else { continue }
      remove(folder + name)
    }
  }

  /// The bytes of all files of a folder, or of a file; nil where there is nothing.
  package static func bytes(of path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    guard status.st_mode & S_IFMT == S_IFDIR else { return Int(status.st_size) }
    return files(in: path).reduce(0) { sum, name in
      var status = stat()
      return stat(path + "/" + name, &status) == 0 ? sum + Int(status.st_size) : sum
    }
  }

  // MARK: Folders

  /// The old folder goes under a temporary name, and away once the new one has its own. POSIX has no exchange of two
  /// folders: a process that ends in between leaves none under the name, and both beside it.
  private func exchange() throws(OutputError) {
    let old = place + "-old"
    guard rename(path, old) == 0 else { throw AtomicFile.error(errno, path: path) }
    guard rename(place, path) == 0 else {
      let number = errno
      rename(old, path)
      throw AtomicFile.error(number, path: path)
    }
    Self.remove(old)
  }

  private static func withoutSlashes(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// Everything in a folder, hidden names too.
  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The files below a folder, by their paths below it; links are files.
  private static func files(in folder: String) -> [String] {
    names(in: folder).flatMap { name in
      let path = folder + "/" + name
      return isFolder(path) ? files(in: path).map { name + "/" + $0 } : [name]
    }
  }

  private static func remove(_ path: String) {
    guard isFolder(path) else {
      unlink(path)
      return
    }
    for name in names(in: path) { remove(path + "/" + name) }
    rmdir(path)
  }
}
