import InertialNumerics
import InertialRotations
import TestSupport
import Testing

@testable import InertialFilters

/// Equations (7) and (20) of docs/theory/flagship.md against random errors of samples.
@Suite("Kalman filter with a motion prior: noise of an epoch")
struct MotionPriorKalmanNoiseTests {
  /// Returns a filter without any uncertainty.
  private static func certain(_ change: (inout MotionPriorKalman.Parameters) -> Void) -> MotionPriorKalman {
    var filter = MotionPriorKalman.withErrors(change)
    filter.state.kalman.isolate(0..<24, variance: 0)
    return filter
  }

  /// Returns the variance of the sum of an epoch's steps, each of `dt` seconds and with a density of noise.
  private static func variance(density: Double, steps: Int, dt: Double, seed: UInt64) -> Double {
    var generator = SeededGenerator(seed: seed)
    let runs = 5000
    var sum = 0.0
    for _ in 0..<runs {
      var error = 0.0
      // A value of white noise over a shorter time is larger; its effect lasts for that time.
      for _ in 0..<steps { error += density / dt.squareRoot() * generator.normal() * dt }
      sum += error * error
    }
    return sum / Double(runs)
  }

  @Test("equation (7): an epoch adds the variances of random errors of its samples", arguments: [5, 20])
  func densities(steps: Int) {
    var filter = Self.certain {
      ($0.gyroscopeNoise, $0.biasNoise, $0.accelerationNoise) = (3e-3, 2e-4, 0.004)
    }
    let duration = 0.01 * Double(steps)
    filter.pass(duration)
    filter.closeEpoch()
    let blocks = [
      (MotionErrors.attitude, 3e-3), (MotionErrors.gyroscopeBias, 2e-4), (MotionErrors.velocity, 0.004 * 9.80665),
    ]
    var expected = Matrix(rowCount: 24, columnCount: 24)
    for (seed, (block, density)) in blocks.enumerated() {
      let value = Self.variance(density: density, steps: steps, dt: 0.01, seed: UInt64(seed))
      for index in block.indices { expected[index, index] = value }
    }
    // The standard deviation of a variance of 5000 values is 2 %. All other elements are 0.
    #expect(areNear(expected, filter.state.kalman.matrix, within: 0.08))
  }

  @Test("equation (20): a clipping has an unknown constant excess of half of the range, until it ends")
  func clipping() {
    let range = 10.0
    var filter = Self.certain { ($0.gyroscopeRange, $0.gyroscopeNoise, $0.biasNoise) = (range, 1e-9, 0) }
    let rotation = filter.state.rotation
    // Beyond 98 % of the range are x, in two successive epochs and a later one, and z in the first.
    let epochs: [(Vector3, Double)] = [
      (Vector3(9.9, 9.7, -9.85), 0.05), (Vector3(-9.9, 0, 9.7), 0.03), (.zero, 0.1), (Vector3(10, 0, 0), 0.02),
    ]
    for (rate, duration) in epochs {
      filter.pass(0.1)
      filter.state.epoch.addClipping(of: rate, beyond: filter.state.clipping.limit, dt: duration)
      filter.closeEpoch()
    }
    // The angle of each clipping is its excess times its duration. The excesses of x are independent.
    let (first, second, other) = (range / 2 * 0.08, range / 2 * 0.02, range / 2 * 0.05)
    let inDevice = Matrix3(diagonal: Vector3(first * first + second * second, 0, other * other))
    let expected = rotation * inDevice * rotation.transpose
    let found = filter.state.kalman[MotionErrors.attitude, MotionErrors.attitude]
    for axis in 0..<3 { #expect(isNear(found.column(axis), expected.column(axis), within: 1e-12)) }
  }
}
