import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFilters

@Suite("Madgwick's revised filter")
struct RevisedMadgwickTests {
  private static let up = Vector3(0, 0, -1)
  private static let field = Vector3(20, 0, -40)

  private func filter(_ change: (inout RevisedMadgwick.Parameters) -> Void = { _ in }) -> RevisedMadgwick {
    var parameters = RevisedMadgwick.Parameters()
    (parameters.timeConstant, parameters.magneticWeight, parameters.stationaryThreshold) = (2, 1, 0)
    (parameters.accelerationRejection, parameters.magneticRejection) = (0.2, 0.2)
    parameters.recoveryTriggerPeriod = 5
    return RevisedMadgwick(parameters: with(parameters, change))
  }

  /// Returns the rate, in rad/s, by which a step corrects an attitude at rest, in device axes.
  private func correction(
    _ revised: RevisedMadgwick, _ state: inout RevisedMadgwick.State, field: Vector3? = nil, dt: Double = 0.001
  ) -> Vector3 {
    let before = state.earthFromDevice
    revised.advance(&state, by: MotionStep(rate: .zero, acceleration: Self.up, magneticField: field, duration: dt))
    return (before.conjugate * state.earthFromDevice).rotationVector / dt
  }

  // MARK: Feedback

  @Test("the feedback is axis times sine up to 90°, and twice the unit axis beyond")
  func feedback() {
    for degrees in [0.0, 1, 45, 89.9, 90.1, 135, 179.9] {
      let angle = degrees * .pi / 180
      let predicted = Vector3(1, 2, -2) / 3
      let axis = predicted.cross(.unitX).normalized!
      let measured = Quaternion(angle: -angle, axis: axis).rotate(predicted)
      let expected = (degrees < 90 ? sin(angle) : 2) * axis
      #expect(isNear(RevisedMadgwick.feedback(from: predicted, to: measured), expected, within: 1e-12))
    }
    #expect(RevisedMadgwick.feedback(from: .unitX, to: -.unitX) == .zero)
  }

  @Test("tilt and heading errors decay with the time constant, heading's over the field's weight", arguments: [0.5, 4])
  func decay(timeConstant: Double) {
    let revised = filter { ($0.timeConstant, $0.magneticWeight) = (timeConstant, 0.5) }
    let step = MotionStep(rate: .zero, acceleration: Self.up, magneticField: Self.field, duration: timeConstant / 1000)
    var tilted = RevisedMadgwick.State(earthFromDevice: Quaternion(angle: 0.03, axis: .unitX))
    var turned = RevisedMadgwick.State(earthFromDevice: rotation(aboutZ: 3))
    for _ in 0..<1000 {
      revised.advance(&tilted, by: step)
      revised.advance(&turned, by: step)
    }
    let (tilt, turn) = (
      AttitudeError(tilted.earthFromDevice, truth: .identity), AttitudeError(turned.earthFromDevice, truth: .identity)
    )
    #expect(isNear(tilt.tilt, 0.03 * 180 / .pi * exp(-1), within: 0.01))
    #expect(isNear(turn.heading, 3 * exp(-0.5), within: 0.01) && turn.tilt < 1e-9)
  }

  @Test("a field corrects the heading without an acceleration; one along the vertical has no effect")
  func fieldAlone() {
    let revised = filter()
    var state = RevisedMadgwick.State(earthFromDevice: rotation(aboutZ: 5))
    revised.advance(&state, by: MotionStep(rate: .zero, magneticField: Self.field, duration: 0.1))
    #expect(AttitudeError(state.earthFromDevice, truth: .identity).heading < 4.9)
    let before = state
    revised.advance(&state, by: MotionStep(rate: .zero, magneticField: Vector3(0, 0, -40), duration: 0.1))
    #expect(isSameRotation(state.earthFromDevice, before.earthFromDevice, within: 1e-15))
  }

  // MARK: Rejection and recovery

