import InertialNumerics
import InertialRotations
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
        factor * factor.transpose, turned: frame, persistentFraction: share, spin: spin)
      let found = Self.spread(factor, in: frame, share: share, spin: spin)
      // The standard deviation of a sigma of 100,000 values is 0.2 %.
      for axis in 0..<3 { #expect(isNear(stated[axis] / found[axis], 1, within: 0.01)) }
    }
  }
}
