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

  @Test("equation (22): heading and field from a field with a wrong tilt have the errors that geometry predicts")
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

  @Test("equation (23): tilt and heading have the uncertainty of an unknown bias since the middle of the start-up")
  func biasOfTheStart() {
    for duration in [0.5, 1.0] {
      let (known, unknown) = (
        Self.started(biasSigma: 1e-9, duration: duration), Self.started(biasSigma: 0.1, duration: duration)
      )
      let half = unknown.timeline.age / 2
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

  @Test("equation (21): the tilt's sigma after the start-up grows with the spread of the force")
  func tiltOfTheStart() {
    for size in [0.0, 0.2] {
      var parameters = MotionPriorKalman.Parameters()
      (parameters.initialTiltSigma, parameters.startUpTiltFactor, parameters.initialBiasSigma) = (0.02, 0.3, 1e-9)
      var filter = MotionPriorKalman(parameters: parameters)
      var generator = SeededGenerator(seed: 4)
      var (forces, step) = ([Vector3](), 0)
      repeat {
        let force = Vector3(0.2, -0.1, -0.9) + generator.vector(size)
        filter.update(step, rate: .zero, force: force)
        // The first sample only begins the start-up.
        if step > 0 { forces.append(force) }
        step += 1
      } while filter.isStartingUp
      // The gyroscope's last sample ended it before the accelerometer's.
      forces.removeLast()
      let mean = (1 / Double(forces.count)) * forces.reduce(.zero, +)
      let variance = forces.reduce(0) { $0 + ($1 - mean).squaredNorm } / Double(forces.count)
      let sigma = 0.02 + 0.3 * variance.squareRoot()
      let state = filter.state
      let found = state.kalman.standardDeviations(MotionErrors.attitude)
      #expect(isNear(Vector3(found.x, found.y, 0), Vector3(sigma, sigma, 0), within: 1e-7))
      let speed = state.kalman.standardDeviations(MotionErrors.velocity)
      #expect(isNear(speed, Vector3(0.1, 0.1, 0.1), within: 1e-12))
      #expect(state.meanSquareVelocity == MeanSquareVelocity(0))
    }
  }

  @Test("equation (22): a field determines heading and field like three components with unknown prior values")
  func firstField() throws {
    var filter = MotionPriorKalman.withErrors {
      ($0.fieldSigma, $0.initialHeadingSigma, $0.fieldDelaySigma) = (1.5, 0.2, 0.04)
    }
    filter.correlate(seed: 9)
    filter.state.field.isKnown = false
    filter.state.velocity = Vector3(1, 2, 3)
    let (before, azimuth, field) = (filter.state, 0.8, Vector3(24, 0, -37))
    let turn = Quaternion(angle: -azimuth, axis: .unitZ)
    filter.alignToField(turn.rotateInverse(field))
    #expect(isSameRotation(filter.state.northFromDevice, turn * before.northFromDevice, within: 1e-12))
    #expect(isNear(filter.state.velocity, turn.rotate(before.velocity), within: 1e-12))
    #expect(isNear(filter.state.field.vector, field, within: 1e-12))

    var prior = before.kalman
    prior.turn(MotionErrors.inEarthAxes, by: turn.matrix)
    prior.isolate(MotionErrors.heading..<MotionErrors.heading + 1, variance: 4)
    prior.isolate(MotionErrors.field.indices, variance: field.squaredNorm)
    prior.isolate(MotionErrors.fieldDelay.indices, variance: 0.04 * 0.04)
    // The derivatives by differences: a true attitude rotates the measured field by exp(θ), which is then B.
    let step = 1e-5
    var h = Matrix(rowCount: 3, columnCount: 24)
    for axis in 0..<3 {
      let small = with(Vector3.zero) { $0[axis] = step }
      let (plus, minus) = (Quaternion(rotationVector: small), Quaternion(rotationVector: -small))
      h.setBlock(0, axis, (-0.5 / step) * (plus.rotate(field) - minus.rotate(field)))
    }
    h.setBlock(0, MotionErrors.field.start, Vector3(1, 0, 0))
    h.setBlock(0, MotionErrors.field.start + 1, Vector3(0, 0, -1))
    let west = 0.2 * 24
    let noise = Matrix(diagonal: [1.5 * 1.5, west * west, 1.5 * 1.5])
    let p = prior.matrix
    let expected = try p - p * h.transpose * Cholesky(h * p * h.transpose + noise).solve(h * p)
    #expect(areNear(expected, filter.state.kalman.matrix, within: 1e-6))
  }

  @Test("equation (23): a bias during the start-up causes the error that its correlation predicts", arguments: 0..<3)
  func errorOfABias(axis: Int) {
    let bias = with(Vector3.zero) { $0[axis] = 1e-3 }
    func run(_ rate: Vector3) -> MotionPriorKalman.State {
      var filter = MotionPriorKalman()
      // A restart may begin with a scale of any size.
      filter.state.gyroscopeScale = Matrix3(
        rows: Vector3(0.3, 0.1, -0.2), Vector3(-0.1, -0.2, 0.1), Vector3(0.2, 0.15, 0.25))
      var step = 0
      repeat {
        filter.update(step, rate: rate, force: Vector3(0.3, -0.5, -0.8), field: Vector3(20, 10, 35))
        step += 1
      } while filter.isStartingUp
      return filter.state
    }
    let (truth, state) = (run(.zero), run(bias))
    let error = (truth.northFromDevice * state.northFromDevice.conjugate).rotationVector
    let index = MotionErrors.gyroscopeBias.start + axis
    let row = Vector3(state.kalman[0, index], state.kalman[1, index], state.kalman[2, index])
    let expected = bias.norm / state.kalman[index, index] * row
    #expect(error.norm > 3e-4)
    // The last samples of the start-up count for half an interval more or less.
    #expect(isNear(error, expected, within: 0.03 * error.norm))
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
