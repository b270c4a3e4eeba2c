import Testing

@testable import InertialLogs

@Suite("Fields of a line") struct FieldScannerTests {
  private func numbers(_ line: String, _ separator: FieldSeparator = .comma, decimalComma: Bool = false)
    -> [FieldScanner.Number]
  {
    Array(line.utf8).withUnsafeBytes { bytes in
      var scanner = FieldScanner(bytes, separator: separator, hasDecimalComma: decimalComma)
      var found: [FieldScanner.Number] = []
      while true {
        let number = scanner.nextNumber()
        if number == .end { return found }
        found.append(number)
      }
    }
  }

  private func texts(_ line: String, _ separator: FieldSeparator = .comma) -> [String] {
    Array(line.utf8).withUnsafeBytes { bytes in
      var scanner = FieldScanner(bytes, separator: separator)
      var found: [String] = []
      while let text = scanner.nextText() { found.append(text) }
      return found
    }
  }

  private func integer(_ line: String) -> FieldScanner.Integer {
    Array(line.utf8).withUnsafeBytes { bytes in
      var scanner = FieldScanner(bytes, separator: .comma)
      return scanner.nextInteger()
    }
  }

  @Test("numbers, empty fields and text are distinguished")
  func kinds() {
    #expect(
      numbers("1,-2.5e-3,+4,,abc,1.5abc,0x10,1..2,--1,-,.")
        == [.value(1), .value(-2.5e-3), .value(4), .empty] + Array(repeating: .text, count: 5) + [.empty, .text])
    #expect(numbers("inf,-Infinity,1e999") == [.value(.infinity), .value(-.infinity), .value(.infinity)])
    guard case .value(let nan) = numbers("NaN")[0] else {
      Issue.record("nan is a number")
      return
    }
    #expect(nan.isNaN)
  }

  @Test(
    "words for a missing value are empty fields, alphabetically adjacent words are not",
    arguments: [("null", true), ("NA", true), ("n/a", true), ("None", true), ("nul", false), ("NB", false)])
  func missing(word: String, isMissing: Bool) {
    #expect(numbers("1,\(word),2") == [.value(1), isMissing ? .empty : .text, .value(2)])
  }

  @Test("blanks and quotes around fields are removed, and separators in quotes are part of the field")
  func quotes() {
    #expect(numbers(" 1 ,\t2, \"3\" ,\"\"") == [.value(1), .value(2), .value(3), .empty])
    #expect(texts("\"a,b\", c ,\"d \"\"e\"\"\",") == ["a,b", "c", "d \"e\"", ""])
    #expect(texts("\"never closed, really") == ["never closed, really"])
    #expect(texts("a;b c;d", .semicolon) == ["a", "b c", "d"] && texts("a\t\tb", .tab) == ["a", "", "b"])
  }

  @Test("a run of blanks is one separator, and blanks at the ends are ignored")
  func blanks() {
    #expect(numbers("  1   2\t3  ", .blanks) == [.value(1), .value(2), .value(3)] && numbers("", .blanks) == [])
    #expect(numbers("   ", .blanks) == [] && numbers("") == [.empty] && numbers("1,") == [.value(1), .empty])
  }

  @Test("a decimal comma is a number if it is allowed, and text otherwise")
  func decimalComma() {
    #expect(numbers("1,5;-2,25e1;3", .semicolon, decimalComma: true) == [.value(1.5), .value(-22.5), .value(3)])
    #expect(numbers("1,5;2.5", .semicolon) == [.text, .value(2.5)])
    #expect(numbers("1.5;2,5", .semicolon, decimalComma: true) == [.text, .value(2.5)])
  }

  @Test("whole numbers are exact to 64 bits; fractions and larger ones are doubles")
  func integers() {
    #expect(integer("1403636579763555584") == .integer(1_403_636_579_763_555_584))
    #expect(integer("-9223372036854775808") == .integer(.min) && integer("9223372036854775807,1") == .integer(.max))
    #expect(integer("9223372036854775808") == .value(9_223_372_036_854_775_808) && integer("1.5e3") == .value(1500))
    #expect(integer(" 1403636579763555585 ,") == .integer(1_403_636_579_763_555_585))
    #expect(integer("\"1403636579763555585\"") == .integer(1_403_636_579_763_555_585) && integer("") == .empty)
    #expect(integer("12a") == .text && integer("-") == .empty)
  }

  @Test("the column and the text of a bad field are available, and the number of fields")
  func position() {
    Array("1,\"2\", bad\u{7} ,4,5".utf8).withUnsafeBytes { bytes in
      var scanner = FieldScanner(bytes, separator: .comma)
      _ = scanner.nextNumber()
      _ = scanner.skip()
      #expect(scanner.nextNumber() == .text)
      #expect(scanner.column == 3 && scanner.fieldText == "bad?")
      #expect(scanner.totalCount == 5)
      #expect(scanner.nextNumber() == .value(4))
    }
  }
}
