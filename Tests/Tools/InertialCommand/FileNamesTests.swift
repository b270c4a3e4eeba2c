import Testing

@Suite("File names that are not plain text") struct FileNamesTests {
  private let runner = try! CommandRunner()

  /// Creates a log whose name is not representable as a String.
  private func makeLog(_ name: [UInt8]) throws {
    try runner.write(CanonicalLog.text(300), to: "log.csv")
    let path = Array((runner.path("") + "/").utf8) + name + [0]
    let made = path.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { rename(runner.path("log.csv"), $0.baseAddress!) }
    }
    try #require(made == 0)
  }

  @Test("all logs with unusual names are fused, and every message is one line of plain text")
  func folder() throws {
    try runner.makeFolder("in")
    let names: [[UInt8]] = [
      Array("a\nb.csv".utf8), Array("a\rb.csv".utf8), Array("a\tb.csv".utf8), Array("a\u{1B}[31mb.csv".utf8),
      Array("a\u{2028}b.csv".utf8), [0x61, 0xFF, 0xFE, 0x62] + Array(".csv".utf8), [0xE9] + Array(".csv".utf8),
    ]
    for name in names { try makeLog(Array("in/".utf8) + name) }
    let end = try runner.shell("exec \"$@\"", ["fuse", "in", "-o", "out"])
    #expect(end.status == 0, "\(end.errors)")
    #expect(!(end.output + end.errors).unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x2028 })
    #expect(!(end.output + end.errors).contains("a\nb"))
    let made = try runner.shell("ls -A out | tr '\\n' '?' | grep -ao 'fused.csv' | wc -l", [])
    #expect(made.output.trimmingCharacters(in: .whitespacesAndNewlines) == "\(names.count)")
    let json = try runner.shell("exec \"$@\"", ["fuse", "in", "-o", "out2", "--json"])
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(json.output.utf8)) }
  }

  @Test("a name that is not UTF-8 is accepted as an argument and used for the dataset")
  func word() throws {
    try makeLog([0x61, 0xFF] + Array(".csv".utf8))
    for words in ["inspect", "fuse", "convert -o raw.csv", "report", "plot"] {
      let parts = words.split(separator: " ").map(String.init)
      let end = try runner.shell("exec \"$@\" \"$(printf 'a\\377.csv')\"", parts)
      #expect(end.status == 0, "\(words): \(end.errors)")
    }
    #expect(try runner.shell("test -e \"$(printf 'a\\377.csv.fused.csv')\"", []).status == 0)
    let gone = try runner.shell("exec \"$@\" \"$(printf 'b\\377\\nc.csv')\"", ["fuse"])
    #expect(gone.status == 1 && gone.errors.split(separator: "\n").count == 1, "\(gone.errors)")
  }
}
