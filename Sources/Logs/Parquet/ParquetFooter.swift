/// The footer of a Parquet file, which locates all parts; row groups are added one at a time.
package struct ParquetFooter {
  /// The first bytes of a file.
  package static let start = ParquetFormat.magic

  private let columns: [ParquetColumn]
  /// The column by which rows are sorted, if any.
  private let orderedColumn: Int?
  private var groups: [(offset: Int, rowCount: Int, chunks: [ParquetRowGroup.Chunk])] = []
  private var position = Self.start.count
  package private(set) var rowCount = 0

  package init(columns: [ParquetColumn], orderedBy column: Int? = nil) {
    self.columns = columns
    orderedColumn = column
  }

  /// Adds a group, whose bytes are written after all previous groups.
  package mutating func append(_ group: ParquetRowGroup) {
    groups.append((position, group.rowCount, group.chunks))
    position += group.bytes.count
    rowCount += group.rowCount
  }

  /// Returns the file's last bytes (`parquet.thrift`: FileMetaData), with metadata of the whole file.
  package func bytes(facts: [(name: String, text: String)], createdBy: String) -> [UInt8] {
    var schema = [ParquetSchemaElement(name: "schema", children: columns.count)]
    for column in columns { column.describe(&schema) }
    let leaves = columns
    let metadata = ThriftWriter.structure {
      $0.field(1, Int32(1))
      $0.field(2, schema) { writer, element in
        if let physical = element.physical { writer.field(1, physical.rawValue) }
        if let repetition = element.repetition { writer.field(3, repetition.rawValue) }
        writer.field(4, element.name)
        if element.children > 0 { writer.field(5, Int32(element.children)) }
        if element.isList {
          writer.field(6, ParquetFormat.convertedList)
          writer.field(10) { $0.field(3) { _ in } }
        }
      }
      $0.field(3, rowCount)
      $0.field(4, Array(groups.enumerated())) { writer, item in
        let (number, group) = item
        let size = group.chunks.reduce(0) { $0 + $1.compressedSize }
        writer.field(1, Array(zip(leaves, group.chunks))) { Self.chunk(&$0, $1.0, $1.1, groupOffset: group.offset) }
        writer.field(2, group.chunks.reduce(0) { $0 + $1.uncompressedSize })
        writer.field(3, group.rowCount)
        if let orderedColumn {
          writer.field(4, [orderedColumn]) {
            $0.field(1, Int32($1))
            $0.field(2, false)
            $0.field(3, false)
          }
        }
        writer.field(5, group.offset)
        writer.field(6, size)
        if let ordinal = Int16(exactly: number) { writer.field(7, short: ordinal) }
      }
      $0.field(5, facts, Self.fact)
      $0.field(6, createdBy)
      // Values have the order of their type.
      $0.field(7, leaves) { writer, _ in writer.field(1) { _ in } }
    }
    return metadata + withUnsafeBytes(of: UInt32(metadata.count).littleEndian, Array.init) + ParquetFormat.magic
  }

  private static func chunk(
    _ writer: inout ThriftWriter, _ column: ParquetColumn, _ chunk: ParquetRowGroup.Chunk, groupOffset: Int
  ) {
    let offset = groupOffset + chunk.offset
    // 0: there is no other copy of the metadata (`parquet.thrift`: ColumnChunk.file_offset).
    writer.field(2, 0)
    writer.field(3) {
      $0.field(1, column.physical.rawValue)
      $0.field(2, [column.encoding.rawValue, ParquetFormat.Encoding.runLength.rawValue])
      $0.field(3, column.path)
      $0.field(4, ParquetFormat.Codec.zstandard.rawValue)
      $0.field(5, chunk.valueCount)
      $0.field(6, chunk.uncompressedSize)
      $0.field(7, chunk.compressedSize)
      if !column.facts.isEmpty { $0.field(8, column.facts, fact) }
      $0.field(9, offset)
      $0.field(12) {
        $0.field(3, chunk.nullCount)
        if let range = chunk.range {
          $0.field(5, range.largest)
          $0.field(6, range.minimum)
        }
      }
    }
  }

  private static func fact(_ writer: inout ThriftWriter, _ fact: (name: String, text: String)) {
    writer.field(1, fact.name)
    writer.field(2, fact.text)
  }
}
