/// Reads structs in Thrift's compact protocol. Ends for any input, and takes no more memory than the input's size.
struct ThriftReader {
  private var bytes: ArraySlice<UInt8>
  private var depth = 0

  /// The maximum nesting depth of structs; those of Parquet need six.
  private static let deepest = 32

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// The index of the next byte in the array underlying the slice.
  var place: Int { bytes.startIndex }

  /// The value of a field.
  enum Value {
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case binary(ArraySlice<UInt8>)
    /// A list and its number of items, which the caller must read or skip.
    case list(kind: ThriftWriter.Kind, count: Int)
    case structure
    /// A kind of value that Parquet's structs do not contain; it was skipped.
    case other
  }

  /// Calls `body` for each field of the struct that begins here. Structs and lists that `body` does not read are
  /// skipped.
  ///
  /// - Throws: ``ParquetError`` if the bytes are not a struct.
  mutating func structure(
    _ body: (inout ThriftReader, Int, Value) throws(ParquetError) -> Bool
  ) throws(ParquetError) {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw .damaged("structs in structs without an end") }
    var number = 0
    while true {
      let head = try byte()
      guard head != 0 else { return }
      let step = Int(head >> 4)
      number = step == 0 ? Int(try zigzag()) : number + step
      guard let kind = ThriftWriter.Kind(rawValue: head & 15) else { throw .damaged("a field of an unknown type") }
      let value = try value(kind)
      let isRead = try body(&self, number, value)
      switch value {
      case .structure where !isRead: try skip(.structure)
      case .list(let kind, let count) where !isRead: for _ in 0..<count { try skip(kind, inList: true) }
      default: break
      }
    }
  }

  /// Reads the items of a list of integers.
  mutating func integers(_ count: Int) throws(ParquetError) -> [Int] {
    var items: [Int] = []
    for _ in 0..<count { items.append(Int(try zigzag())) }
    return items
  }

  /// Reads the items of a list of strings.
  mutating func texts(_ count: Int) throws(ParquetError) -> [String] {
    var items: [String] = []
    for _ in 0..<count { items.append(String(decoding: try binary(), as: UTF8.self)) }
    return items
  }

  private mutating func value(_ kind: ThriftWriter.Kind) throws(ParquetError) -> Value {
    switch kind {
    case .yes: return .bool(true)
    case .no: return .bool(false)
    case .byte: return .integer(Int64(Int8(bitPattern: try byte())))
    case .int16, .int32, .int64: return .integer(try zigzag())
    case .double: return .double(try double())
    case .binary: return .binary(try binary())
    case .list, .set:
      let (kind, count) = try listHead()
      return .list(kind: kind, count: count)
    case .map:
      try skip(.map)
      return .other
    case .structure: return .structure
    }
  }

  private mutating func listHead() throws(ParquetError) -> (ThriftWriter.Kind, Int) {
    let head = try byte()
    let count = head >> 4 == 15 ? try varint() : UInt64(head >> 4)
    // Each item takes at least one byte.
    guard count <= UInt64(bytes.count), let kind = ThriftWriter.Kind(rawValue: max(head & 15, 1)) else {
      throw .damaged("a list longer than the file")
    }
    return (kind, Int(count))
  }

  private mutating func skip(_ kind: ThriftWriter.Kind, inList: Bool = false) throws(ParquetError) {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw .damaged("structs in structs without an end") }
    switch kind {
    case .yes, .no: if inList { _ = try byte() }
    case .byte: _ = try byte()
    case .int16, .int32, .int64: _ = try varint()
    case .double: _ = try double()
    case .binary: _ = try binary()
    case .list, .set:
      let (kind, count) = try listHead()
      for _ in 0..<count { try skip(kind, inList: true) }
    case .map:
      let count = try varint()
      guard count > 0 else { return }
      guard count <= UInt64(bytes.count) else { throw .damaged("a map longer than the file") }
      let kinds = try byte()
      guard let key = ThriftWriter.Kind(rawValue: max(kinds >> 4, 1)),
        let value = ThriftWriter.Kind(rawValue: max(kinds & 15, 1))
      else { throw .damaged("a map of unknown types") }
      for _ in 0..<count {
        try skip(key, inList: true)
        try skip(value, inList: true)
      }
    case .structure: try structure { (_, _, _) throws(ParquetError) in false }
    }
  }

  private mutating func byte() throws(ParquetError) -> UInt8 {
    guard let byte = bytes.popFirst() else { throw .damaged("the description ends too early") }
    return byte
  }

  private mutating func binary() throws(ParquetError) -> ArraySlice<UInt8> {
    let count = try varint()
    guard count <= UInt64(bytes.count) else { throw .damaged("a string longer than the file") }
    defer { bytes = bytes.dropFirst(Int(count)) }
    return bytes.prefix(Int(count))
  }

  private mutating func double() throws(ParquetError) -> Double {
    var bits: UInt64 = 0
    for place in 0..<8 { bits |= UInt64(try byte()) << UInt64(8 * place) }
    return Double(bitPattern: bits)
  }

  private mutating func varint() throws(ParquetError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      let byte = try byte()
      guard shift < 63 || byte < 2 else { throw .damaged("a number longer than 64 bits") }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw .damaged("a number longer than 64 bits")
  }

  private mutating func zigzag() throws(ParquetError) -> Int64 {
    let value = try varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}
