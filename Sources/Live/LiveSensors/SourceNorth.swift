package import InertialLogs
package import InertialNumerics

/// The declination of a source, for true north.
package struct SourceNorth {
  /// The declination in radians, positive if magnetic north is east of true north, or `nil` if the place is unknown or
  /// no model fits the log.
  package var declination: Double?
  package var warnings: [String] = []

  private static let remedy = "a date, in INERTIAL_SOURCE as ?date=2024-05-17"

  /// Determines the declination of a source.
  ///
  /// - Parameters:
  ///   - path: The path of the source, for messages.
  ///   - given: The place and date that the user has specified; they override the log's own.
  /// - Throws: `LogError` if `given` is not a valid place or has no magnetic model.
  package init(of path: String, given: PlaceAndDate, log: PlaceAndDate = PlaceAndDate()) throws(LogError) {
    do throws(GeomagnetismError) {
      let found = try MagneticDeclination(given: given, log: log)
      declination = found?.angle
      warnings = [found?.warning(remedy: Self.remedy)].compactMap { $0 }
    } catch {
      guard given == PlaceAndDate() else {
        throw LogError(path: path, problem: "true north: \(error)", remedy: "use another location or date")
      }
      warnings = ["true north is unknown: \(error); give \(Self.remedy)"]
    }
  }
}
