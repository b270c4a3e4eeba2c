import Foundation
import InertialNumerics
import InertialRotations
import TestSupport
import Testing

@testable import InertialFilters

@Suite("Mahony's filter")
struct MahonyTests {
  private static let up = Vector3(0, 0, -1)
  private static let north = Vector3(30, 0, 0)

  private func filter(_ change: (inout Mahony.Parameters) -> Void = { _ in }) -> Mahony {
    var parameters = Mahony.Parameters()
    (parameters.timeConstant, parameters.biasTimeConstant, parameters.magneticWeight) = (2, 1e12, 1)
    return Mahony(parameters: with(parameters, change))
  }

  @Test("a tilt error decays with the time constant", arguments: [0.5, 2, 10])
  func timeConstant(timeConstant: Double) {
    let mahony = filter { $0.timeConstant = timeConstant }
    var state = Mahony.State(earthFromDevice: Quaternion(angle: 0.05, axis: Vector3(1, 2, 0)))
    let step = MotionStep(rate: .zero, acceleration: Self.up, duration: timeConstant / 1000)
    for _ in 0..<1000 { mahony.advance(&state, by: step) }
    #expect(isNear(state.earthFromDevice.angle, 0.05 * exp(-1), within: 0.05 * 1e-3))
  }

  @Test(
    "a heading error decays with the time constant over the field's weight; the tilt stays", arguments: [0, 0.5, 1])
  func magneticWeight(weight: Double) {
    let mahony = filter { $0.magneticWeight = weight }
    var state = Mahony.State(earthFromDevice: rotation(aboutZ: 3))
    let step = MotionStep(rate: .zero, acceleration: Self.up, magneticField: Self.north, duration: 0.002)
    let steps = weight == 0 ? 1000 : Int(1000 / weight)
    for _ in 0..<steps { mahony.advance(&state, by: step) }
    let error = AttitudeError(state.earthFromDevice, truth: .identity)
    #expect(isNear(error.heading, weight == 0 ? 3 : 3 * exp(-1), within: 0.01) && error.tilt < 1e-9)
  }

  @Test("a bias is learned according to the second-order loop of k_P and k_I")
  func bias() {
    let mahony = filter { $0.biasTimeConstant = 50 }
    #expect(isNear(mahony.parameters.kP, 0.5, within: 1e-15))
    #expect(isNear(mahony.parameters.kI, 0.01, within: 1e-15))
    let bias = Vector3(0.004, -0.002, 0)
    var state = Mahony.State(earthFromDevice: .identity)
    let step = MotionStep(rate: bias, acceleration: Self.up, duration: 0.01)
    // The poles of s² + 0.5 s + 0.01.
    let (slow, fast) = (-0.020871215252208, -0.479128784747792)
    for index in 1...6000 {
      mahony.advance(&state, by: step)
      guard index.isMultiple(of: 1500) else { continue }
      let time = 0.01 * Double(index)
      let fraction = 1 - (fast * exp(slow * time) - slow * exp(fast * time)) / (fast - slow)
      #expect(isNear(state.gyroscopeBias, fraction * bias, within: 1e-3 * bias.norm))
    }
  }

  @Test("a step equals eq. (48) as written in the paper, with first-order integration")
  func paper() {
    let mahony = filter { ($0.integrationOrder, $0.biasTimeConstant) = (1, 3) }
    for (index, q) in Quaternion.random(20, seed: 5).enumerated() {
      var state = Mahony.State(earthFromDevice: q)
      let acceleration = Quaternion.random(1, seed: UInt64(index)).first!.rotate(.unitX)
      let field = 40 * Quaternion.random(1, seed: UInt64(index + 100)).first!.rotate(.unitX)
      let rate = Vector3(0.3, -1, 2)
      mahony.advance(
        &state, by: MotionStep(rate: rate, acceleration: acceleration, magneticField: field, duration: 0.01))

      let matrix = q.matrix
      let measured = -acceleration
      let predicted = matrix.transpose * Vector3.unitZ
      let inEarth = matrix * (field / field.norm)
      let reference = Vector3((inEarth.x * inEarth.x + inEarth.y * inEarth.y).squareRoot(), 0, inEarth.z)
      let error = measured.cross(predicted) + (field / field.norm).cross(matrix.transpose * reference)
      let bias = -mahony.parameters.kI * 0.01 * error
      let omega = rate - bias + mahony.parameters.kP * error
      let derivative = q * Quaternion(x: omega.x / 2, y: omega.y / 2, z: omega.z / 2, w: 0)
      let next = Quaternion(
        x: q.x + 0.01 * derivative.x, y: q.y + 0.01 * derivative.y, z: q.z + 0.01 * derivative.z,
        w: q.w + 0.01 * derivative.w
      ).normalized!
      #expect(isNear(state.gyroscopeBias, bias, within: 1e-15))
      #expect(isSameRotation(state.earthFromDevice, next, within: 1e-14))
    }
  }

  @Test("without acceleration the attitude follows only the gyroscope, with or without a field")
  func gyroscopeOnly() {
    let mahony = filter()
    for field in [nil, Self.north] {
      var state = Mahony.State(earthFromDevice: .identity)
      for _ in 0..<10 {
        mahony.advance(&state, by: MotionStep(rate: Vector3(0, 2, 0), magneticField: field, duration: 0.1))
      }
      #expect(isSameRotation(state.earthFromDevice, Quaternion(angle: 2, axis: .unitY), within: 1e-5))
      #expect(state.gyroscopeBias == .zero)
    }
  }

  @Test("third-order integration is the exponential to 1e-6 at 0.2 rad per step; first-order to 1e-3")
  func integration() {
    let rate = Vector3(1, -2, 2) * (20 / 3.0)
    for q in Quaternion.random(10, seed: 3) {
      let exact = q * Quaternion(rotationVector: rate * 0.01)
      #expect(isSameRotation(q.turned(at: rate, for: 0.01, .third), exact, within: 1e-6))
      #expect(!(q.turned(at: rate, for: 0.01, .first).angle(to: exact) < 1e-5))
      #expect(isSameRotation(q.turned(at: rate, for: 0.01, .first), exact, within: 1e-3))
    }
  }
}
