import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFilters

@Suite("Kalman filter with a motion prior")
struct MotionPriorKalmanTests {
  /// Returns a filter after a start-up at rest, with nonzero sensor errors, in an epoch that is not complete.
  private static func started(_ change: (inout MotionPriorKalman.Parameters) -> Void = { _ in }) -> MotionPriorKalman {
    let parameters = with(MotionPriorKalman.Parameters()) { $0.epochDuration = 1 }
    var filter = MotionPriorKalman(parameters: with(parameters, change))
    for index in 0...101 {
      let time = 0.01 * Double(index)
      filter.update(gyroscope: .zero, at: time)
      filter.update(accelerometer: Vector3(0.1, -0.2, -0.95), at: time)
      filter.update(magneticField: Vector3(20, 5, -40), at: time)
    }
    filter.state.epoch = MotionEpoch()
    filter.state.gyroscopeBias = Vector3(0.01, -0.02, 0.03)
    filter.state.gyroscopeScale = Matrix3(
      rows: Vector3(0.01, 0.002, 0), Vector3(0, -0.02, 0.003), Vector3(0.001, 0, 0.005))
    filter.state.accelerometerBias = Vector3(0.1, 0.2, -0.1)
    return filter
  }

  /// Adds a twentieth of a second of motion after `started`.
  private static func move(_ filter: inout MotionPriorKalman) {
    for index in 1...50 {
      let time = 1.01 + 0.001 * Double(index)
      let phase = 0.1 * Double(index)
      filter.update(gyroscope: Vector3(2, 0.6 * phase, -1), at: time)
      filter.update(accelerometer: Vector3(0.5 * phase, -0.3, -0.9), at: time)
    }
  }

  @Test(
    "equation (6): errors at the start of an epoch propagate to its end as in numeric differentiation",
    arguments: 0..<24)
  func transition(index: Int) {
    var nominal = Self.started()
    var perturbed = nominal
    let step = 1e-6
    let three = Vector3(index % 3 == 0 ? step : 0, index % 3 == 1 ? step : 0, index % 3 == 2 ? step : 0)
    switch index {
    case 0..<3: perturbed.turn(by: Quaternion(rotationVector: three))
    case 3..<6: perturbed.state.gyroscopeBias += three
    case 6..<9: perturbed.state.velocity += three
    case 9..<18: perturbed.state.gyroscopeScale[index % 3, (index - 9) / 3] += step
    case 18..<21: perturbed.state.accelerometerBias += three
    case 21: perturbed.state.field.horizontal += step
    case 22: perturbed.state.field.down += step
    default: perturbed.state.field.delay += step
    }
    Self.move(&nominal)
    Self.move(&perturbed)
    let attitude = (perturbed.state.northFromDevice * nominal.state.northFromDevice.conjugate).rotationVector / step
    let velocity = (perturbed.state.velocity - nominal.state.velocity) / step
    // With P = e eᵀ, F P Fᵀ has the column of F in the row and column of e.
    var kalman = ErrorKalman(MotionErrors.layout)
    kalman.isolate(index..<index + 1, variance: 1)
    kalman.propagate(by: nominal.state.epoch.transition(scale: nominal.state.gyroscopeScale))
    func column(_ block: ErrorLayout.Block) -> Vector3 {
      Vector3(kalman[block.start, index], kalman[block.start + 1, index], kalman[block.start + 2, index])
    }
    #expect(isNear(attitude, column(MotionErrors.attitude), within: 1e-4))
    // F is of first order in the epoch: an attitude error that grows within the epoch would also change the velocity,
    // by up to g ω T²/2 = 0.04.
    let growsWithin = (3..<6).contains(index) || (9..<18).contains(index)
    #expect(isNear(velocity, column(MotionErrors.velocity), within: growsWithin ? 0.05 : 1e-3))
    #expect(kalman[index, index] >= 1)
  }

  // MARK: Measurements

  @Test("equation (9): without a field, the motion prior contains no information about the heading")
  func headingByMotion() {
    func variance(hasField: Bool) -> Double {
      var filter = Self.started()
      Self.move(&filter)
      filter.state.field.isKnown = hasField
      filter.state.velocity = Vector3(1, -2, 0.5)
      // The same velocity in axes that rotate with an uncertain heading.
      let (heading, velocity) = (MotionErrors.heading, MotionErrors.velocity.start)
      filter.state.kalman.isolate(0..<24, variance: 1e-9)
      filter.state.kalman.isolate(heading..<heading + 1, variance: 0.01)
      filter.state.kalman[velocity, heading] = 0.02
      filter.state.kalman[velocity + 1, heading] = 0.01
      filter.state.kalman[velocity, velocity] = 0.04
      filter.state.kalman[velocity, velocity + 1] = 0.02
      filter.state.kalman[velocity + 1, velocity + 1] = 0.01
      filter.takeMotionPrior()
      return filter.state.kalman[heading, heading]
    }
    #expect(variance(hasField: true) < 0.0099)
    #expect(isNear(variance(hasField: false), 0.01, within: 1e-9))
  }

  @Test("equation (15): without a field, motion corrects the heading by half of the optimal gain")
  func halfGain() {
    func correction(hasField: Bool) -> (heading: Double, velocity: Double) {
      var filter = Self.started()
      Self.move(&filter)
      filter.state.field.isKnown = hasField
      filter.state.velocity = Vector3(0, 0, 1)
      filter.state.kalman.isolate(0..<24, variance: 1)
      filter.state.kalman[8, 2] = 0.5
      filter.takeMotionPrior()
      return (filter.state.kalman.correction(at: 2), filter.state.kalman.correction(at: 8))
    }
    let (whole, half) = (correction(hasField: true), correction(hasField: false))
    #expect(abs(whole.heading) > 0.01 && isNear(half.heading, 0.5 * whole.heading, within: 1e-12))
    #expect(half.velocity == whole.velocity)
  }

