import Foundation
import InertialNumerics
import InertialRotations
import TestSupport
import Testing

@testable import InertialFilters

@Suite("Madgwick's filter of 2010")
struct MadgwickTests {
  private static let up = Vector3(0, 0, -1)

  private func filter(beta: Double, zeta: Double = 0, order: Double = 1) -> Madgwick {
    Madgwick(parameters: with(.init()) { ($0.beta, $0.zeta, $0.integrationOrder) = (beta, zeta, order) })
  }

  @Test("the gradient is the derivative of half the squared difference of the predicted and the measured direction")
  func gradient() {
    for (index, pair) in zip(Quaternion.random(50, seed: 1), Quaternion.random(50, seed: 2)).enumerated() {
      // Every third measurement is gravity's.
      let direction = index.isMultiple(of: 3) ? Vector3.unitZ : pair.0.rotate(.unitZ)
      let north = (direction.x * direction.x + direction.y * direction.y).squareRoot()
      let (measured, q) = (pair.1.rotate(.unitX), Quaternion.random(1, seed: UInt64(index + 3))[0])
      // Eq. (29) with the rows of the report's matrix, a quartic: the error of the central difference is only h².
      func objective(_ q: Quaternion) -> Double {
        let x = Vector3(0.5 - q.y * q.y - q.z * q.z, q.x * q.y - q.w * q.z, q.w * q.y + q.x * q.z)
        let z = Vector3(q.x * q.z - q.w * q.y, q.w * q.x + q.y * q.z, 0.5 - q.x * q.x - q.y * q.y)
        let f = 2 * north * x + 2 * direction.z * z - measured
        return 0.5 * f.squaredNorm
      }
      func derivative(_ path: WritableKeyPath<Quaternion, Double>) -> Double {
        let h = 1e-5
        var (plus, minus) = (q, q)
        plus[keyPath: path] += h
        minus[keyPath: path] -= h
        return (objective(plus) - objective(minus)) / (2 * h)
      }
      let gradient = Madgwick.gradient(at: q, north: north, up: direction.z, measured: measured)
      for path in [\Quaternion.x, \.y, \.z, \.w] {
        #expect(isNear(gradient[keyPath: path], derivative(path), within: 1e-8))
      }
    }
  }

  @Test("the gains are √(3/4) of the gyroscope's error and drift, in both directions")
  func gains() {
    var parameters = with(Madgwick.Parameters()) { ($0.gyroscopeError, $0.biasDrift) = (0.2, 0.01) }
    #expect(isNear(parameters.beta, 0.173205080756888, within: 1e-14))
    #expect(isNear(parameters.zeta, 0.008660254037844, within: 1e-14))
    (parameters.beta, parameters.zeta) = (0.0866025403784439, 0.00866025403784439)
    #expect(isNear(parameters.gyroscopeError, 0.1, within: 1e-14))
    #expect(isNear(parameters.biasDrift, 0.01, within: 1e-14))
  }

  @Test(
    "a tilt error of any size decreases at 2 β and then stays within a step of the ground truth", arguments: [2.0, 20])
  func tiltSpeed(degrees: Double) {
    let (beta, dt) = (0.1, 0.005)
    let madgwick = filter(beta: beta)
    let error = degrees * .pi / 180
    var state = Madgwick.State(earthFromDevice: Quaternion(angle: error, axis: Vector3(1, -2, 0)))
    let step = MotionStep(rate: .zero, acceleration: Self.up, duration: dt)
    for _ in 0..<Int(0.5 * error / (2 * beta) / dt) { madgwick.advance(&state, by: step) }
    #expect(isNear(state.earthFromDevice.angle, 0.5 * error, within: 0.02 * error))
    for _ in 0..<Int(error / (2 * beta) / dt) { madgwick.advance(&state, by: step) }
    for _ in 0..<100 {
      madgwick.advance(&state, by: step)
      #expect(state.earthFromDevice.angle <= 2.001 * beta * dt)
    }
  }

  @Test("the field corrects a heading error")
  func heading() {
    let madgwick = filter(beta: 0.1)
    var state = Madgwick.State(earthFromDevice: rotation(aboutZ: 40))
    let step = MotionStep(rate: .zero, acceleration: Self.up, magneticField: Vector3(20, 0, -30), duration: 0.005)
    for _ in 0..<2000 { madgwick.advance(&state, by: step) }
    let error = AttitudeError(state.earthFromDevice, truth: .identity)
    #expect(abs(error.heading) < 0.2 && error.tilt < 0.2)
  }

