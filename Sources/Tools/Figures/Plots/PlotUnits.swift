internal import InertialJobs
internal import InertialSystem

/// How a quantity's numbers are turned for an axis, and what stands beside it.
struct PlotUnit {
  /// As printed: "°", "g".
  var text: String
  var factor: Double
  /// The length of a turn, of an angle; nil for all else.
  var turn: Double?

  /// - Parameter isRadian: whether angles stay as they are in datasets; else they are in degrees.
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

  /// A label with the unit.
  func label(_ words: String) -> String { text.isEmpty ? words : "\(words) (\(text))" }
}

/// Words for names such as `userAccelerationX`.
enum PlotWords {
  /// "User acceleration x".
  static func of(_ name: String) -> String {
    var words = ""
    for character in name {
      if character.isUppercase, !words.isEmpty { words += " " }
      words += words.isEmpty ? character.uppercased() : character.lowercased()
    }
    return words
  }

  /// Of names that begin alike what they have in common, and of each what is its own: "User acceleration", ["x", "y", "z"].
  static func split(_ names: [String]) -> (common: String, own: [String]) {
    let words = names.map { of($0).split(separator: " ").map(String.init) }
    guard names.count > 1, let first = words.first else { return (names.first.map(of) ?? "", []) }
    let shared = first.indices.prefix { place in words.allSatisfy { $0.count > place + 1 && $0[place] == first[place] }
    }
    let own = words.map { $0.dropFirst(shared.count).joined(separator: " ").lowercased() }
    return (first.prefix(shared.count).joined(separator: " "), own)
  }
}

extension Array<Double> {
  /// Angles that go on where they would begin anew after a turn.
  func unwrapped(turn: Double) -> [Double] {
    var last: Double?
    return map { value in
      guard value.isFinite else { return value }
      let next = last.map { $0 + (value - $0).remainder(dividingBy: turn) } ?? value
      last = next
      return next
    }
  }

  /// The middle one of the steps from one to the next; 0 where there is none.
  var medianStep: Double {
    let steps = zip(self, dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.sorted()
    return steps.isEmpty ? 0 : steps[steps.count / 2]
  }
}
