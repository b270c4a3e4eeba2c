internal import InertialNumerics

extension MagneticDeclination {
  /// The reason for a missing declination of a log without a location.
  static let unknownPlace = "the log has no location"

  /// Returns the declination of a recording, for the frame of true north.
  ///
  /// - Parameters:
  ///   - given: The place and date from the user, which take precedence over the log's.
  ///   - log: The place and date in the log, if available.
  ///   - path: The path of the log, for messages.
  ///   - reason: The reason for an unknown place.
  /// - Throws: ``FusionError`` if the place is unknown, or no magnetic model covers the date.
  static func ofRecording(
    given: PlaceAndDate, log: PlaceAndDate, path: String, reason: String = unknownPlace
  ) throws(FusionError) -> MagneticDeclination {
    let found: MagneticDeclination?
    do throws(GeomagnetismError) {
      found = try MagneticDeclination(given: given, log: log)
    } catch .dateOutOfRange(let year, let years) where given.year == nil {
      let error = GeomagnetismError.dateOutOfRange(decimalYear: year, years: years)
      throw .lacking("\(path): \(error); give --date 2024-05-17 if the log's own date is wrong")
    } catch {
      throw .usage("xTrueNorthZVertical: \(error)")
    }
    guard let found else { throw .lacking("\(path): \(reason); xTrueNorthZVertical needs --latitude and --longitude") }
    return found
  }
}

extension MagneticDeclination? {
  /// The warnings for the user.
  var warnings: [String] { [self?.warning(remedy: "--date 2024-05-17")].compactMap { $0 } }
}
