import Foundation
import Testing

@testable import InertialLogs

/// A file in memory.
private final class Bytes: ParquetBytes {
  let bytes: [UInt8]
  init(_ bytes: [UInt8]) { self.bytes = bytes }
  var count: Int { bytes.count }
  func read(_ offset: Int, _ count: Int) throws(ParquetError) -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
      throw .damaged("it ends too early")
    }
    return Array(bytes[offset..<offset + count])
  }
}

/// Returns a file of rows, in groups of `groupRows`.
private func file(_ rows: [Double], _ columns: [ParquetColumn], groupRows: Int, facts: [(String, String)] = [])
  -> [UInt8]
{
  let width = columns.reduce(0) { $0 + $1.width }
  var bytes = ParquetFooter.start
  var footer = ParquetFooter(columns: columns, orderedBy: 0)
  let compressor = ParquetCompressor()
  for start in stride(from: 0, to: rows.count, by: groupRows * width) {
    let group = Array(rows[start..<min(start + groupRows * width, rows.count)]).withUnsafeBufferPointer {
      ParquetRowGroup($0, columns: columns, compressor: compressor)
    }
    bytes += group.bytes
    footer.append(group)
  }
  return bytes + footer.bytes(facts: facts.map { (name: $0.0, text: $0.1) }, createdBy: "tests")
}

/// Returns a column's numbers, read in steps of some rows.
private func numbers(_ file: ParquetFile, _ column: Int, step: Int = 7) throws(ParquetError) -> [Double] {
  var cursor = ParquetCursor(file, file.columns[column])
  var numbers: [Double] = []
  var rest = file.rowCount
  while rest > 0 {
    try cursor.read(rows: min(step, rest), into: &numbers)
    rest -= min(step, rest)
  }
  return numbers
}

/// Whether numbers are bitwise equal; NaN equals NaN.
private func same(_ a: [Double], _ b: [Double]) -> Bool {
  a.count == b.count && zip(a, b).allSatisfy { $0.bitPattern == $1.bitPattern || ($0.isNaN && $1.isNaN) }
}

@Suite struct ParquetTests {
  private static let columns = [
    ParquetColumn(name: "time", isRequired: true, facts: [("unit", "s")]), ParquetColumn(name: "x"),
    ParquetColumn(name: "q", kind: .list(width: 4), facts: [("components", "qX,qY,qZ,qW")]),
    ParquetColumn(name: "kind", kind: .integer),
  ]

  @Test(
    "every number reads back bit for bit, for any number of rows and any group size",
    arguments: [0, 1, 7, 8, 9, 64, 1000], [1, 8, 13, 4096])
  func roundTrip(count: Int, groupRows: Int) throws {
    var generator = SystemLike(seed: UInt64(count * 31 + groupRows))
    let nasty = [0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -1e-300, 0.1, .nan]
    var rows: [Double] = []
    for row in 0..<count {
      rows += [Double(row) / 100, nasty[Int(generator.next() % 9)]]
      rows +=
        generator.next() % 3 == 0 ? [.nan, .nan, .nan, .nan] : (0..<4).map { _ in Double(generator.next() >> 11) }
      rows.append(generator.next() % 4 == 0 ? .nan : Double(Int(generator.next() % 100) - 50))
    }
    let read = try ParquetFile(Bytes(file(rows, Self.columns, groupRows: groupRows, facts: [("frame", "<x>")])))
    #expect(read.rowCount == count && read.facts["frame"] == "<x>")
    // The metadata of a list is stored with its pages.
    guard count > 0 else { return }
    #expect(read.otherColumns.isEmpty)
    #expect(read.columns.map(\.componentNames) == [["time"], ["x"], ["qX", "qY", "qZ", "qW"], ["kind"]])
    #expect(read.columns[0].facts["unit"] == "s")
    func expected(_ places: Range<Int>) -> [Double] { (0..<count).flatMap { row in places.map { rows[row * 7 + $0] } } }
    #expect(try same(numbers(read, 0), expected(0..<1)) && same(numbers(read, 1), expected(1..<2)))
    #expect(try same(numbers(read, 2), expected(2..<6)) && same(numbers(read, 3), expected(6..<7)))
  }

  @Test("all levels read back, in runs and packed")
  func levels() throws {
    var generator = SystemLike(seed: 5)
    for count in [1, 7, 8, 9, 15, 16, 17, 200] {
      for fraction: UInt64 in [1, 2, 9, 50] {
        let levels = (0..<count).map { _ in UInt8(generator.next() % fraction == 0 ? generator.next() % 3 : 2) }
        let page = LevelEncoder.page(levels, bitWidth: 2)
        #expect(page.count >= 5 && Int(page[0]) | Int(page[1]) << 8 == page.count - 4)
        #expect(try PageDecoder.levels(page[4...], greatest: 2, count: count) == levels)
      }
    }
  }

