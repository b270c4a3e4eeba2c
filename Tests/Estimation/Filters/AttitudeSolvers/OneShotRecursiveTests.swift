import Foundation
import InertialFilters
import InertialNumerics
import InertialRotations
import TestSupport
import Testing

@Suite("One-shot solvers with memory: ROLEQ and FKF")
struct OneShotRecursiveTests {
  static let rate = Vector3(0.7, -0.4, 1.1)
  static let dt = 0.01

  /// Returns the attitude after the given number of steps of the constant rate.
  static func truth(after steps: Int, from start: Quaternion = .identity) -> Quaternion {
    start * Quaternion(rotationVector: rate * (Double(steps) * dt))
  }

  // MARK: ROLEQ

  @Test("a step of ROLEQ with exact rate and vectors keeps the exact attitude")
  func roleqExact() throws {
    for start in Quaternion.nastyCases + Quaternion.random(20, seed: 61) {
      let expected = Self.truth(after: 1, from: start)
      let measured = pairs(of: upAndField(dip: 1.1), in: expected, weights: [2, 1])
      let q = try ROLEQStep.attitude(after: start, rate: Self.rate, dt: Self.dt, pairs: measured)
      #expect(isSameRotation(q, expected, within: 1e-12))
      #expect(abs(q.norm - 1) < 1e-12)
    }
  }

  @Test("one step of ROLEQ is one application of the plain operator ½ (W + I)")
  func roleqOperator() throws {
    var generator = SeededGenerator(seed: 62)
    for previous in Quaternion.random(20, seed: 63) {
      let attitude = Quaternion(
        x: generator.normal(), y: generator.normal(), z: generator.normal(), w: generator.normal()
      ).normalized!
      let measured = generator.noisyPairs(3, in: attitude, sigma: 0.2, weighted: true)
      let total = measured.reduce(0) { $0 + $1.weight }
      var sum = [previous.x, previous.y, previous.z, previous.w]
      for pair in measured {
        // W q = −e ⊗ q ⊗ d of unit vectors: equal to q if q rotates d to e.
        let (e, d) = (pair.earth.normalized!, pair.device.normalized!)
        let w = -(Quaternion(x: e.x, y: e.y, z: e.z, w: 0) * previous * Quaternion(x: d.x, y: d.y, z: d.z, w: 0))
        for (index, value) in [w.x, w.y, w.z, w.w].enumerated() { sum[index] += pair.weight / total * value }
      }
      let expected = Quaternion(x: sum[0], y: sum[1], z: sum[2], w: sum[3]).normalized!
      let q = try ROLEQStep.attitude(after: previous, rate: .zero, dt: Self.dt, pairs: measured)
      #expect(isSameRotation(q, expected, within: 1e-12))
    }
  }

  @Test("ROLEQ converges from a wrong start to the optimal attitude, like OLEQ's iteration")
  func roleqConverges() throws {
    var generator = SeededGenerator(seed: 64)
    for truth in Quaternion.random(20, seed: 65) {
      let measured = generator.noisyPairs(4, in: truth, sigma: 0.05, weighted: false)
      var q = truth * Quaternion(rotationVector: 2 * generator.direction())
      for _ in 0..<600 { q = try ROLEQStep.attitude(after: q, rate: .zero, dt: Self.dt, pairs: measured) }
      #expect(isSameRotation(q, try Davenport.attitude(measured), within: 1e-6))
    }
  }

