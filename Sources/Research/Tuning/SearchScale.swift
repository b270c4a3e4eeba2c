public import InertialFilters
internal import InertialSystem

/// The scale of a parameter in a search: a coordinate whose unit is a sensible first step, and whose zero is the
/// default.
public struct SearchScale: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    /// A linear scale for ranges that span less than two decades: a unit is a sixth of the range.
    case linear
    /// A logarithmic scale for positive ranges of two decades and more: a unit is a factor of two.
    case logarithmic
    /// A scale for ranges from zero that reach two decades beyond the default: logarithmic down to a tenth of the
    /// default, and linear from there to zero, which a logarithm cannot reach.
    case logarithmicFromZero(bend: Double)
  }

  /// The parameter's name.
  public let name: String
  let kind: Kind
  private let range: ClosedRange<Double>
  private let origin: Double

  /// Creates the scale for a parameter's range.
  public init(_ facts: ParameterFacts) {
    name = facts.name
    range = facts.minimum...facts.maximum
    let isWide = facts.maximum >= 100 * facts.minimum
    if facts.minimum > 0, isWide {
      kind = .logarithmic
    } else if facts.minimum == 0, facts.defaultValue > 0, facts.maximum >= 100 * facts.defaultValue {
      kind = .logarithmicFromZero(bend: facts.defaultValue / 10)
    } else {
      kind = .linear
    }
    origin = Self.raw(facts.defaultValue, kind, range)
  }

  /// Returns the coordinate of a value.
  public func coordinate(of value: Double) -> Double { Self.raw(value, kind, range) - origin }

  /// Returns the value at a coordinate, inside the parameter's range regardless of rounding.
  public func value(at coordinate: Double) -> Double {
    let raw = coordinate + origin
    let value =
      switch kind {
      case .linear: range.lowerBound + raw * (range.upperBound - range.lowerBound) / 6
      case .logarithmic: exp2(raw)
      case .logarithmicFromZero(let bend): bend * sinh(raw * log(2))
      }
    return min(max(value, range.lowerBound), range.upperBound)
  }

  /// The coordinates of the range's ends.
  public var bounds: ClosedRange<Double> {
    coordinate(of: range.lowerBound)...coordinate(of: range.upperBound)
  }

  private static func raw(_ value: Double, _ kind: Kind, _ range: ClosedRange<Double>) -> Double {
    switch kind {
    case .linear:
      let width = range.upperBound - range.lowerBound
      return width > 0 ? 6 * (value - range.lowerBound) / width : 0
    case .logarithmic: return log2(value)
    case .logarithmicFromZero(let bend): return asinh(value / bend) / log(2)
    }
  }
}
