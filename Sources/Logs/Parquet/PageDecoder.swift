/// Decodes the encodings of pages (Parquet's `Encodings.md`) to numbers.
enum PageDecoder {
  private static let short = ParquetError.damaged("a page too short for its values")

  static func plain(
    _ bytes: ArraySlice<UInt8>, _ physical: ParquetFormat.Physical, count: Int
  ) throws(ParquetError) -> [Double] {
    let width = width(of: physical)
    let size = physical == .boolean ? count / 8 + (count % 8 == 0 ? 0 : 1) : count
    guard size <= bytes.count / max(width, 1) else { throw short }
    return bytes.withUnsafeBytes { bytes in
      switch physical {
      case .boolean: (0..<count).map { Double(bytes[$0 / 8] >> UInt8($0 % 8) & 1) }
      case .int32: (0..<count).map { Double(Int32(littleEndian: load(bytes, 4 * $0))) }
      case .int64: (0..<count).map { Double(Int64(littleEndian: load(bytes, 8 * $0))) }
      case .float: (0..<count).map { Double(Float(bitPattern: UInt32(littleEndian: load(bytes, 4 * $0)))) }
      default: (0..<count).map { Double(bitPattern: UInt64(littleEndian: load(bytes, 8 * $0))) }
      }
    }
  }

  /// Decodes BYTE_STREAM_SPLIT.
  static func split(
    _ bytes: ArraySlice<UInt8>, _ physical: ParquetFormat.Physical, count: Int
  ) throws(ParquetError) -> [Double] {
    let width = width(of: physical)
    guard width > 1, count <= bytes.count / width else { throw short }
    var joined = [UInt8](repeating: 0, count: count * width)
    for byte in 0..<width {
      let start = bytes.startIndex + byte * count
      for index in 0..<count { joined[index * width + byte] = bytes[start + index] }
    }
    return try plain(joined[...], physical, count: count)
  }

  /// Decodes definition or repetition levels; returns `nil` if the column has no levels.
  static func levels(_ bytes: ArraySlice<UInt8>, greatest: Int, count: Int) throws(ParquetError) -> [UInt8]? {
    guard greatest > 0 else { return nil }
    let levels = try runs(bytes, bitWidth: Int.bitWidth - greatest.leadingZeroBitCount, count: count)
    guard levels.allSatisfy({ $0 <= greatest }) else { throw .damaged("a level out of range") }
    return levels.map(UInt8.init)
  }

  /// Decodes the RLE/Bit-Packing Hybrid.
  static func runs(_ bytes: ArraySlice<UInt8>, bitWidth: Int, count: Int) throws(ParquetError) -> [UInt32] {
    var reader = BitReader(bytes)
    var values: [UInt32] = []
    guard count <= Self.maximumValueCount else { throw short }
    values.reserveCapacity(count)
    while values.count < count {
      let head = try reader.varint()
      if head & 1 == 0 {
        let length = Int(clamping: head >> 1)
        guard length > 0 else { throw short }
        let value = try reader.bytes((bitWidth + 7) / 8)
        values.append(
          contentsOf: repeatElement(UInt32(truncatingIfNeeded: value), count: min(length, count - values.count)))
      } else {
        let groups = Int(clamping: head >> 1)
        guard groups > 0 else { throw short }
        for _ in 0..<min(groups, (count - values.count + 7) / 8) {
          for _ in 0..<8 {
            let value = UInt32(truncatingIfNeeded: try reader.bits(bitWidth))
            if values.count < count { values.append(value) }
          }
        }
      }
    }
    return values
  }

  /// Decodes DELTA_BINARY_PACKED.
  static func deltas(_ bytes: ArraySlice<UInt8>, count: Int) throws(ParquetError) -> [Double] {
    guard count > 0 else { return [] }
    var reader = BitReader(bytes)
    let blockSize = try reader.varint()
    let miniblocks = try reader.varint()
    let total = try reader.varint()
    var value = try reader.zigzag()
    guard count <= Self.maximumValueCount, total >= UInt64(count), miniblocks > 0, miniblocks <= 512,
      blockSize <= 1 << 20,
      blockSize % miniblocks == 0, blockSize / miniblocks % 32 == 0, blockSize > 0
    else { throw .damaged("a page of invalid differences") }
    let size = Int(blockSize / miniblocks)
    var values = [Double(value)]
    values.reserveCapacity(count)
    while values.count < count {
      let minimum = try reader.zigzag()
      var widths: [Int] = []
      for _ in 0..<miniblocks { widths.append(Int(try reader.bytes(1))) }
      for width in widths where values.count < count {
        guard width <= 64 else { throw .damaged("a page of invalid differences") }
        for _ in 0..<size {
          let delta = try reader.bits(width)
          guard values.count < count else { continue }
          value = value &+ minimum &+ Int64(bitPattern: delta)
          values.append(Double(value))
        }
      }
    }
    return values
  }

  /// The maximum number of values of a page: writers make pages of a megabyte, even of nulls or runs.
  private static let maximumValueCount = 1 << 24

  private static func width(of physical: ParquetFormat.Physical) -> Int {
    switch physical {
    case .boolean: 1
    case .int32, .float: 4
    case .int64, .double: 8
    default: 0
    }
  }

  private static func load<Number: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Number {
    bytes.loadUnaligned(fromByteOffset: offset, as: Number.self)
  }

  /// Reads numbers of any number of bits, in little-endian bit order.
  private struct BitReader {
    private var rest: ArraySlice<UInt8>
    private var pending: UInt64 = 0
    private var pendingCount = 0

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func bytes(_ count: Int) throws(ParquetError) -> UInt64 {
      var value: UInt64 = 0
      for position in 0..<count {
        guard let byte = rest.popFirst() else { throw short }
        value |= UInt64(byte) << UInt64(8 * position)
      }
      return value
    }

    mutating func bits(_ count: Int) throws(ParquetError) -> UInt64 {
      guard count > 0 else { return 0 }
      var (value, have): (UInt64, Int) = (0, 0)
      while have < count {
        if pendingCount == 0 {
          guard let byte = rest.popFirst() else { throw short }
          (pending, pendingCount) = (UInt64(byte), 8)
        }
        let take = min(count - have, pendingCount)
        value |= (pending & (1 << UInt64(take) - 1)) << UInt64(have)
        pending >>= UInt64(take)
        pendingCount -= take
        have += take
      }
      return value
    }

    mutating func varint() throws(ParquetError) -> UInt64 {
      var value: UInt64 = 0
      for shift in stride(from: UInt64(0), to: 70, by: 7) {
        guard let byte = rest.popFirst(), shift < 63 || byte < 2 else { throw short }
        value |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return value }
      }
      throw short
    }

    mutating func zigzag() throws(ParquetError) -> Int64 {
      let value = try varint()
      return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }
  }
}
