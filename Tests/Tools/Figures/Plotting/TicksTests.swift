import InertialNumerics
import Testing

@testable import InertialFigures

@Suite("Numbers on an axis") struct TicksTests {
  /// Ends that have broken other people's axes.
  static let ends: [Double] = [
    0, -0.0, 1, -1, 0.1, 0.3, 1 / 3, 1e-300, -1e-300, .leastNonzeroMagnitude, 1e300, -1e300, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, 360, 1_716_900_000, 1_716_900_000.25, 1e15 + 1, .pi, 9.999_999_999_999_998,
  ]

  static let ranges: [ClosedRange<Double>] =
    ends.flatMap { a in ends.filter { $0 >= a }.map { a...$0 } }
    + {
      var random = SeededGenerator(seed: 23)
      return (0..<300).map { _ in
        let middle = Double.random(in: -1...1, using: &random) * power(Double.random(in: -40...40, using: &random))
        let span = power(Double.random(in: -40...40, using: &random))
        return (middle - span)...(middle + span)
      }
    }()

  private static func power(_ exponent: Double) -> Double {
    let value = (0..<Int(exponent.magnitude)).reduce(1.0) { power, _ in power * 10 }
    return exponent < 0 ? 1 / value : value
  }

  private func value(of label: String, _ exponent: Int) -> Double? {
    Double(label.replacing("−", with: "-") + "e\(exponent)")
  }

  @Test("are in order, unique, within the axis, and no more than fit", arguments: [2, 3, 5, 9])
  func bounds(count: Int) {
    for range in Self.ranges {
      let ticks = Ticks.linear(range, atMost: count)
      let values = ticks.ticks.map(\.value)
      #expect((1...count + 1).contains(values.count) && values.allSatisfy { $0.isFinite }, "\(range): \(values)")
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 }, "\(range): \(values)")
      #expect(ticks.range.lowerBound < ticks.range.upperBound, "\(range)")
      let slack = (ticks.range.upperBound / 2 - ticks.range.lowerBound / 2) * 1e-6
      #expect(
        values.allSatisfy { $0 >= ticks.range.lowerBound - slack && $0 <= ticks.range.upperBound + slack },
        "\(range): \(values)")
      let labels = ticks.ticks.map(\.label)
      #expect(Set(labels).count == labels.count, "\(range): \(labels)")
    }
  }

  @Test("say the values that they stand at")
  func labels() throws {
    for range in Self.ranges {
      let ticks = Ticks.linear(range, atMost: 6)
      for tick in ticks.ticks {
        let reported = try #require(value(of: tick.label, ticks.exponent), "\(tick.label)")
        let span = ticks.range.upperBound / 2 - ticks.range.lowerBound / 2
        #expect(abs(reported / 2 - tick.value / 2) <= max(span * 1e-6, abs(tick.value) * 1e-12), "\(range): \(tick)")
      }
    }
  }

  @Test("of an invalid range equal those of 0 to 1")
  func none() {
    for range in [-Double.infinity...Double.infinity, 0...Double.infinity, -Double.infinity...0] {
      #expect(Ticks.linear(range, atMost: 5).range == 0...1, "\(range)")
    }
  }

  @Test("around one value leave room on both sides, and zero has some of its own")
  func single() {
    for value in [1, -1, 360, 1e-9, 1e300, -1e300, 1_716_900_000] {
      let ticks = Ticks.linear(value...value, atMost: 5)
      #expect(ticks.range.lowerBound < value && value < ticks.range.upperBound)
    }
    for range in [0...0, -1e-300...1e-300] { #expect(Ticks.linear(range, atMost: 5).range == -1...1, "\(range)") }
  }

  @Test("are round, without unnecessary digits")
  func round() {
    #expect(Ticks.linear(0...1, atMost: 6).ticks.map(\.label) == ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"])
    #expect(Ticks.linear(-0.3...0.3, atMost: 3).ticks.map(\.label) == ["−0.2", "0.0", "0.2"])
    #expect(Ticks.linear(0...24, atMost: 6).ticks.map(\.label) == ["0", "5", "10", "15", "20"])
    let tiny = Ticks.linear(0...3e-9, atMost: 4)
    #expect(tiny.ticks.map(\.label) == ["0", "1", "2", "3"] && tiny.exponent == -9)
    let large = Ticks.linear(0...2e6, atMost: 5)
    #expect(large.exponent == 6 && large.ticks.last?.label == "2.0")
  }

  @Test("of degrees divide a full turn")
  func degrees() {
    let turn = Ticks.linear(0...360, atMost: 6, ofTurn: true).ticks.map(\.label)
    #expect(turn == ["0", "60", "120", "180", "240", "300", "360"] || turn == ["0", "90", "180", "270", "360"])
    #expect(Ticks.linear(-180...180, atMost: 5, ofTurn: true).ticks.map(\.label) == ["−180", "−90", "0", "90", "180"])
    // A few degrees are numbered like anything else.
    #expect(Ticks.linear(0...4, atMost: 5, ofTurn: true).ticks.map(\.label) == ["0", "1", "2", "3", "4"])
  }

  @Test("of a logarithmic axis are powers of ten; within one power at 1, 2 and 5")
  func logarithmic() {
    let wide = Ticks.logarithmic(1e-3...1e3, atMost: 10)
    #expect(wide.ticks.map(\.label) == ["10⁻³", "10⁻²", "10⁻¹", "10⁰", "10¹", "10²", "10³"])
    #expect(wide.minor.count == 6 * 8)
    #expect(Ticks.logarithmic(3...70, atMost: 6).ticks.map(\.label) == ["5", "10", "20", "50"])
    let many = Ticks.logarithmic(1e-300...1e300, atMost: 6)
    #expect((2...8).contains(many.ticks.count) && many.ticks.allSatisfy { $0.value > 0 && $0.value.isFinite })
  }

  @Test("of a logarithmic axis exist for any range", arguments: [2, 5])
  func nastyLogarithmic(count: Int) {
    for range in Self.ranges {
      let ticks = Ticks.logarithmic(range, atMost: count)
      let values = ticks.ticks.map(\.value)
      #expect(!values.isEmpty && values.allSatisfy { $0 > 0 && $0.isFinite }, "\(range): \(values)")
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 }, "\(range): \(values)")
      #expect(ticks.range.lowerBound > 0 && ticks.range.lowerBound < ticks.range.upperBound, "\(range)")
    }
  }
}
