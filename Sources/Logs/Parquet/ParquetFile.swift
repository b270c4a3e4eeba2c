/// Where a Parquet file's bytes come from.
package protocol ParquetBytes: AnyObject {
  var count: Int { get }
  /// The bytes from an offset on, as many as asked for.
  ///
  /// - Throws: where the file ends before, or cannot be read.
  func read(_ offset: Int, _ count: Int) throws(ParquetError) -> [UInt8]
}

/// What a Parquet file says of itself, and the columns of numbers in it.
///
/// Read are numbers, truth values and points in time, flat or as lists of the same length in every row. Other columns, such
/// as texts, are passed over.
package struct ParquetFile {
  /// A column of numbers.
  package struct Column: Sendable {
    /// The parts of its name, joined by dots; of a list, that of the list.
    package let name: String
    /// Numbers of a row.
    package let width: Int
    /// Whether it is points in time, which are read as UNIX time in seconds.
    package var isTime: Bool { secondsPerUnit != nil }
    /// What the column says of itself.
    package let facts: [String: String]

    /// The fact by which a list names the components that each row has of it, with commas between them.
    package static let componentsFact = "components"

    /// The names of the numbers of a row.
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
  /// What the file says of itself, by name.
  package let facts: [String: String]
  /// Columns that are not read, by name.
  package let otherColumns: [String]
  let groups: [Group]
  let bytes: any ParquetBytes

  /// Some rows, and where a column's pages are.
  struct Group {
    var rowCount = 0
    var chunks: [Chunk] = []
  }

  struct Chunk {
    var codec = ParquetFormat.Codec.none
    var isCodecKnown = true
    var valueCount = 0
    /// Of its first page, a dictionary's where there is one.
    var offset = 0
    var size = 0
    var facts: [String: String] = [:]
  }

  /// The longest end of a file that is read: one of a thousand columns and a thousand groups is shorter.
  private static let longestFooter = 1 << 28
  private static let mostColumns = 1 << 14

  /// Whether a file begins as Parquet does.
  package static func begins(_ head: some Collection<UInt8>) -> Bool { head.starts(with: ParquetFormat.magic) }

  /// - Throws: where the file is damaged, or encrypted.
  package init(_ bytes: any ParquetBytes) throws(ParquetError) {
    guard bytes.count >= 12 else { throw .damaged("the file is too short") }
    let end = try bytes.read(bytes.count - 8, 8)
    guard end[4...].elementsEqual(ParquetFormat.magic) else {
      throw end[4...].elementsEqual("PARE".utf8)
        ? .unsupported("it is encrypted") : .damaged("the end of the file is missing")
    }
    let size = end[..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard size <= min(bytes.count - 12, Self.longestFooter) else { throw .damaged("the end of the file is not whole") }
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

  /// A name as messages can have it: whatever a damaged file has there.
  fileprivate static func inOneLine(_ name: String) -> String {
    name.contains(where: \.isNewline) ? String(name.map { $0.isNewline ? "?" : $0 }) : name
  }

  /// A name and a text each.
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

  /// An element of the schema as it is read.
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
        // The older way to say what a number means: TIMESTAMP_MILLIS and TIMESTAMP_MICROS.
        case (6, .integer(9)): element.seconds = element.seconds ?? 1e-3
        case (6, .integer(10)): element.seconds = element.seconds ?? 1e-6
        case (10, .structure): element.seconds = try Self.unit(&reader) ?? element.seconds
        default: return false
        }
        return true
      }
      guard let repetition = ParquetFormat.Repetition(rawValue: element.repetition),
        (0...ParquetFile.mostColumns).contains(element.children)
      else { throw .damaged("a schema that is none") }
      (name, physical, self.repetition) = (element.name, element.physical, repetition)
      (children, secondsPerUnit) = (element.children, element.seconds)
    }

    /// Seconds for each unit of a logical type; nil where it is no point in time.
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

  /// A walk through the schema's tree, which finds the columns of numbers.
  private struct SchemaWalk {
    let elements: [SchemaElement]
    let groups: [Group]
    var columns: [Column] = []
    var others: [String] = []
    var leafCount = 0
    private var place = 1
    private static let deepest = 16

    init(elements: [SchemaElement], groups: [Group]) { (self.elements, self.groups) = (elements, groups) }

    mutating func run() throws(ParquetError) {
      guard let root = elements.first else { throw .damaged("no schema") }
      for _ in 0..<root.children { try visit([], definition: 0, repetition: 0) }
      guard place == elements.count else { throw .damaged("a schema that is none") }
    }

    private mutating func visit(_ path: [String], definition: Int, repetition: Int) throws(ParquetError) {
      guard place < elements.count, path.count < Self.deepest else { throw .damaged("a schema that is none") }
      let element = elements[place]
      place += 1
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
      // A list says how long it is in each row, as those of our own do.
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
    // A writer that has no dictionary may say 0.
    chunk.offset = dictionary.map { $0 > 0 ? min($0, first) : first } ?? first
    guard chunk.offset >= 0, chunk.size >= 0, chunk.valueCount >= 0 else { throw .damaged("a column of no size") }
    self = chunk
  }
}
