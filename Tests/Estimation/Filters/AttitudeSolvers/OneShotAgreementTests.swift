import Foundation
import InertialFilters
import InertialNumerics
import InertialRotations
import TestSupport
import Testing

@Suite("One-shot solvers agree")
struct OneShotAgreementTests {
  static let attitudes = Quaternion.nastyCases + Quaternion.random(40, seed: 11) + gimbalLocks

  /// Every device axis up and down, at and near the elevation of ±90°, with all headings.
  static let gimbalLocks: [Quaternion] = {
    var cases: [Quaternion] = []
    for axis in [Vector3.unitX, -.unitX, .unitY, -.unitY, .unitZ, -.unitZ] {
      for tilt in [0, 1e-300, 1e-17, 1e-12, 1e-8, 1e-5] {
        for heading in [0.0, 1, .pi / 2, .pi] {
          let tilted = Quaternion(rotationVector: Vector3(tilt, 0.7 * tilt, -0.4 * tilt))
          let level = Quaternion(from: axis, to: .unitZ)!
          cases.append((Quaternion(angle: heading, axis: .unitZ) * tilted * level).normalized!)
        }
      }
    }
    return cases
  }()

  @Test(
    "without noise every solver gives the attitude, also at half turns, gimbal locks and steep fields",
    arguments: [0.0, 0.6, 1.15, -1.3, 1.55])
  func noiseFree(dip: Double) throws {
    for truth in Self.attitudes {
      let measured = pairs(of: upAndField(dip: dip), in: truth)
      let worst = try largestError(OneShotSolver.complete, measured, expected: truth)
      #expect(worst.angle < 1e-9, "\(worst.solver) is off by \(worst.angle) rad at \(truth)")
    }
  }

  @Test("without noise every solver gives the attitude of any two directions, from 0.2° to 179.8° apart")
  func anyReferences() throws {
    var generator = SeededGenerator(seed: 12)
    for truth in Quaternion.random(60, seed: 13) {
      let first = generator.direction()
      for degrees in [0.2, 2, 45, 90, 135, 179.8] {
        let axis = first.cross(generator.direction()).normalized!
        let second = Quaternion(angle: degrees * .pi / 180, axis: axis).rotate(first)
        let measured = pairs(of: [first, second], in: truth)
        let worst = try largestError(OneShotSolver.complete, measured, expected: truth)
        // The information about the worst axis is sin²(0.1°) = 3e-6, so a rounding error of 2e-16 becomes 1e-10.
        #expect(worst.angle < 1e-9, "\(worst.solver) is off by \(worst.angle) rad at \(degrees)°")
      }
    }
  }

  @Test("acceleration and field in Inertial's units and signs give device to NWU, with or without the dip")
  func gravityAndField() throws {
    for truth in Self.attitudes {
      for dip in [0.0, 1.15, -1.3] {
        let acceleration = 1.02 * truth.rotateInverse(-.unitZ)
        let field = 48 * truth.rotateInverse(Vector3(cos(dip), 0, -sin(dip)))
        for solver in OneShotSolver.complete {
          for given in [dip, nil] {
            let q = try solver.attitude(acceleration: acceleration, field: field, dip: given)
            #expect(angle(q, truth) < 1e-9, "\(solver.name)")
          }
        }
      }
    }
  }

  @Test("tilt rotates the measured up to the vertical with yaw 0, and to any other known direction")
  func tilt() throws {
    for truth in Self.attitudes {
      let up = truth.rotateInverse(.unitZ)
      let q = try Tilt.attitude(acceleration: -up)
      #expect(isNear(q.rotate(up), .unitZ, within: 1e-12))
      // Towards gimbal lock, the yaw has an error of rounding divided by the cosine of the pitch.
      let angles = EulerAngles(q)
      #expect(abs(angles.yaw) < max(1e-12, 1e-15 / max(cos(angles.pitch), 1e-8)))
      let known = Vector3(0.3, -2, 0.4).normalized!
      let other = try Tilt.attitude([VectorPair(device: up, earth: known)])
      #expect(isNear(other.rotate(up), known, within: 1e-12))
      let named = try #require(OneShotSolver.named("tilt"))
      let field = truth.rotateInverse(Vector3(20, 0, -40))
      #expect(try named.attitude(acceleration: -up, field: field) == q)
    }
  }

  @Test("a device flat on the table with its top edge to the north has yaw 90° in NWU")
  func flatToTheNorth() throws {
    // The top edge is +Y; Core Motion shows (0, 0, −1) at rest. The field points north and down.
    for solver in OneShotSolver.complete {
      let q = try solver.attitude(acceleration: Vector3(0, 0, -1), field: Vector3(0, 20, -43))
      #expect(isNear(q.rotate(.unitY), .unitX, within: 1e-12), "\(solver.name)")
      #expect(isNear(q.rotate(.unitZ), .unitZ, within: 1e-12), "\(solver.name)")
    }
  }

  @Test("with noise all methods of two vectors agree: each treats the first as exact")
  func twoVectorMethodsWithNoise() throws {
    var generator = SeededGenerator(seed: 14)
    for truth in Quaternion.random(300, seed: 15) {
      let measured = generator.noisyPairs(2, in: truth, sigma: 0.1, weighted: true)
      guard measured[0].device.cross(measured[1].device).norm > 0.02 else { continue }
      let expected = try TRIAD.attitude(measured)
      let worst = try largestError(OneShotSolver.twoVector, measured, expected: expected)
      #expect(worst.angle < 1e-9, "\(worst.solver) is off by \(worst.angle) rad")
      #expect(isNear(expected.rotate(measured[0].device), measured[0].earth, within: 1e-12))
    }
  }

