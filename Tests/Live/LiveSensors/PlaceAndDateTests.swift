import Testing

@Suite("Place and date of a log") struct PlaceAndDateTests {
  private let folder = TemporaryFolder()

  /// 2019-07-02 12:00 UTC, the middle of the year.
  private static let start = 1_562_068_800
  private static let header =
    "time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ,latitude,longitude\n"

  /// Returns a log of a device at rest for a second; rows with a number in `places` have a place.
  private static func text(_ places: [Int: String], stamp: (Int) -> String) -> String {
    header + (0..<100).map { "\(stamp($0)),0,0,-1,0,0,0,\(places[$0] ?? ",")\n" }.joined()
  }

  private static func nanoseconds(_ row: Int) -> String { "\(start * 1_000_000_000 + row * 10_000_000)" }
  private static func unixSeconds(_ row: Int) -> String { "\(Double(start) + Double(row) / 100)" }
  private static func seconds(_ row: Int) -> String { "\(Double(row) / 100)" }

  private func isMiddleOf2019(_ year: Double?) -> Bool { year.map { abs($0 - 2019.5) < 1e-3 } ?? false }

  @Test("the first place of a log is used, however late; 0, 0 and a latitude of 95 are not places")
  func firstPlace() throws {
    let places = [10: "0,0", 20: "95,8", 60: "47.4,8.5", 70: "-33.4,-70.6"]
    for stamp in [Self.nanoseconds, Self.unixSeconds] {
      let path = folder.write(Self.text(places, stamp: stamp), to: "log.csv")
      let found = try PlaceAndDate(ofLog: path)
      #expect(found.place == Place(latitude: 47.4, longitude: 8.5))
      #expect(isMiddleOf2019(found.year), "\(String(describing: found.year))")
      let source = try RecordingSource(path: path)
      #expect(source.declination == (try MagneticDeclination(log: found)?.angle))
      #expect(source.warnings == ["location: 1 value infinite or impossible, left out"])
    }
  }

  @Test("a log without a place still has a date, and a reader that does not need the place stops early")
  func dateAlone() throws {
    var path = folder.write(Self.text([0: "47.4,8.5"], stamp: Self.unixSeconds), to: "log.csv")
    let dated = try PlaceAndDate(ofLog: path, wantsPlace: false)
    #expect(dated.place == nil && isMiddleOf2019(dated.year))
    path = folder.write(Self.text([:], stamp: Self.nanoseconds), to: "log.csv")
    let found = try PlaceAndDate(ofLog: path)
    #expect(found.place == nil && isMiddleOf2019(found.year))
    let source = try RecordingSource(path: path)
    #expect(source.declination == nil && source.warnings.isEmpty)
  }

  @Test("a recording with an unknown date uses the newest model's epoch, and warns")
  func placeAlone() throws {
    let path = folder.write(Self.text([5: "47.4,8.5"], stamp: Self.seconds), to: "log.csv")
    #expect(try PlaceAndDate(ofLog: path) == PlaceAndDate(place: Place(latitude: 47.4, longitude: 8.5)))
    let source = try RecordingSource(path: path)
    let newest = try MagneticDeclination(given: PlaceAndDate(place: Place(latitude: 47.4, longitude: 8.5)))
    #expect(source.declination == newest?.angle && source.warnings.count == 1 && source.warnings[0].contains("date"))
  }

  @Test("a given place overrides the log's; an invalid one is an error, and an invalid date of the log is a warning")
  func given() throws {
    let early = Self.text([5: "47.4,8.5"]) { "\(1_100_000_000.0 + Double($0) / 100)" }
    let path = folder.write(early, to: "log.csv")
    let source = try RecordingSource(path: path)
    #expect(source.declination == nil)
    #expect(source.warnings.count == 1 && source.warnings[0].contains("true north is unknown"))
    let given = PlaceAndDate(place: Place(latitude: -33.4, longitude: -70.6), year: 2020)
    let other = try RecordingSource(path: path, given: given)
    #expect(other.declination == (try MagneticDeclination(given: given)?.angle) && other.warnings.isEmpty)
    #expect(throws: LogError.self) { try RecordingSource(path: path, given: PlaceAndDate(year: 2040)) }
    #expect(throws: LogError.self) {
      try RecordingSource(path: path, given: PlaceAndDate(place: Place(latitude: 99, longitude: 0), year: 2020))
    }
  }
}
