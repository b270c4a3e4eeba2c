internal import InertialSystem

/// An output folder that is created completely or not at all.
///
/// Files go to `place`, a folder `.<name>.partial-<process>` next to it, which `commit` renames. An existing empty
/// folder is ignored. With `force` a folder is replaced only if the new folder contains all of its file names: files of
/// other origin are never removed.
package final class AtomicFolder {
  /// The requested path.
  package let path: String
  /// The folder that contains the files until `commit`.
  package let place: String
  private let force: Bool
  private var isOver = false

  /// Creates a folder. An existing folder is an error (`OutputError.Kind.exists`) unless it is empty or `force` is set.
  package init(path: String, force: Bool = false) throws(OutputError) {
    let path = path.withoutSlashesAtEnd
    self.path = path
    self.force = force
    try Self.check(path, force: force)
    AtomicFile.removeLeftovers(of: path)
    place = try AtomicFile.createTemporary(for: path) { mkdir($0, 0o777) }.name
  }

  deinit { abandon() }

  /// Creates a folder below `place`, including intermediate folders, and returns its path.
  package func makeFolder(_ name: String) throws(OutputError) -> String {
    var made = place
    for part in name.split(separator: "/") {
      made += "/" + part
      guard mkdir(made, 0o777) == 0 || errno == EEXIST else { throw AtomicFile.error(errno, path: path) }
    }
    return made
  }

  /// Writes a string to a file below `place`, whose folder must exist.
  package func write(_ text: String, to name: String) throws(OutputError) {
    let file = try AtomicFile(path: place + "/" + name)
    try file.write(text)
    try file.commit()
  }

  /// Checks that `commit` can succeed: each file to be replaced must have a successor.
  package func prepare() throws(OutputError) {
    try Self.check(path, force: force)
    guard Self.isFolder(path) else { return }
    let new = Set(Self.files(in: place))
    if let foreign = Self.files(in: path).first(where: { !new.contains($0) }) {
      throw OutputError(
        kind: .exists, path: path, problem: "has \(foreign), which is not a file of the new folder",
        remedy: "move it away, or give another path")
    }
  }

  /// Moves the folder to its path. Nothing can be written afterwards.
  package func commit() throws(OutputError) {
    guard !isOver else { return }
    // The files are safely on disk, but their folders are not yet.
    for folder in [""] + Self.folders(in: place) {
      try AtomicFile.synchronizeFolder(of: place + "/" + folder + (folder.isEmpty ? "" : "/"), path: path)
    }
    if AtomicFile.temporaryStep(ends: place, { rename(place, path) }) == 0 {
      isOver = true
      return try AtomicFile.synchronizeFolder(of: path, path: path)
    }
    guard [ENOTEMPTY, EEXIST, ENOTDIR].contains(errno) else { throw AtomicFile.error(errno, path: path) }
    try prepare()
    try exchange()
    isOver = true
    try AtomicFile.synchronizeFolder(of: path, path: path)
  }

  /// Removes an uncommitted output. Called automatically without a commit.
  package func abandon() {
    guard !isOver else { return }
    isOver = true
    AtomicFile.temporaryStep(ends: place) { Self.remove(place) }
  }

  /// - Throws: ``OutputError`` if an existing item would have to be replaced and `force` does not allow it.
  package static func check(_ path: String, force: Bool) throws(OutputError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFLNK {
      guard force else { throw AtomicFile.exists(path, isLink: true) }
      return
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw OutputError(
        kind: .other, path: path, problem: "is a file, and the format is a folder", remedy: "give another path")
    }
    guard force || names(in: path).isEmpty else { throw AtomicFile.exists(path, isLink: false) }
  }

  /// Removes the uncommitted folders left by terminated processes.
  package static func removeLeftovers(of path: String) {
    AtomicFile.removeLeftovers(of: path.withoutSlashesAtEnd)
  }

  /// Returns the size of a file or of all files of a folder in bytes, or `nil` if the path does not exist or is a
  /// symbolic link, which is never an output.
  package static func bytes(of path: String) -> Int? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFLNK else { return nil }
    guard status.st_mode & S_IFMT == S_IFDIR else { return Int(status.st_size) }
    return files(in: path).reduce(0) { sum, name in
      var status = stat()
      return stat(path + "/" + name, &status) == 0 ? sum + Int(status.st_size) : sum
    }
  }

  // MARK: Folders

  /// Returns the names of all items of a folder, including hidden ones.
  static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = String(nameOf: entry)
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Whether a path is a folder, not a link to one.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Removes a file, or a folder and its contents, without following links. The result is below 0 on failure, with the
  /// reason in `errno`.
  @discardableResult
  package static func remove(_ path: String) -> Int32 {
    guard isFolder(path) else { return unlink(path) }
    for name in names(in: path) { remove(path + "/" + name) }
    return rmdir(path)
  }

  /// Replaces the old folder: renames it temporarily, and removes it once the new folder has its name. POSIX has no
  /// exchange of two folders; if the process ends in between, the next output of the same name restores the old folder.
  private func exchange() throws(OutputError) {
    let old = place + AtomicFile.oldMark
    let result = AtomicFile.temporaryStep(begins: old, ends: place) {
      guard rename(path, old) == 0 else { return -1 }
      guard rename(place, path) != 0 else { return 0 }
      let number = errno
      rename(old, path)
      errno = number
      return -1
    }
    guard result == 0 else { throw AtomicFile.error(errno, path: path) }
    AtomicFile.temporaryStep(ends: old) { Self.remove(old) }
  }

  /// Returns the folders below a folder, as relative paths.
  private static func folders(in folder: String) -> [String] {
    names(in: folder).filter { isFolder(folder + "/" + $0) }.flatMap { name in
      [name] + folders(in: folder + "/" + name).map { name + "/" + $0 }
    }
  }

  /// Returns the files below a folder, as relative paths; links count as files.
  private static func files(in folder: String) -> [String] {
    names(in: folder).flatMap { name in
      let path = folder + "/" + name
      return isFolder(path) ? files(in: path).map { name + "/" + $0 } : [name]
    }
  }
}
