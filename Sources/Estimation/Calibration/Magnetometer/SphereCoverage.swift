public import InertialNumerics
internal import InertialSystem

/// The part of the sphere of directions that a log covers.
public struct SphereCoverage: Sendable, Equatable {
  /// The verdict on the coverage.
  public enum Verdict: String, Sendable, Codable {
    /// The coverage is sufficient; usable with caution; or so poor that a calibration may be worse than none.
    case good, fair, poor
  }

  /// The fraction of 48 equal areas that contain a sample, 0...1.
  public let fraction: Double
  /// The missing half axes, "towards +x" etc., which have no sample within 45°.
  public let missing: [String]

  private static let bands = 6
  private static let sectors = 8

  /// Computes the coverage of the sphere by directions.
  ///
  /// - Parameter directions: The directions, of any magnitude; zero vectors are ignored.
  public init(_ directions: [Vector3]) {
    var seen = Set<Int>()
    let units = directions.compactMap(\.normalized)
    for v in units {
      // Bands of equal height have equal areas (Archimedes).
      let band = min(Self.bands - 1, Int(Double(Self.bands) * 0.5 * (1 + v.z)))
      let turn = (atan2(v.y, v.x) + .pi) / (2 * .pi)
      seen.insert(band * Self.sectors + min(Self.sectors - 1, Int(turn * Double(Self.sectors))))
    }
    fraction = Double(seen.count) / Double(Self.bands * Self.sectors)
    missing = [("x", Vector3.unitX), ("y", .unitY), ("z", .unitZ)].flatMap { name, axis in
      [("+", axis), ("-", -axis)].filter { half in !units.contains { $0.dot(half.1) > 0.7071 } }.map {
        "towards \($0.0)\(name)"
      }
    }
  }

  /// The verdict from the areas: good with three quarters of them and all half axes, poor with less than half.
  public var verdict: Verdict {
    if fraction >= 0.75, missing.isEmpty { return .good }
    return fraction >= 0.5 && missing.count <= 1 ? .fair : .poor
  }
}
