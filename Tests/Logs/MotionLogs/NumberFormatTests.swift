import Foundation
import InertialNumerics
import TestSupport
import Testing

@testable import InertialLogs

@Suite("Text of numbers") struct NumberFormatTests {
  private func text(_ value: Double, digits: Int = 17) -> String {
    let formatter = NumberFormatter(columnCount: 1, digits: digits)
    let buffer = UnsafeMutableBufferPointer<CChar>.allocate(capacity: NumberFormatter.maximumFieldLength)
    defer { buffer.deallocate() }
    let count = withUnsafePointer(to: value) { formatter.write(UnsafeBufferPointer(start: $0, count: 1), into: buffer) }
    // Without the line end.
    return String(decoding: buffer[..<(count - 1)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns the significant digits of a number's text, without the zeros at both ends.
  private func significantDigits(_ text: String) -> String {
    let mantissa = text.lowercased().split(separator: "e")[0]
    let digits = mantissa.filter(\.isNumber).drop { $0 == "0" }
    return String(digits.reversed().drop { $0 == "0" }.reversed())
  }

  /// Doubles that printers have failed on: limits of ranges, powers of two, halfway cases, long and short decimals.
  private static let nasty: [Double] = [
    .leastNonzeroMagnitude, .leastNormalMagnitude, .leastNormalMagnitude.nextDown, .greatestFiniteMagnitude, 0.1, 0.2,
    0.3, 0.1 + 0.2, 1.0.nextUp, 1.0.nextDown, 2.0.nextDown, 9.5, 99.99999999999999, 0.001, 0.0001, 0.00012, 0.000123,
    0.00001234, 9007199254740991, 9007199254740994, 123456789012345.67, 999999999999999.9, 1e15, 1e16, 1e21, 1e22, 1e23,
    9.5367431640625e-07, 6.103515625e-05, 6.103515625e-05.nextUp, 6.103515625e-05.nextDown, 1125899906842624.0.nextDown,
    1125899906842624.5, 4.35, 0.285, 1.7976931348623157e308, 4503599627370497.5, 299792458.5, 1700000000.123456,
    0.5.nextUp, 0.25.nextDown, 8.41e21, 2.0e-3, 5e-5, 0.000250000001,
  ]

  private static let seeded: [Double] = {
    var generator = SeededGenerator(seed: 11)
    return (0..<60_000).map { index in
      let bits = generator.next()
      switch index % 3 {
      // Cycles through arbitrary magnitudes, magnitudes of measured values (some with few bits), and decimals.
      case 0: return Double(bitPattern: bits)
      case 1:
        let low: UInt64 = index % 2 == 0 ? 0 : (1 << (bits >> 59)) - 1
        return Double(bitPattern: (bits & 0x800F_FFFF_FFFF_FFFF & ~low) | (1023 - 16 + (bits >> 52) % 68) << 52)
      default: return Double(Int64(bits % 2_000_001) - 1_000_000) / [10, 1e3, 1e5, 1e7, 1e9][Int(bits >> 60) % 5]
      }
    }.filter { !$0.isNaN }
  }()

  @Test("every text reads back as the same double, bit for bit, with the minimum number of digits")
  func shortestForm() {
    for value in Self.nasty + Self.nasty.map(-) + Self.seeded {
      let written = text(value)
      #expect(Double(written)?.bitPattern == value.bitPattern, "\(value) as \(written)")
      guard value.isFinite else { continue }
      // Whole numbers below 10¹⁶ may be written with all their digits.
      if abs(value) < 1e15 {
        #expect(significantDigits(written) == significantDigits("\(value)"), "\(value) as \(written)")
      }
      #expect(written.count <= 24, "\(value) as \(written)")
    }
  }

  @Test("a fraction is written without an exponent if that is not longer")
  func notation() {
    let texts: [(Double, String)] = [
      (0.001, "0.001"), (0.0001, "1e-04"), (0.00012, "0.00012"), (0.000123, "0.000123"), (0.0000123, "1.23e-05"),
      (-0.5, "-0.5"), (12.25, "12.25"), (-100.125, "-100.125"), (1e15 + 0.125, "1000000000000000.1"),
      (1.0 / 3, "0.3333333333333333"), (-2.0 / 3, "-0.6666666666666666"), (20.0 / 3, "6.666666666666667"),
    ]
    for (value, expected) in texts { #expect(text(value) == expected) }
  }

  /// Doubles next to the points at which rounding to some number of digits changes: exact ties, halves in decimals,
  /// powers of ten and numbers that carry into one.
  private static let nearTies: [Double] = {
    var generator = SeededGenerator(seed: 12)
    let tens = (-22...22).map { Foundation.pow(10, Double($0)) }
    let ties = (0..<100_000).map { index in
      let bits = generator.next()
      let odd = Double((bits >> (64 - (1 + bits % 53))) | 1)
      switch index % 3 {
      // An odd multiple of a power of two is a tie for the number of digits that its last one does not fit.
      case 0: return odd / Double(1 << ((bits >> 8) % 41))
      case 1: return (Double(bits % 1_000_000_000) + 0.5) / tens[22 + Int((bits >> 32) % 13)]
      default:
        let power = tens[Int((bits >> 32) % 45)]
        return power - power * Foundation.pow(10, -Double(bits % 17)) * (index % 2 == 0 ? 0.5 : 0.49)
      }
    }
    return (tens + ties + [9.9999999995, 0.99999999949999, 0.000099999999951, 1.5e-5, 2.5, 1e9 - 0.5, 123_456_789.5])
      .flatMap { [$0, $0.nextUp, $0.nextDown, -$0] }
  }()

  /// Returns the text of a number in the C library's format %g, which rounds the exact value to even.
  private func cText(_ value: Double, digits: Int) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      let count = withVaList([CInt(digits), value]) { vsnprintf(buffer.baseAddress, 64, "%.*g", $0) }
      return String(decoding: buffer[..<Int(count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  @Test("digits are rounded to even, in the C library's characters, for every number of them", arguments: 1...16)
  func digits(_ digits: Int) {
    let values = Self.nasty + Self.nasty.map(-) + [0, -0.0, .infinity, -.infinity] + Self.seeded + Self.nearTies
    // Nine digits are the usual ones, so they are compared for all values.
    for index in stride(from: 0, to: values.count, by: digits == 9 ? 1 : 7) {
      let (value, written) = (values[index], text(values[index], digits: digits))
      let expected = cText(value, digits: digits)
      if written != expected { Issue.record("\(value) as \(written), not \(expected)") }
    }
  }

  @Test("17 digits are as few as read back as the same number, and NaN is an empty field for every number of digits")
  func allDigits() {
    for value in Self.nasty + Self.seeded { #expect(text(value, digits: 17) == text(value)) }
    for digits in 1...17 { #expect(text(.nan, digits: digits).isEmpty) }
    #expect(text(0.1, digits: 17) == "0.1" && text(1.0 / 3, digits: 17) == "0.3333333333333333")
    #expect(text(1e14 + 1, digits: 17) == "100000000000001" && text(1e14 + 1, digits: 9) == "1e+14")
  }

  @Test("nine digits have neither zeros at the end nor a point without digits")
  func nineDigits() {
    let texts: [(Double, String)] = [
      (1.0 / 3, "0.333333333"), (9.9999999995, "10"), (-9.999999994, "-9.99999999"), (0.1 + 0.2, "0.3"),
      (123_456.0000001, "123456"), (1234567.891, "1234567.89"), (12_345_678.25, "12345678.2"),
      (12_345_678.75, "12345678.8"), (999_999_999.5, "1e+09"), (0.0001, "0.0001"), (0.000099999999951, "0.0001"),
      (0.00009999999994, "9.99999999e-05"), (-1.5e-5, "-1.5e-05"), (2e-17, "2e-17"), (3.25e-19, "3.25e-19"),
      (1e-20, "1e-20"), (.leastNonzeroMagnitude, "4.94065646e-324"), (1e300 / 3, "3.33333333e+299"), (-0.0, "-0"),
    ]
    for (value, expected) in texts { #expect(text(value, digits: 9) == expected) }
  }

  @Test("exact columns are exact, regardless of the digits")
  func exactColumns() throws {
    let folder = TemporaryFolder()
    let writer = try NumberTableWriter(path: folder.path("t.csv"), columns: ["a", "b"], digits: 3, exactColumns: [0])
    try writer.append([1.0 / 3, 1.0 / 3])
    try writer.close()
    #expect(folder.text("t.csv") == "a,b\n0.3333333333333333,0.333\n")
  }

  @Test("background threads write the same bytes as the caller's thread", arguments: [17, 4])
  func overlapped(digits: Int) throws {
    let folder = TemporaryFolder()
    for isOverlapped in [false, true] {
      let writer = try NumberTableWriter(
        path: folder.path("\(isOverlapped).csv"), columns: ["a", "b", "c"], digits: digits, isOverlapped: isOverlapped)
      try writer.append(Array(Self.seeded.prefix(Self.seeded.count / 3 * 3)))
      try writer.close()
    }
    #expect(folder.text("true.csv") == folder.text("false.csv"))
    #expect(folder.text("true.csv").utf8.count > 500_000 / (digits == 17 ? 1 : 2))
  }
}
