import InertialNumerics
import InertialRecognition
import Testing

struct StandardAtmosphereTests {
  @Test(
    "altitudes and pressures match the ICAO tables (Doc 7488)",
    arguments: [
      (-1000.0, 113.929), (0, 101.325), (1000, 89.8745), (5000, 54.0199), (11_000, 22.6320), (15_000, 12.0445),
      (20_000, 5.47487),
    ])
  func tables(altitude: Double, pressure: Double) throws {
    #expect(abs(StandardAtmosphere.pressure(altitude: altitude) / pressure - 1) < 2e-5)
    #expect(abs(try #require(StandardAtmosphere.altitude(pressure: pressure)) - altitude) < 0.2)
  }

  @Test("altitude and pressure are inverse functions, below and above the tropopause")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 1)
    for altitude in [-500, 0, 10_999.999, 11_000, 11_000.001, 25_000]
      + (0..<100).map({ _ in 20_000 * random.uniform() })
    {
      let pressure = StandardAtmosphere.pressure(altitude: altitude)
      #expect(abs(try #require(StandardAtmosphere.altitude(pressure: pressure)) - altitude) < 1e-6)
    }
  }

  @Test("an invalid pressure has no altitude", arguments: [0, -1, Double.nan, .infinity, -Double.infinity])
  func noPressure(_ pressure: Double) { #expect(StandardAtmosphere.altitude(pressure: pressure) == nil) }
}

struct AltimeterTests {
  /// Returns samples of an ascent of 0.2 m/s, one per second, in the format of a device.
  private func rise(_ count: Int, from altitude: Double = 100) -> [BarometerSample] {
    (0..<count).map { index in
      BarometerSample(
        time: Double(index), pressure: StandardAtmosphere.pressure(altitude: altitude + 0.2 * Double(index)),
        relativeAltitude: 0.2 * Double(index))
    }
  }

  private func altitudes(_ samples: [BarometerSample]) -> (data: [AltitudeData], altimeter: Altimeter) {
    var altimeter = Altimeter()
    var data = samples.flatMap { altimeter.update($0) }
    if let last = altimeter.finish() { data.append(last) }
    return (data, altimeter)
  }

  @Test("the first relative altitude is 0, later ones follow the formula, and the pressure is passed on")
  func contract() {
    let samples = rise(5)
    let (data, altimeter) = altitudes(samples)
    #expect(data.map(\.time) == [0, 1, 2, 3, 4] && data[0].relativeAltitude == 0)
    for (index, value) in data.enumerated() {
      #expect(abs(value.relativeAltitude - 0.2 * Double(index)) < 1e-6)
      #expect(value.pressure == samples[index].pressure)
    }
    #expect(altimeter.invalidCount + altimeter.lateCount + altimeter.staleCount == 0)
  }

  @Test("the first sample is held until the second, or until the end without one")
  func waits() {
    var altimeter = Altimeter()
    #expect(altimeter.update(rise(1)[0]).isEmpty)
    #expect(altimeter.finish() == AltitudeData(time: 0, relativeAltitude: 0, pressure: rise(1)[0].pressure))
    #expect(altimeter.finish() == nil)
    #expect(altitudes([]).data.isEmpty)
  }

  @Test("a stale first sample is left out, so that altitudes start with the second sample")
  func staleByDevice() {
    var samples = rise(4)
    samples[0].relativeAltitude = 2.3
    samples[1].relativeAltitude = 0
    let (data, altimeter) = altitudes(samples)
    #expect(data.map(\.time) == [1, 2, 3] && data[0].relativeAltitude == 0)
    #expect(altimeter.staleCount == 1)
  }

  @Test("a first sample is stale if its pressure contradicts its altitude, or its change is faster than any lift")
  func staleByPressure() {
    var samples = rise(4)
    samples[0].pressure = samples[0].pressure.map { $0 + 0.005 }
    #expect(altitudes(samples).altimeter.staleCount == 1)
    samples[0].pressure = StandardAtmosphere.pressure(altitude: 78)
    samples[0].relativeAltitude = nil
    #expect(altitudes(samples).altimeter.staleCount == 1)
    // A lift may rise at 4 m/s.
    samples[0].pressure = StandardAtmosphere.pressure(altitude: 96.2)
    #expect(altitudes(samples).altimeter.staleCount == 0)
  }

  @Test("without pressure, the device's relative altitude is used and continues after its resets to 0")
  func deviceOnly() {
    let values = [3.0, 3.5, 4, 0, 0.5, -1]
    let samples = values.enumerated().map { BarometerSample(time: Double($0.offset), relativeAltitude: $0.element) }
    let (data, altimeter) = altitudes(samples)
    #expect(data.map(\.relativeAltitude) == [0, 0.5, 1, 1, 1.5, 0])
    #expect(data.allSatisfy { $0.pressure == nil })
    #expect(altimeter.staleCount == 0)
  }

  @Test("samples without a value, out of order or repeated are left out and counted")
  func bad() {
    var samples = rise(4)
    samples.insert(BarometerSample(time: 1.5), at: 2)
    samples.insert(BarometerSample(time: .nan, pressure: 100), at: 0)
    samples.insert(BarometerSample(time: 2.5, pressure: -3, relativeAltitude: 1), at: 5)
    samples.append(samples[1])
    samples.append(samples[6])
    let (data, altimeter) = altitudes(samples)
    #expect(data.map(\.time) == [0, 1, 2, 3])
    #expect(altimeter.invalidCount == 3 && altimeter.lateCount == 2)
  }
}
