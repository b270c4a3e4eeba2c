import Foundation
import InertialSystem
import Testing

@Suite("Texts and paths without Foundation")
struct SystemTextTests {
  @Test("numbers are printed as Foundation prints them")
  func numbers() {
    for value in [0, -0.0, 1, -1.5, .pi, 1e-7, 123_456_789.5, 1e300, .infinity, .nan] {
      for format in ["%.3f", "%g", "%.5g", "%.1g", "%.0f"] {
        #expect(String(cFormat: format, value) == String(format: format, value))
      }
    }
    #expect(String(cFormat: "%d:%02d", 7, 5) == "7:05" && String(cFormat: "%%%02X", UInt8(200)) == "%C8")
  }

  // Foundation's own traps at some of them.
  @Test(
    "a path has a folder, a name and an ending",
    arguments: [
      ("", "", "", ""), ("/", "/", "/", ""), ("a", "", "a", ""), ("/a", "/", "a", ""), ("a/", "", "a", ""),
      ("a/b.csv", "a", "b.csv", "csv"), ("/a/b.tar.gz", "/a", "b.tar.gz", "gz"), ("a//b/", "a", "b", ""),
      (".hidden", "", ".hidden", ""), ("a.b/c", "a.b", "c", ""),
    ])
  func paths(_ path: String, folder: String, name: String, ending: String) {
    #expect(path.pathOfFolder == folder && path.lastPathPart == name && path.pathEnding == ending)
  }

  @Test("a part is put into a folder with one slash")
  func parts() {
    #expect("a".appendingPathPart("x.csv") == "a/x.csv" && "a/".appendingPathPart("x.csv") == "a/x.csv")
    #expect("".appendingPathPart("x.csv") == "x.csv" && "/".appendingPathPart("x.csv") == "/x.csv")
  }

  @Test("what is meant goes at both ends, and stays within")
  func trimmed() {
    #expect("  a b\t".trimmed() == "a b" && "".trimmed() == "" && "   ".trimmed() == "")
    #expect("\"a\"b\"".trimmed { $0 == "\"" } == "a\"b")
  }
}
