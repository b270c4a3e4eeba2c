/// A place on earth, by WGS 84.
public struct Place: Sendable, Codable, Equatable {
  /// Degrees, north positive, −90 to 90.
  public var latitude: Double
  /// Degrees, east positive.
  public var longitude: Double
  /// Metres above the ellipsoid.
  public var altitude: Double

  /// A place: degrees, north and east positive, and metres above the ellipsoid.
  public init(latitude: Double, longitude: Double, altitude: Double = 0) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }
}

/// Where and when something was recorded, as far as somebody says it.
public struct PlaceAndDate: Sendable, Equatable {
  /// Where; nil where nobody says.
  public var place: Place?
  /// A decimal year; see `DecimalYear`.
  public var year: Double?

  /// What is known; nil for what is not.
  public init(place: Place? = nil, year: Double? = nil) {
    self.place = place
    self.year = year
  }
}

/// The declination of a recording, and what it was worked out from.
///
/// Whoever needs true north asks here: the command, the managers of Core Motion, a script.
public struct MagneticDeclination: Sendable, Equatable {
  /// Who says where or when it was.
  public enum Origin: String, Sendable, Codable {
    /// The user.
    case given
    /// The log itself.
    case log
    /// Nobody: the epoch of the newest magnetic model stands for the date.
    case newestModel
  }

  /// Radians, positive where magnetic north is east of true north.
  public let angle: Double
  /// Where the declination is that of.
  public let place: Place
  /// Who said the place.
  public let placeOrigin: Origin
  /// A decimal year.
  public let year: Double
  /// Who said the date.
  public let yearOrigin: Origin
  /// The magnetic model's name, such as `WMM-2025`.
  public let model: String

  /// What the user gives goes before what the log says, place and date each for itself. A place without a date is taken
  /// at the epoch of the newest model.
  ///
  /// - Returns: nil where nobody says a place.
  /// - Throws: where no model covers the date, or the place is none.
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

  /// Degrees, positive where magnetic north is east of true north.
  public var degrees: Double { angle * 180 / .pi }

  /// What a user should know; nil where place and date are known.
  ///
  /// - Parameter remedy: how the date is given, such as "--date 2024-05-17".
  public func warning(remedy: String) -> String? {
    guard yearOrigin == .newestModel else { return nil }
    return "when it was recorded is not known: true north is that of \(year), the epoch of \(model); give \(remedy)"
  }
}
