import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFilters

@Suite("Fourati")
struct FouratiTests {
  private static let field = EarthField().vector.normalized!

  private func algorithm(_ change: (inout Fourati.Parameters) -> Void = { _ in }) -> Fourati {
    Fourati(parameters: with(.init(), change))
  }

  /// Returns a step of a device at rest in the identity attitude.
  private func restStep(_ duration: Double) -> MotionStep {
    MotionStep(rate: .zero, acceleration: -.unitZ, magneticField: 50 * Self.field, duration: duration)
  }

  /// Returns a state with a known dip and an attitude that is wrong by some radians about an axis.
  private func state(_ algorithm: Fourati, wrongBy angle: Double, about axis: Vector3) -> Fourati.State {
    var state = Fourati.State(earthFromDevice: .identity)
    algorithm.advance(&state, by: restStep(1e6))
    state.earthFromDevice = Quaternion(angle: angle, axis: axis)
    return state
  }

  @Test("the correction solves the damped least squares of the numerically differentiated model", arguments: 1...5)
  func leastSquares(seed: UInt64) throws {
    let q = Quaternion.random(2, seed: seed)[0]
    let truth = q * Quaternion(rotationVector: Vector3(0.05, -0.03, 0.04))
    let (damping, weight) = (0.02, 0.6)
    let references = [-Vector3.unitZ, Self.field]
    func predicted(_ eta: Vector3) -> [Double] {
      let turned = (q * Quaternion(x: eta.x, y: eta.y, z: eta.z, w: 1)).normalized!
      return turned.rotateInverse(references[0]).components + (weight * turned.rotateInverse(references[1])).components
    }
    let measured = references.map { truth.rotateInverse($0) }
    let weighted = measured[0].components + (weight * measured[1]).components
    let delta = zip(weighted, predicted(.zero)).map { $0 - $1 }
    let h = 1e-6
    let columns = [Vector3.unitX, .unitY, .unitZ].map { axis in
      zip(predicted(h * axis), predicted(-h * axis)).map { ($0 - $1) / (2 * h) }
    }
    // The damping as three additional rows √λ I.
    let rows =
      (0..<6).map { row in columns.map { $0[row] } }
      + (0..<3).map { row in (0..<3).map { $0 == row ? damping.squareRoot() : 0 } }
    let solution = try Matrix(rows: rows).leastSquares(delta + [0, 0, 0]).solution
    var problem = Fourati.LeastSquares(damping: damping)
    problem.add(measured: measured[0], predicted: q.rotateInverse(references[0]), squaredWeight: 1)
    problem.add(measured: measured[1], predicted: q.rotateInverse(references[1]), squaredWeight: weight * weight)
    #expect(isNear(problem.solution, Vector3(solution[0], solution[1], solution[2]), within: 1e-8))
  }

  @Test(
    "an error about any axis decays with the time constant, for any position of the two directions",
    arguments: [Vector3.unitX, .unitY, .unitZ, Vector3(1, -1, 1)], [0.1, 0.3, 1])
  func timeConstant(axis: Vector3, weight: Double) {
    let algorithm = algorithm { ($0.timeConstant, $0.magneticWeight, $0.dipTimeConstant) = (2, weight, 1e9) }
    var state = state(algorithm, wrongBy: 0.02, about: axis)
    for _ in 0..<200 { algorithm.advance(&state, by: restStep(0.01)) }
    #expect(isNear(state.earthFromDevice.angle, 0.02 * exp(-1), within: 1e-3 * 0.02))
  }

  @Test("k is one over the time constant")
  func gain() {
    #expect(algorithm { $0.k = 4 }.parameters.timeConstant == 0.25)
    #expect(algorithm { $0.timeConstant = 5 }.parameters.k == 0.2)
  }

  @Test("a step much longer than the time constant applies the whole correction and no more")
  func longStep() {
    let algorithm = algorithm { ($0.timeConstant, $0.dipTimeConstant) = (0.01, 1e9) }
    var state = state(algorithm, wrongBy: 0.02, about: Vector3(1, 2, 3))
    algorithm.advance(&state, by: restStep(0.5))
    #expect(state.earthFromDevice.angle < 1e-4)
  }

  @Test("if the field is parallel to gravity, the undetermined rotation follows the gyroscope")
  func parallelField() {
    var state = Fourati.State(earthFromDevice: rotation(aboutZ: 20))
    let step = MotionStep(rate: .zero, acceleration: -.unitZ, magneticField: Vector3(0, 0, -50), duration: 0.1)
    for _ in 0..<500 { algorithm().advance(&state, by: step) }
    #expect(isSameRotation(state.earthFromDevice, rotation(aboutZ: 20), within: 1e-9))
  }
}

extension Vector3 {
  fileprivate var components: [Double] { [x, y, z] }
}
