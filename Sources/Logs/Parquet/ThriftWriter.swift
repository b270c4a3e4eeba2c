/// Writes structs in Thrift's compact protocol, the format of a Parquet file's metadata (Apache Thrift,
/// `thrift-compact-protocol.md`).
struct ThriftWriter {
  private(set) var bytes: [UInt8] = []
  /// The number of the last field of each open struct, the innermost last.
  private var lastFields: [Int16] = [0]

  /// The types of the compact protocol.
  enum Kind: UInt8 {
    case yes = 1
    case no = 2
    case byte = 3
    case int16 = 4
    case int32 = 5
    case int64 = 6
    case double = 7
    case binary = 8
    case list = 9
    case set = 10
    case map = 11
    case structure = 12
  }

  mutating func field(_ number: Int16, _ value: Bool) { head(number, value ? .yes : .no) }

  mutating func field(_ number: Int16, _ value: Int32) {
    head(number, .int32)
    bytes.append(varint: zigzag(Int64(value)))
  }

  mutating func field(_ number: Int16, _ value: Int) {
    head(number, .int64)
    bytes.append(varint: zigzag(Int64(value)))
  }

  mutating func field(_ number: Int16, short value: Int16) {
    head(number, .int16)
    bytes.append(varint: zigzag(Int64(value)))
  }

  mutating func field(_ number: Int16, _ text: String) { field(number, Array(text.utf8)) }

  mutating func field(_ number: Int16, _ value: [UInt8]) {
    head(number, .binary)
    binary(value)
  }

  mutating func field(_ number: Int16, _ body: (inout ThriftWriter) -> Void) {
    head(number, .structure)
    structure(body)
  }

  mutating func field(_ number: Int16, _ values: [Int32]) {
    head(number, .list)
    listHead(values.count, .int32)
    for value in values { bytes.append(varint: zigzag(Int64(value))) }
  }

  mutating func field(_ number: Int16, _ texts: [String]) {
    head(number, .list)
    listHead(texts.count, .binary)
    for text in texts { binary(Array(text.utf8)) }
  }

  /// Writes a list of structs.
  mutating func field<Item>(_ number: Int16, _ items: [Item], _ body: (inout ThriftWriter, Item) -> Void) {
    head(number, .list)
    listHead(items.count, .structure)
    for item in items { structure { body(&$0, item) } }
  }

  /// Returns the bytes of the outermost struct.
  static func structure(_ body: (inout ThriftWriter) -> Void) -> [UInt8] {
    var writer = ThriftWriter()
    body(&writer)
    writer.bytes.append(0)
    return writer.bytes
  }

  private mutating func structure(_ body: (inout ThriftWriter) -> Void) {
    lastFields.append(0)
    body(&self)
    bytes.append(0)
    lastFields.removeLast()
  }

  private mutating func head(_ number: Int16, _ kind: Kind) {
    let step = number - lastFields[lastFields.count - 1]
    if (1...15).contains(step) {
      bytes.append(UInt8(step) << 4 | kind.rawValue)
    } else {
      bytes.append(kind.rawValue)
      bytes.append(varint: zigzag(Int64(number)))
    }
    lastFields[lastFields.count - 1] = number
  }

  private mutating func listHead(_ count: Int, _ kind: Kind) {
    if count < 15 {
      bytes.append(UInt8(count) << 4 | kind.rawValue)
    } else {
      bytes.append(0xF0 | kind.rawValue)
      bytes.append(varint: UInt64(count))
    }
  }

  private mutating func binary(_ value: [UInt8]) {
    bytes.append(varint: UInt64(value.count))
    bytes += value
  }

  private func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: (value << 1) ^ (value >> 63)) }
}
