package import InertialNumerics
internal import InertialSystem

/// The agreement between the sensors.
package struct ConsistencyReport: Sendable, Equatable, Codable {
  /// Whether the gyroscope's axes and signs explain the rotation of a direction: gravity, or the magnetic field.
  package struct Rates: Sendable, Equatable, Codable {
    /// "agrees", "contradicts" (other axes explain much more) or "silent" (the motion is not decisive).
    package var verdict: String
    /// The factor by which the rates must be multiplied, or `nil` if silent.
    package var scale: Double?
    /// The fraction of the direction's rotation that the best axes explain, 0...1. For the field, it is the fraction of
    /// the squared changes over half seconds; for gravity, the decrease of the misfit (`GravityRotationTest`) relative to no
    /// rotation.
    package var fraction: Double
    /// The axes of the log's gyroscope that fit, as arguments of `--axes gyroscope=`: several if the motion cannot
    /// distinguish them, empty if silent.
    package var axes: [String]

    /// The keys of saved values, which keep their names.
    private enum CodingKeys: String, CodingKey {
      case verdict, scale, fraction = "share", axes
    }
  }

  /// The rates against gravity.
  package var gravity: Rates
  /// The rates against the magnetic field, calibrated if available, or `nil` without a field.
  package var field: Rates?
  /// The constant hard-iron field, in µT, or `nil` if the motion does not determine it.
  package var hardIron: Vector3?
  /// The strength of the field without hard iron, in µT, and its dip below the horizon, in degrees.
  package var fieldStrength: Double?
  package var dip: Double?

  /// The strength and the dip in words, or `nil` if they are unknown.
  package var fieldText: String? {
    guard let fieldStrength, let dip else { return nil }
    // No earth's field is stronger or weaker, with a margin for buildings.
    let iron = (15...90).contains(fieldStrength) ? "" : ", with the device's hard iron"
    return String(cFormat: "%.1f µT, %.1f° below the horizon", fieldStrength, dip) + iron
  }
}
