import Inertial
import InertialEssentials
import InertialSystem

/// The logs that a command's inputs stand for: files, folders that are logs, folders with logs in them, patterns of names
/// (`*`, `?`, `[...]`), and "-".
struct LogInputs {
  struct Log: Equatable {
    var path: String
    /// Its place below the folder it was found in, so that logs of one name in several folders stay apart; else the last
    /// part of its path.
    var name: String
    /// Whether it looks like a log that nobody can read.
    var isUnreadable = false
  }

  /// Each once, in the order of the inputs.
  private(set) var logs: [Log] = []
  /// Whether an input stands for something else than itself.
  private(set) var areExpanded: Bool

  init(_ inputs: [String]) {
    let paths = inputs.flatMap(Self.matches)
    areExpanded = paths != inputs
    var seen: Set<String> = []
    for path in paths {
      var found = (try? LogFinder.find(at: path)) ?? LogFinder.Findings()
      // A folder that nothing is found in is told like any other log that cannot be read.
      if found == LogFinder.Findings() { found.logs = [path] }
      if found.logs != [path] { areExpanded = true }
      let logs =
        found.logs.map { Log(path: $0, name: Self.name(of: $0, below: path)) }
        + found.unreadable.map { Log(path: $0, name: Self.name(of: $0, below: path), isUnreadable: true) }
      self.logs += logs.filter { seen.insert($0.path).inserted }.sorted { $0.path < $1.path }
    }
  }

  /// The paths of the logs that can be read; a warning for each that cannot be.
  ///
  /// - Parameter options: what was said of the logs, with which more of them may be read.
  /// - Throws: where a folder has none.
  static func paths(_ inputs: [String], _ options: LogOptions) throws(FusionError) -> [String] {
    var readable: [String] = []
    var reasons: [String] = []
    for log in LogInputs(inputs).logs {
      do throws(LogError) {
        // A path that was given is told by whoever reads it; but a folder without logs is told here.
        if log.isUnreadable { _ = try openLog(path: log.path, options: options) }
        readable += try LogFinder.logs(at: log.path)
      } catch {
        reasons.append(error.description)
      }
    }
    if readable.isEmpty, let reason = reasons.first { throw .badData(reason) }
    for reason in reasons { Console.warning("left out: \(reason)") }
    return readable
  }

  private static func name(of log: String, below folder: String) -> String {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    return log.hasPrefix(prefix) ? String(log.dropFirst(prefix.count)) : log.lastPathPart
  }

  /// The files that a pattern stands for, in order of their names. A path that is there, or that no file matches, stands
  /// for itself.
  private static func matches(_ path: String) -> [String] {
    guard path.contains(where: { "*?[".contains($0) }), !FileManager.default.fileExists(atPath: path) else {
      return [path]
    }
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(path, 0, nil, &found) == 0, let names = found.gl_pathv else { return [path] }
    let paths = (0..<Int(found.gl_pathc)).compactMap { names[$0].map { String(cString: $0) } }
    // Datasets of an earlier run are no logs that were meant.
    return paths.filter { !DatasetFormat.isOurs($0) }
  }
}
