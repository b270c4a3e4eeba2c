import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialFilters

@Suite("Kalman filter with a motion prior: uncertainty after the start-up")
struct MotionPriorKalmanStartTests {
  /// Returns the state at the end of the start-up of a device that does not rotate but is pushed to the west in its
  /// first half.
  private static func started(biasSigma: Double, duration: Double = 1, field: Vector3? = nil) -> MotionPriorKalman.State
  {
    var parameters = MotionPriorKalman.Parameters()
    parameters.initialBiasSigma = biasSigma
    parameters.handling.startUpDuration = duration
    var filter = MotionPriorKalman(parameters: parameters)
    var time = 0.0
    repeat {
      filter.update(gyroscope: .zero, at: time)
      filter.update(accelerometer: Vector3(0, time < 0.5 * duration ? -0.3 : 0, -1), at: time)
      if let field { filter.update(magneticField: field, at: time) }
      time += 0.01
    } while filter.isStartingUp
    return filter.state
  }

  @Test("heading and field from a field with a wrong tilt have the errors that geometry predicts")
  func fieldOfAWrongTilt() {
    let state = Self.started(biasSigma: 1e-9, field: Vector3(19, 0, -42))
    let (p, h, d) = (state.kalman, state.field.horizontal, state.field.down)
    func isCovariance(_ a: Int, _ b: Int, _ value: Double) -> Bool {
      isNear(p[a, b], value, within: 0.02 * (p[a, a] * p[b, b]).squareRoot())
    }
    // The field seems rotated about north by θx: the heading by as much as removes its westward part again.
    #expect(isCovariance(MotionErrors.heading, 0, -d / h * p[0, 0]) && isCovariance(MotionErrors.heading, 1, 0))
    // For a rotation around west by θy, a part of each component becomes one of the other.
    #expect(isCovariance(MotionErrors.field.start, 1, -d * p[1, 1]))
    #expect(isCovariance((MotionErrors.field.start + 1), 1, h * p[1, 1]))
    #expect(isCovariance(MotionErrors.field.start, 0, 0) && isCovariance((MotionErrors.field.start + 1), 0, 0))
  }

  @Test("tilt and heading have the uncertainty of an unknown bias since the middle of the start-up")
  func biasOfTheStart() {
    for duration in [0.5, 1.0] {
      let (known, unknown) = (
        Self.started(biasSigma: 1e-9, duration: duration), Self.started(biasSigma: 0.1, duration: duration)
      )
      let half = unknown.age / 2
      #expect(isNear(half, duration / 2, within: 0.01))
      let bias = unknown.kalman[MotionErrors.gyroscopeBias.start, MotionErrors.gyroscopeBias.start]
      let added = unknown.attitudeCovariance - known.attitudeCovariance
      let expected = half * half * bias * Matrix3.identity
      for axis in 0..<3 { #expect(isNear(added.column(axis), expected.column(axis), within: 1e-9)) }
      // θ = −R b t: the correlation is examined by axis of the device.
      let turn = unknown.northFromDevice.matrix
      for axis in 0..<3 {
        let row = Vector3(unknown.kalman[axis, 3], unknown.kalman[axis, 4], unknown.kalman[axis, 5])
        #expect(isNear(row, -half * bias * turn.row(axis), within: 1e-9))
      }
    }
    #expect(Self.started(biasSigma: 0.1, duration: 0).kalman[0, 3] == 0)
  }

  @Test("a gap ends a clipping: the variance of the restart stays constant")
  func clippingBeforeGap() {
    var filter = MotionPriorKalman(parameters: with(.init()) { $0.gyroscopeRange = 10 })
    for step in 0..<1000 where !(350..<550).contains(step) {
      let time = 0.01 * Double(step)
      filter.update(gyroscope: Vector3(0, 0, (300..<350).contains(step) ? 10 : 0), at: time)
      filter.update(accelerometer: Vector3(0, 0, -1), at: time)
    }
    #expect(filter.state.clippedTime == .zero && filter.estimate!.attitudeSigma!.z < 4)
  }
}
