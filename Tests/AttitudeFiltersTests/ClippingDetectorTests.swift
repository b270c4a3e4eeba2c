import Foundation
import LinearAlgebra
import Rotations
import Sensors
import Simulation
import TestSupport
import Testing

@testable import AttitudeFilters

@Suite("Kalman filter with a motion prior: a gyroscope beyond its range")
struct ClippingDetectorTests {
  /// Swings about x, with some motion about the other axes, cut at a range.
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

  @Test("a range that cuts swings off is found, to 1 %")
  func found() {
    #expect(isNear(Self.limit(Self.rates(amplitude: 14, range: 8.73)), 0.99 * 8.73, within: 0.01))
  }

  @Test("swings that are not cut have no range, however coarse the numbers are")
  func none() {
    #expect(Self.limit(Self.rates(amplitude: 8, range: 100)) == .infinity)
    let coarse = Self.rates(amplitude: 8, range: 100).map {
      0.01 * Vector3(($0.x * 100).rounded(), $0.y * 100, $0.z * 100)
    }
    #expect(Self.limit(coarse) == .infinity)
  }

  @Test("a sample that is repeated is no range")
  func repeated() {
    let held = Self.rates(amplitude: 14, range: 100).enumerated().flatMap { index, rate in
      [Vector3](repeating: rate, count: index % 7 == 0 ? 6 : 1)
    }
    #expect(Self.limit(held) == .infinity)
  }

  @Test("a rate beyond what was taken for the range shows that it was none; a declared one stays")
  func contradicted() {
    let rates = Self.rates(amplitude: 14, range: 8.73) + [Vector3(12, 0, 0)]
    #expect(Self.limit(rates) == .infinity)
    #expect(Self.limit(rates, declared: 34.9) == 0.99 * 34.9)
  }

  @Test("spins beyond an undeclared range are worth as little as beyond a declared one")
  func undeclared() throws {
    let scene = try #require(BenchmarkScene.named("saturation"))
    func tiltSigma(declares: Bool) -> Double {
      var parameters = MotionPriorKalman.Parameters()
      let simulation = scene.simulation(seed: 2)
      if declares { parameters.gyroscopeRange = simulation.sensors.gyroscope?.range ?? 0 }
      var filter = MotionPriorKalman(parameters: parameters)
      var most = 0.0
      for sample in simulation {
        switch sample.channel {
        case .gyroscope:
          filter.update(gyroscope: sample.vector, at: sample.time)
          if sample.time > 5, let sigma = filter.estimate?.attitudeSigma { most = max(most, sigma.norm) }
        case .accelerometer: filter.update(accelerometer: sample.vector, at: sample.time)
        default: break
        }
      }
      return most
    }
    #expect(tiltSigma(declares: false) > 0.5 * tiltSigma(declares: true))
  }
}