  @Test("equation (13): the field's derivatives for a delayed measurement match numeric differentiation")
  func fieldDerivatives() {
    var model = EarthFieldModel()
    (model.horizontal, model.down, model.delay) = (20, 44, 0.03)
    let rate = Vector3(1, -2, 3)
    let field = Vector3(18, 3, -45)
    let step = 1e-6
    // Measured minus predicted, in the axes of the estimated attitude.
    func residual(_ model: EarthFieldModel, turnedBy error: Vector3 = .zero) -> Vector3 {
      Quaternion(rotationVector: error).rotate(field) - model.vector - model.delay * rate.cross(model.vector)
    }
    func changed(_ path: WritableKeyPath<EarthFieldModel, Double>) -> Vector3 {
      (residual(with(model) { $0[keyPath: path] += step }) - residual(model)) / step
    }
    let turns = (0..<3).map { axis in
      (residual(model, turnedBy: with(Vector3.zero) { $0[axis] = step }) - residual(model)) / step
    }
    let expected = [
      (0, turns[0]), (1, turns[1]), (2, turns[2]), (21, changed(\.horizontal)), (22, changed(\.down)),
      (23, changed(\.delay)),
    ]
    for axis in 0..<3 {
      for (index, change) in expected {
        // With P = e eᵀ and a large variance r of one component, the correction is h y / r.
        var kalman = ErrorKalman(MotionErrors.layout)
        kalman.isolate(index..<index + 1, variance: 1)
        let variance = with(Vector3(repeating: .infinity)) { $0[axis] = 1e12 }
        kalman.take(model.measurement(of: field, turningAt: rate, variance: variance))
        let derivative = kalman.correction(at: index) * 1e12 / residual(model)[axis]
        // The residual decreases by h δ when the estimate is corrected by δ.
        #expect(isNear(derivative, -change[axis], within: 1e-4), "error \(index), axis \(axis)")
      }
    }
  }

  @Test("equation (12): a field's deviation is in norm and vertical part, and does not depend on the heading")
  func deviation() {
    var model = EarthFieldModel()
    (model.horizontal, model.down) = (30, 40)
    func deviation(_ field: Vector3) -> Double {
      with(model) { $0.updateDeviation(with: field, dipWeight: 2, over: 1e9, memory: 1) }.deviation
    }
    #expect(isNear(deviation(Vector3(30, 0, -40)), 0, within: 1e-12))
    #expect(isNear(deviation(Vector3(18, 24, -40)), 0, within: 1e-12))
    #expect(isNear(deviation(Vector3(60, 0, -80)), (50.0 * 50 + 80 * 80).squareRoot(), within: 1e-9))
    var slow = model
    slow.updateDeviation(with: Vector3(60, 0, -80), dipWeight: 0, over: 0.1, memory: 100)
    #expect((0.0001..<1).contains(slow.deviation))
  }

  // MARK: Motion

  @Test("equation (8): the mean square of the velocity follows with its memory and has a limit")
  func speedMemory() {
    var memory = MeanSquareVelocity(1)
    #expect(memory.horizontal == 1 && memory.vertical == 1)
    memory.add(.zero, over: 10, memory: 10)
    #expect(isNear(memory.horizontal, 0.36788, within: 1e-4))
    memory.add(Vector3(3, 4, 2), over: 1e6, memory: 10)
    #expect(isNear(memory.horizontal, 12.5, within: 1e-9) && isNear(memory.vertical, 4, within: 1e-9))
    memory.add(Vector3(1e3, 1e3, 1e3), over: 1e6, memory: 10)
    #expect(memory.horizontal == 100 && memory.vertical == 100)
  }

  @Test("a step is the exponential map below and above the limit of its series")
  func step() {
    for angle in [0, 1e-9, 0.01, 0.0999, 0.1, 0.1001, 1, 3] {
      let turn = angle * Vector3(2, -1, 2) / 3
      let (step, exact) = (Quaternion(stepBy: turn), Quaternion(rotationVector: turn))
      #expect(isNear(step.vector, exact.vector, within: 1e-15) && isNear(step.w, exact.w, within: 3e-16))
    }
  }

  @Test("equation (18): the tilt is wrong if velocity grows while the mean force has gravity's norm and is not upright")
  func lost() {
    func isLost(_ force: Vector3, _ velocity: Vector3, for seconds: Double) -> Bool {
      var detector = TiltDivergenceDetector()
      for _ in 0..<1000 { detector.add(force: force, dt: 0.01) }
      var isLost = false
      for _ in 0..<Int((seconds / 0.1).rounded()) { isLost = detector.isLost(velocity: velocity, after: 0.1) }
      return isLost
    }
    let (tilted, upright) = (Vector3(7, 0, 7), Vector3(3, 0, 9.5))
    let (fast, slow) = (Vector3(0, 5, 1), Vector3(3, 3, 0))
    #expect(isLost(tilted, fast, for: 0.4) && !isLost(tilted, fast, for: 0.2))
    #expect(!isLost(upright, fast, for: 5) && !isLost(tilted, slow, for: 5))
    // The acceleration of a car is not gravity.
    #expect(!isLost(2 * tilted, fast, for: 5))
  }
}