  @Test("a step equals eq. (42) to (49) as written in the report")
  func paper() {
    let (beta, zeta, dt) = (0.3, 0.02, 0.01)
    let madgwick = filter(beta: beta, zeta: zeta)
    for (index, q) in Quaternion.random(20, seed: 5).enumerated() {
      var state = Madgwick.State(earthFromDevice: q)
      let acceleration = 1.1 * Quaternion.random(1, seed: UInt64(index)).first!.rotate(.unitX)
      let field = 40 * Quaternion.random(1, seed: UInt64(index + 100)).first!.rotate(.unitX)
      let rate = Vector3(0.3, -1, 2)
      madgwick.advance(
        &state, by: MotionStep(rate: rate, acceleration: acceleration, magneticField: field, duration: dt))

      let inEarth = q.matrix * (field / field.norm)
      let b = Vector3((inEarth.x * inEarth.x + inEarth.y * inEarth.y).squareRoot(), 0, inEarth.z)
      // f and J of eq. (31) and (32), columns w, x, y, z.
      let f = [
        q.rotateInverse(.unitZ) + acceleration / acceleration.norm, q.rotateInverse(b) - field / field.norm,
      ].flatMap { [$0.x, $0.y, $0.z] }
      let j: [[Double]] = [
        [-2 * q.y, 2 * q.z, -2 * q.w, 2 * q.x], [2 * q.x, 2 * q.w, 2 * q.z, 2 * q.y], [0, -4 * q.x, -4 * q.y, 0],
        [-2 * b.z * q.y, 2 * b.z * q.z, -4 * b.x * q.y - 2 * b.z * q.w, -4 * b.x * q.z + 2 * b.z * q.x],
        [
          -2 * b.x * q.z + 2 * b.z * q.x, 2 * b.x * q.y + 2 * b.z * q.w, 2 * b.x * q.x + 2 * b.z * q.z,
          -2 * b.x * q.w + 2 * b.z * q.y,
        ], [2 * b.x * q.y, 2 * b.x * q.z - 4 * b.z * q.x, 2 * b.x * q.w - 4 * b.z * q.y, 2 * b.x * q.x],
      ]
      let g = (0..<4).map { column in (0..<6).reduce(0) { $0 + j[$1][column] * f[$1] } }
      let direction = Quaternion(x: g[1], y: g[2], z: g[3], w: g[0]).normalized!
      let rateError = 2 * (q.conjugate * direction).vector
      let bias = zeta * dt * rateError
      let omega = rate - bias
      let derivative = q * Quaternion(x: omega.x / 2, y: omega.y / 2, z: omega.z / 2, w: 0)
      let next = Quaternion(
        x: q.x + dt * (derivative.x - beta * direction.x), y: q.y + dt * (derivative.y - beta * direction.y),
        z: q.z + dt * (derivative.z - beta * direction.z), w: q.w + dt * (derivative.w - beta * direction.w)
      ).normalized!
      #expect(isNear(state.gyroscopeBias, bias, within: 1e-15))
      #expect(isSameRotation(state.earthFromDevice, next, within: 1e-14))
    }
  }

  @Test("a bias is learned with the time constant β / ζ, and not at all without ζ", arguments: [0.005, 0])
  func bias(zeta: Double) {
    let (beta, bias) = (0.1, Vector3(0.02, 0, 0))
    let madgwick = filter(beta: beta, zeta: zeta)
    var state = Madgwick.State(earthFromDevice: .identity)
    var generator = SeededGenerator(seed: 6)
    let fraction: [Int: Double] = [4000: 1 - exp(-1), 8000: 1 - exp(-2), 40000: 1]
    for index in 1...40000 {
      // A little noise, as from a sensor.
      let noise = 0.002 * Vector3(generator.normal(), generator.normal(), 0)
      madgwick.advance(&state, by: MotionStep(rate: bias, acceleration: Self.up + noise, duration: 0.005))
      guard let fraction = fraction[index] else { continue }
      #expect(isNear(state.gyroscopeBias.x, zeta == 0 ? 0 : fraction * bias.x, within: 0.1 * bias.x))
    }
  }

  @Test("without an error there is no gradient, and the attitude follows only the gyroscope")
  func noGradient() {
    let madgwick = filter(beta: 0.1, zeta: 0.01)
    var state = Madgwick.State(earthFromDevice: .identity)
    madgwick.advance(&state, by: MotionStep(rate: .zero, acceleration: Self.up, duration: 0.01))
    #expect(state == Madgwick.State(earthFromDevice: .identity))
  }

  @Test("without acceleration the attitude follows only the gyroscope minus the estimated bias")
  func gyroscopeOnly() {
    let madgwick = filter(beta: 0.5, zeta: 0.1, order: 3)
    for field in [nil, Vector3(20, 0, -40)] {
      var state = Madgwick.State(earthFromDevice: .identity)
      state.gyroscopeBias = Vector3(0, 0.5, 0)
      for _ in 0..<10 {
        madgwick.advance(&state, by: MotionStep(rate: Vector3(0, 2.5, 0), magneticField: field, duration: 0.1))
      }
      #expect(isSameRotation(state.earthFromDevice, Quaternion(angle: 2, axis: .unitY), within: 1e-5))
      #expect(state.gyroscopeBias == Vector3(0, 0.5, 0))
    }
  }
}
