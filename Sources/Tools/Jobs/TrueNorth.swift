internal import InertialNumerics

extension MagneticDeclination {
  /// Why there is no declination, of most logs that have no place.
  static let unknownPlace = "the log does not say where it was made"

  /// The declination of a recording, for the frame of true north.
  ///
  /// - Parameters:
  ///   - given: by the user; goes before what the log says.
  ///   - log: where and when it was recorded, as far as it tells.
  ///   - path: of the log, for messages.
  ///   - reason: why the place is not known, where it is not.
  /// - Throws: where nobody says a place, or no magnetic model covers the date.
  static func ofRecording(
    given: PlaceAndDate, log: PlaceAndDate, path: String, reason: String = unknownPlace
  ) throws(FusionError) -> MagneticDeclination {
    let found: MagneticDeclination?
    do throws(GeomagnetismError) {
      found = try MagneticDeclination(given: given, log: log)
    } catch .dateOutOfRange(let year, let years) where given.year == nil {
      let error = GeomagnetismError.dateOutOfRange(decimalYear: year, years: years)
      throw .lacking("\(path): \(error); give --date 2024-05-17 where the log's own date is wrong")
    } catch {
      throw .usage("xTrueNorthZVertical: \(error)")
    }
    guard let found else {
      throw .lacking("\(path): \(reason); xTrueNorthZVertical needs --latitude and --longitude")
    }
    return found
  }
}

extension MagneticDeclination? {
  /// What a user of the command should know.
  var warnings: [String] { [self?.warning(remedy: "--date 2024-05-17")].compactMap { $0 } }
}