  @Test("an error above the threshold is ignored, an error below is not", arguments: [true, false])
  func rejection(ofField: Bool) {
    func rate(_ angle: Double, _ change: (inout RevisedMadgwick.Parameters) -> Void = { _ in }) -> Double {
      let revised = filter(change)
      let attitude = Quaternion(angle: angle, axis: ofField ? .unitZ : .unitX)
      var state = RevisedMadgwick.State(earthFromDevice: attitude)
      let rate = correction(revised, &state, field: ofField ? Self.field : nil).norm
      #expect(state.isMagneticallyDisturbed == (ofField && rate == 0))
      return rate
    }
    #expect(isNear(rate(0.199), 0.5 * sin(0.199), within: 1e-4) && rate(0.201) == 0 && rate(3) == 0)
    // Without a threshold, or without a recovery period, no sample is rejected.
    for angle in [0.201, 1.5] {
      let noThreshold = rate(angle) {
        if ofField { $0.magneticRejection = 0 } else { $0.accelerationRejection = 0 }
      }
      #expect(isNear(noThreshold, 0.5 * sin(angle), within: 1e-3))
      #expect(isNear(rate(angle) { $0.recoveryTriggerPeriod = 0 }, 0.5 * sin(angle), within: 1e-3))
    }
  }

  @Test("an error that stays beyond the threshold is corrected after the recovery period", arguments: [true, false])
  func recovery(ofField: Bool) {
    let revised = filter()
    var state = RevisedMadgwick.State(earthFromDevice: Quaternion(angle: 1, axis: ofField ? .unitZ : .unitX))
    let field = ofField ? Self.field : nil
    var time = 0.0
    while time < 4.985 {
      time += 0.01
      #expect(correction(revised, &state, field: field, dt: 0.01) == .zero)
    }
    for _ in 0..<3000 { _ = correction(revised, &state, field: field, dt: 0.01) }
    #expect(state.earthFromDevice.angle < 0.001 && !state.isMagneticallyDisturbed)
  }

  @Test("the recovery's trigger changes by (10 p − 9) over the period, and recovery lasts from 1 to 0")
  func trigger() {
    let (near, far) = (Vector3(0.1, 0, 0), Vector3(0, 0.3, 0))
    func gate(_ pattern: [Vector3], seconds: Double, _ gate: RejectionGate = RejectionGate()) -> RejectionGate {
      var gate = gate
      for index in 0..<Int((seconds / 0.01).rounded()) {
        _ = gate.admits(pattern[index % pattern.count], within: 0.2, over: 0.01, 4)
      }
      return gate
    }
    #expect(gate([near], seconds: 10) == RejectionGate())
    #expect(isNear(gate([far], seconds: 2).trigger, 0.5, within: 1e-9) && gate([far], seconds: 20).trigger == 1)
    // 19 of 20 samples are far: p = 0.95.
    let pattern = [Vector3](repeating: far, count: 19) + [near]
    #expect(isNear(gate(pattern, seconds: 4).trigger, 0.5, within: 0.03))
    // 9 of 10: the trigger is constant.
    let balanced = [Vector3](repeating: far, count: 9) + [near]
    #expect(gate(balanced, seconds: 100).trigger < 0.03)
    // 8 of 10 end a recovery: (9 − 8) / 4 per second.
    var recovering = gate([far], seconds: 4.1)
    #expect(recovering.isRecovering)
    let fewer = [Vector3](repeating: far, count: 4) + [near]
    recovering = gate(fewer, seconds: 3.5, recovering)
    #expect(recovering.isRecovering && recovering.isBeyond == false)
    var isAdmitted = recovering.admits(far, within: 0.2, over: 0.01, 4)
    #expect(isAdmitted)
    recovering = gate(fewer, seconds: 1, recovering)
    #expect(!recovering.isRecovering)
    isAdmitted = recovering.admits(far, within: 0.2, over: 0.01, 4)
    #expect(!isAdmitted)
    #expect(recovering.isBeyond)
  }

