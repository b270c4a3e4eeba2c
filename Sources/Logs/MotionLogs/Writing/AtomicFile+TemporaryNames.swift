internal import InertialSystem

// The temporary names of incomplete outputs: `.NAME.partial-PROCESS`, in the folder of the output NAME.
extension AtomicFile {
  private static let mark = ".partial-"
  /// The suffix of a folder's name while it is being replaced.
  static let oldMark = "-old"

  /// Returns a temporary name for an output.
  ///
  /// - Parameter attempt: The number of the attempt, from 0; names left by an earlier process with the same number are
  ///   skipped.
  private static func temporaryName(for target: String, attempt: Int) -> String {
    let folder = folder(of: target)
    return "\(folder).\(target.dropFirst(folder.count))\(mark)\(getpid())" + (attempt == 0 ? "" : "-\(attempt)")
  }

  /// Creates an item on disk with a temporary name.
  ///
  /// - Parameters:
  ///   - target: The path of the output.
  ///   - act: The creation of an item with a name; below 0 with `errno` on failure.
  /// - Returns: The result of `act`, and the name.
  static func createTemporary(
    for target: String, _ act: (String) -> Int32
  ) throws(OutputError) -> (result: Int32, name: String) {
    for attempt in 0..<100 {
      let temporary = temporaryName(for: target, attempt: attempt)
      let result = temporaryStep(begins: temporary) { act(temporary) }
      if result >= 0 { return (result, temporary) }
      if errno != EEXIST { throw error(errno, path: target) }
    }
    throw error(EEXIST, path: target)
  }

  /// Removes the incomplete outputs of terminated processes. A folder whose replacement was interrupted gets its name
  /// back.
  static func removeLeftovers(of path: String) {
    let folder = folder(of: path)
    let prefix = ".\(path.dropFirst(folder.count))\(mark)"
    for name in AtomicFolder.names(in: folder.isEmpty ? "." : String(folder)) where name.hasPrefix(prefix) {
      guard let process = process(of: name), kill(process, 0) != 0, errno == ESRCH else { continue }
      discard(folder + name, of: path)
    }
  }

  private static func discard(_ leftover: String, of path: String) {
    if leftover.hasSuffix(oldMark), access(path, F_OK) != 0, rename(leftover, path) == 0 { return }
    AtomicFolder.remove(leftover)
  }

  /// Returns the process of an incomplete output, or `nil` for any other name.
  private static func process(of name: String) -> pid_t? {
    guard let position = name.ranges(of: mark).last else { return nil }
    return name[position.upperBound...].split(separator: "-").first.flatMap { pid_t($0) }.flatMap { $0 > 0 ? $0 : nil }
  }
}
