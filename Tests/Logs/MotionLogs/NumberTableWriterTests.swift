import Foundation
import InertialNumerics
import TestSupport
import Testing

@testable import InertialLogs

@Suite("Tables of numbers") struct NumberTableWriterTests {
  private let folder = TemporaryFolder()

  private func written(_ columns: [String], _ rows: [[Double]], digits: Int = 17) throws -> String {
    let writer = try NumberTableWriter(path: folder.path("t.csv"), columns: columns, digits: digits, force: true)
    for row in rows { try writer.append(row) }
    try writer.close()
    return folder.text("t.csv")
  }

  @Test("whole numbers have no fraction, NaN is an empty field, and others have the minimum number of exact digits")
  func numbers() throws {
    #expect(
      try written(
        ["a", "b", "c"], [[0, -1, 100_000], [.nan, 0.1, .nan], [-0.0, 1e22, .infinity], [.nan, .nan, .nan]])
        == "a,b,c\n0,-1,100000\n,0.1,\n-0,1e+22,inf\n,,\n")
    #expect(
      try written(["a"], [[1.0 / 3], [123_456_789_012_345], [.leastNonzeroMagnitude]])
        == "a\n0.3333333333333333\n123456789012345\n5e-324\n")
  }

  @Test("digits are rounded, without trailing zeros")
  func digits() throws {
    #expect(
      try written(["a", "b"], [[1.0 / 3, 2], [123_456.7, -0.000012345]], digits: 3)
        == "a,b\n0.333,2\n1.23e+05,-1.23e-05\n")
    #expect(try written(["a"], [[999], [1000], [1001]], digits: 3) == "a\n999\n1e+03\n1e+03\n")
  }

  @Test("a header alone is a valid table")
  func empty() throws { #expect(try written(["a", "b"], []) == "a,b\n") }

  @Test("doubles of every size read back bit for bit, in order, over many blocks")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 3)
    let values: [Double] = (0..<200_000).map { index in
      let value = Double(bitPattern: generator.next())
      return value.isNaN ? Double(index) : value
    }
    let writer = try NumberTableWriter(path: folder.path("t.csv"), columns: ["a", "b"])
    // Blocks of uneven size, smaller and larger than the writer's.
    var rest = values[...]
    for size in [2, 40, 100_000, 6, 99_952] {
      try writer.append(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    #expect(writer.rowCount == 100_000)
    try writer.close()
    let scanner = try LineScanner(path: folder.path("t.csv"))
    _ = try scanner.next()
    var index = 0
    var different = 0
    while let line = try scanner.next() {
      var fields = FieldScanner(line, separator: .comma)
      while case .value(let value) = fields.nextNumber() {
        if value.bitPattern != values[index].bitPattern { different += 1 }
        index += 1
      }
    }
    #expect(index == values.count)
    #expect(different == 0)
  }

  @Test("a live stream receives its rows with flush, and the last ones with close")
  func flush() throws {
    let fifo = folder.path("pipe")
    #expect(mkfifo(fifo, 0o600) == 0)
    // The pipe is opened for reading first, so that the writer does not wait for a reader.
    let reader = open(fifo, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    func arrived() -> String {
      var bytes = [UInt8](repeating: 0, count: 100)
      let count = read(reader, &bytes, bytes.count)
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
    let writer = try NumberTableWriter(path: fifo, columns: ["a"], isLive: true)
    try writer.append([1])
    try writer.flush()
    #expect(arrived() == "a\n1\n")
    try writer.append([2])
    try writer.close()
    #expect(arrived() == "2\n")
  }

  @Test("a deallocated writer leaves no file, even with rows in flight")
  func dropped() throws {
    func drop() throws(OutputError) {
      let writer = try NumberTableWriter(path: folder.path("t.csv"), columns: ["a"])
      try writer.append((0..<200_000).map(Double.init))
    }
    try drop()
    // The last rows may still be in flight briefly.
    for _ in 0..<500 where !folder.contents.isEmpty { usleep(10_000) }
    #expect(folder.contents == [])
  }

  @Test("a full disk is thrown by a later append or by close, and does not block", .needs(.fullDevice))
  func fullDisk() throws {
    let error = outputError { () throws(OutputError) in
      let writer = try NumberTableWriter(path: "/dev/full", columns: ["a"])
      for _ in 0..<50 { try writer.append(Array(repeating: 0.1, count: 10_000)) }
      try writer.close()
    }
    #expect(error?.kind == .diskFull)
  }
}
