internal import InertialSystem

// The logs that a path refers to.
extension LogFeed {
  /// Returns the logs that a path refers to.
  ///
  /// A file, a folder that is itself a log, and "-" refer to themselves. Any other folder refers to the logs in it and
  /// its subfolders, sorted by name.
  ///
  /// Logs are recognized by content. Files with only a quaternion (a reference trajectory), Inertial's own datasets
  /// (`.fused.csv`, `.fused.h5` and so on), hidden files, and folders behind symbolic links are left out.
  /// - Throws: ``LogError`` if a folder cannot be read or contains no log.
  package static func logs(at path: String) throws(LogError) -> [String] {
    let logs = try find(at: path).logs
    guard !logs.isEmpty else {
      throw LogError(
        path: path, problem: "is neither a log nor a folder with logs in it",
        remedy: "give the path of a log; the known folders are: "
          + LogFormat.all.filter(\.isFolder).map(\.title).joined(separator: ", "))
    }
    return logs
  }

  /// Same as `logs`, but also returns the unreadable files and folders, which look like logs but cannot be read: no read
  /// permission, an empty table, text in UTF-16, rows of numbers without a recognized header. Both lists are empty for a
  /// folder without logs.
  ///
  /// - Throws: ``LogError`` if the folder itself cannot be read.
  package static func find(at path: String) throws(LogError) -> (logs: [String], unreadable: [String]) {
    guard isFolder(path) else { return ([path], []) }
    var findings = (logs: [String](), unreadable: [String]())
    try search(LogCandidate(path: path), &findings)
    return findings
  }

  /// Whether a log can be read only once: standard input or a pipe.
  package static func isStream(_ path: String) -> Bool { InputFile.isStream(path) }

  /// Whether a path has the default name of one of Inertial's own datasets.
  package static func isDataset(_ path: String) -> Bool {
    ["csv", "h5", "npz", "parquet", "mcap", "tum", "bids", "euroc"].contains { path.hasSuffix(".fused." + $0) }
  }

  private static func search(
    _ candidate: LogCandidate, _ findings: inout (logs: [String], unreadable: [String])
  ) throws(LogError) {
    guard let folder = candidate.folder, LogFormat.of(candidate) == nil else {
      findings.logs.append(candidate.path)
      return
    }
    for name in folder.names where !isDataset(name) {
      let child = folder.path(of: name)
      if AtomicFolder.isFolder(child) {
        guard let inner = try? LogCandidate(path: child) else {
          findings.unreadable.append(child)
          continue
        }
        try search(inner, &findings)
      } else if !isFolder(child), !isCompanion(name), !InputFile.isStream(child) {
        look(atFile: child, name, &findings)
      }
    }
  }

  /// Whether a file is read together with a log, and is none itself: a table of events, or the channels of a BIDS
  /// recording.
  private static func isCompanion(_ name: String) -> Bool {
    name.hasSuffix(eventsEnding) || name.hasSuffix("_channels.tsv")
  }

  private static func look(
    atFile path: String, _ name: String, _ findings: inout (logs: [String], unreadable: [String])
  ) {
    guard let candidate = try? LogCandidate(path: path) else {
      if isNamedAsTable(name) { findings.unreadable.append(path) }
      return
    }
    if let foreign = ForeignFile(head: candidate.head), !ZipArchive.begins(candidate.head) {
      if foreign.isRecording { findings.unreadable.append(path) }
    } else if let format = LogFormat.all.first(where: { !$0.isFolder && $0.recognizes(candidate) }) {
      if ![CSVFormat.reference.rawValue, LogFormat.tum.id].contains(format.id) { findings.logs.append(path) }
    } else if isMeantAsLog(candidate, name) {
      findings.unreadable.append(path)
    }
  }

  private static func isNamedAsTable(_ name: String) -> Bool {
    [".csv", ".tsv", ".dat"].contains(where: name.lowercased().hasSuffix)
  }

  /// Whether a file of unknown format looks like a log. Tables of labels, people or positions do not.
  private static func isMeantAsLog(_ candidate: LogCandidate, _ name: String) -> Bool {
    let head = candidate.head
    if head.isEmpty || head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) || head.contains(0) {
      return isNamedAsTable(name)
    }
    return CSVHeader.looksLikeLog(LineScanner(bytes: head, name: name))
  }

  /// Whether a path is a folder, or a symbolic link to one.
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
