import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFilters

@Suite("ROLEQ")
struct ROLEQTests {
  private static let field = EarthField().vector.normalized!

  private func algorithm(_ change: (inout ROLEQ.Parameters) -> Void = { _ in }) -> ROLEQ {
    ROLEQ(parameters: with(.init(), change))
  }

  private func restStep(_ duration: Double, hasField: Bool = true) -> MotionStep {
    MotionStep(rate: .zero, acceleration: -.unitZ, magneticField: hasField ? 50 * Self.field : nil, duration: duration)
  }

  /// Returns the paper's matrix, (18) and (20), for a quaternion (w, x, y, z).
  private func paperMatrix(device b: Vector3, earth r: Vector3) -> Matrix {
    let m1 = [[b.x, 0, b.z, -b.y], [0, b.x, b.y, b.z], [b.z, b.y, -b.x, 0], [-b.y, b.z, 0, -b.x]]
    let m2 = [[b.y, -b.z, 0, b.x], [-b.z, -b.y, b.x, 0], [0, b.x, b.y, b.z], [b.x, 0, b.z, -b.y]]
    let m3 = [[b.z, b.y, -b.x, 0], [b.y, -b.z, 0, b.x], [-b.x, 0, -b.z, b.y], [0, b.x, b.y, b.z]]
    return Matrix(rows: m1) * r.x + Matrix(rows: m2) * r.y + Matrix(rows: m3) * r.z
  }

  @Test("the two products equal the paper's matrix", arguments: Quaternion.random(10, seed: 3))
  func matrix(q: Quaternion) {
    let (b, r) = (Vector3(0.2, -0.5, 0.8).normalized!, Vector3(-0.4, 0.1, 0.6).normalized!)
    let found = OLEQ.w(b, r, q)
    let expected = paperMatrix(device: b, earth: r) * [q.w, q.x, q.y, q.z]
    for (x, y) in zip([found.w, found.x, found.y, found.z], expected) { #expect(isNear(x, y, within: 1e-14)) }
  }

  @Test("the attitude that rotates the measured vector to its reference is the fixed point")
  func fixedPoint() {
    for q in Quaternion.nastyCases + Quaternion.random(20, seed: 8) {
      let image = OLEQ.w(q.rotateInverse(Self.field), Self.field, q)
      #expect(isSameRotation(image, q, within: 1e-7))
      // The sign is also the same: W q = q.
      #expect(image.dot(q) > 1 - 1e-12)
    }
  }

  @Test("with full corrections, iterations at rest converge to the eigenvector of the weighted sum")
  func optimal() throws {
    // Gravity and field that do not fit: the field's angle to the vertical is 4° off the learned dip.
    let algorithm = algorithm { ($0.timeConstant, $0.magneticWeight, $0.dipTimeConstant) = (0, 0.4, 1e12) }
    var state = ROLEQ.State(earthFromDevice: .identity)
    for _ in 0..<100 { algorithm.advance(&state, by: restStep(1)) }
    let field = Quaternion(angle: 0.07, axis: .unitY).rotate(Self.field)
    let step = MotionStep(rate: .zero, acceleration: -.unitZ, magneticField: field, duration: 1e-6)
    for _ in 0..<1000 { algorithm.advance(&state, by: step) }
    let reference = try #require(state.field.direction)
    let sum = paperMatrix(device: .unitZ, earth: .unitZ) * 0.6 + paperMatrix(device: field, earth: reference) * 0.4
    let eigen = try SymmetricEigen(sum).eigenvectors.column(3)
    let optimum = Quaternion(x: eigen[1], y: eigen[2], z: eigen[3], w: eigen[0])
    #expect(isSameRotation(state.earthFromDevice, optimum, within: 1e-7))
    #expect(optimum.angle > 0.01)
  }

  @Test("a tilt error decays with the time constant, a heading error according to the weights and the dip")
  func timeConstants() {
    let weight = 0.5
    let algorithm = algorithm { ($0.timeConstant, $0.magneticWeight, $0.dipTimeConstant) = (2, weight, 1e12) }
    var tilted = ROLEQ.State(earthFromDevice: Quaternion(angle: 0.02, axis: .unitX))
    for _ in 0..<200 { algorithm.advance(&tilted, by: restStep(0.01, hasField: false)) }
    #expect(isNear(tilted.earthFromDevice.angle, 0.02 * exp(-1), within: 1e-4 * 0.02))

    var turned = ROLEQ.State(earthFromDevice: .identity)
    algorithm.advance(&turned, by: restStep(1e9))
    turned.earthFromDevice = rotation(aboutZ: 1)
    func angle(after seconds: Int) -> Double {
      for _ in 0..<(100 * seconds) { algorithm.advance(&turned, by: restStep(0.01)) }
      return turned.earthFromDevice.angle
    }
    // After some seconds only the slow mode remains: half the distance of the two largest eigenvalues of Σ a W, which
    // are 1 and √(1 − 4 a_g a_m cos² dip).
    let (before, after) = (angle(after: 20), angle(after: 10))
    let second = (1 - 4 * weight * (1 - weight) * pow(cos(EarthField().dip), 2)).squareRoot()
    #expect(isNear(log(before / after), 10 / 2.0 * 0.5 * (1 - second), within: 1e-3))
  }

  @Test("an attitude opposite to the measurements is kept, and does not become NaN")
  func opposite() {
    // W q = −q: the full correction would be zero.
    var state = ROLEQ.State(earthFromDevice: Quaternion(x: 1, y: 0, z: 0, w: 0))
    algorithm { $0.timeConstant = 0 }.advance(&state, by: restStep(0.01, hasField: false))
    #expect(state.earthFromDevice == Quaternion(x: 1, y: 0, z: 0, w: 0))
  }
}

@Suite("Learned dip")
struct FieldReferenceTests {
  @Test("the reference is the running mean of the fields, rotated to north")
  func mean() {
    var reference = FieldReference()
    #expect(reference.direction == nil)
    let dips = [1.0, 1.2, 0.9, 1.1]
    for (index, dip) in dips.enumerated() {
      let field = rotation(aboutZ: Double(index) * 50).rotate(Vector3(cos(dip), 0, -sin(dip)))
      _ = reference.learn(field, over: 0.1, timeConstant: 100)
    }
    let direction = reference.direction!
    #expect(direction.y == 0 && isNear(direction.norm, 1, within: 1e-15))
    #expect(isNear(-atan2(direction.z, direction.x), dips.reduce(0, +) / 4, within: 0.002))
  }

