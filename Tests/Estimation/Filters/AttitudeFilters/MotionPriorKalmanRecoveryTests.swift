import Foundation
import InertialNumerics
import InertialRotations
import TestSupport
import Testing

@testable import InertialFilters

@Suite("Kalman filter with a motion prior: recovery of the tilt")
struct MotionPriorKalmanRecoveryTests {
  @Test(
    "equation (19): a recovery levels the mean force by the smallest rotation, and its uncertainty grows with the angle",
    arguments: [0.4, 1.2])
  func recovery(angle: Double) {
    var filter = MotionPriorKalman.withErrors()
    filter.correlate(seed: 8)
    filter.state.velocity = Vector3(5, -3, 1)
    let force = 9.5 * Quaternion(angle: angle, axis: Vector3(1, 2, 0)).rotate(.unitZ)
    for _ in 0..<5000 { filter.state.tiltDivergence.add(force: force, dt: 0.01) }
    let before = filter.state
    filter.recoverTilt()
    let after = filter.state
    let turn = after.northFromDevice * before.northFromDevice.conjugate
    #expect(isNear(turn.rotate(force), Vector3(0, 0, 9.5), within: 1e-9))
    #expect(isNear(turn.rotationVector.z, 0, within: 1e-9))
    #expect(after.velocity == .zero && after.meanSquareVelocity == MeanSquareVelocity(1))

    // Of attitude and velocity, nothing remains but the variance of the heading; the sensors keep everything.
    var expected = before.kalman.matrix
    for index in [0, 1, 2, 6, 7, 8] {
      for other in 0..<24 where other != index { (expected[index, other], expected[other, index]) = (0, 0) }
    }
    let tilt = max(0.17, 0.3 * angle)
    for index in 0..<2 { expected[index, index] = tilt * tilt }
    expected[2, 2] += angle * angle
    for index in 6..<9 { expected[index, index] = 1 }
    #expect(areNear(expected, after.kalman.matrix, within: 1e-9))
  }
}
