package import InertialLogs
package import InertialNumerics

extension PlaceAndDate {
  /// Returns the declination of a source with this place and date, for true north.
  ///
  /// - Parameters:
  ///   - path: The path of the source, for messages.
  ///   - log: The log's own place and date, which these override.
  /// - Returns: The declination in radians, positive if magnetic north is east of true north, or `nil` if the place is
  ///   unknown or no model fits the log; and the warnings, one line per warning.
  /// - Throws: `LogError` if this is not a valid place or has no magnetic model.
  package func declination(
    of path: String, log: PlaceAndDate = PlaceAndDate()
  ) throws(LogError) -> (angle: Double?, warnings: [String]) {
    let remedy = "a date, in INERTIAL_SOURCE as ?date=2024-05-17"
    do throws(GeomagnetismError) {
      guard let found = try MagneticDeclination(given: self, log: log) else { return (nil, []) }
      return (found.angle, [found.warning(remedy: remedy)].compactMap { $0 })
    } catch {
      guard self == PlaceAndDate() else {
        throw LogError(path: path, problem: "true north: \(error)", remedy: "use another location or date")
      }
      return (nil, ["true north is unknown: \(error); give \(remedy)"])
    }
  }
}
