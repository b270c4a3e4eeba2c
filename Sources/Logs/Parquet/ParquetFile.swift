/// The source of a Parquet file's bytes.
package protocol ParquetBytes: AnyObject {
  var count: Int { get }
  /// Returns `count` bytes at an offset.
  ///
  /// - Throws: ``ParquetError`` if the file ends before or cannot be read.
  func read(_ offset: Int, _ count: Int) throws(ParquetError) -> [UInt8]
}

/// The metadata of a Parquet file, and the columns of numbers in it.
///
/// Supported are numbers, booleans and timestamps, flat or as lists of the same length in every row. Other columns,
/// such as strings, are skipped.
package struct ParquetFile {
  /// A column of numbers.
  package struct Column: Sendable {
    /// The parts of the column's name, joined by dots; for a list column, the name of the list.
    package let name: String
    /// The number of values in a row.
    package let width: Int
    /// Whether the values are timestamps, which are read as UNIX time in seconds.
    package var isTime: Bool { secondsPerUnit != nil }
    /// The metadata of the column.
    package let facts: [String: String]

    /// The metadata key with a list's component names, separated by commas.
    package static let componentsFact = "components"

    /// The names of the values of a row.
    package var componentNames: [String] {
      guard width > 1 else { return [name] }
      return (facts[Self.componentsFact] ?? "").split(separator: ",").map { ParquetFile.inOneLine(String($0)) }
    }

    let index: Int
    let physical: ParquetFormat.Physical
    let greatestDefinition: Int
    let greatestRepetition: Int
    let secondsPerUnit: Double?
  }

  package let rowCount: Int
  package let columns: [Column]
  /// The metadata of the file, by name.
  package let facts: [String: String]
  /// The names of the unsupported columns.
  package let otherColumns: [String]
  let groups: [Group]
  let bytes: any ParquetBytes

  /// A group of rows, and the locations of the columns' pages.
  struct Group {
    var rowCount = 0
    var chunks: [Chunk] = []
  }

  struct Chunk {
    var codec = ParquetFormat.Codec.none
    var isCodecKnown = true
    var valueCount = 0
    /// The offset of the first page, which may be a dictionary.
    var offset = 0
    var size = 0
    var facts: [String: String] = [:]
  }

  /// The maximum size of a footer: a footer of a thousand columns and a thousand groups is shorter.
  private static let maximumFooterSize = 1 << 28
  private static let maximumColumnCount = 1 << 14

  /// Whether a file begins like a Parquet file.
  package static func begins(_ head: some Collection<UInt8>) -> Bool { head.starts(with: ParquetFormat.magic) }

  /// - Throws: ``ParquetError`` if the file is damaged or encrypted.
  package init(_ bytes: any ParquetBytes) throws(ParquetError) {
    guard bytes.count >= 12 else { throw .damaged("the file is too short") }
    let end = try bytes.read(bytes.count - 8, 8)
    guard end[4...].elementsEqual(ParquetFormat.magic) else {
      throw end[4...].elementsEqual("PARE".utf8)
        ? .unsupported("it is encrypted") : .damaged("the end of the file is missing")
    }
    let size = end[..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard size <= min(bytes.count - 12, Self.maximumFooterSize) else {
      throw .damaged("the end of the file is incomplete")
    }
    let footer = try bytes.read(bytes.count - 8 - size, size)
    var reader = ThriftReader(footer[...])
    var (rows, elements, groups, facts): (Int, [SchemaElement], [Group], [String: String]) = (0, [], [], [:])
    try reader.structure { (reader, field, value) throws(ParquetError) in
      switch (field, value) {
      case (2, .list(.structure, let count)):
        for _ in 0..<count { elements.append(try SchemaElement(&reader)) }
      case (3, .integer(let number)): rows = Int(number)
      case (4, .list(.structure, let count)):
        for _ in 0..<count { groups.append(try Group(&reader)) }
      case (5, .list(.structure, let count)): facts = try Self.facts(&reader, count)
      default: return false
      }
      return true
    }
    var walk = SchemaWalk(elements: elements, groups: groups)
    try walk.run()
    (columns, otherColumns) = (walk.columns, walk.others)
    guard rows >= 0, groups.allSatisfy({ $0.rowCount >= 0 && $0.chunks.count == walk.leafCount }),
      groups.reduce(0, { $0 &+ $1.rowCount }) == rows
    else { throw .damaged("the groups of rows do not add up") }
    rowCount = rows
    self.groups = groups
    self.facts = facts
    self.bytes = bytes
  }

  /// Returns a name in one line, for messages: a damaged file may contain line breaks.
  fileprivate static func inOneLine(_ name: String) -> String {
    name.contains(where: \.isNewline) ? String(name.map { $0.isNewline ? "?" : $0 }) : name
  }

  /// Reads pairs of a name and a value.
  fileprivate static func facts(_ reader: inout ThriftReader, _ count: Int) throws(ParquetError) -> [String: String] {
    var facts: [String: String] = [:]
    for _ in 0..<count {
      var (name, text) = ("", "")
      try reader.structure { (_, field, value) throws(ParquetError) in
        guard case .binary(let bytes) = value else { return false }
        if field == 1 { name = String(decoding: bytes, as: UTF8.self) }
        if field == 2 { text = String(decoding: bytes, as: UTF8.self) }
        return true
      }
      facts[name] = text
    }
    return facts
  }

  /// An element of the schema while it is read.
  private struct SchemaElement {
    var name = ""
    var physical: Int32?
    var repetition = ParquetFormat.Repetition.required
    var children = 0
    var secondsPerUnit: Double?

    init(_ reader: inout ThriftReader) throws(ParquetError) {
      var element = (name: "", physical: Int32?.none, repetition: Int32(0), children: 0, seconds: Double?.none)
      try reader.structure { (reader, field, value) throws(ParquetError) in
        switch (field, value) {
        case (1, .integer(let number)): element.physical = Int32(truncatingIfNeeded: number)
        case (3, .integer(let number)): element.repetition = Int32(truncatingIfNeeded: number)
        case (4, .binary(let bytes)): element.name = ParquetFile.inOneLine(String(decoding: bytes, as: UTF8.self))
        case (5, .integer(let number)): element.children = Int(number)
        // The legacy types TIMESTAMP_MILLIS and TIMESTAMP_MICROS.
        case (6, .integer(9)): element.seconds = element.seconds ?? 1e-3
        case (6, .integer(10)): element.seconds = element.seconds ?? 1e-6
        case (10, .structure): element.seconds = try Self.unit(&reader) ?? element.seconds
        default: return false
        }
        return true
      }
      guard let repetition = ParquetFormat.Repetition(rawValue: element.repetition),
        (0...ParquetFile.maximumColumnCount).contains(element.children)
      else { throw .damaged("an invalid schema") }
      (name, physical, self.repetition) = (element.name, element.physical, repetition)
      (children, secondsPerUnit) = (element.children, element.seconds)
    }

    /// Returns the unit of a logical type in seconds, or `nil` if the type is not a timestamp.
    private static func unit(_ reader: inout ThriftReader) throws(ParquetError) -> Double? {
      var seconds: Double?
      try reader.structure { (reader, field, value) throws(ParquetError) in
        guard field == 8, case .structure = value else { return false }
        try reader.structure { (reader, field, value) throws(ParquetError) in
          guard field == 2, case .structure = value else { return false }
          try reader.structure { (_, field, _) throws(ParquetError) in
            seconds = [1: 1e-3, 2: 1e-6, 3: 1e-9][field]
            return false
          }
          return true
        }
        return true
      }
      return seconds
    }
  }

  /// A depth-first walk through the schema's tree, which finds the columns of numbers.
  private struct SchemaWalk {
    let elements: [SchemaElement]
    let groups: [Group]
    var columns: [Column] = []
    var others: [String] = []
    var leafCount = 0
    private var position = 1
    private static let deepest = 16

    init(elements: [SchemaElement], groups: [Group]) { (self.elements, self.groups) = (elements, groups) }

    mutating func run() throws(ParquetError) {
      guard let root = elements.first else { throw .damaged("no schema") }
      for _ in 0..<root.children { try visit([], definition: 0, repetition: 0) }
      guard position == elements.count else { throw .damaged("an invalid schema") }
    }

    private mutating func visit(_ path: [String], definition: Int, repetition: Int) throws(ParquetError) {
      guard position < elements.count, path.count < Self.deepest else { throw .damaged("an invalid schema") }
      let element = elements[position]
      position += 1
      let path = path + [element.name]
      let definition = definition + (element.repetition == .required ? 0 : 1)
      let repetition = repetition + (element.repetition == .repeated ? 1 : 0)
      guard element.physical == nil else {
        leaf(element, path, definition: definition, repetition: repetition)
        return
      }
      for _ in 0..<element.children { try visit(path, definition: definition, repetition: repetition) }
    }

    private mutating func leaf(_ element: SchemaElement, _ path: [String], definition: Int, repetition: Int) {
      defer { leafCount += 1 }
      let isList = repetition == 1 && path.count == 3
      let name = (isList ? [path[0]] : path).joined(separator: ".")
      let facts = groups.first.flatMap { leafCount < $0.chunks.count ? $0.chunks[leafCount].facts : nil } ?? [:]
      // The metadata specifies the length of the lists, as in files written by Inertial.
      let width = isList ? facts[Column.componentsFact].map { $0.split(separator: ",").count } : 1
      guard let physical = element.physical.flatMap(ParquetFormat.Physical.init), let width,
        [.boolean, .int32, .int64, .float, .double].contains(physical), isList || repetition == 0, width > 0
      else {
        others.append(name)
        return
      }
      columns.append(
        Column(
          name: name, width: width, facts: facts, index: leafCount, physical: physical, greatestDefinition: definition,
          greatestRepetition: repetition, secondsPerUnit: physical == .int64 ? element.secondsPerUnit : nil))
    }
  }
}

extension ParquetFile.Group {
  fileprivate init(_ reader: inout ThriftReader) throws(ParquetError) {
    var group = ParquetFile.Group()
    try reader.structure { (reader, field, value) throws(ParquetError) in
      switch (field, value) {
      case (1, .list(.structure, let count)):
        for _ in 0..<count { group.chunks.append(try ParquetFile.Chunk(&reader)) }
      case (3, .integer(let number)): group.rowCount = Int(number)
      default: return false
      }
      return true
    }
    self = group
  }
}

extension ParquetFile.Chunk {
  fileprivate init(_ reader: inout ThriftReader) throws(ParquetError) {
    var chunk = ParquetFile.Chunk()
    var dictionary: Int?
    var (first, isElsewhere) = (0, false)
    try reader.structure { (reader, field, value) throws(ParquetError) in
      if field == 1 { isElsewhere = true }
      guard field == 3, case .structure = value else { return false }
      try reader.structure { (reader, field, value) throws(ParquetError) in
        switch (field, value) {
        case (4, .integer(let number)):
          let codec = ParquetFormat.Codec(rawValue: Int32(truncatingIfNeeded: number))
          (chunk.codec, chunk.isCodecKnown) = (codec ?? .none, codec != nil)
        case (5, .integer(let number)): chunk.valueCount = Int(number)
        case (7, .integer(let number)): chunk.size = Int(number)
        case (8, .list(.structure, let count)): chunk.facts = try ParquetFile.facts(&reader, count)
        case (9, .integer(let number)): first = Int(number)
        case (11, .integer(let number)): dictionary = Int(number)
        default: return false
        }
        return true
      }
      return true
    }
    guard !isElsewhere else { throw .unsupported("its columns are in other files") }
    // Writers without a dictionary may write 0.
    chunk.offset = dictionary.map { $0 > 0 ? min($0, first) : first } ?? first
    guard chunk.offset >= 0, chunk.size >= 0, chunk.valueCount >= 0 else { throw .damaged("a column of no size") }
    self = chunk
  }
}
