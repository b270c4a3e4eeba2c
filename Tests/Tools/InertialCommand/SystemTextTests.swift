import InertialSystem
import Testing

@Suite("Strings and paths without Foundation") struct SystemTextTests {
  @Test("numbers are formatted as by Foundation")
  func numbers() {
    for value in [0, -0.0, 1, -1.5, .pi, 1e-7, 123_456_789.5, 1e300, .infinity, .nan] {
      for format in ["%.3f", "%g", "%.5g", "%.1g", "%.0f"] {
        #expect(String(cFormat: format, value) == String(format: format, value))
      }
    }
    #expect(String(cFormat: "%d:%02d", 7, 5) == "7:05" && String(cFormat: "%%%02X", UInt8(200)) == "%C8")
  }

  // Foundation's implementation traps for some of them.
  @Test(
    "a path has a folder, a name and an extension",
    arguments: [
      ("", "", "", ""), ("/", "/", "/", ""), ("a", "", "a", ""), ("/a", "/", "a", ""), ("a/", "", "a", ""),
      ("a/b.csv", "a", "b.csv", "csv"), ("/a/b.tar.gz", "/a", "b.tar.gz", "gz"), ("a//b/", "a", "b", ""),
      (".hidden", "", ".hidden", ""), ("a.b/c", "a.b", "c", ""),
    ])
  func paths(_ path: String, folder: String, name: String, ending: String) {
    #expect(path.pathOfFolder == folder && path.lastPathPart == name && path.pathEnding == ending)
  }

  @Test("a path component is appended with one slash")
  func parts() {
    #expect("a".appendingPathPart("x.csv") == "a/x.csv" && "a/".appendingPathPart("x.csv") == "a/x.csv")
    #expect("".appendingPathPart("x.csv") == "x.csv" && "/".appendingPathPart("x.csv") == "/x.csv")
  }

  @Test("trimming removes the given characters at both ends, but not within the string")
  func trimmed() {
    #expect("  a b\t".trimmed() == "a b" && "".trimmed() == "" && "   ".trimmed() == "")
    #expect("\"a\"b\"".trimmed { $0 == "\"" } == "a\"b")
  }
}