  @Test("without a given dip the optimal methods agree with those of two vectors on any sample")
  func selfDip() throws {
    var generator = SeededGenerator(seed: 16)
    for _ in 0..<200 {
      let (acceleration, field) = (generator.direction(), 50 * generator.direction())
      guard acceleration.cross(field).norm > 0.5 else { continue }
      let expected = try ECompass.attitude(acceleration: acceleration, field: field)
      for solver in OneShotSolver.complete {
        let q = try solver.attitude(acceleration: acceleration, field: field, accelerationWeight: 3, fieldWeight: 0.2)
        #expect(angle(q, expected) < 1e-9, "\(solver.name)")
      }
    }
  }

  @Test(
    "with noise all optimal methods agree, 2 to 10 pairs, equal and unequal weights",
    arguments: [0.001, 0.05, 0.5], [false, true])
  func optimalMethodsWithNoise(sigma: Double, weighted: Bool) throws {
    var generator = SeededGenerator(seed: 17)
    for truth in Quaternion.random(50, seed: 18) + Quaternion.nastyCases {
      for count in [2, 3, 4, 7, 10] {
        let measured = generator.noisyPairs(count, in: truth, sigma: sigma, weighted: weighted)
        let problem = try WahbaProblem(measured)
        let expected = try Davenport.attitude(measured)
        // Two random directions can be nearly parallel, and then rounding alone exceeds 1e-9.
        guard let covariance = try? problem.attitudeCovariance(at: expected),
          covariance.maximumMagnitude * problem.totalWeight < 1e5
        else { continue }
        let worst = try largestError(OneShotSolver.optimal, measured, expected: expected)
        #expect(worst.angle < 1e-9, "\(worst.solver) is off by \(worst.angle) rad with \(count) pairs")
      }
    }
  }

  @Test("with two close largest eigenvalues the optimal methods still agree, to rounding")
  func closeEigenvalues() throws {
    var generator = SeededGenerator(seed: 19)
    for truth in Quaternion.random(30, seed: 20) {
      for ratio in [1e-2, 1e-4, 1e-6, 1e-8, 1e-10] {
        // One good direction and two poor ones: the gap between the eigenvalues is about the ratio of the weights.
        var measured = generator.noisyPairs(3, in: truth, sigma: 0.003, weighted: false)
        guard measured[0].device.cross(measured[1].device).norm > 0.3 else { continue }
        measured[1].weight = ratio
        measured[2].weight = ratio
        let expected = try Davenport.attitude(measured)
        let worst = try largestError(OneShotSolver.optimal, measured, expected: expected)
        // The rounding of the profile, a few 1e-16, over the information, about the ratio times 0.1.
        let tolerance = max(1e-9, 1e-14 / ratio)
        #expect(worst.angle < tolerance, "\(worst.solver) is off by \(worst.angle) rad at \(ratio)")
      }
    }
  }

  @Test("the order of pairs, a common factor of the weights and the lengths of vectors have no effect")
  func invariances() throws {
    var generator = SeededGenerator(seed: 21)
    for truth in Quaternion.random(20, seed: 22) {
      let measured = generator.noisyPairs(5, in: truth, sigma: 0.1, weighted: true)
      for solver in OneShotSolver.optimal {
        let expected = try solver.attitude(measured)
        #expect(angle(try solver.attitude(measured.reversed()), expected) < 1e-9)
        for factor in [1e-300, 3e-7, 1e250] {
          let scaled = measured.map {
            VectorPair(device: factor * $0.device, earth: $0.earth * (1 / factor), weight: $0.weight * factor)
          }
          #expect(angle(try solver.attitude(scaled), expected) < 1e-9, "\(solver.name) \(factor)")
        }
      }
    }
  }

  @Test("a rotation of the earth frame or the device rotates the attitude with it")
  func equivariance() throws {
    var generator = SeededGenerator(seed: 23)
    let turns = Quaternion.nastyCases
    for (turn, truth) in zip(turns, Quaternion.random(turns.count, seed: 24)) {
      let measured = generator.noisyPairs(2, in: truth, sigma: 0.05, weighted: true)
      guard measured[0].device.cross(measured[1].device).norm > 0.1 else { continue }
      let inEarth = measured.map { VectorPair(device: $0.device, earth: turn.rotate($0.earth), weight: $0.weight) }
      let inDevice = measured.map {
        VectorPair(device: turn.rotateInverse($0.device), earth: $0.earth, weight: $0.weight)
      }
      for solver in OneShotSolver.complete {
        let q = try solver.attitude(measured)
        #expect(angle(try solver.attitude(inEarth), turn * q) < 1e-9, "\(solver.name)")
        #expect(angle(try solver.attitude(inDevice), q * turn) < 1e-9, "\(solver.name)")
      }
    }
  }

  @Test("an array of two pairs and the two pairs are the same input")
  func twoPairsAndArray() throws {
    var generator = SeededGenerator(seed: 25)
    for truth in Quaternion.random(20, seed: 26) {
      let measured = generator.noisyPairs(2, in: truth, sigma: 0.05, weighted: true)
      for solver in OneShotSolver.complete {
        let q = try solver.method.attitude(measured[0], measured[1])
        #expect(angle(q, try solver.attitude(measured)) < 1e-9, "\(solver.name)")
      }
    }
  }
}
