internal import InertialSystem

/// The names of outputs that are not whole yet: `.NAME.partial-PROCESS`, beside the output of that name.
package enum PartialName {
  private static let mark = ".partial-"
  /// The end of the name that a folder has while a new one takes its place.
  static let oldMark = "-old"

  /// - Parameter attempt: from 0; a name left by a process of the same number is passed over.
  static func make(for target: String, attempt: Int) -> String {
    let folder = AtomicFile.folder(of: target)
    return "\(folder).\(target.dropFirst(folder.count))\(mark)\(getpid())" + (attempt == 0 ? "" : "-\(attempt)")
  }

  /// Removes what processes that are no more have left of an output. A folder that was to be replaced, and was not, gets
  /// its name back.
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

  /// The process that a partial output is of; nil for every other name.
  private static func process(of name: String) -> pid_t? {
    guard let place = name.ranges(of: mark).last else { return nil }
    return name[place.upperBound...].split(separator: "-").first.flatMap { pid_t($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Everything in a folder, hidden names too.
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

  /// Removes a file, or a folder with all that is in it; links are not followed. Below 0 with `errno` where that fails.
  @discardableResult
  package static func remove(_ path: String) -> Int32 {
    guard isFolder(path) else { return unlink(path) }
    for name in names(in: path) { remove(path + "/" + name) }
    return rmdir(path)
  }
}