  @Test("ROLEQ rejects values that are not finite, a zero attitude and vectors that require the opposite")
  func roleqBadInput() throws {
    let measured = pairs(of: upAndField(dip: 1.1), in: .identity)
    let zero = Quaternion(x: 0, y: 0, z: 0, w: 0)
    for (q, rate, dt) in [
      (zero, Self.rate, Self.dt), (Quaternion(x: .nan, y: 0, z: 0, w: 1), Self.rate, Self.dt),
      (.identity, Vector3(.nan, 0, 0), Self.dt), (.identity, Vector3(0, .infinity, 0), Self.dt),
      (.identity, Self.rate, .nan), (.identity, Self.rate, .infinity), (.identity, Vector3(1e300, 0, 0), 1e300),
    ] {
      #expect(throws: OneShotError.invalidStep) {
        try ROLEQStep.attitude(after: q, rate: rate, dt: dt, pairs: measured)
      }
    }
    #expect(throws: OneShotError.tooFewPairs(given: 0, needed: 1)) {
      try ROLEQStep.attitude(after: .identity, rate: .zero, dt: Self.dt, pairs: [])
    }
    #expect(throws: OneShotError.noDirection(pair: 0)) {
      try ROLEQStep.attitude(
        after: .identity, rate: .zero, dt: Self.dt, pairs: [VectorPair(device: .zero, earth: .unitZ)])
    }
    // The half turn around the axis between two perpendicular vectors has the eigenvalue −1 of their W.
    let opposite = [VectorPair(device: .unitX, earth: .unitX), VectorPair(device: .unitY, earth: .unitY)]
    #expect(throws: OneShotError.undetermined) {
      try ROLEQStep.attitude(after: Quaternion(x: 0, y: 0, z: 1, w: 0), rate: .zero, dt: Self.dt, pairs: opposite)
    }
  }

  // MARK: FKF

  @Test("with exact samples FKF keeps the exact attitude")
  func fkfExact() throws {
    for start in Quaternion.nastyCases + Quaternion.random(10, seed: 66) {
      var filter = try sample(start) { (acceleration, field) throws in
        try FKF(acceleration: acceleration, field: field)
      }
      for step in 1...20 {
        let truth = Self.truth(after: step, from: start)
        let q = try sample(truth) { (acceleration, field) throws in
          try filter.step(rate: Self.rate, acceleration: acceleration, field: field, dt: Self.dt)
        }
        #expect(isSameRotation(q, truth, within: 1e-12))
        #expect(abs(q.norm - 1) < 1e-12 && q == filter.attitude)
      }
    }
  }

  @Test("FKF converges from a start 60° off to the attitude of the samples")
  func fkfConverges() throws {
    var filter = try FKF(attitude: Quaternion(rotationVector: Vector3(0.6, -0.5, 0.7)))
    for _ in 0..<5_000 {
      try sample(.identity) { (acceleration, field) throws in
        try filter.step(rate: .zero, acceleration: acceleration, field: field, dt: Self.dt)
      }
    }
    // With its small steady gain, the filter halves the effect of its start every 5 s: 1e-4 rad are left after 50.
    #expect(isSameRotation(filter.attitude, .identity, within: 1e-3))
  }

  @Test("FKF's error on noisy samples is smaller than the samples' own, and its covariance is positive")
  func fkfFilters() throws {
    var generator = SeededGenerator(seed: 67)
    var filter = try FKF(attitude: .identity)
    var (filtered, oneShot, count) = (0.0, 0.0, 0.0)
    for step in 1...2_000 {
      let truth = Self.truth(after: step)
      let acceleration = generator.disturbed(truth.rotateInverse(-.unitZ), sigma: 0.02)
      let field = generator.disturbed(truth.rotateInverse(Vector3(20, 0, -40)), sigma: 0.02)
      let noise = generator.vector(0.01)
      let q = try filter.step(rate: Self.rate + noise, acceleration: acceleration, field: field, dt: Self.dt)
      guard step > 500 else { continue }
      count += 1
      filtered += pow(angle(q, truth), 2)
      oneShot += pow(angle(try ECompass.attitude(acceleration: acceleration, field: field), truth), 2)
    }
    let (filteredRMS, oneShotRMS) = ((filtered / count).squareRoot(), (oneShot / count).squareRoot())
    #expect(filteredRMS < oneShotRMS / 4, "\(filteredRMS) and \(oneShotRMS) rad")
    let eigen = try SymmetricEigen(Matrix(filter.covariance))
    #expect(eigen.eigenvalues[0] > 0)
  }

  @Test("FKF's measurement noise equals that of the plain operators' product by numerical derivatives")
  func fkfNoise() throws {
    var parameters = FKF.Parameters()
    (parameters.gyroscopeNoise, parameters.accelerationNoise, parameters.fieldNoise) = (0, 0.02, 0.05)
    parameters.initialVariance = 1e-3
    for q in Quaternion.random(10, seed: 68) {
      let device = q * Quaternion(rotationVector: Vector3(0.1, -0.05, 0.2))
      let (up, north) = (device.rotateInverse(.unitZ), device.rotateInverse(Vector3(0.6, 0, -0.8)))
      func measured(_ a: Vector3, _ m: Vector3) -> [Double] {
        let towardsField = drawn(q, earth: Vector3(0.6, 0, -0.8), device: m)
        let both = drawn(towardsField, earth: .unitZ, device: a)
        return [both.x, both.y, both.z, both.w]
      }
      let length = measured(up, north).reduce(0) { $0 + $1 * $1 }.squareRoot()
      var noise = Matrix(rowCount: 4, columnCount: 4)
      for axis in [Vector3.unitX, .unitY, .unitZ] {
        // The product is linear in each vector, so differences are derivatives.
        let byUp = zip(measured(up + axis, north), measured(up - axis, north)).map { ($0 - $1) / 2 / length }
        let byField = zip(measured(up, north + axis), measured(up, north - axis)).map { ($0 - $1) / 2 / length }
        for row in 0..<4 {
          for column in 0..<4 {
            noise[row, column] += 0.0004 * byUp[row] * byUp[column] + 0.0025 * byField[row] * byField[column]
          }
        }
      }
      // P⁺ = P − P (P + R)⁻¹ P with P = v I.
      let v = parameters.initialVariance
      var filter = try FKF(attitude: q, parameters: parameters)
      try filter.step(rate: .zero, acceleration: -up, field: north, dt: Self.dt)
      let posterior = Matrix(filter.covariance)
      for row in 0..<4 {
        for column in 0..<4 {
          // (P + R) (P − P⁺) = P P, element by element.
          let product = (0..<4).reduce(0.0) { sum, inner in
            let total = noise[row, inner] + (row == inner ? v : 0)
            return sum + total * ((inner == column ? v : 0) - posterior[inner, column])
          }
          #expect(isNear(product, row == column ? v * v : 0, within: 1e-15))
        }
      }
    }
  }

  /// Returns (W + I) q for one pair.
  private func drawn(_ q: Quaternion, earth e: Vector3, device d: Vector3) -> Quaternion {
    let w = Quaternion(x: e.x, y: e.y, z: e.z, w: 0) * q * Quaternion(x: d.x, y: d.y, z: d.z, w: 0)
    return Quaternion(x: q.x - w.x, y: q.y - w.y, z: q.z - w.z, w: q.w - w.w)
  }

  @Test("FKF rejects bad samples and steps, and is then unchanged")
  func fkfBadInput() throws {
    let start = try FKF(acceleration: Vector3(0, 0, -1), field: Vector3(20, 0, -40))
    func expect(_ error: OneShotError, _ change: (inout (Vector3, Vector3, Vector3, Double)) -> Void) {
      let input = with((Self.rate, Vector3(0, 0, -1), Vector3(20, 0, -40), Self.dt), change)
      var filter = start
      #expect(throws: error) { try filter.step(rate: input.0, acceleration: input.1, field: input.2, dt: input.3) }
      #expect(filter == start)
    }
    expect(.invalidStep) { $0.0.x = .nan }
    expect(.invalidStep) { $0.3 = .infinity }
    expect(.noDirection(pair: 0)) { $0.1 = .zero }
    expect(.noDirection(pair: 1)) { $0.2.y = .nan }
    #expect(throws: OneShotError.invalidStep) { try FKF(attitude: Quaternion(x: 0, y: 0, z: 0, w: 0)) }
    // A sample with the exact opposite: the measured quaternion vanishes.
    var upsideDown = try FKF(attitude: Quaternion(x: 1, y: 0, z: 0, w: 0))
    #expect(throws: OneShotError.undetermined) {
      try upsideDown.step(rate: .zero, acceleration: Vector3(0, 0, -1), field: Vector3(20, 0, 0), dt: Self.dt)
    }
    // Without any noise, no weight is defined.
    var parameters = FKF.Parameters()
    (parameters.gyroscopeNoise, parameters.accelerationNoise) = (0, 0)
    (parameters.fieldNoise, parameters.initialVariance) = (0, 0)
    var certain = try FKF(attitude: .identity, parameters: parameters)
    #expect(throws: OneShotError.undetermined) {
      try certain.step(rate: .zero, acceleration: Vector3(0, 0, -1), field: Vector3(20, 0, -40), dt: Self.dt)
    }
  }

  @Test("an FKF encoded as JSON and decoded continues as the same filter")
  func fkfSaved() throws {
    var filter = try FKF(acceleration: Vector3(0, 0.1, -1), field: Vector3(20, 3, -40))
    try filter.step(rate: Self.rate, acceleration: Vector3(0, 0.1, -1), field: Vector3(20, 3, -40), dt: Self.dt)
    #expect(try savedAndRestored(filter) == filter)
  }

  /// Calls a function with the measurements of a device in this attitude.
  @discardableResult
  private func sample<Result>(
    _ attitude: Quaternion, _ take: (_ acceleration: Vector3, _ field: Vector3) throws -> Result
  ) throws -> Result { try take(attitude.rotateInverse(-.unitZ), attitude.rotateInverse(Vector3(20, 0, -40))) }
}
