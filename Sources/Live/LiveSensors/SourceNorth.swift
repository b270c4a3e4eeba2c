package import InertialLogs
package import InertialNumerics

/// What a source knows of true north.
package struct SourceNorth {
  /// Radians, positive where magnetic north is east of true north; nil where no place is known, or no model fits the log.
  package var declination: Double?
  package var warnings: [String] = []

  private static let remedy = "a date, as INERTIAL_SOURCE takes it behind ?date="

  /// - Parameters:
  ///   - path: of the source, for messages.
  ///   - given: by the user; goes before what the log tells.
  /// - Throws: where what is given is no place, or has no magnetic model.
  package init(of path: String, given: PlaceAndDate, log: PlaceAndDate = PlaceAndDate()) throws(LogError) {
    do throws(GeomagnetismError) {
      let found = try MagneticDeclination(given: given, log: log)
      declination = found?.angle
      warnings = [found?.warning(remedy: Self.remedy)].compactMap { $0 }
    } catch {
      guard given == PlaceAndDate() else {
        throw LogError(path: path, problem: "true north: \(error)", remedy: "give another place or date")
      }
      warnings = ["true north is not known: \(error); give \(Self.remedy)"]
    }
  }
}
