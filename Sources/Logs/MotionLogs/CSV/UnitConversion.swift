internal import InertialSensors

/// The conversion from a log's number to Inertial's unit: value × multiplier ÷ divisor, rounded once if one of them is
/// 1.
struct UnitConversion: Equatable {
  var multiplier = 1.0
  var divisor = 1.0
  /// Whether the numbers are counts of a 16-bit register, so that counts above 32767 are negative.
  var isCount = false

  static let identity = UnitConversion()

  @inline(__always)
  func callAsFunction(_ value: Double) -> Double {
    let product = value * multiplier
    return divisor == 1 ? product : product / divisor
  }

  /// The conversion with the opposite sign.
  var negated: UnitConversion { UnitConversion(multiplier: -multiplier, divisor: divisor, isCount: isCount) }

  /// Returns the value of a register, whose sign may be lost.
  func count(_ value: Double) -> Double { self(value > 32_767 && value < 65_536 ? value - 65_536 : value) }
}

/// A kind of quantity with several units.
package enum Dimension: Sendable, Equatable {
  case acceleration, rotation, field, angle, time, none

  /// Returns the conversion from a unit to g, rad/s, µT, rad or s, or `nil` if the unit is not one of this quantity.
  ///
  /// Common notations are accepted: "m/s^2", "m s^-2", "m/s²", "mps2", "rad/s", "deg_s", "dps", "µT". Words next to the
  /// unit are ignored: "m/s2 specific force", "in deg/s", "g, calibrated".
  ///
  /// - Parameter isExact: Whether words next to the unit make it unknown.
  func conversion(from text: String, isExact: Bool = false) -> UnitConversion? {
    if let whole = conversion(of: Self.normal(text)) { return whole }
    guard !isExact else { return nil }
    let words = text.split { $0.isWhitespace || $0 == "," || $0 == ";" || $0 == ":" || $0 == "=" }
    guard words.count > 1, self != .none else { return nil }
    let found = words.compactMap { conversion(of: Self.normal(String($0))) }
    return found.first.flatMap { first in found.allSatisfy { $0 == first } ? first : nil }
  }

  private func conversion(of unit: String) -> UnitConversion? {
    if let counts = counts(unit) { return counts }
    switch self {
    case .acceleration:
      switch unit {
      case "g", "gs", "g0", "gn", "gravity": return .identity
      case "mg": return UnitConversion(divisor: 1000)
      case "meterspersecondsquared", "metrespersecondsquared", "m/(s2)", "m/second2":
        return UnitConversion(divisor: standardGravity)
      case "m/s2", "m/s/s", "ms2", "mps2", "ms-2", "m/sec2", "meters/s2", "metres/s2":
        return UnitConversion(divisor: standardGravity)
      case "cm/s2", "gal": return UnitConversion(divisor: 100 * standardGravity)
      default: return nil
      }
    case .rotation:
      switch unit {
      case "rad/s", "rads", "radps", "rad/sec", "radians/s", "radians/sec", "radian/s", "radpersec", "rads-1",
        "radianspersecond", "radpersecond", "rad/second", "radians/second":
        return .identity
      case "deg/s", "degs", "degps", "dps", "d/s", "°/s", "º/s", "\u{FFFD}/s", "deg/sec", "degrees/s", "degrees/sec",
        "degree/s", "degpersec", "degs-1", "degreespersecond", "degpersecond", "deg/second", "degrees/second":
        return UnitConversion(multiplier: .pi / 180)
      case "mdps", "mdeg/s": return UnitConversion(multiplier: .pi / 180, divisor: 1000)
      case "mrad/s": return UnitConversion(divisor: 1000)
      case "rpm", "rev/min", "revpermin": return UnitConversion(multiplier: .pi / 30)
      case "rps", "rev/s": return UnitConversion(multiplier: 2 * .pi)
      default: return nil
      }
    case .field:
      switch unit {
      case "ut", "µt", "\u{FFFD}t", "microt", "microtesla", "microteslas", "utesla": return .identity
      case "nt", "nanotesla", "nanoteslas": return UnitConversion(divisor: 1000)
      case "mt", "millitesla", "milliteslas": return UnitConversion(multiplier: 1000)
      case "t", "tesla", "teslas": return UnitConversion(multiplier: 1e6)
      case "g", "gs", "ga", "gauss": return UnitConversion(multiplier: 100)
      case "mg", "mgauss", "milligauss", "mgs": return UnitConversion(divisor: 10)
      default: return nil
      }
    case .angle:
      switch unit {
      case "rad", "radians", "radian": return .identity
      case "deg", "degrees", "degree", "°", "º", "\u{FFFD}": return UnitConversion(multiplier: .pi / 180)
      default: return nil
      }
    case .time:
      switch unit {
      case "s", "sec", "secs", "second", "seconds": return .identity
      case "ms", "msec", "msecs", "millis", "millisec", "millisecs", "millisecond", "milliseconds":
        return UnitConversion(divisor: 1e3)
      case "us", "µs", "\u{FFFD}s", "usec", "usecs", "micros", "microsec", "microsecs", "microsecond", "microseconds":
        return UnitConversion(divisor: 1e6)
      case "ns", "nsec", "nsecs", "nanos", "nanosec", "nanosecs", "nanosecond", "nanoseconds":
        return UnitConversion(divisor: 1e9)
      case "min", "mins", "minute", "minutes": return UnitConversion(multiplier: 60)
      case "h", "hr", "hrs", "hour", "hours": return UnitConversion(multiplier: 3600)
      case "d", "day", "days": return UnitConversion(multiplier: 86_400)
      default: return nil
      }
    case .none: return .identity
    }
  }

  /// Parses counts of a register per unit, as "16384/g", "131 LSB/(deg/s)" or "65.5 counts/dps".
  private func counts(_ unit: String) -> UnitConversion? {
    guard self != .time, let slash = unit.firstIndex(of: "/"), unit.first?.isNumber == true else { return nil }
    var number = unit[..<slash]
    if let word = ["counts", "count", "lsb", "digits"].first(where: number.hasSuffix) { number.removeLast(word.count) }
    let unit = unit[unit.index(after: slash)...].filter { $0 != "(" && $0 != ")" }
    guard let perUnit = Double(number), perUnit > 0, perUnit.isFinite, unit.first?.isNumber == false,
      var conversion = conversion(from: unit)
    else { return nil }
    conversion.divisor *= perUnit
    // A register of 16 bits and a range of 2 units or more.
    conversion.isCount = perUnit <= 16_384
    return conversion
  }

  /// Returns a unit in lower case, without blanks, power signs and residues of a second encoding, and with a single
  /// form of µ.
  private static func normal(_ unit: String) -> String {
    guard unit.utf8.contains(where: { $0 >= 0x80 }) else {
      let bytes = unit.lowercased().utf8.filter { ![0x20, 0x2A, 0x5E, 0x5F].contains($0) }
      return withSlash(String(decoding: bytes, as: UTF8.self))
    }
    var text = ""
    for character in unit.lowercased().replacing("â", with: "").replacing("î¼", with: "µ") {
      switch character {
      case " ", "^", "*", "·", "_": continue
      case "\u{03BC}": text.append("µ")
      case "²": text.append("2")
      case "⁻", "−": text.append("-")
      case "¹": text.append("1")
      default: text.append(character)
      }
    }
    return withSlash(text)
  }

  /// Returns a unit with "/s" and "/s2" in place of "s-1" and "s-2".
  private static func withSlash(_ unit: String) -> String {
    if unit.hasSuffix("s-1") { return unit.dropLast(3) + "/s" }
    if unit.hasSuffix("s-2") { return unit.dropLast(3) + "/s2" }
    return unit
  }
}
