// A zip archive that contains a log: a folder of files, at the top or one level down, or a single file.

extension ZipArchive {
  /// Whether a file is a zip archive with files that can be part of a log, or an archive that cannot be read. Opening
  /// the latter throws an error with the reason.
  static func holdsLog(_ candidate: LogCandidate) -> Bool {
    guard candidate.folder == nil, ZipArchive.begins(candidate.head) else { return false }
    guard let archive = try? ZipArchive(path: candidate.path) else { return true }
    return !archive.entries.isEmpty
  }

  /// Opens the log in an archive. The description and the errors contain the archive's path.
  static func openLog(path: String, options: LogOptions) throws(LogError) -> any LogReader {
    let archive = try ZipArchive(path: path)
    let scratch = try ScratchFolder(for: path)
    try archive.unpack(into: scratch)
    let root = scratch.path
    return try ExtractedLogReader(
      in: scratch,
      open: { () throws(LogError) in
        let place = try archive.place(root: root)
        let candidate = try LogCandidate(path: place)
        for format in Self.formats where format.recognizes(candidate) { return try format.open(place, options) }
        if let foreign = ForeignFile(head: try LogCandidate(path: path).head) ?? ForeignFile(head: candidate.head) {
          throw foreign.error(path: path)
        }
        throw LogError(
          path: path, problem: "holds no log of a known format (\(archive.listed))",
          remedy: "unpack it and look at its files with inertial inspect")
      },
      describe: { description in
        description.path = path
        description.summary += ", in a zip archive"
      },
      rename: { error in
        if error.path.hasPrefix(root) { error.path = path + error.path.dropFirst(root.count) }
        error.problem.replace(root + "/", with: "")
        error.remedy.replace(root, with: path)
      })
  }

  /// The formats of logs in an archive: all except a zip archive.
  private static var formats: [LogFormat] { LogFormat.all.filter { $0.id != "zip" } }

  /// Returns the path of the log: the top folder, its only folder that is a log, or the archive's only file.
  private func place(root: String) throws(LogError) -> String {
    if entries.count == 1, entries[0].parts.count <= 2 {
      let file = root + "/" + entries[0].parts.joined(separator: "/")
      let folder = try LogCandidate(path: ([root] + entries[0].parts.dropLast()).joined(separator: "/"))
      return Self.formats.contains { $0.recognizes(folder) } ? folder.path : file
    }
    let top = try LogCandidate(path: root)
    if Self.formats.contains(where: { $0.recognizes(top) }) { return root }
    let folders = Set(entries.filter { $0.parts.count > 1 }.map { $0.parts[0] })
    var logs: [String] = []
    for name in folders.sorted() {
      let candidate = try LogCandidate(path: root + "/" + name)
      if Self.formats.contains(where: { $0.recognizes(candidate) }) { logs.append(name) }
    }
    guard logs.count <= 1 else {
      throw LogError(
        path: path, problem: "holds \(logs.count) logs: \(logs.prefix(4).joined(separator: ", "))",
        remedy: "unpack it and give the folder that holds them")
    }
    return root + (logs.first.map { "/" + $0 } ?? "")
  }

  private var listed: String {
    let names = entries.prefix(6).map { $0.parts.joined(separator: "/") }
    let text = names.joined(separator: ", ") + (entries.count > 6 ? ", ..." : "")
    return text.isEmpty ? "no text files" : String(text.map { $0.isNewline ? "?" : $0 })
  }
}

extension LogFormat {
  static var zip: LogFormat {
    LogFormat(
      id: "zip", title: "zip archive of a log",
      recognition:
        "a zip archive, by its first bytes, with a log's folder in it, at the top or one level down, or with "
        + "one file",
      units: "as for the log in the archive",
      recognizes: { ZipArchive.holdsLog($0) },
      open: { path, options throws(LogError) in try ZipArchive.openLog(path: path, options: options) })
  }
}
