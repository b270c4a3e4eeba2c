import Foundation
public import InertialFilters
import InertialNumerics
import InertialRotations
import TestSupport
public import Testing

extension OneShotSolver: CustomTestStringConvertible {
  public var testDescription: String { name }

  static let optimal = all.filter(\.isOptimal)
  static let twoVector = all.filter { $0.minimumPairs == 2 && !$0.isOptimal }
  static let complete = all.filter { $0.minimumPairs == 2 }
}

/// Returns the pairs that a device in this attitude measures of these earth vectors, without noise.
func pairs(of earth: [Vector3], in attitude: Quaternion, weights: [Double]? = nil) -> [VectorPair] {
  earth.indices.map {
    VectorPair(device: attitude.rotateInverse(earth[$0]), earth: earth[$0], weight: weights?[$0] ?? 1)
  }
}

/// Returns up and a field with this dip in the NWU frame.
func upAndField(dip: Double) -> [Vector3] { [.unitZ, Vector3(cos(dip), 0, -sin(dip))] }

extension SeededGenerator {
  mutating func direction() -> Vector3 { vector().normalized! }

  /// Returns a direction rotated by a small rotation with this standard deviation per axis, in radians.
  mutating func disturbed(_ v: Vector3, sigma: Double) -> Vector3 {
    Quaternion(rotationVector: vector(sigma)).rotate(v)
  }

  /// Returns pairs of random directions with noise in device axes.
  mutating func noisyPairs(_ count: Int, in attitude: Quaternion, sigma: Double, weighted: Bool) -> [VectorPair] {
    (0..<count).map { _ in
      let earth = direction()
      let device = disturbed(attitude.rotateInverse(earth), sigma: sigma)
      return VectorPair(device: device, earth: earth, weight: weighted ? exp(2 * normal()) : 1)
    }
  }
}

/// Returns the angle between two rotations, infinite if it is not a number.
func angle(_ a: Quaternion, _ b: Quaternion) -> Double {
  let angle = a.angle(to: b)
  return angle.isNaN ? .infinity : angle
}

/// Returns the largest angle between any solver's result and the expected attitude.
func largestError(
  _ solvers: [OneShotSolver], _ pairs: [VectorPair], expected: Quaternion
) throws -> (angle: Double, solver: String) {
  var largest = (angle: 0.0, solver: "none")
  for solver in solvers {
    let q = try solver.attitude(pairs)
    #expect(abs(q.norm - 1) < 1e-12, "\(solver.name) gives the norm \(q.norm)")
    let error = angle(q, expected)
    if error >= largest.angle { largest = (error, solver.name) }
  }
  return largest
}
