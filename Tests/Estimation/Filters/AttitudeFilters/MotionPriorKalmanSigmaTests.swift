import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialFilters

@Suite("Kalman filter with a motion prior: stated accuracy")
struct MotionPriorKalmanSigmaTests {
  /// Returns the standard deviations about the axes of a frame, of attitudes that are too late by a random time and whose
  /// errors have a covariance with the factor L.
  private static func spread(_ factor: Matrix3, in frame: Quaternion, share: Double, spin: Double) -> Vector3 {
    var generator = SeededGenerator(seed: 12)
    var squares = Vector3.zero
    let count = 100_000
    for _ in 0..<count {
      let error = frame.rotate(factor * generator.vector())
      let late = 0.003 * spin * generator.normal()
      let tilt = 1 + 4 * share
      let about = Vector3(
        tilt * error.x + late, tilt * error.y + late, (1 + 0.75 * share) * error.z + 0.5.squareRoot() * late)
      squares += Vector3(about.x * about.x, about.y * about.y, about.z * about.z)
    }
    return (1 / Double(count) * squares).standardDeviations
  }

  @Test(
    "equation (24): the stated sigma contains a lasting velocity and a late sample, about the axes of its frame",
    arguments: [0, 0.4], [0.0, 5])
  func sigma(share: Double, spin: Double) {
    let factor = 0.01 * Matrix3(rows: Vector3(1, 0.2, 0), Vector3(-0.5, 0.6, 0.1), Vector3(0.3, -0.4, 3))
    for frame in [Quaternion.identity, Quaternion(angle: 0.9, axis: .unitZ)] {
      let stated = MotionPriorKalman.attitudeSigma(
        factor * factor.transpose, of: frame, hiddenForceBias: .zero, turned: frame, persistentFraction: share,
        spin: spin)
      let found = Self.spread(factor, in: frame, share: share, spin: spin)
      // The standard deviation of a sigma of 100,000 values is 0.2 %.
      for axis in 0..<3 { #expect(isNear(stated[axis] / found[axis], 1, within: 0.01)) }
    }
  }

  @Test("equation (28): a hidden bias along an axis of the frame tilts about the other level axis")
  func hidden() {
    // 10 mg along the device's Y, which is the frame's X.
    let attitude = Quaternion(angle: -.pi / 2, axis: .unitZ)
    let variance = 0.01 * 0.01 * standardGravity * standardGravity
    let sigma = MotionPriorKalman.attitudeSigma(
      .zero, of: attitude, hiddenForceBias: Matrix3(diagonal: Vector3(0, variance, 0)), turned: .identity,
      persistentFraction: 0, spin: 0)
    #expect(isNear(sigma.y, 0.01, within: 1e-9) && isNear(sigma.x, 0, within: 1e-9) && sigma.z == 0)
  }

  /// Returns the standard deviations after five minutes, at rest or with a rotation about X or Y every 20 s.
  private static func stated(turns: Bool) throws -> Vector3 {
    var (filter, attitude) = (MotionPriorKalman(), Quaternion.identity)
    for index in 0..<30_000 {
      let time = Double(index) / 100
      let isTurning = turns && abs(time.remainder(dividingBy: 20)) < 2
      let rate = isTurning ? (Int(time / 20) % 2 == 0 ? Vector3(0, 1.2, 0) : Vector3(1.2, 0, 0)) : .zero
      filter.update(gyroscope: rate, at: time)
      attitude = attitude * Quaternion(rotationVector: 0.01 * rate)
      // A bias of 15 mg along each axis.
      filter.update(accelerometer: Vector3(repeating: 0.015) - attitude.rotateInverse(.unitZ), at: time)
    }
    return try #require(filter.estimate?.attitudeSigma)
  }

  @Test("a device that never turns keeps the tilt of an unknown bias, which rotation determines")
  func constantAttitude() throws {
    let (still, turned) = (try Self.stated(turns: false), try Self.stated(turns: true))
    #expect(
      min(still.x, still.y) > 0.0075 && max(turned.x, turned.y) < 0.7 * min(still.x, still.y), "\(still), \(turned)")
  }
}
