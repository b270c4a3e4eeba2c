#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Finds the logs that a path stands for.
public enum LogFinder {
  /// A file, a folder that is itself a log, and "-" stand for themselves; any other folder for the logs in it and in
  /// its folders, in order of their names.
  ///
  /// A log is told by its content. Left out are what has a quaternion only (a reference, no log), datasets of our own
  /// (`.fused.csv`, `.fused.h5` and so on), what begins with a dot, and folders behind symbolic links.
  /// - Throws: where a folder cannot be read or has no log in it.
  public static func logs(at path: String) throws(LogError) -> [String] {
    guard isFolder(path, followsLinks: true) else { return [path] }
    let logs = try search(path)
    guard !logs.isEmpty else {
      throw LogError(
        path: path, problem: "is neither a log nor a folder with logs in it",
        remedy: "give the path of a log; the known folders are: "
          + LogFormat.all.filter(\.isFolder).map(\.title).joined(separator: ", "))
    }
    return logs
  }

  /// The file of events that is read with a log; nil where there is none beside it.
  public static func events(beside log: String) -> String? { EventTable.path(beside: log) }

  /// Whether a path is named as a dataset of our own is that nobody named.
  public static func isDataset(_ path: String) -> Bool {
    ["csv", "h5", "npz", "tum", "bids", "euroc"].contains { path.hasSuffix(".fused." + $0) }
  }

  private static func search(_ path: String) throws(LogError) -> [String] {
    let candidate = try LogCandidate(path: path)
    if let folder = candidate.folder, !LogFormat.all.contains(where: { $0.isFolder && $0.recognizes(candidate) }) {
      var logs: [String] = []
      for name in folder.names {
        let child = folder.path(of: name)
        if isFolder(child, followsLinks: false) {
          guard !isDataset(name) else { continue }
          logs += try search(child)
        } else if isLogFile(child, name) {
          logs.append(child)
        }
      }
      return logs
    }
    return [path]
  }

  /// A file that cannot be read is no log that was meant.
  private static func isLogFile(_ path: String, _ name: String) -> Bool {
    guard !isDataset(name), !isFolder(path, followsLinks: true),
      let candidate = try? LogCandidate(path: path)
    else { return false }
    return LogFormat.all.contains {
      !$0.isFolder && $0.id != CSVFormat.reference.rawValue && $0.recognizes(candidate)
    }
  }

  private static func isFolder(_ path: String, followsLinks: Bool) -> Bool {
    var status = stat()
    let result = followsLinks ? stat(path, &status) : lstat(path, &status)
    return result == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
