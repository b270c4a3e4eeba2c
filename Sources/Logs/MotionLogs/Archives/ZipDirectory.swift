/// What a zip archive says of its entries: the directory at its end (PKWARE, APPNOTE 6.3.10, sections 4.3.12 to 4.3.16),
/// with the sizes of 64 bits where it has them.
struct ZipDirectory {
  struct Record {
    var name: [UInt8]
    /// The system that the file was on: 3 for UNIX.
    var system: UInt8
    var flags: UInt16
    var method: UInt16
    /// CRC-32 of the bytes unpacked.
    var checksum: UInt32
    /// Bytes in the archive, and bytes unpacked.
    var packed: UInt64
    var size: UInt64
    var attributes: UInt32
    /// Of its header, from the archive's beginning.
    var offset: UInt64

    var isEncrypted: Bool { flags & 1 != 0 }
  }

  /// Entries, as its end tells.
  let count: UInt64
  /// Where it begins: entries are before it.
  let offset: UInt64
  private let size: UInt64

  private static let endSize = 22
  private static let recordSize = 46
  private static let headerSize = 30
  /// Of the directory: room for every name and comment that limits on entries leave.
  private static let largest: UInt64 = 1 << 26

  /// Finds the directory by the archive's end; nil where there is none.
  init?(of file: InputFile) throws(LogError) {
    let length = UInt64(file.size ?? 0)
    // Behind the end there is a comment of at most 64 KiB.
    let tail = try file.bytes(Int(min(length, UInt64(Self.endSize + 0xFFFF))), at: length - min(length, 0x10015))
    guard tail.count >= Self.endSize,
      let place = (0...(tail.count - Self.endSize)).reversed().first(where: { place in
        tail.little32(place) == 0x0605_4B50 && place + Self.endSize + Int(tail.little16(place + 20)) <= tail.count
      })
    else { return nil }
    let end = length - UInt64(tail.count - place)
    var (count, size) = (UInt64(tail.little16(place + 10)), UInt64(tail.little32(place + 12)))
    var offset = UInt64(tail.little32(place + 16))
    // Of several disks there is no more.
    guard [0, 0xFFFF].contains(tail.little16(place + 4)) else { return nil }
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
    (self.count, self.size, self.offset) = (count, size, offset)
  }

  /// Reads it; nil where it is not what its end tells.
  func records(of file: InputFile) throws(LogError) -> [Record]? {
    let bytes = try file.bytes(Int(size), at: offset)
    guard bytes.count == Int(size) else { return nil }
    var records: [Record] = []
    var place = 0
    while place < bytes.count {
      guard bytes.count - place >= Self.recordSize, bytes.little32(place) == 0x0201_4B50 else { return nil }
      let lengths = (0..<3).map { Int(bytes.little16(place + 28 + 2 * $0)) }
      let (name, extra) = (place + Self.recordSize, place + Self.recordSize + lengths[0])
      let next = extra + lengths[1] + lengths[2]
      guard next <= bytes.count else { return nil }
      var record = Record(
        name: Array(bytes[name..<extra]), system: bytes[place + 5], flags: bytes.little16(place + 8),
        method: bytes.little16(place + 10), checksum: bytes.little32(place + 16),
        packed: UInt64(bytes.little32(place + 20)), size: UInt64(bytes.little32(place + 24)),
        attributes: bytes.little32(place + 38), offset: UInt64(bytes.little32(place + 42)))
      guard record.widen(by: bytes[extra..<extra + lengths[1]]), record.offset < offset else { return nil }
      records.append(record)
      place = next
    }
    guard UInt64(records.count) == count else { return nil }
    return records
  }

  /// Where the bytes of an entry begin, by the header before them; nil where that is another entry's, or where the bytes do
  /// not end before the directory.
  func content(of record: Record, in file: InputFile) throws(LogError) -> UInt64? {
    let header = try file.bytes(Self.headerSize, at: record.offset)
    guard header.count == Self.headerSize, header.little32(0) == 0x0403_4B50, header.little16(8) == record.method else {
      return nil
    }
    let (name, extra) = (Int(header.little16(26)), UInt64(header.little16(28)))
    let start = record.offset + UInt64(Self.headerSize + name) + extra
    guard start <= offset, record.packed <= offset - start,
      try file.bytes(name, at: record.offset + UInt64(Self.headerSize)) == record.name
    else { return nil }
    return start
  }
}

extension ZipDirectory.Record {
  /// Takes what does not fit into 32 bits from the extra fields (4.5.3); false where they are cut off.
  fileprivate mutating func widen(by extra: ArraySlice<UInt8>) -> Bool {
    var rest = Array(extra)
    while rest.count >= 4 {
      let (kind, length) = (rest.little16(0), Int(rest.little16(2)))
      guard rest.count >= 4 + length else { return false }
      if kind == 1 {
        var place = 4
        for number in [\Self.size, \.packed, \.offset] where self[keyPath: number] == 0xFFFF_FFFF {
          guard place + 8 <= 4 + length else { return false }
          self[keyPath: number] = rest.little64(place)
          place += 8
        }
      }
      rest.removeFirst(4 + length)
    }
    return true
  }
}

extension [UInt8] {
  fileprivate func little16(_ place: Int) -> UInt16 { UInt16(self[place]) | UInt16(self[place + 1]) << 8 }
  fileprivate func little32(_ place: Int) -> UInt32 {
    UInt32(little16(place)) | UInt32(little16(place + 2)) << 16
  }
  fileprivate func little64(_ place: Int) -> UInt64 {
    UInt64(little32(place)) | UInt64(little32(place + 4)) << 32
  }
}
