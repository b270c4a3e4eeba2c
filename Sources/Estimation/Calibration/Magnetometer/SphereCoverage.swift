public import InertialNumerics
internal import InertialSystem

/// How much of the sphere of directions a log has been to.
public struct SphereCoverage: Sendable, Equatable {
  /// In a word.
  public enum Verdict: String, Sendable, Codable {
    /// Fit for use; fit with care; further from the truth, maybe, than no calibration.
    case good, fair, poor
  }

  /// The share of 48 equal areas with a sample, 0 to 1.
  public let share: Double
  /// Where there is none: "towards +x" for each of the six halves of axes that no sample is within 45° of.
  public let missing: [String]

  private static let bands = 6
  private static let sectors = 8

  /// - Parameter directions: of any length; zero ones are left out.
  public init(_ directions: [Vector3]) {
    var seen = Set<Int>()
    let units = directions.compactMap(\.normalized)
    for v in units {
      // Bands of equal height have equal areas (Archimedes).
      let band = min(Self.bands - 1, Int(Double(Self.bands) * 0.5 * (1 + v.z)))
      let turn = (atan2(v.y, v.x) + .pi) / (2 * .pi)
      seen.insert(band * Self.sectors + min(Self.sectors - 1, Int(turn * Double(Self.sectors))))
    }
    share = Double(seen.count) / Double(Self.bands * Self.sectors)
    missing = [("x", Vector3.unitX), ("y", .unitY), ("z", .unitZ)].flatMap { name, axis in
      [("+", axis), ("-", -axis)].filter { half in !units.contains { $0.dot(half.1) > 0.7071 } }.map {
        "towards \($0.0)\(name)"
      }
    }
  }

  /// By the areas alone: good with three quarters of them and no half axis missing, poor with less than half.
  public var verdict: Verdict {
    if share >= 0.75, missing.isEmpty { return .good }
    return share >= 0.5 && missing.count <= 1 ? .fair : .poor
  }
}
