import Testing

@Suite("Additional sensors of a simulated phone") struct ContextSensorsTests {
  private static let place = ContextSensors(latitude: 47, longitude: 8, altitude: 400, declination: 3)

  /// Returns the samples without errors.
  private func exact(_ trajectory: any Trajectory, duration: Double) -> [AuxiliarySample] {
    var context = Self.place
    (context.pressureNoise, context.placeError, context.speedNoise) = (0, 0, 0)
    return context.samples(of: trajectory, duration: duration, seed: 1)
  }

  @Test("an ascent of ten metres lowers the pressure by 0.12 kPa at 400 m, and is reported as ten metres")
  func barometer() {
    let samples = exact(RisingTrajectory(RestTrajectory(), climb: .lift(speed: 1)), duration: 30)
    let pressures = samples.filter { $0.channel == .barometer }
    #expect(pressures.count == 30 && pressures.map(\.time) == (0..<30).map(Double.init))
    // The standard atmosphere has 96.61 kPa at 400 m (ISO 2533).
    #expect(abs(pressures[0]["pressure"] - 96.611) < 0.002 && pressures[0]["relativeAltitude"] == 0)
    #expect(abs(pressures[29]["pressure"] - pressures[0]["pressure"] + 0.1153) < 0.001)
    #expect(abs(pressures[29]["relativeAltitude"] - 10) < 0.02)
    #expect(samples.last { $0.channel == .location }?["locationAltitude"] == 410)
  }

  @Test("a walk along magnetic north deviates from true north by the declination, and has the walk's length")
  func location() throws {
    let samples = exact(WalkTrajectory(speed: 1.5, bounce: 0), duration: 101).filter { $0.channel == .location }
    let (first, last) = (try #require(samples.first), try #require(samples.last))
    let north = (last["latitude"] - first["latitude"]) * .pi / 180 * 6_371_008.8
    let east = (last["longitude"] - first["longitude"]) * .pi / 180 * 6_371_008.8 * cos(47 * .pi / 180)
    #expect(abs(hypot(north, east) - 150) < 0.1)
    #expect(abs(atan2(east, north) * 180 / .pi - 3) < 0.1)
    #expect(samples.allSatisfy { abs($0["course"] - 3) < 0.11 && abs($0["speed"] - 1.5) < 0.02 })
    // A stationary device has no course.
    let still = exact(RestTrajectory(), duration: 3).filter { $0.channel == .location }
    #expect(still.allSatisfy { $0["course"].isNaN && $0["speed"] == 0 })
  }

  @Test("errors have their stated size and duration, and depend on the seed")
  func errors() {
    let samples = Self.place.samples(of: RestTrajectory(), duration: 20_000, seed: 4)
    #expect(samples == Self.place.samples(of: RestTrajectory(), duration: 20_000, seed: 4))
    #expect(samples != Self.place.samples(of: RestTrajectory(), duration: 20_000, seed: 5))
    let north = samples.filter { $0.channel == .location }.map { ($0["latitude"] - 47) * .pi / 180 * 6_371_008.8 }
    let mean = RunningStatistics(north).mean
    let deviation = RunningStatistics(north).populationVariance.squareRoot()
    #expect(abs(deviation - 2) < 0.3)
    // After its duration the correlation of an error is 1/e.
    let products = zip(north, north.dropFirst(30)).map { ($0 - mean) * ($1 - mean) }
    let correlation = products.reduce(0, +) / Double(products.count) / (deviation * deviation)
    #expect(abs(correlation - exp(-1)) < 0.15)
    let pressures = RunningStatistics(samples.filter { $0.channel == .barometer }.map { $0["pressure"] })
    #expect(abs(pressures.populationVariance.squareRoot() - 0.001) < 1e-4)
  }
}
