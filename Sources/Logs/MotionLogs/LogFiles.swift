internal import InertialSystem

/// The files that a log is read from: what must never be replaced by what is made of it.
package enum LogFiles {
  /// Folders within folders: no format has more.
  private static let depth = 6

  /// Every file of a folder and of those below it; a file, and what some formats read beside it. Empty for what is not
  /// there; hidden files are nobody's log.
  package static func paths(of log: String) -> [String] {
    guard let folder = try? LogFolder(path: log) else { return [log] + companions(of: log) }
    return files(in: folder, depth: depth)
  }

  private static func files(in folder: LogFolder, depth: Int) -> [String] {
    folder.names.flatMap { name -> [String] in
      let path = folder.path(of: name)
      guard PartialName.isFolder(path) else { return [path] }
      guard depth > 0, let inner = try? LogFolder(path: path) else { return [] }
      return files(in: inner, depth: depth - 1)
    }
  }

  /// What is read with a file: events, an app's facts about the recording, the tables that describe a BIDS recording.
  private static func companions(of log: String) -> [String] {
    let folder = AtomicFile.folder(of: log)
    var found = [EventTable.path(beside: log)].compactMap { $0 }
    found += ["Metadata.csv", "meta/device.csv", "meta/time.csv"].map { folder + $0 }
    if let end = log.ranges(of: "_").last?.lowerBound, log.hasSuffix("_motion.tsv") {
      found += ["_channels.tsv", "_motion.json"].map { log[..<end] + $0 }
      // Other parts of the recording's name may be left out there.
      found += PartialName.names(in: folder.isEmpty ? "." : String(folder)).filter { name in
        name.hasSuffix("_channels.tsv") || name.hasSuffix("_motion.json")
      }.map { folder + $0 }
    }
    return found.filter { access($0, F_OK) == 0 }
  }
}

/// What a file is, by whatever name or link it is called.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// nil where there is no such file.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Of an open file; nil where it is not open.
  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
