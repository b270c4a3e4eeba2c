/// A row group of a Parquet file: some rows, encoded and compressed column by column.
package struct ParquetRowGroup {
  package let rowCount: Int
  /// The columns' pages, one after another.
  package let bytes: [UInt8]
  let chunks: [Chunk]

  /// The footer's data of a column's pages.
  struct Chunk {
    /// The offset of the page in `bytes`.
    var offset: Int
    var compressedSize: Int
    var uncompressedSize: Int
    /// The number of values including nulls; for lists, the number of their elements.
    var valueCount: Int
    var nullCount: Int
    /// The bytes of the minimum and maximum, or `nil` without values.
    var range: (minimum: [UInt8], largest: [UInt8])?
  }

  /// - Parameter rows: The numbers of all columns, in row-major order.
  package init(_ rows: UnsafeBufferPointer<Double>, columns: [ParquetColumn], compressor: ParquetCompressor) {
    let width = columns.reduce(0) { $0 + $1.width }
    rowCount = rows.count / width
    var bytes: [UInt8] = []
    var chunks: [Chunk] = []
    var position = 0
    var page: [UInt8] = []
    for column in columns {
      let offset = bytes.count
      var chunk = Chunk(offset: offset, compressedSize: 0, uncompressedSize: 0, valueCount: 0, nullCount: 0)
      page.removeAll(keepingCapacity: true)
      let strided = StridedColumn(rows: rows, first: position, stride: width, count: rowCount)
      switch column.kind {
      case .list(let listWidth):
        Self.encode(strided, listWidth: listWidth, isRequired: column.isRequired, into: &page, &chunk)
      case .double, .integer: Self.encode(strided, column, into: &page, &chunk)
      }
      let header = { (compressed: Int) in
        ThriftWriter.structure {
          $0.field(1, ParquetFormat.Page.data.rawValue)
          $0.field(2, Int32(page.count))
          $0.field(3, Int32(compressed))
          $0.field(5) {
            $0.field(1, Int32(chunk.valueCount))
            $0.field(2, column.encoding.rawValue)
            $0.field(3, ParquetFormat.Encoding.runLength.rawValue)
            $0.field(4, ParquetFormat.Encoding.runLength.rawValue)
          }
        }
      }
      let compressed = compressor.compress(page)
      let head = header(compressed.count)
      bytes += head
      bytes += compressed
      chunk.compressedSize = bytes.count - offset
      chunk.uncompressedSize = head.count + page.count
      chunks.append(chunk)
      position += column.width
    }
    self.bytes = bytes
    self.chunks = chunks
  }

  private static func encode(
    _ values: StridedColumn, _ column: ParquetColumn, into page: inout [UInt8], _ chunk: inout Chunk
  ) {
    let isRequired = column.isRequired
    var levels = [UInt8](repeating: 1, count: isRequired ? 0 : values.count)
    var (minimum, largest) = (Double.infinity, -Double.infinity)
    let present = [Double](unsafeUninitializedCapacity: values.count) { present, count in
      for index in 0..<values.count {
        let value = values[index]
        if !isRequired, value.isNaN {
          levels[index] = 0
          continue
        }
        present.initializeElement(at: count, to: value)
        count += 1
        (minimum, largest) = (min(minimum, value), max(largest, value))
      }
    }
    if !isRequired { page += LevelEncoder.page(levels, bitWidth: 1) }
    chunk.valueCount = values.count
    chunk.nullCount = values.count - present.count
    if column.kind == .integer {
      for value in present {
        let whole = Int32(clamping: Int(max(-1e15, min(1e15, value)).rounded()))
        withUnsafeBytes(of: whole.littleEndian) { page += $0 }
      }
      if minimum <= largest {
        let ends = [minimum, largest].map { end in
          withUnsafeBytes(of: Int32(clamping: Int(max(-1e15, min(1e15, end)).rounded())).littleEndian, Array.init)
        }
        chunk.range = (ends[0], ends[1])
      }
    } else {
      split(present, into: &page)
      // Zero has two signs, and a reader may search for either (`parquet.thrift`: ColumnOrder).
      if minimum <= largest {
        chunk.range = (bytes(of: minimum == 0 ? -0.0 : minimum), bytes(of: largest == 0 ? 0.0 : largest))
      }
    }
  }

  private static func encode(
    _ values: StridedColumn, listWidth: Int, isRequired: Bool, into page: inout [UInt8], _ chunk: inout Chunk
  ) {
    var present: [Double] = []
    present.reserveCapacity(values.count * listWidth)
    var (repetition, definition): ([UInt8], [UInt8]) = ([], [])
    let full: UInt8 = isRequired ? 1 : 2
    for index in 0..<values.count {
      let isNull = !isRequired && (0..<listWidth).allSatisfy { values[index, $0].isNaN }
      if isNull {
        repetition.append(0)
        definition.append(0)
        chunk.nullCount += 1
      } else {
        for component in 0..<listWidth {
          repetition.append(component == 0 ? 0 : 1)
          definition.append(full)
          present.append(values[index, component])
        }
      }
    }
    chunk.valueCount = repetition.count
    page += LevelEncoder.page(repetition, bitWidth: 1)
    page += LevelEncoder.page(definition, bitWidth: isRequired ? 1 : 2)
    split(present, into: &page)
  }

  /// Appends the first bytes of all values, then the second bytes, and so on (`Encodings.md`, BYTE_STREAM_SPLIT). Signs
  /// and exponents compress well when adjacent.
  private static func split(_ values: [Double], into page: inout [UInt8]) {
    let (start, count) = (page.count, values.count)
    page.append(contentsOf: repeatElement(0, count: 8 * count))
    page.withUnsafeMutableBufferPointer { page in
      guard let base = page.baseAddress.map({ $0 + start }) else { return }
      values.withUnsafeBufferPointer { values in
        let even = count & ~7
        for index in stride(from: 0, to: even, by: 8) {
          transpose(UnsafeBufferPointer(rebasing: values[index..<index + 8]), to: base + index, stride: count)
        }
        for index in even..<count {
          let bits = values[index].bitPattern
          for byte in 0..<8 { base[byte * count + index] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * byte)) }
        }
      }
    }
  }

  /// Writes the first bytes of eight values contiguously, the second bytes `stride` bytes later, and so on: transposes
  /// a matrix of bytes by recursively exchanging its quarters.
  @inline(__always)
  private static func transpose(
    _ values: UnsafeBufferPointer<Double>, to base: UnsafeMutablePointer<UInt8>, stride: Int
  ) {
    var rows = InlineArray<8, UInt64> { values[$0].bitPattern.littleEndian }
    func exchange(_ first: Int, _ second: Int, _ bits: UInt64, _ mask: UInt64) {
      let difference = (rows[first] >> bits ^ rows[second]) & mask
      rows[second] ^= difference
      rows[first] ^= difference << bits
    }
    for first in 0..<4 { exchange(first, first + 4, 32, 0x0000_0000_FFFF_FFFF) }
    for first in 0..<4 { exchange(first + first / 2 * 2, first + first / 2 * 2 + 2, 16, 0x0000_FFFF_0000_FFFF) }
    for first in 0..<4 { exchange(2 * first, 2 * first + 1, 8, 0x00FF_00FF_00FF_00FF) }
    for byte in 0..<8 {
      UnsafeMutableRawPointer(base + byte * stride).storeBytes(of: rows[byte].littleEndian, as: UInt64.self)
    }
  }

  private static func bytes(of value: Double) -> [UInt8] {
    withUnsafeBytes(of: value.bitPattern.littleEndian, Array.init)
  }
}

/// A column within rows of numbers.
private struct StridedColumn {
  let rows: UnsafeBufferPointer<Double>
  let first: Int
  let stride: Int
  let count: Int

  subscript(index: Int) -> Double { rows[first + index * stride] }
  subscript(index: Int, component: Int) -> Double { rows[first + index * stride + component] }
}

/// Compresses pages. Belongs to one thread at a time.
package final class ParquetCompressor {
  private let zstandard: Zstandard

  package init() { zstandard = Zstandard(level: 1) }

  func compress(_ page: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    zstandard.compress(page, into: &output)
    return output
  }
}
