import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFilters

@Suite("AQUA")
struct AQUATests {
  private static let field = EarthField().vector

  private func parameters(_ change: (inout AQUA.Parameters) -> Void) -> AQUA { AQUA(parameters: with(.init(), change)) }

  // MARK: The algebraic quaternion

  @Test("the magnetic correction is the shortest rotation about the vertical that brings the field to north")
  func fieldCorrection() throws {
    for degrees in stride(from: -180.0, through: 180, by: 7.5) {
      let l = rotation(aboutZ: degrees).rotate(Vector3(20, 0, -44))
      let delta = try #require(AQUA.delta(field: l))
      #expect(isSameRotation(delta, rotation(aboutZ: -degrees), within: 1e-14))
      #expect(delta.w >= 0 && abs(delta.norm - 1) < 1e-15)
    }
  }

  // MARK: Fractions of a correction

  /// Returns the remaining error after one step at rest from an attitude that is wrong by some degrees about an axis.
  private func errorLeft(_ algorithm: AQUA, degrees: Double, about axis: Vector3, dt: Double = 0.01) -> Double {
    var state = AQUA.State(earthFromDevice: Quaternion(angle: degrees * .pi / 180, axis: axis))
    algorithm.advance(
      &state, by: MotionStep(rate: .zero, acceleration: -.unitZ, magneticField: Self.field, duration: dt))
    return state.earthFromDevice.angle * 180 / .pi
  }

  @Test("α and β are the fractions of the tilt and heading error that a sample at 100 Hz corrects")
  func classicalGains() {
    let tilt = parameters { ($0.alpha, $0.beta) = (0.25, 0.01) }
    #expect(isNear(errorLeft(tilt, degrees: 2, about: .unitX), 1.5, within: 0.02))
    let heading = parameters { ($0.alpha, $0.beta) = (0.01, 0.25) }
    #expect(isNear(errorLeft(heading, degrees: 2, about: .unitZ), 1.5, within: 0.02))
    // The paper's 0.01 is a time constant of one second.
    #expect(isNear(parameters { $0.alpha = 0.01 }.parameters.accelerationTimeConstant, 0.995, within: 0.001))
  }

  @Test("the fraction of a correction grows with the step: four steps equal one of four times the length")
  func stepLength() {
    let algorithm = parameters { ($0.magneticTimeConstant, $0.slerpThreshold) = (0.5, 1) }
    var state = AQUA.State(earthFromDevice: rotation(aboutZ: 30))
    let step = MotionStep(rate: .zero, magneticField: Self.field, duration: 0.05)
    for _ in 0..<4 { algorithm.advance(&state, by: step) }
    let once = errorLeft(algorithm, degrees: 30, about: .unitZ, dt: 0.2)
    #expect(isNear(state.earthFromDevice.angle * 180 / .pi, once, within: 1e-9))
    #expect(isNear(once, 30 * exp(-0.4), within: 1e-9))
  }

  @Test(
    "a small correction is interpolated linearly, (50), a large one by slerp, (52)",
    arguments: [1, 40, 120.0], [-1, 0.9, 1.0])
  func interpolation(degrees: Double, threshold: Double) {
    let algorithm = parameters { ($0.magneticTimeConstant, $0.slerpThreshold) = (0.02, threshold) }
    let fraction = 1 - exp(-0.5)
    let half = degrees * .pi / 360
    // The remaining angle, from the two formulas written out.
    let left: Double
    if cos(half) > threshold {
      left = degrees - 2 * atan2(fraction * sin(half), 1 - fraction + fraction * cos(half)) * 180 / .pi
    } else {
      let (a, b) = (sin((1 - fraction) * half) / sin(half), sin(fraction * half) / sin(half))
      left = degrees - 2 * atan2(b * sin(half), a + b * cos(half)) * 180 / .pi
    }
    #expect(isNear(errorLeft(algorithm, degrees: degrees, about: .unitZ), left, within: 1e-9))
  }

  @Test("an acceleration far from 1 g has less weight, and none beyond the second threshold")
  func gainFactor() {
    let algorithm = parameters { ($0.fullTrustError, $0.noTrustError) = (0.1, 0.3) }
    for (length, factor) in [(1, 1), (1.1, 1), (0.9, 1), (1.2, 0.5), (0.85, 0.75), (1.3, 0), (0, 0), (20, 0)] {
      #expect(isNear(algorithm.gainFactor(length), factor, within: 1e-12), "\(length) g")
    }
    // Equal thresholds switch, and reversed ones switch at the first.
    let hard = parameters { ($0.fullTrustError, $0.noTrustError) = (0.1, 0.1) }
    #expect(hard.gainFactor(1.099) == 1 && hard.gainFactor(1.101) == 0)
    let reversed = parameters { ($0.fullTrustError, $0.noTrustError) = (0.2, 0.1) }
    #expect(reversed.gainFactor(1.19) == 1 && reversed.gainFactor(1.21) == 0)
  }

  @Test("in free fall, and without any acceleration, the tilt follows only the gyroscope")
  func freeFall() {
    let start = Quaternion(angle: 0.4, axis: Vector3(1, 1, 0))
    for acceleration in [nil, Vector3(1e-9, 0, 0), Vector3(0.3, 0.2, -0.1), Vector3(3, 0, 0)] {
      var state = AQUA.State(earthFromDevice: start)
      AQUA().advance(&state, by: MotionStep(rate: .zero, acceleration: acceleration, duration: 1))
      #expect(isSameRotation(state.earthFromDevice, start, within: 1e-15))
    }
    // A vertical field also corrects nothing.
    var state = AQUA.State(earthFromDevice: .identity)
    AQUA().advance(&state, by: MotionStep(rate: .zero, magneticField: Vector3(0, 0, -40), duration: 1))
    #expect(state.earthFromDevice == .identity)
  }

  @Test("the bias is learned at rest and kept in motion")
  func bias() {
    let bias = Vector3(0.01, -0.02, 0.015)
    let algorithm = AQUA()
    var state = AQUA.State(earthFromDevice: .identity)
    func steps(_ seconds: Double, rate: (Double) -> Vector3) {
      for index in 0..<Int(seconds * 100) {
        algorithm.advance(
          &state, by: MotionStep(rate: rate(Double(index) / 100), acceleration: -.unitZ, duration: 0.01))
      }
    }
    steps(4) { Vector3(0.5 * sin(9 * $0), 0, 0) }
    #expect(state.gyroscopeBias == .zero)
    steps(4) { _ in bias }
    #expect(isNear(state.gyroscopeBias, bias, within: 1e-3))
    let known = state.gyroscopeBias
    steps(4) { bias + Vector3(0.5 * sin(9 * $0), 0, 0) }
    // The first hundredth of a second of the rotation is still rest.
    #expect(isNear(state.gyroscopeBias, known, within: 1e-5))
  }
}
