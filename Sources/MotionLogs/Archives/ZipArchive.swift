internal import CZip

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
    var index: UInt64
    /// The names of the folders and of the file.
    var parts: [String]
    /// Bytes unpacked, as promised.
    var size: UInt64
  }

  let path: String
  private let archive: OpaquePointer
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
    var number: Int32 = 0
    guard let archive = zip_open(path, ZIP_RDONLY | ZIP_CHECKCONS, &number) else {
      var error = zip_error_t()
      zip_error_init_with_code(&error, number)
      let text = String(cString: zip_error_strerror(&error))
      zip_error_fini(&error)
      throw LogError(
        path: path, problem: "is a damaged zip archive: \(Self.line(text))", remedy: "download or pack it again")
    }
    self.archive = archive
    try list()
  }

  deinit { zip_discard(archive) }

  // MARK: Contents

  private func list() throws(LogError) {
    let count = zip_get_num_entries(archive, 0)
    guard count <= limits.entries else {
      throw refusal("has \(count) entries, more than \(limits.entries)")
    }
    var total: UInt64 = 0
    let packed = UInt64(try InputFile(path: path).size ?? 0)
    for index in 0..<UInt64(max(count, 0)) {
      var status = zip_stat_t()
      zip_stat_init(&status)
      let wanted = UInt64(ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_ENCRYPTION_METHOD)
      guard zip_stat_index(archive, index, 0, &status) == 0, status.valid & wanted == wanted, let text = status.name
      else { throw damage() }
      let name = String(cString: text)
      let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard !name.isEmpty, !Self.climbs(name, parts) else {
        throw refusal("has an entry whose name leads out of it: \"\(Self.line(name))\"")
      }
      guard status.encryption_method == UInt16(ZIP_EM_NONE) else {
        throw LogError(
          path: path, problem: "is encrypted: \"\(Self.line(name))\"",
          remedy: "unpack it with its password and give the folder")
      }
      total += min(status.size, limits.bytes + 1)
      guard total <= limits.bytes else {
        throw refusal("promises \(total) bytes unpacked, more than \(limits.bytes)")
      }
      guard !name.hasSuffix("/"), !isLink(index), parts.count <= Self.deepest,
        !parts.contains(where: { $0.hasPrefix(".") || $0 == "__MACOSX" }),
        kinds.contains(where: parts[parts.count - 1].lowercased().hasSuffix)
      else { continue }
      entries.append(Entry(index: index, parts: parts, size: status.size))
    }
    guard total <= limits.allowance || (total - limits.allowance) / limits.ratio <= packed else {
      throw refusal("promises \(total) bytes out of \(packed), more than \(limits.ratio) for one")
    }
    guard Set(entries.map(\.parts)).count == entries.count else {
      throw refusal("has two entries of the same name")
    }
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
  private func isLink(_ index: UInt64) -> Bool {
    var system: UInt8 = 0
    var attributes: UInt32 = 0
    guard zip_file_get_external_attributes(archive, index, 0, &system, &attributes) == 0,
      system == UInt8(ZIP_OPSYS_UNIX)
    else { return false }
    let kind = attributes >> 16 & 0o170000
    return kind != 0 && kind != 0o100000 && kind != 0o040000
  }

  // MARK: Streams

  /// An entry on its way out of the archive, which it keeps open.
  final class Stream {
    private let archive: ZipArchive
    private let file: OpaquePointer
    private let entry: Entry

    fileprivate init(archive: ZipArchive, file: OpaquePointer, entry: Entry) {
      (self.archive, self.file, self.entry) = (archive, file, entry)
    }

    deinit { zip_fclose(file) }

    /// Reads so many bytes to the beginning of a buffer; false where the entry ends before.
    func fill(_ buffer: inout [UInt8], _ count: Int) throws(LogError) -> Bool {
      var done = 0
      while done < count {
        let read = buffer.withUnsafeMutableBytes { zip_fread(file, $0.baseAddress! + done, UInt64(count - done)) }
        guard read >= 0 else { throw archive.damage(entry) }
        if read == 0 { return false }
        done += Int(read)
      }
      return true
    }
  }

  /// Opens an entry; several can be open at a time.
  func open(_ entry: Entry) throws(LogError) -> Stream {
    guard let file = zip_fopen_index(archive, entry.index, 0) else { throw damage(entry) }
    return Stream(archive: self, file: file, entry: entry)
  }

  // MARK: Unpacking

  /// Unpacks every entry into a folder, piece by piece; an error where more comes than was promised.
  func unpack(into scratch: ScratchFolder) throws(LogError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 1)
    defer { buffer.deallocate() }
    for entry in entries {
      let output = try scratch.makeFile(entry.parts, for: path)
      guard let input = zip_fopen_index(archive, entry.index, 0) else { throw damage(entry) }
      defer { zip_fclose(input) }
      var count: UInt64 = 0
      while true {
        let read = zip_fread(input, buffer.baseAddress!, UInt64(buffer.count))
        guard read >= 0 else { throw damage(entry) }
        if read == 0 { break }
        count += UInt64(read)
        guard count <= entry.size else {
          throw refusal("unpacks to more than it promises: \"\(Self.line(entry.parts.joined(separator: "/")))\"")
        }
        try output.append(UnsafeRawBufferPointer(rebasing: buffer[..<Int(read)]))
      }
      guard count == entry.size else { throw damage(entry) }
    }
  }

  private func refusal(_ problem: String) -> LogError {
    LogError(
      path: path, problem: "\(problem), and is not unpacked", remedy: "if you trust it, unpack it and give the folder")
  }

  private func damage(_ entry: Entry? = nil) -> LogError {
    let what = entry.map { " (\"\(Self.line($0.parts.joined(separator: "/")))\")" } ?? ""
    return LogError(path: path, problem: "is a damaged zip archive\(what)", remedy: "download or pack it again")
  }

  /// Text from the archive or its library as a part of a message of one line.
  private static func line(_ text: String) -> String {
    String(text.prefix(80).map { $0.isNewline || $0.unicodeScalars.contains { $0.value < 0x20 } ? "?" : $0 })
  }
}
