import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFilters

@Suite("Complementary filter")
struct ComplementaryTests {
  private typealias Parameters = ComplementaryFilter.Parameters

  /// The noise that implies time constants at an interval: equation (8) of docs/theory/complementary.md, for a measured
  /// angle with a noise of `r`.
  private static func noise(
    for constants: CorrectionTimeConstants, r: Double, interval: Double
  ) -> (gyroscope: Double, bias: Double) {
    let gain = -expm1(-interval / constants.attitude)
    let biasGain = interval * interval / (constants.attitude * constants.bias)
    let left = 1 - gain
    let angle = gain * gain / left - biasGain * (1 + 1 / left) + biasGain * biasGain / (6 * left)
    return (angle.squareRoot() * r / interval, biasGain / left.squareRoot() * r / (interval * interval))
  }

  /// Seeded time constants with a bias slower than the attitude, and intervals.
  private static func seeded(_ count: Int) -> [(constants: CorrectionTimeConstants, interval: Double)] {
    var random = SeededGenerator(seed: 8)
    return (0..<count).map { _ in
      let attitude = pow(10, Double.random(in: 0...1.5, using: &random))
      let bias = attitude * pow(10, Double.random(in: 0.4...2, using: &random))
      return (.init(attitude: attitude, bias: bias), pow(10, Double.random(in: -2.3 ... -1, using: &random)))
    }
  }

  // MARK: The steady state