  @Test("files of another program are read with their codecs, encodings and page versions", arguments: 0..<3)
  func foreign(index: Int) throws {
    let base64 = ForeignFiles.all[index].base64
    let data = try #require(Data(base64Encoded: base64, options: .ignoreUnknownCharacters))
    let read = try ParquetFile(Bytes(Array(data)))
    #expect(read.columns.map(\.name) == ["time", "low", "f", "i", "b", "when"] && read.otherColumns == ["name"])
    #expect(read.rowCount == 40 && read.columns.map(\.isTime) == [false, false, false, false, false, true])
    let rows = 0..<40
    #expect(try same(numbers(read, 0), rows.map { Double($0) / 4 }))
    #expect(try same(numbers(read, 1), rows.map { $0 % 5 == 0 ? .nan : 1.5 * Double($0 % 3) }))
    #expect(try same(numbers(read, 2), rows.map { Double($0) / 2 }))
    #expect(try same(numbers(read, 3), rows.map { Double($0 * $0 - 7) }))
    #expect(try same(numbers(read, 4), rows.map { $0 % 3 == 0 ? 1 : 0 }))
    let when = try numbers(read, 5)
    #expect(zip(when, rows).allSatisfy { abs($0 - 1_700_000_000 - Double($1) / 4) < 1e-6 })
  }

  @Test("a damaged file, changed or cut, quickly ends in an error or in numbers")
  func damage() throws {
    var generator = SystemLike(seed: 9)
    var files = ForeignFiles.all.compactMap { Data(base64Encoded: $0.base64, options: .ignoreUnknownCharacters) }
      .map { Array($0) }
    files.append(file((0..<7 * 300).map { Double($0 % 11) }, Self.columns, groupRows: 100))
    var (errors, reads) = (0, 0)
    for bytes in files {
      for round in 0..<400 {
        var bytes = bytes
        for _ in 0...generator.next() % 4 {
          bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: generator.next())
        }
        if round % 10 == 0 { bytes.removeLast(Int(generator.next() % UInt64(bytes.count))) }
        do throws(ParquetError) {
          let read = try ParquetFile(Bytes(bytes))
          // Damaged counts may be huge, and are not read.
          guard read.rowCount <= 10_000 else { continue }
          for column in read.columns.indices { _ = try numbers(read, column) }
          reads += 1
        } catch { errors += 1 }
      }
    }
    #expect(errors > 100 && reads > 100)
  }

  @Test("a file that is not Parquet, encrypted or cut off is refused with the reason")
  func refused() {
    let (mark, length) = (Array("PAR1".utf8), [0, 0, 0, 0xFF] as [UInt8])
    for (bytes, error) in [
      (mark, .damaged("the file is too short")), (Array("PAR1....________PARE".utf8), .unsupported("it is encrypted")),
      (Array("PAR1....____....".utf8), .damaged("the end of the file is missing")),
      (mark + length + mark, .damaged("the end of the file is incomplete")),
    ] as [([UInt8], ParquetError)] {
      #expect(throws: error, "\(bytes)") { try ParquetFile(Bytes(bytes)) }
    }
    #expect(ParquetFile.begins(Array("PAR1x".utf8)) && !ParquetFile.begins(Array("PAR".utf8)))
  }

  @Test("each group contains the range of each column without nulls, and zero with the sign that includes both")
  func statistics() throws {
    let rows: [Double] = [0, .nan, 1, 1, 1, 1, 5, 1, 0.0, 2, 2, 2, 2, -3]
    let group = rows.withUnsafeBufferPointer {
      ParquetRowGroup($0, columns: Self.columns, compressor: ParquetCompressor())
    }
    func double(_ bytes: [UInt8]?) -> UInt64? { bytes?.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
    #expect(group.chunks.map(\.nullCount) == [0, 1, 0, 0] && group.chunks.map(\.valueCount) == [2, 2, 8, 2])
    #expect(double(group.chunks[0].range?.minimum) == (-0.0).bitPattern)
    #expect(double(group.chunks[0].range?.largest) == 1.0.bitPattern)
    #expect(double(group.chunks[1].range?.minimum) == (-0.0).bitPattern && double(group.chunks[1].range?.largest) == 0)
    #expect(group.chunks[2].range == nil)
    #expect(
      group.chunks[3].range?.minimum == [0xFD, 0xFF, 0xFF, 0xFF] && group.chunks[3].range?.largest == [5, 0, 0, 0])
  }
}

/// A pseudorandom generator with the same numbers in every run (Knuth's constants).
private struct SystemLike {
  private var state: UInt64
  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 17 ^ state >> 40
  }
}
