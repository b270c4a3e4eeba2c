internal import InertialEssentials
package import InertialLogs
internal import InertialSystem

extension LogFeed {
  /// Returns the logs that a command's inputs represent: files, folders that are logs, folders that contain logs, name
  /// patterns (`*`, `?`, `[...]`), and "-".
  ///
  /// - Returns: The logs, each once, in the order of the inputs, and whether an input has been expanded to other paths.
  ///   The name is the path relative to the folder in which the log was found, so that logs with the same name in
  ///   several folders are distinguished; otherwise the last component of the path. An unreadable one looks like a log
  ///   but cannot be read.
  package static func logs(
    of inputs: [String]
  ) -> (logs: [(path: String, name: String, isUnreadable: Bool)], areExpanded: Bool) {
    let paths = inputs.flatMap(matches)
    var (all, areExpanded) = ([(path: String, name: String, isUnreadable: Bool)](), paths != inputs)
    var seen: Set<String> = []
    for path in paths {
      var found = (try? find(at: path)) ?? (logs: [], unreadable: [])
      // An empty folder is reported like any other log that cannot be read.
      if found.logs.isEmpty, found.unreadable.isEmpty { found.logs = [path] }
      if found.logs != [path] { areExpanded = true }
      let logs = found.logs.map { ($0, false) } + found.unreadable.map { ($0, true) }
      all += logs.filter { seen.insert($0.0).inserted }.sorted { $0.0 < $1.0 }
        .map { ($0, name(of: $0, below: path), $1) }
    }
    return (all, areExpanded)
  }

  /// Returns the paths of the readable logs.
  ///
  /// - Parameters:
  ///   - options: The log options that the user has specified, with which more logs may be readable.
  ///   - warn: A closure that is called with a warning about each of the other logs.
  /// - Throws: `FusionError` if a folder contains no readable log.
  package static func readableLogs(
    of inputs: [String], _ options: LogOptions, warn: (String) -> Void
  ) throws(FusionError) -> [String] {
    var readable: [String] = []
    var reasons: [String] = []
    for log in logs(of: inputs).logs {
      do throws(LogError) {
        // Errors of a given path are reported by the reader of the log; a folder without logs is reported here.
        if log.isUnreadable { _ = try openLog(path: log.path, options: options) }
        readable += try logs(at: log.path)
      } catch {
        reasons.append(error.description)
      }
    }
    if readable.isEmpty, let reason = reasons.first { throw .badData(reason) }
    for reason in reasons { warn("left out: \(reason)") }
    return readable
  }

  private static func name(of log: String, below folder: String) -> String {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    return log.hasPrefix(prefix) ? String(log.dropFirst(prefix.count)) : log.lastPathPart
  }

  /// Returns the files that match a pattern, sorted by name. A path that exists, or that matches no file, is returned
  /// unchanged.
  private static func matches(_ path: String) -> [String] {
    guard path.contains(where: { "*?[".contains($0) }), !FileManager.default.fileExists(atPath: path) else {
      return [path]
    }
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(path, 0, nil, &found) == 0, let names = found.gl_pathv else { return [path] }
    let paths = (0..<Int(found.gl_pathc)).compactMap { names[$0].map { String(cString: $0) } }
    // Datasets of an earlier run are not treated as logs.
    return paths.filter { !isDataset($0) }
  }
}
