/// A location on earth, by WGS 84.
public struct Place: Sendable, Codable, Equatable {
  /// The latitude in degrees, north positive, −90 to 90.
  public var latitude: Double
  /// The longitude in degrees, east positive.
  public var longitude: Double
  /// The height above the ellipsoid, in metres.
  public var altitude: Double

  /// Creates a location; in degrees, north and east positive, and metres above the ellipsoid.
  public init(latitude: Double, longitude: Double, altitude: Double = 0) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }
}

/// The location and date of a recording, as far as they are specified.
public struct PlaceAndDate: Sendable, Equatable {
  /// The location, or `nil` if it is unspecified.
  public var place: Place?
  /// The decimal year, or `nil` if it is unspecified; see `DecimalYear`.
  public var year: Double?

  /// Creates a place and date; `nil` for unspecified values.
  public init(place: Place? = nil, year: Double? = nil) {
    self.place = place
    self.year = year
  }

  /// The Earth's field by the World Magnetic Model: its strength in µT, and its dip in radians, positive down; `nil` if
  /// the place or the date is unspecified, or no model covers the date.
  package var earthField: (strength: Double, dip: Double)? {
    guard let place, let year,
      let field = try? MagneticModel.elements(
        latitude: place.latitude, longitude: place.longitude, height: place.altitude, decimalYear: year)
    else { return nil }
    return (strength: field.totalIntensity / 1000, dip: field.inclination * .pi / 180)
  }
}

/// The declination of a recording, and its sources.
///
/// It is used wherever true north is required: in the command, in Core Motion's managers, in scripts.
public struct MagneticDeclination: Sendable, Equatable {
  /// The source of the location or date.
  public enum Origin: String, Sendable, Codable {
    /// The user.
    case given
    /// The log itself.
    case log
    /// The default: the epoch of the newest magnetic model is used for the date.
    case newestModel
  }

  /// The declination in radians, positive if magnetic north is east of true north.
  public let angle: Double
  /// The location of the declination.
  public let place: Place
  /// The source of the location.
  public let placeOrigin: Origin
  /// The decimal year.
  public let year: Double
  /// The source of the date.
  public let yearOrigin: Origin
  /// The magnetic model's name, such as `WMM-2025`.
  public let model: String

  /// Creates a declination. Location and date specified by the user each take precedence over those of the log. Without
  /// a date, the epoch of the newest model is used.
  ///
  /// - Returns: `nil` if the location is unspecified.
  /// - Throws: `GeomagnetismError` if no model covers the date, or the location is not valid.
  public init?(given: PlaceAndDate = PlaceAndDate(), log: PlaceAndDate = PlaceAndDate()) throws(GeomagnetismError) {
    guard let place = given.place ?? log.place else { return nil }
    let newest = MagneticModel.builtIn[MagneticModel.builtIn.count - 1]
    let year = given.year ?? log.year ?? newest.epoch
    let model = try MagneticModel.model(for: year)
    let elements = try model.elements(
      latitude: place.latitude, longitude: place.longitude, height: place.altitude, decimalYear: year)
    angle = elements.declination * .pi / 180
    self.place = place
    placeOrigin = given.place == nil ? .log : .given
    self.year = year
    yearOrigin = given.year != nil ? .given : log.year != nil ? .log : .newestModel
    self.model = model.name
  }

  /// The declination in degrees, positive if magnetic north is east of true north.
  public var degrees: Double { angle * 180 / .pi }

  /// Returns a warning for the user, or `nil` if the location and the date are specified.
  ///
  /// - Parameter remedy: The option that specifies the date, such as "--date 2024-05-17".
  public func warning(remedy: String) -> String? {
    guard yearOrigin == .newestModel else { return nil }
    return "the date of recording is unknown: true north is computed for \(year), the epoch of \(model); give \(remedy)"
  }
}
