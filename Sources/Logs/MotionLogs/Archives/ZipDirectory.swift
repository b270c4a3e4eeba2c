/// The central directory at the end of a zip archive (PKWARE, APPNOTE 6.3.10, sections 4.3.12 to 4.3.16), including the
/// 64-bit sizes (Zip64) if present.
struct ZipDirectory {
  struct Entry {
    var name: [UInt8]
    /// The system that created the entry: 3 for UNIX.
    var system: UInt8
    var flags: UInt16
    var method: UInt16
    /// The CRC-32 checksum of the unpacked bytes.
    var checksum: UInt32
    /// The size in the archive, in bytes.
    var packed: UInt64
    /// The declared unpacked size, in bytes.
    var size: UInt64
    var attributes: UInt32
    /// The offset of the entry's header in the archive, in bytes.
    var offset: UInt64
    /// The offset of the entry's data in the archive, in bytes.
    fileprivate(set) var start: UInt64 = 0

    /// The names of the folders and of the file.
    var parts: [String] {
      String(decoding: name, as: UTF8.self).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }
    var isEncrypted: Bool { flags & 1 != 0 }
  }

  /// The number of entries that the end record declares.
  let count: UInt64
  /// The offset of the directory, in bytes. All entries precede it.
  let offset: UInt64
  private let size: UInt64
  private let file: InputFile

  private static let endSize = 22
  private static let recordSize = 46
  private static let headerSize = 30
  /// The maximum size of the directory, in bytes. It leaves room for all names and comments within the limit on
  /// entries.
  private static let largest: UInt64 = 1 << 26

  /// Finds the directory from the end record, or returns `nil` if it is missing.
  init?(of file: InputFile) throws(LogError) {
    let length = UInt64(file.size ?? 0)
    // A comment of at most 64 KiB follows the end record.
    let tail = try file.bytes(Int(min(length, UInt64(Self.endSize + 0xFFFF))), at: length - min(length, 0x10015))
    guard tail.count >= Self.endSize,
      let position = (0...(tail.count - Self.endSize)).reversed().first(where: { position in
        tail.little32(position) == 0x0605_4B50
          && position + Self.endSize + Int(tail.little16(position + 20)) <= tail.count
      })
    else { return nil }
    let end = length - UInt64(tail.count - position)
    var (count, size) = (UInt64(tail.little16(position + 10)), UInt64(tail.little32(position + 12)))
    var offset = UInt64(tail.little32(position + 16))
    // Archives that span several disks are not supported.
    guard [0, 0xFFFF].contains(tail.little16(position + 4)) else { return nil }
    var limit = end
    if count == 0xFFFF || size == 0xFFFF_FFFF || offset == 0xFFFF_FFFF, end >= 20 {
      let locator = try file.bytes(20, at: end - 20)
      if locator.count == 20, locator.little32(0) == 0x0706_4B50 {
        let start = locator.little64(8)
        guard start < end else { return nil }
        let wide = try file.bytes(56, at: start)
        guard wide.count == 56, wide.little32(0) == 0x0606_4B50 else { return nil }
        (count, size, offset) = (wide.little64(32), wide.little64(40), wide.little64(48))
        limit = start
      }
    }
    guard offset <= limit, size <= limit - offset, size <= Self.largest else { return nil }
    (self.count, self.size, self.offset, self.file) = (count, size, offset, file)
  }

  /// Returns the entries, or `nil` if the directory does not match the end record.
  func entries() throws(LogError) -> [Entry]? {
    let bytes = try file.bytes(Int(size), at: offset)
    guard bytes.count == Int(size) else { return nil }
    var entries: [Entry] = []
    var position = 0
    while position < bytes.count {
      guard bytes.count - position >= Self.recordSize, bytes.little32(position) == 0x0201_4B50 else { return nil }
      let lengths = (0..<3).map { Int(bytes.little16(position + 28 + 2 * $0)) }
      let (name, extra) = (position + Self.recordSize, position + Self.recordSize + lengths[0])
      let next = extra + lengths[1] + lengths[2]
      guard next <= bytes.count else { return nil }
      var entry = Entry(
        name: Array(bytes[name..<extra]), system: bytes[position + 5], flags: bytes.little16(position + 8),
        method: bytes.little16(position + 10), checksum: bytes.little32(position + 16),
        packed: UInt64(bytes.little32(position + 20)), size: UInt64(bytes.little32(position + 24)),
        attributes: bytes.little32(position + 38), offset: UInt64(bytes.little32(position + 42)))
      guard entry.widen(by: bytes[extra..<extra + lengths[1]]), entry.offset < offset else { return nil }
      entries.append(entry)
      position = next
    }
    return UInt64(entries.count) == count ? entries : nil
  }

  /// Sets the offset of an entry's data, from its local header. Returns `false` if the header belongs to another entry or
  /// the data do not end before the directory.
  func locate(_ entry: inout Entry) throws(LogError) -> Bool {
    let header = try file.bytes(Self.headerSize, at: entry.offset)
    guard header.count == Self.headerSize, header.little32(0) == 0x0403_4B50, header.little16(8) == entry.method else {
      return false
    }
    let (name, extra) = (Int(header.little16(26)), UInt64(header.little16(28)))
    entry.start = entry.offset + UInt64(Self.headerSize + name) + extra
    guard entry.start <= offset, entry.packed <= offset - entry.start else { return false }
    return try file.bytes(name, at: entry.offset + UInt64(Self.headerSize)) == entry.name
  }
}

extension ZipDirectory.Entry {
  /// Reads the values that do not fit into 32 bits from the extra fields (4.5.3). Returns `false` if a field is
  /// truncated.
  fileprivate mutating func widen(by extra: ArraySlice<UInt8>) -> Bool {
    var rest = Array(extra)
    while rest.count >= 4 {
      let (kind, length) = (rest.little16(0), Int(rest.little16(2)))
      guard rest.count >= 4 + length else { return false }
      if kind == 1 {
        var position = 4
        for number in [\Self.size, \.packed, \.offset] where self[keyPath: number] == 0xFFFF_FFFF {
          guard position + 8 <= 4 + length else { return false }
          self[keyPath: number] = rest.little64(position)
          position += 8
        }
      }
      rest.removeFirst(4 + length)
    }
    return true
  }
}

extension [UInt8] {
  fileprivate func little16(_ position: Int) -> UInt16 { UInt16(self[position]) | UInt16(self[position + 1]) << 8 }
  fileprivate func little32(_ position: Int) -> UInt32 {
    UInt32(little16(position)) | UInt32(little16(position + 2)) << 16
  }
  fileprivate func little64(_ position: Int) -> UInt64 {
    UInt64(little32(position)) | UInt64(little32(position + 4)) << 32
  }
}
