/// A zip archive open for reading, held to limits: what it promises is checked before anything is unpacked, and what
/// comes out against what was promised.
final class ZipArchive {
  /// The most that is unpacked.
  struct Limits {
    /// Entries, those of no interest included.
    var entries = 4096
    /// Bytes unpacked.
    var bytes: UInt64 = 1 << 33
    /// Bytes unpacked for each byte of the archive; logs of numbers are packed to a fifth.
    var ratio: UInt64 = 250
    /// Bytes that are always allowed.
    var allowance: UInt64 = 1 << 20
  }

  struct Entry {
    fileprivate let record: ZipDirectory.Record
    /// Of its bytes in the archive.
    fileprivate let start: UInt64
    /// The names of the folders and of the file.
    var parts: [String]
    /// Bytes unpacked, as promised.
    var size: UInt64
  }

  let path: String
  private let file: InputFile
  private let limits: Limits
  /// The files of the archive that can be parts of a log: of the kinds asked for, not hidden.
  private(set) var entries: [Entry] = []

  /// The names' ends of the texts that can be a part of a log.
  static let texts = [".csv", ".txt", ".json"]
  private let kinds: [String]
  /// Folders within each other.
  private static let deepest = 4

  /// Whether a file's first bytes are a zip archive's.
  static func begins(_ head: [UInt8]) -> Bool {
    head.starts(with: [0x50, 0x4B, 0x03, 0x04]) || head.starts(with: [0x50, 0x4B, 0x05, 0x06])
  }

  /// Opens an archive and checks all it promises; an error where it is damaged or not to be trusted.
  ///
  /// - Parameter kinds: how the names of files end that are of interest.
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
    guard let records = try directory.records(of: file) else { throw damage() }
    var total: UInt64 = 0
    let packed = UInt64(file.size ?? 0)
    var places: [(start: UInt64, end: UInt64)] = []
    for record in records {
      let name = String(decoding: record.name, as: UTF8.self)
      let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard !name.isEmpty, !Self.climbs(name, parts) else {
        throw refusal("has an entry whose name leads out of it: \"\(Self.line(name))\"")
      }
      guard !record.isEncrypted else {
        throw LogError(
          path: path, problem: "is encrypted: \"\(Self.line(name))\"",
          remedy: "unpack it with its password and give the folder")
      }
      total += min(record.size, limits.bytes + 1)
      guard total <= limits.bytes else {
        throw refusal("promises \(total) bytes unpacked, more than \(limits.bytes)")
      }
      guard let start = try directory.content(of: record, in: file) else { throw damage(parts) }
      places.append((record.offset, start + record.packed))
      guard !name.hasSuffix("/"), !Self.isLink(record), parts.count <= Self.deepest,
        !parts.contains(where: { $0.hasPrefix(".") || $0 == "__MACOSX" }),
        kinds.contains(where: parts[parts.count - 1].lowercased().hasSuffix)
      else { continue }
      entries.append(Entry(record: record, start: start, parts: parts, size: record.size))
    }
    guard total <= limits.allowance || (total - limits.allowance) / limits.ratio <= packed else {
      throw refusal("promises \(total) bytes out of \(packed), more than \(limits.ratio) for one")
    }
    guard Set(entries.map(\.parts)).count == entries.count else {
      throw refusal("has two entries of the same name")
    }
    // Entries that share their bytes could fill the disk with a few of them.
    places.sort { $0.start < $1.start }
    guard zip(places, places.dropFirst()).allSatisfy({ $0.end <= $1.start }) else { throw damage() }
  }

  /// Whether a name could lead to a place outside a folder, on any system.
  private static func climbs(_ name: String, _ parts: [String]) -> Bool {
    if name.contains("\\") || name.contains("\0") || name.hasPrefix("/") { return true }
    if let drive = parts.first, drive.count >= 2, drive.dropFirst().first == ":" { return true }
    // A folder's name ends with its mark.
    let folders = parts.last?.isEmpty == true ? parts.dropLast() : parts[...]
    return folders.contains { $0.isEmpty || $0 == "." || $0 == ".." || $0.utf8.count > 255 }
  }

  /// Whether an entry made on a UNIX system is something else than a file or folder.
  private static func isLink(_ record: ZipDirectory.Record) -> Bool {
    guard record.system == 3 else { return false }
    let kind = record.attributes >> 16 & 0o170000
    return kind != 0 && kind != 0o100000 && kind != 0o040000
  }

  // MARK: Streams

  /// An entry on its way out of the archive, which it keeps open.
  final class Stream {
    private let archive: ZipArchive
    private let content: ZipContent
    private let entry: Entry

    fileprivate init(archive: ZipArchive, content: ZipContent, entry: Entry) {
      (self.archive, self.content, self.entry) = (archive, content, entry)
    }

    /// Reads so many bytes to the beginning of a buffer; false where the entry ends before.
    func fill(_ buffer: inout [UInt8], _ count: Int) throws(LogError) -> Bool {
      var done = 0
      while done < count {
        let read = try buffer.withUnsafeMutableBufferPointer { buffer throws(LogError) in
          let rest = UnsafeMutableBufferPointer(rebasing: buffer[done..<count])
          return try archive.read(content, of: entry, into: UnsafeMutableRawBufferPointer(rest))
        }
        if read == 0 { return false }
        done += read
      }
      return true
    }
  }

  /// Opens an entry; several can be open at a time.
  func open(_ entry: Entry) throws(LogError) -> Stream {
    Stream(archive: self, content: try content(of: entry), entry: entry)
  }

  private func content(of entry: Entry) throws(LogError) -> ZipContent {
    guard let content = ZipContent(of: entry.record, at: entry.start, in: file) else {
      throw LogError(
        path: path,
        problem: "is packed by method \(entry.record.method), which is not read: \"\(Self.line(entry.parts))\"",
        remedy: "unpack it and give the folder")
    }
    return content
  }

  private func read(
    _ content: ZipContent, of entry: Entry, into buffer: UnsafeMutableRawBufferPointer
  ) throws(LogError) -> Int {
    guard let count = try content.read(into: buffer) else { throw damage(entry.parts) }
    return count
  }

  // MARK: Unpacking

  /// Unpacks every entry into a folder, piece by piece; an error where more comes than was promised.
  func unpack(into scratch: ScratchFolder) throws(LogError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 1)
    defer { buffer.deallocate() }
    for entry in entries {
      let output = try scratch.makeFile(entry.parts, for: path)
      let content = try content(of: entry)
      while true {
        let read = try read(content, of: entry, into: buffer)
        if read == 0 { break }
        guard content.count <= entry.size else {
          throw refusal("unpacks to more than it promises: \"\(Self.line(entry.parts))\"")
        }
        try output.append(UnsafeRawBufferPointer(rebasing: buffer[..<read]))
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

  /// Text from the archive as a part of a message of one line.
  private static func line(_ text: String) -> String {
    String(text.prefix(80).map { $0.isNewline || $0.unicodeScalars.contains { $0.value < 0x20 } ? "?" : $0 })
  }
}
