import Foundation
import InertialNumerics
import InertialRotations
import TestSupport
import Testing

@testable import InertialFilters

/// Equations (2) to (5) of docs/theory/flagship.md against closed forms and a finer integration.
@Suite("Kalman filter with a motion prior: samples")
struct MotionPriorKalmanSampleTests {
  private static let gravity = 9.80665
  private static let count = 40

  /// The integrals of equation (3) for constant rates, by Runge and Kutta's method with a twentieth of the interval.
  private struct Reference {
    let (bias, scale): (Vector3, Matrix3)
    var rotation: Matrix3
    var one = Matrix3.zero
    var weighted = [Matrix3](repeating: .zero, count: 3)
    var turn = Vector3.zero
    var measured = Vector3.zero

    init(_ state: MotionPriorKalman.State) {
      (bias, scale, rotation) = (state.gyroscopeBias, state.gyroscopeScale, state.rotation)
    }

    /// Returns a rotation that followed dR/dt = R [ω]× for some time.
    private static func turned(_ rotation: Matrix3, _ rate: Matrix3, _ time: Double) -> Matrix3 {
      let a = rotation * rate
      let b = (rotation + 0.5 * time * a) * rate
      let c = (rotation + 0.5 * time * b) * rate
      let d = (rotation + time * c) * rate
      return rotation + (time / 6) * (a + 2 * b + 2 * c + d)
    }

    mutating func follow(_ measuredRate: Vector3, for duration: Double) {
      let unbiased = measuredRate - bias
      let rate = unbiased + scale * unbiased
      let step = duration / 20
      for _ in 0..<20 {
        let middle = Self.turned(rotation, Matrix3(skew: rate), 0.5 * step)
        let end = Self.turned(rotation, Matrix3(skew: rate), step)
        let integral = (step / 6) * (rotation + 4 * middle + end)
        one = one + integral
        for axis in 0..<3 { weighted[axis] = weighted[axis] + unbiased[axis] * integral }
        turn += integral * rate
        rotation = end
      }
      measured += duration * measuredRate
    }
  }

  /// Rates of up to 3 rad/s that begin without a jump.
  private static func rate(_ step: Int) -> Vector3 {
    let phase = 0.1 * Double(step)
    return Vector3(2 * sin(phase), 1.5 * sin(1.7 * phase), 0.3 - 2 * sin(0.6 * phase))
  }

  /// Returns a filter and a finer integration that followed the same rates.
  private static func followed() -> (filter: MotionPriorKalman, reference: Reference) {
    var filter = MotionPriorKalman.withErrors()
    var reference = Reference(filter.state)
    for step in 1...count {
      filter.update(MotionPriorKalman.lastOfStart + step, rate: rate(step))
      reference.follow(rate(step), for: MotionPriorKalman.interval)
    }
    return (filter, reference)
  }

  @Test("equation (2): the attitude follows the rate without its bias, with scale and misalignment")
  func attitude() {
    let (filter, reference) = Self.followed()
    #expect(isSameRotation(filter.state.northFromDevice, Quaternion(matrix: reference.rotation), within: 1e-9))
  }

  @Test("equation (3): the sums of an epoch are the integrals of rotation and rate")
  func sums() {
    let (filter, reference) = Self.followed()
    let epoch = filter.state.epoch
    let time = Double(Self.count) * MotionPriorKalman.interval
    #expect(isNear(epoch.duration, time, within: 1e-12))
    #expect(isNear(epoch.meanRate, (1 / time) * reference.turn, within: 2e-4))
    #expect(isNear(epoch.meanMeasuredRate, (1 / time) * reference.measured, within: 1e-12))
    let transition = epoch.transition(scale: .zero).dense
    for axis in 0..<3 {
      // The rotation in the middle of an interval is the mean over it, up to (ω dt)²/24.
      let toAttitude = transition.block3(0, MotionErrors.gyroscopeBias.start)
      #expect(isNear(toAttitude.column(axis), -1 * reference.one.column(axis), within: 5e-5 * time))
      for component in 0..<3 {
        let moment = transition.block3(0, MotionErrors.scale.start + 3 * component)
        #expect(isNear(moment.column(axis), reference.weighted[component].column(axis), within: 2e-4 * time))
      }
    }
  }

