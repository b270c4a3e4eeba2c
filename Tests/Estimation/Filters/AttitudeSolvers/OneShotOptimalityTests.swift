import Foundation
import InertialFilters
import InertialNumerics
import InertialRotations
import TestSupport
import Testing

@Suite("Optimality of the one-shot solvers")
struct OneShotOptimalityTests {
  @Test("no attitude nearby or far away has less loss than the optimal one", arguments: OneShotSolver.optimal)
  func minimumLoss(solver: OneShotSolver) throws {
    var generator = SeededGenerator(seed: 31)
    let elsewhere = Quaternion.random(100, seed: 32)
    for (index, truth) in Quaternion.random(12, seed: 33).enumerated() {
      // The last ones are almost pure noise.
      let sigma = [0.01, 0.1, 0.6][index % 3]
      let measured = generator.noisyPairs(2 + index % 5, in: truth, sigma: sigma, weighted: true)
      let q = try solver.attitude(measured)
      let minimum = try measured.wahbaLoss(of: q)
      let total = measured.reduce(0) { $0 + $1.weight }
      for size in [1e-5, 1e-3, 0.1, 1, .pi] {
        for _ in 0..<40 {
          let turn = Quaternion(rotationVector: size * generator.direction())
          #expect(try measured.wahbaLoss(of: q * turn) >= minimum - 1e-15 * total)
        }
      }
      for other in elsewhere { #expect(try measured.wahbaLoss(of: other) >= minimum - 1e-15 * total) }
    }
  }

  @Test("the loss of a method of two vectors is at least the optimal loss, and usually larger")
  func lossOfTwoVectorMethods() throws {
    var generator = SeededGenerator(seed: 34)
    var more = 0
    for truth in Quaternion.random(300, seed: 35) {
      let measured = generator.noisyPairs(2, in: truth, sigma: 0.05, weighted: true)
      let minimum = try measured.wahbaLoss(of: Davenport.attitude(measured))
      let total = measured[0].weight + measured[1].weight
      for solver in OneShotSolver.twoVector {
        let loss = try measured.wahbaLoss(of: solver.attitude(measured))
        #expect(loss >= minimum - 1e-15 * total, "\(solver.name)")
        if loss > minimum * 1.001 { more += 1 }
      }
    }
    #expect(more > 280 * OneShotSolver.twoVector.count)
  }

  @Test("over many noisy samples the methods of two vectors have larger errors than the optimal ones")
  func meanErrors() throws {
    var generator = SeededGenerator(seed: 36)
    let earth = upAndField(dip: 1.1)
    var sums: [String: Double] = [:]
    let truths = Quaternion.random(2_000, seed: 37)
    for truth in truths {
      // Equal noise in both, so that equal weights are correct.
      let measured = earth.map {
        VectorPair(device: generator.disturbed(truth.rotateInverse($0), sigma: 0.02), earth: $0)
      }
      for solver in OneShotSolver.complete {
        sums[solver.name, default: 0] += angle(try solver.attitude(measured), truth) / Double(truths.count)
      }
    }
    let optimal = try #require(sums["davenport"])
    for solver in OneShotSolver.optimal { #expect(abs(sums[solver.name]! - optimal) < 1e-12) }
    for solver in OneShotSolver.twoVector { #expect(sums[solver.name]! > optimal, "\(solver.name)") }
  }

  @Test("Davenport's matrix is the loss as a quadratic form, with trace 0")
  func davenportMatrix() throws {
    var generator = SeededGenerator(seed: 38)
    for q in Quaternion.nastyCases + Quaternion.random(20, seed: 39) {
      let measured = generator.noisyPairs(4, in: q, sigma: 1, weighted: true)
      let problem = try WahbaProblem(measured)
      let k = problem.davenportMatrix
      let v = [q.x, q.y, q.z, q.w]
      var form = 0.0
      for row in 0..<4 { for column in 0..<4 { form += v[row] * k[row, column] * v[column] } }
      let loss = try measured.wahbaLoss(of: q)
      #expect(isNear(problem.totalWeight * (1 - form), loss, within: 1e-13 * problem.totalWeight))
      #expect(isNear((0..<4).reduce(0) { $0 + k[$1, $1] }, 0, within: 1e-15))
    }
  }

  @Test("the fixed point of OLEQ's plain iteration equals the result of its squared one")
  func plainIteration() throws {
    var generator = SeededGenerator(seed: 40)
    for truth in Quaternion.random(10, seed: 41) {
      let measured = generator.noisyPairs(4, in: truth, sigma: 0.1, weighted: false)
      let k = try WahbaProblem(measured).davenportMatrix
      var v = [0.1, 0.7, -0.3, 0.5]
      for _ in 0..<2_000 {
        let next = (0..<4).map { row in (v[row] + (0..<4).reduce(0) { $0 + k[row, $1] * v[$1] }) / 2 }
        let norm = next.reduce(0) { $0 + $1 * $1 }.squareRoot()
        v = next.map { $0 / norm }
      }
      let plain = Quaternion(x: v[0], y: v[1], z: v[2], w: v[3])
      #expect(isSameRotation(try OLEQ.attitude(measured), plain, within: 1e-9))
    }
  }

  @Test("the covariance matches the errors over many samples, with three directions of unequal noise")
  func covariance() throws {
    let truth = Quaternion.random(1, seed: 42)[0]
    let earth = [Vector3(0, 0, 1), Vector3(0.5, 0.1, -0.9).normalized!, Vector3(0.9, -0.4, 0.2).normalized!]
    let sigmas = [0.002, 0.01, 0.02]
    let weights = sigmas.map { 1 / ($0 * $0) }
    let exact = pairs(of: earth, in: truth, weights: weights)
    let expected = try WahbaProblem(exact).attitudeCovariance(at: truth)
    // If the vectors fit, the information is Σ (I − d dᵀ)/σ².
    var information = Matrix3.zero
    for pair in exact {
      information = information + (.identity - Matrix3(outer: pair.device, pair.device)) * pair.weight
    }
    #expect((expected * information - .identity).maximumMagnitude < 1e-12)

    var generator = SeededGenerator(seed: 43)
    let count = 10_000
    var sum = Matrix3.zero
    var normalizedSquares = 0.0
    let inverse = try #require(expected.inverse)
    for _ in 0..<count {
      let measured = exact.indices.map { index in
        VectorPair(
          device: generator.disturbed(exact[index].device, sigma: sigmas[index]), earth: earth[index],
          weight: weights[index])
      }
      // q_true = q ⊗ exp(θ).
      let error = (try QUEST.attitude(measured).conjugate * truth).rotationVector
      sum = sum + Matrix3(outer: error, error) * (1 / Double(count))
      normalizedSquares += error.dot(inverse * error) / Double(count)
    }
    // The standard deviation of a sample variance of n is √(2/n) = 1.4 %: four of them.
    let scale = Vector3(expected.m11.squareRoot(), expected.m22.squareRoot(), expected.m33.squareRoot())
    for row in 0..<3 {
      for column in 0..<3 {
        let difference = (sum[row, column] - expected[row, column]) / (scale[row] * scale[column])
        #expect(abs(difference) < 0.057, "element \(row), \(column)")
      }
    }
    // χ² of 3 degrees of freedom: mean 3, standard deviation √(6/n) = 0.0245.
    #expect(abs(normalizedSquares - 3) < 0.1)
  }

  @Test("the covariance of two directions of equal noise is largest about the line between them")
  func covarianceAxis() throws {
    let measured = pairs(of: upAndField(dip: 1.2), in: .identity, weights: [1e4, 1e4])
    let covariance = try WahbaProblem(measured).attitudeCovariance(at: .identity)
    // The bisector of up and field: about it the information is 2 w sin²(half the angle between them).
    let middle = (measured[0].device + measured[1].device).normalized!
    let half = measured[0].device.angle(to: measured[1].device) / 2
    #expect(isNear(middle.dot(covariance * middle), 1 / (2e4 * pow(sin(half), 2)), within: 1e-12))
    let across = measured[0].device.cross(measured[1].device).normalized!
    #expect(isNear(across.dot(covariance * across), 1 / 2e4, within: 1e-15))
  }
}
