import CZip
import Foundation
import InertialNumerics
import TestSupport
import Testing

@testable import InertialLogs

/// Reads NumPy's format according to its specification (NEP 1), with the zip library.
enum NPZTestFile {
  struct Array: Equatable {
    var type: String
    var shape: [Int]
    var numbers: [Double] = []
    var text = ""
  }

  static func read(_ path: String) throws -> [String: Array] {
    var number: Int32 = 0
    let archive = try #require(zip_open(path, ZIP_RDONLY | ZIP_CHECKCONS, &number), "\(number)")
    defer { zip_close(archive) }
    var arrays: [String: Array] = [:]
    for index in 0..<zip_get_num_entries(archive, 0) {
      let name = String(cString: try #require(zip_get_name(archive, UInt64(index), 0)))
      var status = zip_stat_t()
      #expect(zip_stat_index(archive, UInt64(index), 0, &status) == 0)
      #expect(status.comp_method == 0)
      let file = try #require(zip_fopen_index(archive, UInt64(index), 0))
      var bytes = [UInt8](repeating: 0, count: Int(status.size))
      // The library verifies the checksum of the bytes.
      #expect(zip_fread(file, &bytes, status.size) == Int64(status.size))
      #expect(zip_fclose(file) == 0)
      #expect(name.hasSuffix(".npy"))
      arrays[String(name.dropLast(4))] = try array(bytes)
    }
    return arrays
  }

  private static func array(_ bytes: [UInt8]) throws -> Array {
    #expect(bytes[..<8] == [0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59, 1, 0])
    let start = 10 + Int(bytes[8]) + Int(bytes[9]) << 8
    #expect(start % 64 == 0 && bytes[start - 1] == 0x0A)
    let head = String(decoding: bytes[10..<start], as: UTF8.self)
    let parts = try #require(
      head.wholeMatch(of: /\{'descr': '([^']*)', 'fortran_order': False, 'shape': \(([0-9, ]*)\), \} *\n/))
    let shape = parts.2.split(separator: ",").compactMap { Int($0.filter { $0 != " " }) }
    var array = Array(type: String(parts.1), shape: shape)
    let body = bytes[start...]
    if array.type == "<f8" {
      #expect(body.count == 8 * shape.reduce(1, *))
      array.numbers = stride(from: start, to: bytes.count, by: 8).map { position -> Double in
        let bits = (0..<8).reduce(0 as UInt64) { (bits: UInt64, byte: Int) in
          bits | UInt64(bytes[position + byte]) << (8 * byte)
        }
        return Double(bitPattern: bits)
      }
    } else {
      let scalars = stride(from: start, to: bytes.count, by: 4).map { position in
        (0..<4).reduce(0 as UInt32) { (bits: UInt32, byte: Int) in bits | UInt32(bytes[position + byte]) << (8 * byte) }
      }
      #expect(array.type == "<U\(scalars.count)" && shape.isEmpty)
      for scalar in scalars where scalar > 0 { array.text.unicodeScalars.append(try #require(Unicode.Scalar(scalar))) }
    }
    return array
  }
}

@Suite("NumPy arrays") struct NPZWriterTests {
  private let folder = TemporaryFolder()
  private static let columns = [
    "time", "quaternionX", "quaternionY", "quaternionZ", "quaternionW", "roll", "pitch", "yaw",
  ]

  private func rows(_ count: Int) -> [[Double]] {
    var generator = SeededGenerator(seed: 11)
    let nasty: [Double] = [.nan, -0.0, .infinity, .leastNonzeroMagnitude, 1.0 / 3]
    return (0..<count).map { row in
      [Double(row) / 100] + (0..<6).map { _ in generator.normal() } + [nasty[row % nasty.count]]
    }
  }

  @Test("every number reads back with the same bits, in one array per quantity", arguments: [0, 1, 5, 8192, 20_001])
  func roundTrip(count: Int) throws {
    let rows = rows(count)
    let writer = try NPZTableWriter(path: folder.path("t.npz"), columns: Self.columns) { [("metadata", "µ 🧭")] }
    try writer.append(rows.flatMap { $0 })
    #expect(writer.rowCount == count)
    #expect(!folder.contents.contains("t.npz"))
    try writer.close()
    #expect(folder.contents == ["t.npz"])
    let arrays = try NPZTestFile.read(folder.path("t.npz"))
    #expect(arrays.keys.sorted() == ["euler", "metadata", "quaternion", "time"])
    #expect(arrays["time"]?.shape == [count] && arrays["quaternion"]?.shape == [count, 4])
    #expect(arrays["metadata"] == NPZTestFile.Array(type: "<U3", shape: [], text: "µ 🧭"))
    func bits(_ name: String, _ columns: Range<Int>) {
      #expect(arrays[name]?.numbers.map(\.bitPattern) == rows.flatMap { $0[columns].map(\.bitPattern) }, "\(name)")
    }
    bits("time", 0..<1)
    bits("quaternion", 1..<5)
    bits("euler", 5..<8)
  }

  @Test("columns form arrays by their names: complete vectors only, and other columns alone")
  func arrays() {
    func names(_ columns: [String]) -> [String] { NPZTableWriter.arrays(of: columns).map { "\($0.name) \($0.width)" } }
    #expect(names(["gravityX", "gravityY", "gravityZ", "heading"]) == ["gravity 3", "heading 1"])
    #expect(names(["quaternionX", "quaternionY", "quaternionZ"]) == ["quaternion 3"])
    #expect(names(["gravityY", "gravityX", "gravityZ"]) == ["gravityY 1", "gravityX 1", "gravityZ 1"])
    #expect(names(["X", "Y", "Z"]) == ["X 1", "Y 1", "Z 1"] && names(["roll", "yaw"]) == ["roll 1", "yaw 1"])
  }

  @Test("files beyond zip's 32 bits have the fields of zip64")
  func wide() throws {
    // The limit is set low; the fields are the same as for files of four gigabytes.
    let writer = try NPZTableWriter(
      path: folder.path("w.npz"), columns: ["time", "small", "bigX", "bigY", "bigZ"],
      streams: [["small"], ["bigX", "bigY", "bigZ"]], wideFrom: 200
    ) { [("note", "")] }
    try writer.append([0.5, 1.5, .nan, .nan, .nan])
    let numbers = (0..<150).map(Double.init)
    for row in 0..<50 { try writer.append([Double(row), .nan] + numbers[3 * row..<3 * row + 3]) }
    try writer.close()
    let arrays = try NPZTestFile.read(folder.path("w.npz"))
    #expect(arrays["small"]?.numbers == [1.5])
    #expect(arrays["big"]?.numbers == numbers && arrays["big"]?.shape == [50, 3])
    #expect(arrays["smallTime"]?.numbers == [0.5] && arrays["bigTime"]?.numbers == (0..<50).map(Double.init))
    #expect(arrays["note"]?.text == "")
    // Inertial's own reader finds the arrays and their ends, too.
    let archive = try ZipArchive(path: folder.path("w.npz"), kinds: [".npy"])
    let names = ["small", "smallTime", "big", "bigTime", "note"]
    #expect(archive.entries.map(\.parts) == names.map { [$0 + ".npy"] })
    for entry in archive.entries {
      let stream = try archive.open(entry)
      var bytes = [UInt8](repeating: 0, count: Int(entry.size))
      #expect(try stream.fill(&bytes, bytes.count))
      #expect(bytes.starts(with: [0x93] + "NUMPY".utf8))
      #expect(try !stream.fill(&bytes, 1))
    }
  }

  @Test("an existing archive is refused and kept; a deallocated writer leaves no file")
  func atomic() throws {
    folder.write("mine", to: "t.npz")
    #expect(
      outputError { () throws(OutputError) in _ = try NPZTableWriter(path: folder.path("t.npz"), columns: ["a"]) }?.kind
        == .exists)
    var dropped: NPZTableWriter? = try NPZTableWriter(path: folder.path("t.npz"), columns: ["a"], force: true)
    try dropped?.append(Array(repeating: 1, count: 20_000))
    dropped = nil
    #expect(folder.text("t.npz") == "mine" && folder.contents == ["t.npz"])
    let none = outputError { () throws(OutputError) in
      _ = try NPZTableWriter(path: folder.path("none/t.npz"), columns: ["a"])
    }
    #expect(none?.kind == .noFolder)
  }

  @Test("the checksum matches zip's, regardless of the sizes of the pieces")
  func checksum() {
    var whole = CyclicChecksum()
    // The check value of ISO 3309's CRC-32.
    whole.add(Array("123456789".utf8))
    #expect(whole.value == 0xCBF4_3926)
    var pieces = CyclicChecksum()
    for piece in ["1", "2345678", "", "9"] { pieces.add(Array(piece.utf8)) }
    #expect(pieces.value == whole.value)
    #expect(CyclicChecksum().value == 0)
  }
}
