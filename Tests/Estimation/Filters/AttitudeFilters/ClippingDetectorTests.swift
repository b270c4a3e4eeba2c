import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFilters

@Suite("Kalman filter with a motion prior: a gyroscope beyond its range")
struct ClippingDetectorTests {
  /// Returns the rates of swings about x, with some motion about the other axes, clipped at a range.
  private static func rates(amplitude: Double, range: Double) -> [Vector3] {
    (0..<1000).map { index in
      let phase = 2 * Double.pi * 2 * 0.005 * Double(index)
      let x = min(max(amplitude * sin(phase), -range), range)
      return Vector3(x, 0.5 * cos(0.7 * phase), 0.2 * sin(1.3 * phase))
    }
  }

  private static func limit(_ rates: [Vector3], declared: Double = 0) -> Double {
    var detector = ClippingDetector(declaredRange: declared)
    for rate in rates { detector.add(rate) }
    return detector.limit
  }

  @Test("a range that clips swings is detected, to 1 %; swings without clipping and repeated samples are not")
  func found() {
    #expect(isNear(Self.limit(Self.rates(amplitude: 14, range: 8.73)), 0.98 * 8.73, within: 0.01))
    let free = Self.rates(amplitude: 8, range: 100)
    #expect(Self.limit(free) == .infinity)
    // At any resolution of the numbers.
    #expect(Self.limit(free.map { 0.01 * Vector3(($0.x * 100).rounded(), $0.y * 100, $0.z * 100) }) == .infinity)
    let held = Self.rates(amplitude: 14, range: 100).enumerated().flatMap { index, rate in
      [Vector3](repeating: rate, count: index % 7 == 0 ? 6 : 1)
    }
    #expect(Self.limit(held) == .infinity)
  }

  @Test("a rate beyond the detected range refutes it; a declared range is kept")
  func contradicted() {
    let rates = Self.rates(amplitude: 14, range: 8.73) + [Vector3(12, 0, 0)]
    #expect(Self.limit(rates) == .infinity && Self.limit(rates, declared: 34.9) == 0.98 * 34.9)
  }

  @Test("a range that is refuted within an epoch leaves finite sigmas above 0")
  func refuted() {
    var filter = MotionPriorKalman()
    let swing = [2.0, 5, 8, 8, 8, 8, 8, 8, 5, 2]
    let beyond = [2.0, 5, 7.95, 7.96, 7.97, 7.98, 7.99, 8.3, 5, 2]
    let starts = [600: (swing, 1.0), 800: (swing, -1), 1200: (beyond, 1), 1400: (beyond, -1)]
    var (angle, wasStarting, counted) = (0.0, [Int](), 0)
    for index in 0..<2000 {
      let time = 0.005 * Double(index)
      let burst = starts.first { $0.key <= index && index < $0.key + 10 }
      let rate = burst.map { $0.value.1 * $0.value.0[index - $0.key] } ?? 0
      angle += 0.005 * rate
      filter.update(gyroscope: Vector3(rate, 1e-3 * Double(index % 3), 0), at: time)
      filter.update(accelerometer: Vector3(0, -sin(angle), -cos(angle)), at: time)
      guard let estimate = filter.estimate, let sigma = estimate.attitudeSigma else { continue }
      counted += 1
      if estimate.flags.contains(.converging), index > 600 { wasStarting.append(index) }
      #expect(sigma.isFinite && min(sigma.x, sigma.y, sigma.z) > 0, "\(sigma) at \(time) s")
    }
    #expect(counted > 1900)
    #expect(wasStarting.isEmpty, "the filter starts over at \(wasStarting)")
  }

  @Test("a variance that is not a number is an infinite sigma")
  func unknown() {
    let none = Matrix3(diagonal: Vector3(.nan, -1, 4))
    let sigma = MotionPriorKalman.attitudeSigma(
      none, of: .identity, hiddenForceBias: .zero, turned: .identity, persistentFraction: 0, spin: 0)
    #expect(sigma == Vector3(.infinity, .infinity, 2))
  }

  @Test("spins beyond an undeclared range have as little weight as spins beyond a declared one")
  func undeclared() throws {
    let scene = try #require(BenchmarkScene.named("saturation"))
    func tiltSigma(declares: Bool) -> Double {
      let simulation = scene.simulation(seed: 2)
      var filter = MotionPriorKalman(
        parameters: with(.init()) { if declares { $0.gyroscopeRange = simulation.sensors.gyroscope?.range ?? 0 } })
      var maximum = 0.0
      for sample in simulation where sample.channel == .gyroscope || sample.channel == .accelerometer {
        filter.take(sample)
        guard sample.channel == .gyroscope, sample.time > 5 else { continue }
        if let sigma = filter.estimate?.attitudeSigma { maximum = max(maximum, sigma.norm) }
      }
      return maximum
    }
    #expect(tiltSigma(declares: false) > 0.5 * tiltSigma(declares: true))
  }

  @Test("after spins beyond the range, the field corrects a heading that is wrong by any angle")
  func heading() throws {
    let scene = try #require(BenchmarkScene.named("saturation"))
    for seed in UInt64(1)...5 {
      let simulation = scene.simulation(seed: seed, duration: 120)
      var filter = MotionPriorKalman(
        parameters: with(.init()) { $0.gyroscopeRange = simulation.sensors.gyroscope?.range ?? 0 })
      var (sum, count) = (0.0, 0.0)
      for sample in simulation {
        filter.take(sample)
        guard sample.time > 5, sample.channel == .gyroscope, let estimate = filter.estimate else { continue }
        let error = simulation.trajectory.state(at: sample.time).attitude * estimate.earthFromDevice.conjugate
        let heading = (2 * atan2(error.z, error.w)).remainder(dividingBy: 2 * .pi)
        (sum, count) = (sum + heading * heading, count + 1)
      }
      let mean = (sum / count).squareRoot() * 180 / .pi
      #expect(mean < 8, "\(mean)° with seed \(seed)")
    }
  }
}
