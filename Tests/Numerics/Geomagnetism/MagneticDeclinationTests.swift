import Testing

@Suite("Declination of a recording") struct MagneticDeclinationTests {
  private let zurich = Place(latitude: 47.4, longitude: 8.5, altitude: 400)
  private let santiago = Place(latitude: -33.4, longitude: -70.6)

  private func degrees(_ place: Place, _ year: Double) throws -> Double {
    try MagneticModel.elements(
      latitude: place.latitude, longitude: place.longitude, height: place.altitude, decimalYear: year
    ).declination
  }

  @Test("place and date of the log are used by default")
  func ofLog() throws {
    let found = try #require(try MagneticDeclination(log: PlaceAndDate(place: zurich, year: 2019.5)))
    #expect(try found.degrees == degrees(zurich, 2019.5))
    #expect(found.place == zurich && found.placeOrigin == .log && found.yearOrigin == .log)
    #expect(found.model == "WMM-2015v2" && found.warning(remedy: "it") == nil)
  }

  @Test("a given place or date overrides the log's, independently of each other")
  func given() throws {
    let log = PlaceAndDate(place: zurich, year: 2019.5)
    let place = try #require(try MagneticDeclination(given: PlaceAndDate(place: santiago), log: log))
    #expect(try place.degrees == degrees(santiago, 2019.5) && place.placeOrigin == .given && place.yearOrigin == .log)
    let date = try #require(try MagneticDeclination(given: PlaceAndDate(year: 2026), log: log))
    #expect(try date.degrees == degrees(zurich, 2026))
    #expect(date.placeOrigin == .log && date.yearOrigin == .given && date.warning(remedy: "it") == nil)
  }

  @Test("a place without a date uses the epoch of the newest model, with a warning")
  func withoutDate() throws {
    let found = try #require(try MagneticDeclination(given: PlaceAndDate(place: santiago)))
    let newest = MagneticModel.builtIn.last!
    #expect(found.year == newest.epoch && found.model == newest.name && found.yearOrigin == .newestModel)
    #expect(try found.degrees == degrees(santiago, newest.epoch))
    #expect(found.warning(remedy: "--date 2024-05-17")?.contains("give --date 2024-05-17") == true)
  }

  @Test("without a place there is no declination, regardless of the date")
  func withoutPlace() throws {
    #expect(try MagneticDeclination() == nil)
    #expect(try MagneticDeclination(given: PlaceAndDate(year: 1900), log: PlaceAndDate(year: 2019.5)) == nil)
  }

  @Test("a date without a model and an invalid place are errors")
  func errors() {
    #expect(throws: GeomagnetismError.dateOutOfRange(decimalYear: 1970, years: MagneticModel.builtInYears)) {
      try MagneticDeclination(log: PlaceAndDate(place: zurich, year: 1970))
    }
    #expect(throws: GeomagnetismError.invalidLatitude(91)) {
      try MagneticDeclination(given: PlaceAndDate(place: Place(latitude: 91, longitude: 0)))
    }
  }
}
