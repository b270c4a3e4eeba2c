internal import InertialSystem

/// The temporary names of incomplete outputs: `.NAME.partial-PROCESS`, in the folder of the output NAME.
package enum TemporaryName {
  private static let mark = ".partial-"
  /// The suffix of a folder's name while it is being replaced.
  static let oldMark = "-old"

  /// - Parameter attempt: The number of the attempt, from 0; names left by an earlier process with the same number are
  ///   skipped.
  static func make(for target: String, attempt: Int) -> String {
    let folder = AtomicFile.folder(of: target)
    return "\(folder).\(target.dropFirst(folder.count))\(mark)\(getpid())" + (attempt == 0 ? "" : "-\(attempt)")
  }

  /// Removes the incomplete outputs of terminated processes. A folder whose replacement was interrupted gets its name
  /// back.
  static func removeLeftovers(of path: String) {
    let folder = AtomicFile.folder(of: path)
    let prefix = ".\(path.dropFirst(folder.count))\(mark)"
    for name in names(in: folder.isEmpty ? "." : String(folder)) where name.hasPrefix(prefix) {
      guard let process = process(of: name), kill(process, 0) != 0, errno == ESRCH else { continue }
      discard(folder + name, of: path)
    }
  }

  private static func discard(_ leftover: String, of path: String) {
    if leftover.hasSuffix(oldMark), access(path, F_OK) != 0, rename(leftover, path) == 0 { return }
    remove(leftover)
  }

  /// Returns the process of an incomplete output, or `nil` for any other name.
  private static func process(of name: String) -> pid_t? {
    guard let position = name.ranges(of: mark).last else { return nil }
    return name[position.upperBound...].split(separator: "-").first.flatMap { pid_t($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

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
}
