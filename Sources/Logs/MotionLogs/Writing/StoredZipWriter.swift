/// Writes a zip archive of uncompressed files (PKWARE's APPNOTE 6.3.10).
///
/// The archive does not depend on the current time: the same files yield the same bytes. Values that exceed the
/// format's 32 bits are written to the fields of zip64.
struct StoredZipWriter {
  private static let unknown32 = UInt32.max
  private static let unicodeNames: UInt16 = 1 << 11
  /// 1 January 1980, the earliest date of the format.
  private static let date: UInt16 = 0x21
  /// The Unix attributes of a regular file that its owner can write and everyone can read.
  private static let attributes: UInt32 = 0o100644 << 16

  private let file: AtomicFile
  /// The threshold above which sizes and offsets take 64 bits.
  private let wideFrom: UInt64
  private var directory: [UInt8] = []
  private var entryCount = 0
  private var offset: UInt64 = 0

  init(file: AtomicFile, wideFrom: UInt64 = UInt64(UInt32.max)) {
    self.file = file
    self.wideFrom = wideFrom
  }

  /// Begins a file of a known size and checksum; `append` adds its bytes.
  mutating func begin(_ name: String, size: UInt64, checksum: UInt32) throws(OutputError) {
    let name = Array(name.utf8)
    let isWide = size >= wideFrom || offset >= wideFrom
    let shown = isWide ? Self.unknown32 : UInt32(size)
    var common: [UInt8] = []
    common.add(isWide ? 45 : 20 as UInt16)
    common.add(Self.unicodeNames)
    common.add(0 as UInt16)
    common.add(0 as UInt16)
    common.add(Self.date)
    common.add(checksum)
    common.add(shown)
    common.add(shown)
    common.add(UInt16(name.count))
    var header: [UInt8] = []
    header.add(0x0403_4B50 as UInt32)
    header += common
    header.add(isWide ? 20 : 0 as UInt16)
    header += name
    if isWide { header += Self.wide([size, size]) }

    directory.add(0x0201_4B50 as UInt32)
    // Made on Unix, by version 4.5 of the format.
    directory.add(3 << 8 | 45 as UInt16)
    directory += common
    directory.add(isWide ? 28 : 0 as UInt16)
    directory.add(0 as UInt16)
    directory.add(0 as UInt16)
    directory.add(0 as UInt16)
    directory.add(Self.attributes)
    directory.add(isWide ? Self.unknown32 : UInt32(offset))
    directory += name
    if isWide { directory += Self.wide([size, size, offset]) }
    entryCount += 1
    try append(header)
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    try file.write(bytes)
    offset += UInt64(bytes.count)
  }

  mutating func append(_ bytes: [UInt8]) throws(OutputError) {
    try bytes.withUnsafeBufferPointer { bytes throws(OutputError) in try append(UnsafeRawBufferPointer(bytes)) }
  }

  /// Writes the archive's directory, which ends the archive.
  mutating func finish() throws(OutputError) {
    let (start, size) = (offset, UInt64(directory.count))
    let isWide = start >= wideFrom || entryCount >= Int(UInt16.max)
    var end = directory
    if isWide {
      end.add(0x0606_4B50 as UInt32)
      end.add(44 as UInt64)
      end.add(3 << 8 | 45 as UInt16)
      end.add(45 as UInt16)
      end.add(0 as UInt32)
      end.add(0 as UInt32)
      for value in [UInt64(entryCount), UInt64(entryCount), size, start] { end.add(value) }
      end.add(0x0706_4B50 as UInt32)
      end.add(0 as UInt32)
      end.add(start + size)
      end.add(1 as UInt32)
    }
    let shownCount = isWide ? UInt16.max : UInt16(entryCount)
    end.add(0x0605_4B50 as UInt32)
    end.add(0 as UInt16)
    end.add(0 as UInt16)
    end.add(shownCount)
    end.add(shownCount)
    end.add(UInt32(size))
    end.add(isWide ? Self.unknown32 : UInt32(start))
    end.add(0 as UInt16)
    try append(end)
  }

  /// Returns the extra field of zip64.
  private static func wide(_ values: [UInt64]) -> [UInt8] {
    var field: [UInt8] = []
    field.add(1 as UInt16)
    field.add(UInt16(8 * values.count))
    for value in values { field.add(value) }
    return field
  }
}