  @Test("after the time constant an old dip is forgotten; with a zero time constant the last field is the reference")
  func forgets() {
    func field(_ dip: Double) -> Vector3 { Vector3(cos(dip), 0, -sin(dip)) }
    for (timeConstant, expected) in [(2.0, 0.5 + 0.5 * exp(-1)), (0, 0.5)] {
      var reference = FieldReference()
      for _ in 0..<1000 { _ = reference.learn(field(1), over: 0.01, timeConstant: timeConstant) }
      for _ in 0..<200 { _ = reference.learn(field(0.5), over: 0.01, timeConstant: timeConstant) }
      let direction = reference.direction!
      #expect(isNear(-atan2(direction.z, direction.x), expected, within: 0.005))
    }
  }

  @Test(
    "the dip of a simulated phone is found to a degree, and learned again after a gap", arguments: ["fourati", "roleq"])
  func inFilters(name: String) {
    func dip(_ filter: any AttitudeFilter) -> Double? {
      let direction =
        (filter as? FouratiFilter)?.state.algorithm.field.direction
        ?? (filter as? ROLEQFilter)?.state.algorithm.field.direction
      return direction.map { -atan2($0.z, $0.x) * 180 / .pi }
    }
    var filter = FilterKind.all[name]!.standard()
    let simulation = Simulation(
      trajectory: RandomSplineTrajectory(duration: 30, seed: 5), sensors: .phone.forFilters(), duration: 30)
    filter.take(simulation)
    let degrees = EarthField().dip * 180 / .pi
    #expect(isNear(dip(filter) ?? .nan, degrees, within: 1))
    // Ten seconds later, for the two samples of the start-up.
    for sample in simulation where sample.time < 1.005 { filter.take(with(sample) { $0.time += 40 }) }
    #expect(dip(filter) == nil || isNear(dip(filter)!, degrees, within: 3))
  }
}
