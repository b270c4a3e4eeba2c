/// Zip archives written byte by byte (PKWARE APPNOTE 6.3) that no program creates. All entries are uncompressed.
enum RawZip {
  struct Entry {
    var name: String
    var bytes: [UInt8]
    /// The unpacked size in the headers, or `nil` for the correct size.
    var promised: UInt64?
    /// The kind and permissions of a UNIX file.
    var mode: UInt32 = 0o100644
    /// Whether the directory lists the entry twice.
    var isRepeated = false
  }

  static func archive(_ entries: [Entry]) -> [UInt8] {
    var bytes: [UInt8] = []
    var directory: [UInt8] = []
    for entry in entries {
      let offset = bytes.count
      let crc = checksum(entry.bytes)
      let size = UInt64(entry.bytes.count)
      bytes += header(entry, crc, packed: size, size: entry.promised ?? size) + entry.bytes
      for _ in 0..<(entry.isRepeated ? 2 : 1) {
        directory += record(entry, crc, packed: size, size: entry.promised ?? size, offset)
      }
    }
    return bytes + directory + end(entries.reduce(0) { $0 + ($1.isRepeated ? 2 : 1) }, directory.count, bytes.count)
  }

  /// Returns an archive whose entries all extend to the end of the last one. The checksums are invalid, as no reader
  /// checks them.
  static func overlapping(_ entries: [Entry]) -> [UInt8] {
    var bytes: [UInt8] = []
    var sizes: [Int] = []
    for entry in entries.reversed() {
      let content = bytes.isEmpty ? entry.bytes : bytes
      bytes = header(entry, 0, packed: UInt64(content.count), size: UInt64(content.count)) + content
      sizes.insert(content.count, at: 0)
    }
    var directory: [UInt8] = []
    var offset = 0
    for (entry, size) in zip(entries, sizes) {
      let start = offset + 30 + entry.name.utf8.count
      directory += record(entry, 0, packed: UInt64(size), size: UInt64(size), offset)
      offset = start
    }
    return bytes + directory + end(entries.count, directory.count, bytes.count)
  }

  private static func little(_ value: some BinaryInteger, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: UInt64(truncatingIfNeeded: value) >> (8 * UInt64($0))) }
  }

  /// Returns the part common to both headers, from the required version to the name's length, and the extra field of a
  /// size above 32 bits.
  private static func common(_ entry: Entry, _ crc: UInt32, _ packed: UInt64, _ size: UInt64) -> ([UInt8], [UInt8]) {
    let isLong = size >= 0xFFFF_FFFF
    let extra = isLong ? little(1, 2) + little(16, 2) + little(size, 8) + little(packed, 8) : []
    var bytes = little(isLong ? 45 : 20, 2) + little(0, 2) + little(0, 2) + little(0, 2) + little(0x21, 2)
    bytes += little(crc, 4) + little(isLong ? 0xFFFF_FFFF : packed, 4) + little(isLong ? 0xFFFF_FFFF : size, 4)
    return (bytes + little(entry.name.utf8.count, 2) + little(extra.count, 2), extra)
  }

  private static func header(_ entry: Entry, _ crc: UInt32, packed: UInt64, size: UInt64) -> [UInt8] {
    let (fields, extra) = common(entry, crc, packed, size)
    return little(0x0403_4B50, 4) + fields + Array(entry.name.utf8) + extra
  }

  private static func record(_ entry: Entry, _ crc: UInt32, packed: UInt64, size: UInt64, _ offset: Int) -> [UInt8] {
    let (fields, extra) = common(entry, crc, packed, size)
    // Made on UNIX: the file's mode is in the upper half of its attributes.
    let attributes = little(0, 2) + little(0, 2) + little(0, 2) + little(entry.mode << 16, 4) + little(offset, 4)
    return little(0x0201_4B50, 4) + little(3 << 8 | 45, 2) + fields + attributes + Array(entry.name.utf8) + extra
  }

  private static func end(_ count: Int, _ size: Int, _ offset: Int) -> [UInt8] {
    little(0x0605_4B50, 4) + little(0, 4) + little(count, 2) + little(count, 2) + little(size, 4) + little(offset, 4)
      + little(0, 2)
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }

  private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(~0 as UInt32) { crc, byte in table[Int((crc ^ UInt32(byte)) & 0xFF)] ^ crc >> 8 }
  }
}