  @Test("noise that implies time constants yields them, for seeded rates and noise")
  func impliedTimeConstants() throws {
    for (constants, interval) in Self.seeded(200) {
      let r = 0.003 * constants.attitude
      let (q, b) = Self.noise(for: constants, r: r, interval: interval)
      let steady = try #require(
        CorrectionTimeConstants(gyroscopeNoise: q, biasNoise: b, measurementNoise: r, interval: interval))
      #expect(isNear(steady.attitude / constants.attitude, 1, within: 1e-9))
      #expect(isNear(steady.bias / constants.bias, 1, within: 1e-9))
    }
  }

  @Test("the gains of the time constants are a fixed point of the Riccati recursion, for seeded rates and noise")
  func fixedPoint() throws {
    var random = SeededGenerator(seed: 4)
    for (_, interval) in Self.seeded(50) {
      let (q, b) = (Double.random(in: 1e-4...1e-2, using: &random), Double.random(in: 1e-6...1e-4, using: &random))
      let r = Double.random(in: 1e-3...0.1, using: &random)
      let steady = try #require(
        CorrectionTimeConstants(gyroscopeNoise: q, biasNoise: b, measurementNoise: r, interval: interval))
      let gains = (
        -expm1(-interval / steady.attitude), -interval / (steady.attitude * steady.bias)
      )
      // The recursion of equations (1) to (4) from no error, in rad and rad/s, until nothing changes.
      let (walk, variance) = (b * b * interval, r * r / interval)
      var (p, last) = ((0.0, 0.0, 0.0), -1.0)
      while p.0 > last {
        last = p.0
        for _ in 0..<10_000 {
          let k = (p.0 / (p.0 + variance), p.1 / (p.0 + variance))
          let (u, v, w) = ((1 - k.0) * p.0, (1 - k.0) * p.1, p.2 - k.1 * p.1)
          p.0 = u - 2 * interval * v + interval * interval * w + q * q * interval + walk * interval * interval / 3
          p.1 = v - interval * w - walk * interval / 2
          p.2 = w + walk
        }
      }
      #expect(isNear(gains.0 * (p.0 + variance) / p.0, 1, within: 1e-9))
      #expect(isNear(gains.1 * (p.0 + variance) / p.1, 1, within: 1e-9))
    }
  }

  @Test("short intervals have the continuous filter's time constants; the defaults are near 4, 500, 20 and 520 s")
  func continuous() throws {
    let parameters = Parameters()
    for (r, attitude, bias) in [(parameters.tiltNoise, 4.0, 500.0), (parameters.headingNoise, 20, 520)] {
      let (q, b) = (parameters.gyroscopeNoise, parameters.biasNoise)
      let steady = try #require(
        CorrectionTimeConstants(gyroscopeNoise: q, biasNoise: b, measurementNoise: r, interval: 0.001))
      let rate = (q * q / (r * r) + 2 * b / r).squareRoot()
      #expect(isNear(steady.attitude * rate, 1, within: 1e-6))
      #expect(isNear(steady.bias * b / (r * rate), 1, within: 1e-3))
      #expect(isNear(steady.attitude / attitude, 1, within: 0.01) && isNear(steady.bias / bias, 1, within: 0.01))
    }
  }

  @Test("noise that is not a number has no time constants")
  func invalidNoise() {
    #expect(
      CorrectionTimeConstants(gyroscopeNoise: .nan, biasNoise: 1e-5, measurementNoise: 0.01, interval: 0.01) == nil)
  }

  // MARK: The filter

  /// A phone with a regular clock.
  private static let simulation: Simulation = {
    var suite = SensorSuite.phone.forFilters(rates: (128, 128, 32))
    for path in [\SensorSuite.gyroscope, \SensorSuite.accelerometer] {
      suite[keyPath: path]?.intervalJitter = 0
      suite[keyPath: path]?.clockJitter = 0
      suite[keyPath: path]?.clockDrift = 0
    }
    return Simulation(
      trajectory: RandomSplineTrajectory(duration: 60, restDuration: 5, seed: 6), sensors: suite, duration: 60)
  }()

  @Test("a filter with noise that implies time constants equals the filter with these time constants to 1e-9")
  func equalFilters() throws {
    let tilt = CorrectionTimeConstants(attitude: 4, bias: 40)
    let q = Self.noise(for: tilt, r: 0.006, interval: 1 / 128.0)
    var parameters = Parameters()
    (parameters.accelerationTimeConstant, parameters.biasTimeConstant) = (tilt.attitude, tilt.bias)
    var steady = parameters
    (steady.gains, steady.tiltNoise) = (.steadyState, 0.006)
    (steady.gyroscopeNoise, steady.biasNoise) = q
    let heading = try #require(
      CorrectionTimeConstants(
        gyroscopeNoise: q.gyroscope, biasNoise: q.bias, measurementNoise: steady.headingNoise, interval: 1 / 32.0))
    parameters.magneticTimeConstant = heading.attitude
    // Both corrections of the plain filter have one bias time constant, so only the start has a field.
    let samples = Self.simulation.samples().filter {
      $0.channel != .calibratedMagneticField || $0.time < parameters.handling.startUpDuration
    }
    var (a, b) = (ComplementaryFilter(parameters: parameters), ComplementaryFilter(parameters: steady))
    var (largest, count) = (0.0, 0)
    for sample in samples {
      a.take(sample)
      b.take(sample)
      guard let x = a.estimate, let y = b.estimate else { continue }
      largest = max(
        largest, x.earthFromDevice.angle(to: y.earthFromDevice), (x.gyroscopeBias - y.gyroscopeBias).maximumMagnitude)
      count += 1
    }
    #expect(largest < 1e-9 && count > 15_000, "\(largest)")
    #expect(isNear(try #require(b.state.tilt).attitude, 4, within: 1e-9) && a.state.tilt == nil)
  }

  @Test("the time constants fit the present interval, also after a gap, and a saved filter keeps them")
  func intervals() throws {
    let filter = try #require(FilterKind.all["complementary"]).make(["gains": 1])
    var steady = try #require(filter as? ComplementaryFilter)
    func expected(_ noise: Double, _ interval: Double) -> CorrectionTimeConstants? {
      let parameters = Parameters()
      return CorrectionTimeConstants(
        gyroscopeNoise: parameters.gyroscopeNoise, biasNoise: parameters.biasNoise, measurementNoise: noise,
        interval: interval)
    }
    // Powers of two, so that differences of times are exact.
    for (start, interval) in [(0.0, 1 / 128.0), (8, 1 / 16.0)] {
      for index in 0..<Int(4 / interval) {
        steady.update(
          gyroscope: .zero, accelerometer: Vector3(0, 0.6, -0.8), magneticField: Vector3(20, 5, -40),
          at: start + interval * Double(index))
      }
      #expect(steady.state.tilt == expected(0.006, interval) && steady.state.heading == expected(0.031, interval))
    }
    #expect(haveSameState(try savedAndResumed(steady), steady))
  }

  @Test("a filter by noise follows a simulated phone as well as one by time constants")
  func accuracy() throws {
    func errors(_ settings: [String: Double]) throws -> RunErrors {
      var filter = try #require(FilterKind.all["complementary"]).make(settings)
      return run(&filter, over: Self.simulation, skip: 5)
    }
    let (plain, steady) = (try errors([:]), try errors(["gains": 1]))
    #expect(steady.tiltRMS < 1.1 * plain.tiltRMS + 0.05 && steady.headingRMS < 1.1 * plain.headingRMS + 0.05)
    // A field without information leaves the heading to the gyroscope, with another error.
    #expect(try errors(["gains": 1, "headingNoise": 10]).headingRMS != steady.headingRMS)
  }

  // MARK: The start

  @Test("the first attitude is the tilt with yaw 0, and with a field the compass's, to 1e-12")
  func start() throws {
    for q in Quaternion.random(200, seed: 12) {
      let (down, field) = (q.rotateInverse(-.unitZ), q.rotateInverse(Vector3(18, 7, -40)))
      var filter = ComplementaryFilter()
      filter.update(accelerometer: 1.1 * down, at: 0)
      let tilt = try #require(filter.estimate).earthFromDevice
      #expect(isSameRotation(tilt, try Tilt.attitude(acceleration: down), within: 1e-12))
      filter.update(magneticField: field, at: 0)
      let compass = try ECompass.attitude(acceleration: down, field: field)
      #expect(isSameRotation(try #require(filter.estimate).earthFromDevice, compass, within: 1e-12))
      // Without a field the heading stays; with the initial heading as reference, too.
      var held = ComplementaryFilter(parameters: with(Parameters()) { $0.headingReference = .initialHeading })
      held.update(accelerometer: down, at: 0)
      held.update(magneticField: field, at: 0)
      #expect(isSameRotation(try #require(held.estimate).earthFromDevice, tilt, within: 1e-12))
    }
  }

  @Test("an upright device and a vertical field have no yaw of their own, and leave a finite attitude")
  func undetermined() throws {
    for down in [Vector3(0, -1, 0), Vector3(0, 1, 0)] {
      var filter = ComplementaryFilter()
      filter.update(accelerometer: down, at: 0)
      let start = try #require(filter.estimate).earthFromDevice
      #expect(isNear(start.rotate(down), -.unitZ, within: 1e-12))
      filter.update(magneticField: 40 * down, at: 0)
      #expect(try #require(filter.estimate).earthFromDevice == start)
    }
  }

  @Test("the start-up's attitude aligns the means of force and field, for samples with seeded noise")
  func means() throws {
    var random = SeededGenerator(seed: 2)
    func noise(_ size: Double) -> Vector3 {
      let range = -size...size
      return Vector3(
        .random(in: range, using: &random), .random(in: range, using: &random), .random(in: range, using: &random))
    }
    var filter = ComplementaryFilter()
    var (force, field) = (Vector3.zero, Vector3.zero)
    for index in 0...50 {
      let time = 0.01 * Double(index)
      let (down, north) = (Vector3(0.3, 0.4, -0.8) + noise(0.1), Vector3(18, 7, -40) + noise(3))
      filter.update(gyroscope: .zero, accelerometer: down, magneticField: north, at: time)
      // The first force only starts the attitude.
      if index > 0 { force += down }
      field += north
    }
    let means = try Davenport.attitude(acceleration: force, field: field)
    #expect(isSameRotation(try #require(filter.estimate).earthFromDevice, means, within: 1e-12))
  }
}
