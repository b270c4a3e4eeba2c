import Foundation
import InertialNumerics
import InertialRotations
import TestSupport
import Testing

@testable import InertialNavigation

/// The models of docs/theory/error-state.md by differences of the state.
@Suite("The error model of a navigator")
struct ErrorModelTests {
  /// Returns small errors: one for each component of the layout.
  private static func error(_ index: Int, _ size: Double) -> ErrorValues {
    var error = ErrorValues()
    error[index] = size
    return error
  }

  /// Returns the errors of a state relative to another one.
  private static func errors(_ state: NavigationState, from estimate: NavigationState) -> [Double] {
    func turn(_ a: Quaternion, _ b: Quaternion) -> Vector3 { (a * b.conjugate).rotationVector }
    let parts = [
      turn(state.earthFromDevice, estimate.earthFromDevice), state.velocity - estimate.velocity,
      state.position - estimate.position, state.gyroscopeBias - estimate.gyroscopeBias,
      state.accelerometerBias - estimate.accelerometerBias, state.fixError - estimate.fixError,
      turn(state.deviceFromVehicle, estimate.deviceFromVehicle),
    ]
    return parts.flatMap { [$0.x, $0.y, $0.z] }
  }

  private static let start = NavigationState(
    earthFromDevice: Quaternion(rotationVector: Vector3(0.4, -0.7, 1.1)), velocity: Vector3(3, -2, 0.5),
    gyroscopeBias: Vector3(0.01, 0.02, -0.03), accelerometerBias: Vector3(0.1, -0.2, 0.05),
    deviceFromVehicle: Quaternion(rotationVector: Vector3(-0.3, 0.9, 0.2)))

  @Test("equations 1 to 3: a correction by an error gives the state with that error", arguments: 0..<21)
  func correction(_ index: Int) {
    var state = Self.start
    state.correct(by: Self.error(index, 0.3))
    let errors = Self.errors(state, from: Self.start)
    #expect(errors.indices.allSatisfy { abs(errors[$0] - ($0 == index ? 0.3 : 0)) < 1e-14 })
  }

  @Test("equation 5: the transition over an epoch equals differences of the strapdown integration", arguments: 0..<15)
  func transition(_ index: Int) {
    // A covariance with one error: after the epoch, it is f fᵀ with the column f of F.
    var kalman = ErrorKalman.navigation(keepsTrace: false)
    kalman[index, index] = 1
    let noise = with(NavigationNoise()) {
      ($0.gyroscope, $0.gyroscopeScale, $0.gyroscopeBias, $0.accelerometer, $0.accelerometerScale) = (0, 0, 0, 0, 0)
      ($0.accelerometerBias, $0.aliasing) = (0, 0)
    }
    func end(_ state: NavigationState) -> InertialNavigator {
      func rate(_ t: Double) -> Vector3 { Vector3(1, -2, 0.5 + t) }
      func force(_ t: Double) -> Vector3 { Vector3(2, 1 - 5 * t, 9) }
      var navigator = InertialNavigator(
        state: state, kalman: kalman, noise: noise, rate: rate(0), force: force(0), at: 0)
      for step in 1...4 {
        let time = 0.005 * Double(step)
        navigator.integrate(rate: rate(time), force: force(time), to: time)
      }
      navigator.closeEpoch()
      return navigator
    }
    let (size, estimate) = (1e-6, end(Self.start))
    var disturbed = Self.start
    disturbed.correct(by: Self.error(index, size))
    let errors = Self.errors(end(disturbed).state, from: estimate.state)
    for row in 0..<15 {
      let element = estimate.kalman[row, index] / estimate.kalman[index, index]
      // Terms of second order in the epoch of 0.02 s: T² f / 2 for the position, T² f for the velocity.
      #expect(abs(errors[row] / size - element) < 5e-3, "component \(row)")
      #expect(abs(errors[row] / size - element) < 2e-4 || (3..<9).contains(row))
    }
  }

  @Test("equation 5: the error of fixes fades over an epoch and a gap, and its variance remains 1")
  func fixError() {
    var kalman = ErrorKalman.navigation(hasFixes: true, keepsTrace: false)
    kalman.add(1, to: .fixError)
    let state = with(Self.start) { $0.fixError = Vector3(1, 2, -1) }
    var navigator = InertialNavigator(
      state: state, kalman: kalman, noise: with(NavigationNoise()) { $0.fixError = 2 }, rate: .zero, force: .zero,
      at: 0)
    navigator.integrate(rate: .zero, force: .zero, to: 0.5)
    navigator.closeEpoch()
    navigator.fadeFixError(over: 1.5)
    #expect((navigator.state.fixError - exp(-1) * state.fixError).norm < 1e-14)
    #expect((navigator.kalman.variances(.fixError) - Vector3(repeating: 1)).norm < 1e-14)
  }

  @Test("equation 9: the derivatives of the wheel constraint equal differences of its residual", arguments: 0..<21)
  func wheels(_ index: Int) {
    var kalman = ErrorKalman.navigation(hasFixes: true, hasMounting: true, keepsTrace: false)
    kalman[index, index] = 1
    for axis in [Vector3.unitY, .unitZ] {
      func residual(_ size: Double) -> Double {
        var state = Self.start
        state.correct(by: Self.error(index, size))
        return VehicleNavigator.row(state, along: axis, variance: 1).residual
      }
      // An error e of the estimated state changes the residual by -h e.
      let slope = (residual(-1e-5) - residual(1e-5)) / 2e-5
      var probe = kalman
      let innovation = probe.take(VehicleNavigator.row(Self.start, along: axis, variance: 1))
      #expect(abs(innovation.variance.x - 1 - slope * slope) < 1e-8)
    }
  }
}
