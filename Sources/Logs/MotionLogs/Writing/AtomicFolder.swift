internal import InertialSystem

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
    PartialName.removeLeftovers(of: path)
    for attempt in 0..<100 {
      let place = PartialName.make(for: path, attempt: attempt)
      if Unfinished.step(begins: place, { mkdir(place, 0o777) }) == 0 {
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

  /// Checks that `commit` will find nothing in its way: everything that is to be replaced has a successor.
  package func prepare() throws(OutputError) {
    try Self.check(path, force: force)
    guard PartialName.isFolder(path) else { return }
    let new = Set(Self.files(in: place))
    if let foreign = Self.files(in: path).first(where: { !new.contains($0) }) {
      throw OutputError(
        kind: .exists, path: path, problem: "has \(foreign), which is no file of the new folder",
        remedy: "move it away, or give another path")
    }
  }

  /// Gives the folder its name. Nothing can be written after it.
  package func commit() throws(OutputError) {
    guard !isOver else { return }
    // Its files are safe on the disk; their folders are not yet.
    for folder in [""] + Self.folders(in: place) {
      try AtomicFile.synchronizeFolder(of: place + "/" + folder + (folder.isEmpty ? "" : "/"), path: path)
    }
    if Unfinished.step(ends: place, { rename(place, path) }) == 0 {
      isOver = true
      return try AtomicFile.synchronizeFolder(of: path, path: path)
    }
    guard [ENOTEMPTY, EEXIST, ENOTDIR].contains(errno) else { throw AtomicFile.error(errno, path: path) }
    try prepare()
    try exchange()
    isOver = true
    try AtomicFile.synchronizeFolder(of: path, path: path)
  }

  /// Removes what was written, unless it has been committed. Without a commit this happens of itself.
  package func abandon() {
    guard !isOver else { return }
    isOver = true
    Unfinished.step(ends: place) { PartialName.remove(place) }
  }

  /// - Throws: where something is there already that a new folder would have to replace, without leave to do so.
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
    guard force || PartialName.names(in: path).isEmpty else {
      throw AtomicFile.exists(path, isLink: false)
    }
  }

  /// Removes what processes that are no more have left of a folder that they had not put in its place.
  package static func removeLeftovers(of path: String) { PartialName.removeLeftovers(of: withoutSlashes(path)) }

  /// The bytes of all files of a folder, or of a file; nil for nothing, and for a symbolic link, which is never an output.
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

  /// The old folder goes under a temporary name, and away once the new one has its own. POSIX has no exchange of two
  /// folders: where a process ends in between, the next output of the name gives the old one its name back.
  private func exchange() throws(OutputError) {
    let old = place + PartialName.oldMark
    let result = Unfinished.step(begins: old, ends: place) {
      guard rename(path, old) == 0 else { return -1 }
      guard rename(place, path) != 0 else { return 0 }
      let number = errno
      rename(old, path)
      errno = number
      return -1
    }
    guard result == 0 else { throw AtomicFile.error(errno, path: path) }
    Unfinished.step(ends: old) { PartialName.remove(old) }
  }

  private static func withoutSlashes(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// The folders below a folder, by their paths below it.
  private static func folders(in folder: String) -> [String] {
    PartialName.names(in: folder).filter { PartialName.isFolder(folder + "/" + $0) }.flatMap { name in
      [name] + folders(in: folder + "/" + name).map { name + "/" + $0 }
    }
  }

  /// The files below a folder, by their paths below it; links are files.
  private static func files(in folder: String) -> [String] {
    PartialName.names(in: folder).flatMap { name in
      let path = folder + "/" + name
      return PartialName.isFolder(path) ? files(in: path).map { name + "/" + $0 } : [name]
    }
  }
}