  @Test("a passing magnet is flagged and does not change the heading")
  func magnetPasses() {
    var suite = SensorSuite.researchIMU.forFilters(rates: (100, 100, 50))
    suite.disturbances = [MagneticDisturbance(start: 10, end: 13, field: Vector3(-10, 30, 0), ramp: 0.2)]
    let simulation = Simulation(
      trajectory: RandomSplineTrajectory(duration: 60, restDuration: 2, rotationStep: 0.4, seed: 6),
      sensors: suite, duration: 20)
    var filter = RevisedMadgwickFilter(parameters: self.filter().parameters)
    var largest = 0.0
    filter.follow(simulation, on: simulation.trajectory) { time, estimate, error in
      guard time > 3 else { return }
      let isFlagged = estimate.flags.contains(.magneticDisturbance)
      if (10.5..<12.5).contains(time) { #expect(isFlagged) }
      if !(10..<13.1).contains(time) { #expect(!isFlagged, "at \(time) s") }
      largest = max(largest, abs(error.heading))
    }
    #expect(largest < 4)
  }

  // MARK: Ramp

  @Test("without a start-up the gain falls from 10 to its final value in 3 s, without rejections until then")
  func ramp() {
    let revised = filter { $0.handling.startUpDuration = 0 }
    let attitude = Quaternion(angle: 1, axis: .unitX)
    var state = RevisedMadgwick.State(earthFromDevice: attitude)
    for index in 1...301 {
      let rate = correction(revised, &state, dt: 0.01)
      let gain = max(0.5, 10 - 9.5 * Double(index) / 300)
      // In single precision, the end would be a step early.
      if index < 300 {
        #expect(isNear(rate.norm, gain * sin(1), within: 0.01))
        #expect(state.isConverging && !state.accelerationGate.isBeyond)
      } else if index == 301 {
        #expect(rate == .zero)
        #expect(!state.isConverging)
      }
      state.earthFromDevice = attitude
    }
  }

  @Test("with a start-up, or with a gain above the ramp's, there is no ramp")
  func noRamp() {
    var state = RevisedMadgwick.State(earthFromDevice: Quaternion(angle: 0.1, axis: .unitX))
    #expect(isNear(correction(filter(), &state).norm, 0.5 * sin(0.1), within: 1e-4))
    #expect(!state.isConverging)
    let strong = filter { ($0.handling.startUpDuration, $0.gain) = (0, 20) }
    state = RevisedMadgwick.State(earthFromDevice: Quaternion(angle: 0.1, axis: .unitX))
    #expect(isNear(correction(strong, &state).norm, 20 * sin(0.1), within: 1e-3))
  }

  @Test("a rate out of range starts the ramp and resets rejections; one within it does not", arguments: [0.0, 10])
  func overrange(range: Double) {
    let revised = filter { $0.gyroscopeRange = range }
    for rate in [9.79, 9.81, -9.81] {
      var state = RevisedMadgwick.State(earthFromDevice: Quaternion(angle: 1, axis: .unitX))
      for _ in 0..<100 { _ = correction(revised, &state, dt: 0.01) }
      #expect(state.accelerationGate.trigger > 0.1)
      revised.advance(&state, by: MotionStep(rate: Vector3(0, rate, 0), acceleration: Self.up, duration: 0.01))
      let isLost = range > 0 && abs(rate) > 9.8
      #expect(state.isConverging == isLost && (state.accelerationGate.trigger == 0) == isLost)
      guard isLost else { continue }
      for _ in 0..<299 { _ = correction(revised, &state, dt: 0.01) }
      // An error of 1 rad and more is corrected after the ramp.
      #expect(AttitudeError(state.earthFromDevice, truth: .identity).tilt < 1)
      #expect(!state.isConverging || state.rampLeft < 1e-9)
    }
  }

  @Test("the filter flags convergence after a rate out of range")
  func overrangeFlag() throws {
    let kind = FilterKind.all["revised-madgwick"]!
    var filter = try kind.make(["gyroscopeRange": 10])
    for index in 0...600 {
      let time = 0.01 * Double(index)
      filter.update(gyroscope: Vector3(0, 0, index == 200 ? 9.9 : 0), at: time)
      filter.update(accelerometer: Self.up, at: time)
      let isConverging = filter.estimate!.flags.contains(.converging)
      if index != 499 { #expect(isConverging == (index < 100 || (200..<499).contains(index)), "\(index)") }
    }
  }

  @Test("a restart sets the attitude, resets rejections, restarts the ramp and keeps the bias")
  func restart() {
    let revised = filter { ($0.handling.startUpDuration, $0.stationaryThreshold, $0.stationaryPeriod) = (0, 0.1, 1) }
    var state = RevisedMadgwick.State(earthFromDevice: .identity)
    let step = MotionStep(rate: Vector3(0.01, 0, 0), acceleration: Self.up, duration: 0.01)
    for _ in 0..<400 { revised.advance(&state, by: step) }
    #expect(!state.isConverging)
    let bias = state.gyroscopeBias
    #expect(isNear(bias, Vector3(0.01, 0, 0), within: 1e-9))
    state.restart(at: rotation(aboutZ: 20))
    #expect(state.earthFromDevice == rotation(aboutZ: 20) && state.gyroscopeBias == bias)
    revised.advance(&state, by: step)
    #expect(state.isConverging)
  }

  // MARK: Bias

  private let settings = StationaryBias.Settings(threshold: 0.05, period: 3, timeConstant: 8, bound: 0.2)

  private func learn(_ bias: inout StationaryBias, _ rate: Vector3, seconds: Double) {
    for _ in 0..<Int((seconds / 0.01).rounded()) { bias.add(rate, over: 0.01, settings) }
  }

  @Test("a small rate that stays is a bias after the period; a changing or large rate is not")
  func stationaryBias() {
    let rate = Vector3(0.03, -0.04, 0)
    var bias = StationaryBias()
    learn(&bias, rate, seconds: 2.98)
    #expect(bias.value == .zero)
    learn(&bias, rate, seconds: 0.05)
    #expect(isNear(bias.value, rate, within: 1e-12))
    // The threshold applies to the rate minus the bias.
    var large = StationaryBias()
    learn(&large, Vector3(0, 0, 0.051), seconds: 10)
    #expect(large.value == .zero)
    var interrupted = StationaryBias()
    for _ in 0..<10 {
      learn(&interrupted, rate, seconds: 2.9)
      learn(&interrupted, Vector3(1, 0, 0), seconds: 0.01)
    }
    #expect(interrupted.value == .zero)
  }

  @Test("the bias is a running mean at first, and later a low-pass of the time constant")
  func biasLowPass() {
    var bias = StationaryBias()
    learn(&bias, .zero, seconds: 3)
    // Learned from the end of the period: the mean of the first 2 s.
    learn(&bias, .zero, seconds: 0.99)
    learn(&bias, Vector3(0.01, 0, 0), seconds: 1)
    #expect(isNear(bias.value.x, 0.005, within: 5e-5))
    learn(&bias, bias.value, seconds: 10)
    let before = bias.value.x
    learn(&bias, Vector3(before + 0.01, 0, 0), seconds: 8)
    #expect(isNear(bias.value.x - before, 0.01 * (1 - exp(-1)), within: 1e-5))
  }

  @Test("a bias never exceeds its bound, and is not learned without a threshold")
  func biasBound() {
    var bias = StationaryBias()
    for index in 0..<100_000 {
      bias.add(bias.value + Vector3(0.02, -0.02, 0), over: 0.01, settings)
      if index == 10_000 { #expect(bias.value.x > 0.1) }
    }
    #expect(bias.value == Vector3(0.2, -0.2, 0))
    let off = with(settings) { $0.threshold = 0 }
    var none = StationaryBias()
    for _ in 0..<1000 { none.add(.zero, over: 0.01, off) }
    #expect(none == StationaryBias())
  }

  @Test("samples farther apart than the time constant each set the whole bias")
  func slowSamples() {
    let quick = with(settings) { $0.timeConstant = 0.01 }
    var bias = StationaryBias()
    for _ in 0..<40 { bias.add(Vector3(0.01, 0, 0), over: 0.1, quick) }
    bias.add(Vector3(0.02, 0, 0), over: 0.1, quick)
    #expect(isNear(bias.value.x, 0.02, within: 1e-15))
  }
}
