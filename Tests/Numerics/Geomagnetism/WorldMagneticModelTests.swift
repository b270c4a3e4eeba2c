import Testing

struct WorldMagneticModelTests {
  @Test("the built-in models agree with an independent implementation to 0.01° and 1 nT")
  func reference() throws {
    let url = try #require(
      Bundle.module.url(forResource: "world-magnetic-model", withExtension: "csv", subdirectory: "Fixtures"))
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst()
    #expect(lines.count == 120)
    var (worstAngle, worstField) = (0.0, 0.0)
    for line in lines {
      let cells = line.split(separator: ",")
      let v = cells.dropFirst().compactMap { Double($0) }
      try #require(v.count == 11)
      let elements = try MagneticModel.elements(latitude: v[2], longitude: v[3], height: v[1] * 1000, decimalYear: v[0])
      #expect(try MagneticModel.model(for: v[0]).name == cells[0].replacing("_", with: "-"))
      let angles: [Double] = [remainder(elements.declination - v[4], 360), elements.inclination - v[5]]
      let fields: [Double] = [
        elements.horizontalIntensity, elements.north, elements.east, elements.down, elements.totalIntensity,
      ]
      worstAngle = angles.reduce(worstAngle) { max($0, abs($1)) }
      worstField = zip(fields, v[6...]).reduce(worstField) { max($0, abs($1.0 - $1.1)) }
    }
    print("world magnetic model, \(lines.count) points: worst \(worstAngle)°, \(worstField) nT")
    #expect(worstAngle < 0.01 && worstField < 1)
  }

  @Test("the models have the epochs 2015, 2020 and 2025 and degree 12, without a gap from 2015 to 2030")
  func builtIn() throws {
    #expect(MagneticModel.builtIn.map(\.name) == ["WMM-2015v2", "WMM-2020", "WMM-2025"])
    #expect(MagneticModel.builtIn.map(\.epoch) == [2015, 2020, 2025])
    #expect(MagneticModel.builtIn.allSatisfy { $0.degree == 12 } && MagneticModel.builtInYears == 2015...2030)
    for (year, epoch) in [(2015.0, 2015.0), (2019.999, 2015), (2020, 2020), (2025, 2025), (2030, 2025)] {
      #expect(try MagneticModel.model(for: year).epoch == epoch)
    }
  }

  @Test("a date outside every model is an error with the valid range", arguments: [2014.99, 2030.01, .nan, .infinity])
  func dateOutOfRange(year: Double) {
    let error = #expect(throws: GeomagnetismError.self) {
      try MagneticModel.elements(latitude: 45, longitude: 5, decimalYear: year)
    }
    #expect(error?.description.contains("2015.0 to 2030.0") == true && error?.description.contains("\(year)") == true)
  }

  @Test("a model rejects dates outside its own five years")
  func ownYears() throws {
    let old = try MagneticModel.model(for: 2016)
    #expect(throws: GeomagnetismError.dateOutOfRange(decimalYear: 2021, years: 2015...2020)) {
      try old.elements(latitude: 0, longitude: 0, decimalYear: 2021)
    }
    _ = try old.elements(latitude: 0, longitude: 0, decimalYear: 2020)
  }

  @Test("impossible places are errors, but the limits themselves are valid")
  func places() throws {
    let field = { (latitude: Double, longitude: Double, height: Double) throws(GeomagnetismError) in
      try MagneticModel.elements(latitude: latitude, longitude: longitude, height: height, decimalYear: 2026)
    }
    #expect(throws: GeomagnetismError.invalidLatitude(90.001)) { try field(90.001, 0, 0) }
    #expect(throws: GeomagnetismError.invalidLatitude(-91)) { try field(-91, 0, 0) }
    #expect(throws: GeomagnetismError.self) { try field(.nan, 0, 0) }
    #expect(throws: GeomagnetismError.invalidLongitude(.infinity)) { try field(0, .infinity, 0) }
    #expect(throws: GeomagnetismError.invalidHeight(850_001)) { try field(0, 0, 850_001) }
    #expect(throws: GeomagnetismError.invalidHeight(-1001)) { try field(0, 0, -1001) }
    _ = try field(90, 0, 850_000)
    _ = try field(-90, 0, -1000)
    let (near, far) = (try field(40, -170, 0), try field(40, 190, 0))
    #expect(isNear(near.declination, far.declination, within: 1e-12))
    #expect(isNear(try field(40, 3600 + 5, 0).east, try field(40, 5, 0).east, within: 1e-6))
  }

  @Test("at the poles the field is the limit along every meridian", arguments: [90.0, -90])
  func poles(pole: Double) throws {
    for longitude in [0.0, 37, 180, -90] {
      let at = try MagneticModel.elements(latitude: pole, longitude: longitude, decimalYear: 2026)
      let near = try MagneticModel.elements(latitude: pole * (1 - 1e-9), longitude: longitude, decimalYear: 2026)
      #expect(isNear(at.northWestUp, near.northWestUp, within: 1e-6))
      // One field, in horizontal axes rotated by the longitude.
      let zero = try MagneticModel.elements(latitude: pole, longitude: 0, decimalYear: 2026)
      let angle = (pole > 0 ? -longitude : longitude) * .pi / 180
      #expect(isNear(at.north, zero.north * cos(angle) + zero.east * sin(angle), within: 1e-6))
      #expect(isNear(at.east, zero.east * cos(angle) - zero.north * sin(angle), within: 1e-6))
      #expect(isNear(at.down, zero.down, within: 1e-6))
    }
  }

  @Test("the secular variation is the derivative of every element by time")
  func secularVariation() throws {
    for (latitude, longitude) in [(45.0, 5.0), (-60, 150), (2, -80), (81, -80)] {
      let at = { (year: Double) in
        try MagneticModel.elements(latitude: latitude, longitude: longitude, height: 500, decimalYear: year)
      }
      let (before, now, after) = (try at(2026.99), try at(2027), try at(2027.01))
      let rates: [(KeyPath<MagneticElements, Double>, Double, tolerance: Double)] = [
        (\.north, now.northRate, 1e-6), (\.east, now.eastRate, 1e-6), (\.down, now.downRate, 1e-6),
        (\.horizontalIntensity, now.horizontalIntensityRate, 1e-4), (\.totalIntensity, now.totalIntensityRate, 1e-4),
        (\.declination, now.declinationRate, 1e-4), (\.inclination, now.inclinationRate, 1e-4),
      ]
      for (value, rate, tolerance) in rates {
        let slope = (after[keyPath: value] - before[keyPath: value]) / 0.02
        #expect(isNear(slope, rate, within: tolerance), "\(value)")
      }
    }
  }

  @Test("the field in µT is north, west, up, and points down in the northern hemisphere")
  func vector() throws {
    let elements = try MagneticModel.elements(latitude: 48, longitude: 11, height: 500, decimalYear: 2024.5)
    let v = elements.northWestUp
    #expect(isNear(v, Vector3(elements.north, -elements.east, -elements.down) / 1000, within: 1e-12))
    #expect(v.z < -40 && v.x > 20 && v.norm > 47 && v.norm < 50)
  }
}
