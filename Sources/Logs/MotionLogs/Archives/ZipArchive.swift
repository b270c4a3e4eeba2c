/// A zip archive open for reading. Its declared sizes are checked against limits before unpacking, and the unpacked
/// sizes against the declared sizes.
final class ZipArchive {
  /// The limits for unpacking.
  struct Limits {
    /// The maximum number of entries, including entries that are not unpacked.
    var entries = 4096
    /// The maximum total size of the unpacked entries, in bytes.
    var bytes: UInt64 = 1 << 33
    /// The maximum number of unpacked bytes per byte of the archive. Logs of numbers are compressed to about a fifth.
    var ratio: UInt64 = 250
    /// The unpacked size that is allowed regardless of the ratio, in bytes.
    var allowance: UInt64 = 1 << 20
  }

  let path: String
  private let file: InputFile
  private let limits: Limits
  /// The archive's files that can be parts of a log: visible files with one of the requested file name endings.
  private(set) var entries: [ZipDirectory.Entry] = []

  /// The file name endings of the text files that can be part of a log.
  static let texts = [".csv", ".txt", ".json"]
  private let kinds: [String]
  /// The maximum number of components of an entry's path.
  private static let deepest = 4

  /// Whether a file begins with the signature of a zip archive.
  static func begins(_ head: [UInt8]) -> Bool {
    head.starts(with: [0x50, 0x4B, 0x03, 0x04]) || head.starts(with: [0x50, 0x4B, 0x05, 0x06])
  }

  /// Opens an archive and checks its directory.
  ///
  /// - Parameter kinds: The file name endings of the entries to include.
  /// - Throws: ``LogError`` if the archive is damaged, or if unpacking it is unsafe.
  init(path: String, limits: Limits = Limits(), kinds: [String] = texts) throws(LogError) {
    self.path = path
    self.kinds = kinds
    self.limits = limits
    file = try InputFile(path: path)
    try list()
  }

  // MARK: Contents

  private func list() throws(LogError) {
    guard let directory = try ZipDirectory(of: file) else { throw damage() }
    guard directory.count <= limits.entries else {
      throw refusal("has \(directory.count) entries, more than \(limits.entries)")
    }
    guard let all = try directory.entries() else { throw damage() }
    var total: UInt64 = 0
    let packed = UInt64(file.size ?? 0)
    var places: [(start: UInt64, end: UInt64)] = []
    for var entry in all {
      let name = String(decoding: entry.name, as: UTF8.self)
      let parts = entry.parts
      guard !name.isEmpty, !Self.climbs(name, parts) else {
        throw refusal("has an entry whose path leaves the archive: \"\(Self.line(name))\"")
      }
      guard !entry.isEncrypted else {
        throw LogError(
          path: path, problem: "is encrypted: \"\(Self.line(name))\"",
          remedy: "unpack it with its password and give the folder")
      }
      total += min(entry.size, limits.bytes + 1)
      guard total <= limits.bytes else {
        throw refusal("declares \(total) bytes unpacked, more than \(limits.bytes)")
      }
      guard try directory.locate(&entry) else { throw damage(parts) }
      places.append((entry.offset, entry.start + entry.packed))
      guard !name.hasSuffix("/"), !Self.isLink(entry), parts.count <= Self.deepest,
        !parts.contains(where: { $0.hasPrefix(".") || $0 == "__MACOSX" }),
        kinds.contains(where: parts[parts.count - 1].lowercased().hasSuffix)
      else { continue }
      entries.append(entry)
    }
    guard total <= limits.allowance || (total - limits.allowance) / limits.ratio <= packed else {
      throw refusal("declares \(total) bytes unpacked from \(packed), a ratio above \(limits.ratio)")
    }
    guard Set(entries.map(\.parts)).count == entries.count else {
      throw refusal("has two entries of the same name")
    }
    // Entries that overlap could fill the disk from a few bytes.
    places.sort { $0.start < $1.start }
    guard zip(places, places.dropFirst()).allSatisfy({ $0.end <= $1.start }) else { throw damage() }
  }

  /// Whether a name could lead to a path outside a folder on any system.
  private static func climbs(_ name: String, _ parts: [String]) -> Bool {
    if name.contains("\\") || name.contains("\0") || name.hasPrefix("/") { return true }
    if let drive = parts.first, drive.count >= 2, drive.dropFirst().first == ":" { return true }
    // The name of a folder entry ends with "/".
    let folders = parts.last?.isEmpty == true ? parts.dropLast() : parts[...]
    return folders.contains { $0.isEmpty || $0 == "." || $0 == ".." || $0.utf8.count > 255 }
  }

  /// Whether an entry from a UNIX system is neither a file nor a folder.
  private static func isLink(_ entry: ZipDirectory.Entry) -> Bool {
    guard entry.system == 3 else { return false }
    let kind = entry.attributes >> 16 & 0o170000
    return kind != 0 && kind != 0o100000 && kind != 0o040000
  }

  // MARK: Unpacking

  /// Opens an entry. Several entries can be open at the same time.
  func open(_ entry: ZipDirectory.Entry) throws(LogError) -> ZipContent {
    guard let content = ZipContent(of: entry, in: file, damage: damage(entry.parts)) else {
      throw LogError(
        path: path,
        problem: "is compressed by method \(entry.method), which is not read: \"\(Self.line(entry.parts))\"",
        remedy: "unpack it and give the folder")
    }
    return content
  }

  /// Unpacks all entries into a folder, block by block.
  ///
  /// - Throws: ``LogError`` if an entry's size differs from its declared size.
  func unpack(into scratch: ScratchFolder) throws(LogError) {
    for entry in entries {
      let output = try scratch.makeFile(entry.parts, for: path)
      let content = try open(entry)
      try output.append { (buffer) throws(LogError) in
        let count = try content.read(into: buffer)
        guard content.count <= entry.size else {
          throw refusal("unpacks to more bytes than it declares: \"\(Self.line(entry.parts))\"")
        }
        return count
      }
      guard content.count == entry.size else { throw damage(entry.parts) }
    }
  }

  private func refusal(_ problem: String) -> LogError {
    LogError(
      path: path, problem: "\(problem), and is not unpacked", remedy: "if you trust it, unpack it and give the folder")
  }

  private func damage(_ parts: [String]? = nil) -> LogError {
    let what = parts.map { " (\"\(Self.line($0))\")" } ?? ""
    return LogError(path: path, problem: "is a damaged zip archive\(what)", remedy: "download or pack it again")
  }

  private static func line(_ parts: [String]) -> String { line(parts.joined(separator: "/")) }

  /// Returns a string from the archive in a form that fits into a one-line message.
  private static func line(_ text: String) -> String {
    String(text.prefix(80).map { $0.isNewline || $0.unicodeScalars.contains { $0.value < 0x20 } ? "?" : $0 })
  }
}
