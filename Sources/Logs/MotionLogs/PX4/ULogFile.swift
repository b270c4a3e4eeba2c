/// Reads the messages of a ULog file of PX4 (docs.px4.io, "ULog File Format"): a header, definitions of formats, and
/// data. Memory is bounded, as a message has at most 65,535 bytes.
struct ULogFile {
  static let magic: [UInt8] = Array("ULog".utf8) + [0x01, 0x12, 0x35]
  private static let headerSize = 16
  private static let maximumFormatCount = 4096
  private static let deepest = 8

  /// The type of a number in a message.
  enum Number: String {
    case int8 = "int8_t"
    case uint8 = "uint8_t"
    case int16 = "int16_t"
    case uint16 = "uint16_t"
    case int32 = "int32_t"
    case uint32 = "uint32_t"
    case int64 = "int64_t"
    case uint64 = "uint64_t"
    case float, double, bool, char

    var size: Int {
      switch self {
      case .int8, .uint8, .bool, .char: 1
      case .int16, .uint16: 2
      case .int32, .uint32, .float: 4
      case .int64, .uint64, .double: 8
      }
    }

    /// Returns the number at an offset in a message's data, or NaN if the data end before it.
    func value(in data: ArraySlice<UInt8>, at place: Int) -> Double {
      guard place + size <= data.count else { return .nan }
      func load<Value: FixedWidthInteger>(_: Value.Type) -> Value {
        Value(littleEndian: data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Value.self) })
      }
      return switch self {
      case .int8: Double(load(Int8.self))
      case .uint8, .bool, .char: Double(load(UInt8.self))
      case .int16: Double(load(Int16.self))
      case .uint16: Double(load(UInt16.self))
      case .int32: Double(load(Int32.self))
      case .uint32: Double(load(UInt32.self))
      case .int64: Double(load(Int64.self))
      case .uint64: Double(load(UInt64.self))
      case .float: Double(Float(bitPattern: load(UInt32.self)))
      case .double: Double(bitPattern: load(UInt64.self))
      }
    }
  }

  /// The offsets and types of the fields in the bytes of a message, by name; an array element is called `gyro_rad[0]`.
  typealias Fields = [String: (place: Int, type: Number)]

  /// A topic that has data in the log: its name, the sensor's index among those of its kind, from 0, and its fields,
  /// which are empty for an unwanted topic.
  typealias Topic = (name: String, instance: UInt8, fields: Fields)

  typealias Record = (topic: Topic, data: ArraySlice<UInt8>)

  private var file: ContainerBytes
  private var formats: [String: Substring] = [:]
  private let wanted: Set<String>
  /// The fields of the wanted topics, by topic name.
  private var layouts: [String: Fields] = [:]
  private(set) var topics: [UInt16: Topic] = [:]
  /// Whether the file ends within a message, as after a loss of power.
  private(set) var isCutOff = false

  /// - Parameter wanted: The names of the topics to read.
  init(path: String, wanted: Set<String>) throws(LogError) {
    self.wanted = wanted
    file = ContainerBytes(try InputFile(path: path))
    do throws(ContainerError) {
      guard try file.take(Self.headerSize).starts(with: Self.magic) else {
        throw .damaged("its first bytes are not those of ULog")
      }
    } catch {
      throw logError(error)
    }
  }

  var progress: Double { file.progress }

  func logError(_ error: ContainerError) -> LogError {
    error.logError(
      path: file.name, file: "ULog file", recovery: "copy the file from the flight controller again",
      conversion: "convert it to CSV with ulog2csv (pyulog), and give the file of sensor_combined")
  }

  /// Returns the next data of a topic, or `nil` at the end.
  mutating func next() throws(LogError) -> Record? {
    do throws(ContainerError) {
      while true {
        guard !isCutOff, try !file.isAtEnd else { return nil }
        guard let prefix = try takeWhole(3) else { return nil }
        var fields = ContainerFields(prefix)
        let size = Int(try fields.number(UInt16.self))
        let kind = try fields.number(UInt8.self)
        guard let content = try takeWhole(size) else { return nil }
        if let record = try take(kind, content) { return record }
      }
    } catch {
      throw logError(error)
    }
  }

  /// Takes the next bytes, or returns `nil` and ends the file if it has fewer.
  private mutating func takeWhole(_ count: Int) throws(ContainerError) -> ArraySlice<UInt8>? {
    let bytes = try file.takeIfThere(count)
    isCutOff = bytes == nil
    return bytes
  }

  private mutating func take(_ kind: UInt8, _ content: ArraySlice<UInt8>) throws(ContainerError) -> Record? {
    var fields = ContainerFields(content)
    switch UnicodeScalar(kind) {
    case "B":
      _ = try fields.bytes(8)
      let flags = try fields.bytes(8)
      // Bit 0: the log has appended data, which are read in file order.
      guard flags.first! & ~1 == 0, flags.dropFirst().allSatisfy({ $0 == 0 }) else {
        throw .unsupported("its flags name properties of a newer version")
      }
    case "F":
      let text = String(decoding: content, as: UTF8.self)
      guard let colon = text.firstIndex(of: ":"), formats.count < Self.maximumFormatCount else {
        throw .damaged("a format has no name")
      }
      formats[String(text[..<colon])] = text[text.index(after: colon)...]
    case "A":
      let instance = try fields.number(UInt8.self)
      let id = try fields.number(UInt16.self)
      let name = String(decoding: fields.rest, as: UTF8.self)
      if wanted.contains(name), layouts[name] == nil {
        var places: Fields = [:]
        var end = 0
        try place(name, "", &end, &places, depth: 0)
        layouts[name] = places
      }
      topics[id] = (name, instance, layouts[name] ?? [:])
    case "D":
      guard let topic = topics[try fields.number(UInt16.self)], !topic.fields.isEmpty else { return nil }
      return (topic, fields.rest)
    case "I", "M", "P", "Q", "R", "L", "C", "S", "O": break
    default: throw .damaged("a message of kind \(kind)")
    }
    return nil
  }

  /// Computes the offsets of the fields of a format, including those of nested formats.
  private func place(
    _ format: String, _ prefix: String, _ end: inout Int, _ places: inout Fields, depth: Int
  ) throws(ContainerError) {
    guard let text = formats[format], depth < Self.deepest else {
      throw .damaged("the format \(ContainerError.quoted(format)) is not defined")
    }
    for field in text.split(separator: ";") {
      let parts = field.split(separator: " ")
      guard parts.count == 2 else {
        throw .damaged("a field of \(ContainerError.quoted(format)) has no type or no name")
      }
      let type = parts[0].split(separator: "[", maxSplits: 1)
      let isArray = type.count == 2
      let count = isArray ? Int(type[1].dropLast()) ?? 0 : 1
      guard (1...Int(UInt16.max)).contains(count), !type.isEmpty else {
        throw .damaged("a field of \(ContainerError.quoted(format)) has no size")
      }
      for index in 0..<count {
        let name = "\(prefix)\(parts[1])\(isArray ? "[\(index)]" : "")"
        if let number = Number(rawValue: String(type[0])) {
          places[name] = (end, number)
          end += number.size
        } else {
          let start = end
          try place(String(type[0]), name + ".", &end, &places, depth: depth + 1)
          // An array of empty elements would not terminate.
          guard end > start else { throw .damaged("the format \(ContainerError.quoted(format)) has parts of no size") }
        }
        guard end <= Int(UInt16.max) else {
          throw .damaged("\(ContainerError.quoted(format)) is larger than a message")
        }
      }
    }
  }
}

extension ContainerError {
  /// Returns a string from a file in quotes, as printable ASCII.
  static func quoted(_ text: String) -> String {
    "\"" + String(text.prefix(60).map { $0.isASCII && !$0.isNewline && !$0.isWhitespace ? $0 : "?" }) + "\""
  }
}
