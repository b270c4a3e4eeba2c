internal import InertialSystem

/// The ticks of an axis, and their labels.
package struct Ticks: Equatable, Sendable {
  /// A position on the axis, with its label.
  package struct Tick: Equatable, Sendable {
    package var value: Double
    package var label: String
  }

  /// The labelled ticks in increasing order; at least one.
  package var ticks: [Tick]
  /// The ticks without labels.
  package var minor: [Double] = []
  /// The power of ten that the labels omit and the axis label shows, or 0.
  package var exponent = 0
  /// The range of the axis: never empty, and finite.
  package var range: ClosedRange<Double>

  /// Returns ticks at multiples of 1, 2 or 5 times a power of ten, or for angles at divisors of a full turn.
  ///
  /// - Parameters:
  ///   - range: The range of the data, widened if it is almost empty. A range that is not finite is replaced by 0 to 1.
  ///   - count: The approximate number of labels that fit, at least 2.
  ///   - divides: Whether the axis shows degrees, with multiples of 45 rather than 50.
  package static func linear(_ range: ClosedRange<Double>, atMost count: Int, ofTurn divides: Bool = false) -> Ticks {
    let range = usable(range)
    // Halved, to avoid an overflow of the difference of the largest numbers.
    let span = range.upperBound / 2 - range.lowerBound / 2
    let count = Double(max(2, count))
    if divides, let step = [10.0, 15, 30, 45, 60, 90, 180].first(where: { 2 * span / $0 <= count }),
      2 * span > 40, 2 * span <= 1080
    {
      return multiples(of: Int(step), tenTo: 0, in: range)
    }
    var power = Int(log10(2 * (span / count)).rounded(.down))
    for _ in 0..<2 {
      for step in [1, 2, 5] where 2 * (span / count) <= scaled(step, power) * (1 + 1e-9) {
        return multiples(of: step, tenTo: power, in: range)
      }
      power += 1
    }
    return multiples(of: 1, tenTo: power, in: range)
  }

  /// Returns ticks at powers of ten, or also at 2 and 5 times these if there is hardly a power of ten in the range.
  ///
  /// - Parameter range: The range of the data, as for `linear`; non-positive values are not shown.
  package static func logarithmic(_ range: ClosedRange<Double>, atMost count: Int) -> Ticks {
    var range = range
    if !(range.lowerBound > 1e-300 && range.upperBound.isFinite) {
      let upper = range.upperBound > 1e-290 && range.upperBound.isFinite ? range.upperBound : 1
      range = upper / 1000...upper
    }
    if range.upperBound / range.lowerBound < 1.01 {
      range = range.lowerBound / 2...min(range.upperBound * 2, .greatestFiniteMagnitude)
    }
    let first = Int(log10(range.lowerBound).rounded(.down))
    let last = Int(log10(range.upperBound).rounded(.up))
    var ticks: [Tick] = []
    var minor: [Double] = []
    let decades = (first...last).filter { range.contains(scaled(1, $0)) }.count
    let every = max(1, (decades + max(2, count) - 1) / max(2, count))
    for power in first...last {
      for digit in 1...9 {
        let value = scaled(digit, power)
        guard range.contains(value) else { continue }
        let isNumbered = digit == 1 ? power % every == 0 : decades <= 1 && (digit == 2 || digit == 5)
        if isNumbered {
          ticks.append(Tick(value: value, label: powerLabel(digit, power, isSmall: decades <= 1)))
        } else if every == 1 || digit == 1 {
          minor.append(value)
        }
      }
    }
    if ticks.isEmpty { ticks = [Tick(value: range.lowerBound, label: powerLabel(1, first, isSmall: true))] }
    return Ticks(ticks: ticks, minor: minor, range: range)
  }

  /// Returns a label such as 10⁻³, or a plain number between a thousandth and ten thousand if there are few decades.
  private static func powerLabel(_ digit: Int, _ power: Int, isSmall: Bool) -> String {
    if isSmall || digit != 1, (-3...4).contains(power) { return decimal(digit, power) }
    return (digit == 1 ? "" : "\(digit)·") + "10" + superscript(power)
  }

  /// Returns an exponent in superscript characters.
  package static func superscript(_ number: Int) -> String {
    let digits = Array("⁰¹²³⁴⁵⁶⁷⁸⁹")
    return (number < 0 ? "⁻" : "") + String(String(abs(number)).map { digits[$0.wholeNumberValue!] })
  }

  private static func usable(_ range: ClosedRange<Double>) -> ClosedRange<Double> {
    guard range.lowerBound.isFinite, range.upperBound.isFinite else { return 0...1 }
    let largest = max(abs(range.lowerBound), abs(range.upperBound))
    guard largest > 1e-290 else { return -1...1 }
    let half = range.upperBound / 2 - range.lowerBound / 2
    guard half <= largest * 1e-12 else { return range }
    // A single value: padding on both sides.
    let room = largest * 0.1
    return max(
      range.lowerBound - room, -.greatestFiniteMagnitude)...min(
        range.upperBound + room, .greatestFiniteMagnitude)
  }

  private static func multiples(of step: Int, tenTo power: Int, in range: ClosedRange<Double>) -> Ticks {
    let size = scaled(step, power)
    // A tick that rounding has moved past an end is at the end.
    let first = (range.lowerBound / size - 1e-9).rounded(.up)
    let last = (range.upperBound / size + 1e-9).rounded(.down)
    // Far from 0, the multiples are no longer exact integers.
    guard abs(first) < 1e15, abs(last) < 1e15 else { return ends(of: range) }
    let numbers = Array(Int(first)...max(Int(first), Int(last)))
    let largest = numbers.map { abs($0) }.max()! * step
    // The number of integer digits of the largest number.
    let magnitude = power + String(largest).count - 1
    let exponent = largest == 0 || (-3...4).contains(magnitude) && power >= -6 ? 0 : magnitude
    return Ticks(
      ticks: numbers.map { Tick(value: scaled($0 * step, power), label: decimal($0 * step, power - exponent)) },
      exponent: exponent, range: range)
  }

  private static func ends(of range: ClosedRange<Double>) -> Ticks {
    Ticks(
      ticks: [range.lowerBound, range.upperBound].map { Tick(value: $0, label: "\($0)") }, range: range)
  }

  /// Returns a number times a power of ten, rounded once if the power is exact in a Double.
  private static func scaled(_ number: Int, _ power: Int) -> Double {
    if power >= 0 { return Double(number) * pow(10, Double(power)) }
    return power >= -300 ? Double(number) / pow(10, Double(-power)) : Double(number) * pow(10, Double(power))
  }

  /// Returns an integer times a power of ten in decimal digits.
  static func decimal(_ number: Int, _ power: Int) -> String {
    let sign = number < 0 ? "−" : ""
    var digits = String(abs(number))
    guard power < 0 else { return sign + digits + String(repeating: "0", count: number == 0 ? 0 : power) }
    if digits.count <= -power { digits = String(repeating: "0", count: 1 - power - digits.count) + digits }
    return sign + digits.dropLast(-power) + "." + digits.suffix(-power)
  }
}
