internal import InertialJobs
internal import InertialSystem

/// The conversion of a quantity to the unit of an axis.
struct PlotUnit {
  /// The printed unit, such as "°" or "g".
  var text: String
  var factor: Double
  /// A full turn in this unit for an angle, or `nil` for other quantities.
  var turn: Double?

  /// - Parameter isRadian: Whether angles stay in radians, as in datasets, instead of degrees.
  init(_ unit: String, isRadian: Bool) {
    let degrees = 180 / Double.pi
    switch unit {
    case "rad": self.init(text: isRadian ? "rad" : "°", factor: isRadian ? 1 : degrees, turn: isRadian ? 2 * .pi : 360)
    case "rad/s": self.init(text: isRadian ? "rad/s" : "°/s", factor: isRadian ? 1 : degrees)
    case "deg": self.init(text: "°", factor: 1, turn: 360)
    case "1": self.init(text: "", factor: 1)
    default: self.init(text: unit.replacing("m/s2", with: "m/s²"), factor: 1)
    }
  }

  private init(text: String, factor: Double, turn: Double? = nil) {
    (self.text, self.factor, self.turn) = (text, factor, turn)
  }

  /// Returns a label with the unit.
  func label(_ words: String) -> String { text.isEmpty ? words : "\(words) (\(text))" }
}

/// The readable forms of names such as `userAccelerationX`.
enum PlotLabels {
  /// Returns the words of a name, such as "User acceleration x".
  static func of(_ name: String) -> String {
    var words = ""
    for character in name {
      if character.isUppercase, !words.isEmpty { words += " " }
      words += words.isEmpty ? character.uppercased() : character.lowercased()
    }
    return words
  }

  /// Splits names into their common prefix and their own parts: "User acceleration", ["x", "y", "z"].
  static func split(_ names: [String]) -> (common: String, own: [String]) {
    let words = names.map { of($0).split(separator: " ").map(String.init) }
    guard names.count > 1, let first = words.first else { return (names.first.map(of) ?? "", []) }
    let shared = first.indices.prefix { index in words.allSatisfy { $0.count > index + 1 && $0[index] == first[index] }
    }
    let own = words.map { $0.dropFirst(shared.count).joined(separator: " ").lowercased() }
    return (first.prefix(shared.count).joined(separator: " "), own)
  }
}

extension Array<Double> {
  /// Returns the angles without jumps at full turns.
  func unwrapped(turn: Double) -> [Double] {
    var last: Double?
    return map { value in
      guard value.isFinite else { return value }
      let next = last.map { $0 + (value - $0).remainder(dividingBy: turn) } ?? value
      last = next
      return next
    }
  }

  /// The median of the positive differences between consecutive values, or 0 without such differences.
  var medianStep: Double {
    let steps = zip(self, dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.sorted()
    return steps.isEmpty ? 0 : steps[steps.count / 2]
  }
}
