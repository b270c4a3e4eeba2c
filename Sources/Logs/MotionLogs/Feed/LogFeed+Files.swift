internal import InertialSystem

// The files that a log is read from. Outputs must never replace them.
extension LogFeed {
  /// The maximum depth of nested folders; no format has more levels.
  private static let depth = 6

  /// Returns every file of a folder and its subfolders, or a file and the companion files that some formats read.
  /// Hidden files are left out; a missing folder has no files.
  package static func files(of log: String) -> [String] {
    guard let folder = try? LogFolder(path: log) else { return [log] + companions(of: log) }
    return files(in: folder, depth: depth)
  }

  private static func files(in folder: LogFolder, depth: Int) -> [String] {
    folder.names.flatMap { name -> [String] in
      let path = folder.path(of: name)
      guard AtomicFolder.isFolder(path) else { return [path] }
      guard depth > 0, let inner = try? LogFolder(path: path) else { return [] }
      return files(in: inner, depth: depth - 1)
    }
  }

  /// Returns the companion files of a log: events, an app's metadata, the tables that describe a BIDS recording.
  private static func companions(of log: String) -> [String] {
    let folder = AtomicFile.folder(of: log)
    var found = [events(beside: log)].compactMap { $0 }
    found += ["Metadata.csv", "meta/device.csv", "meta/time.csv"].map { folder + $0 }
    if let end = log.ranges(of: "_").last?.lowerBound, log.hasSuffix("_motion.tsv") {
      found += ["_channels.tsv", "_motion.json"].map { log[..<end] + $0 }
      // Companion names may omit some parts of the recording's name.
      found += AtomicFolder.names(in: folder.isEmpty ? "." : String(folder)).filter { name in
        name.hasSuffix("_channels.tsv") || name.hasSuffix("_motion.json")
      }.map { folder + $0 }
    }
    return found.filter { access($0, F_OK) == 0 }
  }
}
