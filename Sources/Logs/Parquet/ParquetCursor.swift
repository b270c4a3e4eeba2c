/// Reads a column's numbers from its first row to its last, page by page.
package struct ParquetCursor {
  private let file: ParquetFile
  private let column: ParquetFile.Column
  private var group = 0
  /// The number of values of the group in pages that are not yet read.
  private var remaining = 0
  private var place = 0
  private var end = 0
  private var dictionary: [Double] = []
  /// The decoded numbers of complete rows; the first `taken` numbers are already read.
  private var page: [Double] = []
  private var taken = 0

  /// The maximum size of a page: writers make pages of a megabyte.
  private static let largestPage = 1 << 27
  private static let maximumHeaderSize = 1 << 20

  package init(_ file: ParquetFile, _ column: ParquetFile.Column) {
    (self.file, self.column) = (file, column)
    group = -1
  }

  /// Appends the numbers of the next rows, `width` per row; missing values are NaN.
  ///
  /// - Throws: ``ParquetError`` if the pages are damaged, or their encoding is not supported.
  package mutating func read(rows: Int, into numbers: inout [Double]) throws(ParquetError) {
    var wanted = rows * column.width
    while wanted > 0 {
      if taken == page.count { try nextPage() }
      let count = min(wanted, page.count - taken)
      numbers += page[taken..<taken + count]
      taken += count
      wanted -= count
    }
  }

  private mutating func nextPage() throws(ParquetError) {
    page.removeAll(keepingCapacity: true)
    taken = 0
    while page.isEmpty {
      if remaining == 0 {
        group += 1
        guard group < file.groups.count else { throw .damaged("a column ends before the others") }
        let chunk = file.groups[group].chunks[column.index]
        guard chunk.isCodecKnown else {
          throw .unsupported("the column \(column.name) is compressed by a method other than zstd and snappy")
        }
        (remaining, place, dictionary) = (chunk.valueCount, chunk.offset, [])
        (end, _) = chunk.offset.addingReportingOverflow(chunk.size)
        if remaining == 0 { continue }
      }
      try readPage(codec: file.groups[group].chunks[column.index].codec)
    }
  }

  private struct Header {
    var kind: Int32 = -1
    var size = 0
    var compressedSize = 0
    var valueCount = 0
    var encoding: Int32 = 0
    /// The sizes of the levels in a page of version 2.
    var definitionSize = 0
    var repetitionSize = 0
    var isCompressed = true
  }

  private mutating func readPage(codec: ParquetFormat.Codec) throws(ParquetError) {
    let (header, length) = try readHeader()
    place += length
    let limit = min(end, file.bytes.count)
    guard header.compressedSize >= 0, header.compressedSize <= limit - place, header.valueCount >= 0,
      (0...Self.largestPage).contains(header.size)
    else { throw .damaged("a page longer than its column") }
    let raw = try file.bytes.read(place, header.compressedSize)
    place += header.compressedSize
    switch ParquetFormat.Page(rawValue: header.kind) {
    case .dictionary:
      let body = try Self.decompress(raw[...], codec, header.size)
      dictionary = try PageDecoder.plain(body[...], column.physical, count: header.valueCount)
      scale(&dictionary)
    case .data:
      let body = try Self.decompress(raw[...], codec, header.size)
      var rest = body[...]
      let repetition = try levels(&rest, greatest: column.greatestRepetition, count: header.valueCount)
      let definition = try levels(&rest, greatest: column.greatestDefinition, count: header.valueCount)
      try decode(rest, header, repetition, definition)
    case .dataV2:
      let levelSize = header.definitionSize &+ header.repetitionSize
      guard header.definitionSize >= 0, header.repetitionSize >= 0, (0...raw.count).contains(levelSize),
        levelSize <= header.size
      else { throw .damaged("a page whose levels are longer than it") }
      let repetition = try PageDecoder.levels(
        raw[..<header.repetitionSize], greatest: column.greatestRepetition, count: header.valueCount)
      let definition = try PageDecoder.levels(
        raw[header.repetitionSize..<levelSize], greatest: column.greatestDefinition, count: header.valueCount)
      let body = try Self.decompress(
        raw[levelSize...], header.isCompressed ? codec : .none, header.size - levelSize)
      try decode(body[...], header, repetition, definition)
    case nil: break
    }
  }

  private static func decompress(
    _ bytes: ArraySlice<UInt8>, _ codec: ParquetFormat.Codec, _ count: Int
  ) throws(ParquetError) -> [UInt8] {
    switch codec {
    case .none:
      guard bytes.count == count else { throw .damaged("a page without its declared length") }
      return Array(bytes)
    case .snappy: return try Snappy.decompress(bytes, count: count)
    case .zstandard: return try Zstandard.decompress(bytes, count: count)
    }
  }

  /// Returns the levels of a page of version 1, which are preceded by their length in bytes.
  private func levels(_ rest: inout ArraySlice<UInt8>, greatest: Int, count: Int) throws(ParquetError) -> [UInt8]? {
    guard greatest > 0 else { return nil }
    guard rest.count >= 4 else { throw .damaged("a page without its levels") }
    let size = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    rest = rest.dropFirst(4)
    guard size <= rest.count else { throw .damaged("a page without its levels") }
    defer { rest = rest.dropFirst(size) }
    return try PageDecoder.levels(rest.prefix(size), greatest: greatest, count: count)
  }

  private mutating func decode(
    _ body: ArraySlice<UInt8>, _ header: Header, _ repetition: [UInt8]?, _ definition: [UInt8]?
  ) throws(ParquetError) {
    guard header.valueCount <= remaining else { throw .damaged("a page with more values than its column") }
    remaining -= header.valueCount
    let full = UInt8(column.greatestDefinition)
    let present = definition.map { $0.reduce(0) { $1 == full ? $0 + 1 : $0 } } ?? header.valueCount
    var values: [Double]
    switch ParquetFormat.Encoding(rawValue: header.encoding) {
    case .plain:
      values = try PageDecoder.plain(body, column.physical, count: present)
      scale(&values)
    case .byteStreamSplit:
      values = try PageDecoder.split(body, column.physical, count: present)
      scale(&values)
    case .deltaBinaryPacked where column.physical == .int32 || column.physical == .int64:
      values = try PageDecoder.deltas(body, count: present)
      scale(&values)
    case .runLength where column.physical == .boolean:
      guard body.count >= 4 else { throw .damaged("a page too short for its values") }
      values = try PageDecoder.runs(body.dropFirst(4), bitWidth: 1, count: present).map(Double.init)
    case .dictionary, .plainDictionary:
      guard present > 0 else {
        values = []
        break
      }
      guard let width = body.first, width <= 32 else { throw .damaged("a page too short for its values") }
      values = []
      values.reserveCapacity(present)
      for index in try PageDecoder.runs(body.dropFirst(), bitWidth: Int(width), count: present) {
        guard index < dictionary.count else { throw .damaged("a value that the dictionary does not have") }
        values.append(dictionary[Int(index)])
      }
    default: throw .unsupported("the column \(column.name) is encoded by method \(header.encoding)")
    }
    try place(values, repetition, definition)
  }

  /// Merges the values with the missing values.
  private mutating func place(
    _ values: [Double], _ repetition: [UInt8]?, _ definition: [UInt8]?
  ) throws(ParquetError) {
    guard let definition else {
      page = values
      return
    }
    let full = UInt8(column.greatestDefinition)
    var next = 0
    if let repetition {
      var length = column.width
      for (level, isPresent) in zip(repetition, definition.lazy.map { $0 == full }) {
        if level == 0 {
          guard length == column.width else { throw Self.ragged(column) }
          length = 0
        }
        if isPresent {
          page.append(values[next])
          next += 1
          length += 1
          guard length <= column.width else { throw Self.ragged(column) }
        } else {
          guard level == 0 else { throw Self.ragged(column) }
          page.append(contentsOf: repeatElement(.nan, count: column.width))
          length = column.width
        }
      }
      guard length == column.width else { throw Self.ragged(column) }
    } else {
      page.reserveCapacity(definition.count)
      for level in definition {
        if level == full {
          page.append(values[next])
          next += 1
        } else {
          page.append(.nan)
        }
      }
    }
  }

  private static func ragged(_ column: ParquetFile.Column) -> ParquetError {
    .unsupported("the lists of the column \(column.name) are not all of \(column.width) numbers")
  }

  private func scale(_ values: inout [Double]) {
    guard let factor = column.secondsPerUnit else { return }
    for index in values.indices { values[index] *= factor }
  }

  /// Returns the header at the current offset and its length.
  private func readHeader() throws(ParquetError) -> (Header, Int) {
    var size = 256
    let limit = min(end, file.bytes.count) - place
    guard limit > 0 else { throw .damaged("a column ends before the others") }
    while true {
      let bytes = try file.bytes.read(place, min(size, limit))
      var reader = ThriftReader(bytes[...])
      do throws(ParquetError) {
        let header = try Self.header(&reader)
        return (header, reader.place)
      } catch {
        // Statistics may be long.
        guard size < min(limit, Self.maximumHeaderSize) else { throw error }
        size *= 8
      }
    }
  }

  private static func header(_ reader: inout ThriftReader) throws(ParquetError) -> Header {
    var header = Header()
    try reader.structure { (reader, field, value) throws(ParquetError) in
      switch (field, value) {
      case (1, .integer(let number)): header.kind = Int32(truncatingIfNeeded: number)
      case (2, .integer(let number)): header.size = Int(number)
      case (3, .integer(let number)): header.compressedSize = Int(number)
      case (5, .structure), (7, .structure):
        try reader.structure { (_, field, value) throws(ParquetError) in
          guard case .integer(let number) = value else { return false }
          if field == 1 { header.valueCount = Int(number) }
          if field == 2 { header.encoding = Int32(truncatingIfNeeded: number) }
          return true
        }
      case (8, .structure):
        try reader.structure { (_, field, value) throws(ParquetError) in
          switch (field, value) {
          case (1, .integer(let number)): header.valueCount = Int(number)
          case (4, .integer(let number)): header.encoding = Int32(truncatingIfNeeded: number)
          case (5, .integer(let number)): header.definitionSize = Int(number)
          case (6, .integer(let number)): header.repetitionSize = Int(number)
          case (7, .bool(let isCompressed)): header.isCompressed = isCompressed
          default: return false
          }
          return true
        }
      default: return false
      }
      return true
    }
    return header
  }
}