  /// Returns the rotation after some time with a constant rate, by Rodrigues' formula.
  private static func rotation(_ start: Matrix3, _ rate: Vector3, _ time: Double) -> Matrix3 {
    let (angle, axis) = (rate.norm * time, Matrix3(skew: (1 / rate.norm) * rate))
    return start * (Matrix3.identity + sin(angle) * axis + (1 - cos(angle)) * (axis * axis))
  }

  /// The attitudes that samples belong to while the device rotates with a constant rate: half an interval of the
  /// gyroscope before their timestamps, which follow the gyroscope's by `lag`.
  private static func attitudes(_ state: MotionPriorKalman.State, measured: Vector3, lag: Double) -> [Matrix3] {
    let unbiased = measured - state.gyroscopeBias
    return (1...count).map { step in
      rotation(
        state.rotation, unbiased + state.gyroscopeScale * unbiased,
        (Double(step) - 0.5) * MotionPriorKalman.interval + lag)
    }
  }

  /// An acceleration in g.
  private static func force(_ step: Int) -> Vector3 {
    let phase = 0.2 * Double(step)
    return Vector3(0.1 + 0.5 * sin(phase), 0.3 * sin(2 * phase) - 0.2, -0.95 + 0.4 * sin(0.7 * phase))
  }

  private static let constantRate = Vector3(0.5, -0.6, 0.4)

  @Test(
    "equation (4): the force without its bias, rotated by the attitude of its time, accelerates the velocity",
    arguments: [0, 0.004])
  func force(lag: Double) {
    var filter = MotionPriorKalman.withErrors(lag: lag)
    let before = filter.state
    for step in 1...Self.count {
      filter.update(
        MotionPriorKalman.lastOfStart + step, rate: Self.constantRate, force: Self.force(step), lag: lag)
    }
    let dt = MotionPriorKalman.interval
    var (velocity, sum, rotations) = (before.velocity, Vector3.zero, Matrix3.zero)
    for (index, attitude) in Self.attitudes(before, measured: Self.constantRate, lag: lag).enumerated() {
      // The sensor shows gravity as downward.
      let force = attitude * (-Self.gravity * Self.force(index + 1) - before.accelerometerBias)
      velocity += dt * (force - Vector3(0, 0, Self.gravity))
      sum += dt * force
      rotations = rotations + dt * attitude
    }
    #expect(isNear(filter.state.velocity, velocity, within: 1e-6))
    #expect(isNear(filter.state.epoch.forceDuration, Double(Self.count) * dt, within: 1e-9))
    let transition = filter.state.epoch.transition(scale: .zero).dense
    let toVelocity = MotionErrors.velocity.start
    for axis in 0..<3 {
      let unit = with(Vector3.zero) { $0[axis] = 1 }
      #expect(isNear(transition.block3(toVelocity, 0).column(axis), -1 * sum.cross(unit), within: 1e-6))
      #expect(
        isNear(
          transition.block3(toVelocity, MotionErrors.accelerometerBias.start).column(axis),
          -1 * rotations.column(axis), within: 1e-6))
    }
  }

  @Test("equation (5): an epoch's field is the mean of its samples in earth axes", arguments: [0, 0.004])
  func field(lag: Double) throws {
    var filter = MotionPriorKalman.withErrors(lag: lag)
    let before = filter.state
    func field(_ step: Int) -> Vector3 { Vector3(20, 5 + 0.5 * Double(step), -40) }
    for step in 1...Self.count {
      filter.update(MotionPriorKalman.lastOfStart + step, rate: Self.constantRate, field: field(step), lag: lag)
    }
    let sum = Self.attitudes(before, measured: Self.constantRate, lag: lag).enumerated()
      .reduce(Vector3.zero) { $0 + $1.element * field($1.offset + 1) }
    #expect(try isNear(#require(filter.state.epoch.meanField), (1 / Double(Self.count)) * sum, within: 1e-5))
  }
}
