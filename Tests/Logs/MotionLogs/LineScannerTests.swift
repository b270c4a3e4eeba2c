import Foundation
import TestSupport
import Testing

@testable import InertialLogs

@Suite("Lines of a text log") struct LineScannerTests {
  private func lines(_ scanner: LineScanner) throws(LogError) -> [String] {
    var lines: [String] = []
    while let line = try scanner.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    return lines
  }

  private func lines(_ text: String) throws(LogError) -> [String] {
    try lines(LineScanner(bytes: text.utf8, name: "text"))
  }

  @Test("LF, CR LF, a lone CR at the end, a missing line end and a byte order mark make no difference")
  func lineEnds() throws {
    #expect(try lines("a\nb\n") == ["a", "b"])
    #expect(try lines("a\r\nb\r\n") == ["a", "b"])
    #expect(try lines("a\nb") == ["a", "b"])
    #expect(try lines("a\nb\r") == ["a", "b"])
    #expect(try lines("\u{FEFF}a\n\nb") == ["a", "", "b"])
    #expect(try lines("") == [] && lines("\u{FEFF}") == [])
  }

  @Test("a file longer than the buffer is read unchanged, with lines across the end of the buffer")
  func longFile() throws {
    let folder = TemporaryFolder()
    let expected = (0..<60_000).map { "line \($0) " + String(repeating: "x", count: $0 % 37) }
    let path = folder.write(expected.joined(separator: "\n"), to: "long.txt")
    let scanner = try LineScanner(path: path)
    #expect(scanner.progress < 0.5)
    #expect(try lines(scanner) == expected)
    #expect(scanner.lineNumber == 60_000 && scanner.progress == 1 && scanner.isUnterminated)
  }

  @Test("a line of a mebibyte is read, and a longer line is an error with its number")
  func longLine() throws {
    let folder = TemporaryFolder()
    let maximum = String(repeating: "7", count: LineScanner.maximumLineLength)
    let good = folder.write("a\n\(maximum)\nb", to: "good.txt")
    #expect(try lines(LineScanner(path: good)) == ["a", maximum, "b"])
    let bad = folder.write("a\n\(maximum)7777\nb", to: "bad.txt")
    let error = logError { () throws(LogError) in try lines(LineScanner(path: bad)) }
    // A line end within the block already read still counts: the limit only bounds memory.
    let longer = folder.write("a\n" + String(repeating: "7", count: 3 << 20), to: "longer.txt")
    let second = logError { () throws(LogError) in try lines(LineScanner(path: longer)) }
    #expect(
      second?.description
        == "\(longer):2: the line is longer than 1048576 bytes; give a text log with one row on each line")
    #expect(error == nil || error?.line == 2)
  }

  @Test("a zero byte is an error on its own line, not earlier")
  func zeroByte() throws {
    let scanner = LineScanner(bytes: "time\n1\n2\0\n3".utf8, name: "log.csv")
    #expect(try scanner.next()?.count == 4)
    #expect(try scanner.next()?.count == 1)
    let error = logError { () throws(LogError) in try scanner.next() }
    #expect(error?.description == "log.csv:3: is not text: the line has a zero byte; give a text log, saved as UTF-8")
  }

  private func open(_ path: String) -> String? {
    logError { () throws(LogError) in try LineScanner(path: path) }?.description
  }

  @Test("a missing path, a folder and a path through a file are refused with different reasons")
  func unreadable() {
    let folder = TemporaryFolder()
    #expect(open(folder.path("none.csv")) == "\(folder.path("none.csv")): no such file; check the path")
    #expect(open(folder.path) == "\(folder.path): is a folder; give the path of a file")
    let file = folder.write("time\n", to: "file.csv")
    #expect(open(file + "/x")?.hasPrefix("\(file)/x: cannot be opened: not a directory") == true)
  }

  @Test("a file without read permission is refused with the command to type", .needs(.nonroot))
  func nonrootFile() {
    let folder = TemporaryFolder()
    let locked = folder.write("time\n", to: "locked.csv")
    #expect(chmod(locked, 0) == 0)
    #expect(open(locked) == "\(locked): permission denied; allow reading it (chmod u+r) or copy it elsewhere")
  }

  @Test(
    "text in UTF-16 or UTF-32 is read as UTF-8, with and without a byte order mark",
    arguments: ["UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE", "UTF-32BE"])
  func wideCharacters(_ encoding: String) throws {
    let isBig = encoding.hasSuffix("BE")
    let width = encoding.hasPrefix("UTF-16") ? 2 : 4
    func bytes(_ scalar: UInt32) -> [UInt8] {
      let little = (0..<width).map { UInt8(truncatingIfNeeded: scalar >> (8 * $0)) }
      return isBig ? little.reversed() : little
    }
    let mark = encoding.count == 6 ? bytes(0xFEFF) : []
    let folder = TemporaryFolder()
    let path = folder.path("log.csv")
    let text = "time,m/s²,𝜔\n" + String(repeating: "0,1,ä\n", count: 100_000)
    try Data(
      mark
        + text.unicodeScalars.flatMap { scalar -> [UInt8] in
          guard width == 2, scalar.value > 0xFFFF else { return bytes(scalar.value) }
          let offset = scalar.value - 0x10000
          return bytes(0xD800 + offset >> 10) + bytes(0xDC00 + offset & 0x3FF)
        }
    ).write(to: URL(fileURLWithPath: path))
    let scanner = try LineScanner(path: path)
    var lines: [String] = []
    while let line = try scanner.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    #expect(lines.joined(separator: "\n") + "\n" == text)
  }
}
