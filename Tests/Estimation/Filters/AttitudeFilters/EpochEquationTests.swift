import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFilters

/// The numbered equations of docs/theory/epoch-filters.md, evaluated plainly or by differences of a state.
@Suite("The equations of the filters in epochs")
struct EpochEquationTests {
  private static let estimate: EpochState = {
    var state = EpochState(attitudeVariances: .zero, biasVariance: 0)
    state.earthFromDevice = Quaternion(rotationVector: Vector3(0.4, -0.7, 1.1))
    state.gyroscopeBias = Vector3(0.01, 0.02, -0.03)
    return state
  }()
  private static let field = Vector3(18, 5, -42)

  private static func error(_ index: Int, _ size: Double) -> ErrorValues {
    var error = ErrorValues()
    error[index] = size
    return error
  }

  /// Returns the errors of a state relative to another one: equation (1).
  private static func errors(_ state: EpochState, from estimate: EpochState) -> [Double] {
    let turn = (state.earthFromDevice * estimate.earthFromDevice.conjugate).rotationVector
    let bias = state.gyroscopeBias - estimate.gyroscopeBias
    return [turn.x, turn.y, turn.z, bias.x, bias.y, bias.z]
  }

  /// Returns a covariance with correlations between all errors.
  private static func correlated(_ scale: Double = 0.01, seed: UInt64 = 3) -> EpochState {
    var generator = SeededGenerator(seed: seed)
    let factor = FixedMatrix<6, 6> { row, _ in (row < 3 ? scale : 0.3 * scale) * generator.normal() }
    return EpochState(at: estimate.earthFromDevice, factor.timesTranspose(factor))
  }

  private static func column(_ matrix: Matrix, _ index: Int) -> [Double] {
    (0..<matrix.rowCount).map { matrix[$0, index] }
  }

  // MARK: Prediction

  @Test("equations 1 to 3: the transition over an epoch equals differences of the integrated rate", arguments: 0..<6)
  func transition(_ index: Int) {
    let (count, dt, size) = (50, 0.001, 1e-6)
    let rate = Vector3(1, -2, 0.5)
    func integrated(_ state: EpochState) -> EpochState {
      var state = state
      for _ in 0..<count {
        let turn = Quaternion(rotationVector: dt * (rate - state.gyroscopeBias))
        state.earthFromDevice = state.earthFromDevice * turn
      }
      return state
    }
    var predicted = Self.estimate
    predicted.kalman[index, index] = 1
    let start = predicted.earthFromDevice
    predicted.predict(
      over: EpochStep(
        turn: start.conjugate * integrated(predicted).earthFromDevice, duration: dt * Double(count),
        attitudeVariance: 0, biasVariance: 0))
    var disturbed = Self.estimate
    MEKF.correct(&disturbed, by: Self.error(index, size))
    let errors = Self.errors(integrated(disturbed), from: integrated(Self.estimate))
    for row in 0..<6 {
      // A covariance with one error is then f fᵀ, with the column f of F.
      let element = predicted.kalman[row, index] / predicted.kalman[index, index]
      #expect(abs(errors[row] / size - element) < 1e-5, "component \(row)")
    }
  }

  @Test("equation 4: the process noise is proportional to the time, with a part by rotation")
  func processNoise() {
    func growth(rate: Double, epoch: Double) -> Vector3 {
      var parameters = MEKF.Parameters()
      parameters.noise.epochDuration = epoch
      parameters.noise.gyroscopeScaleNoise = 0.01
      // Without weight of the force, P grows by Q alone.
      parameters.noise.accelerationNoise = 100
      parameters.noise.initialBiasSigma = 1e-9
      parameters.noise.biasNoise = 0
      parameters.handling.startUpDuration = 0.1
      var filter = MEKFFilter(parameters: parameters)
      var variances: [Vector3] = []
      for step in 0...1100 {
        let time = 0.01 * Double(step)
        filter.update(gyroscope: Vector3(0, 0, rate), accelerometer: Vector3(0, 0, -1), magneticField: nil, at: time)
        let p = filter.state.attitudeCovariance
        variances.append(Vector3(p.m11, p.m22, p.m33))
      }
      return variances[1100] - variances[100]
    }
    for epoch in [0.05, 0.2] {
      let expected = 10 * (0.0015 * 0.0015 + 0.01 * 0.01 * 2 * 2)
      #expect((growth(rate: 2, epoch: epoch) - Vector3(repeating: expected)).norm < 1e-3 * expected)
    }
  }

  // MARK: Measurements

  @Test("equation 5: the variation of the force is the square of a vibration's amplitude, and 0 for a constant tilt")
  func forceVariation() {
    func variance(_ force: (Double) -> Vector3) -> Double {
      var variation = ForceVariation()
      for step in 0..<4000 { variation.add(force(0.01 * Double(step)), dt: 0.01, timeConstant: 2) }
      return variation.variance
    }
    #expect(variance { _ in Vector3(0.3, -0.2, 0.9) } < 1e-20)
    // Half of the square of the amplitude 0.4 g at 5 Hz, which the low-pass of 1 s removes from the mean.
    #expect(abs(variance { Vector3(0.4 * sin(10 * .pi * $0), 0, 1) } - 0.08) < 0.003)
  }

  /// Expects that the variance of an innovation equals the square of the derivative by differences of its residual.
  private func expectSlopes<Algorithm: EpochAlgorithm>(
    _ algorithm: Algorithm, within tolerance: Double = 1e-6,
    _ fuse: (inout EpochState) -> MeasurementOutcome, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let size = 1e-5
    for index in 0..<6 {
      func innovation(_ error: Double) -> Vector3 {
        var state = Self.estimate
        Algorithm.correct(&state, by: Self.error(index, error))
        return fuse(&state).innovation
      }
      // An error e of the true state changes the residual by h e, so one of the estimate by -h e.
      let slope = (innovation(-size) - innovation(size)) / (2 * size)
      var probe = Self.estimate
      probe.kalman[index, index] = 1
      let variance = try #require(fuse(&probe).variance)
      for axis in 0..<3 where variance[axis] > 0 {
        #expect(
          abs(variance[axis] - 1 - slope[axis] * slope[axis]) < tolerance * max(1, variance[axis]), "error \(index)",
          sourceLocation: sourceLocation)
      }
    }
  }

  @Test("equation 6: the derivative of a level force equals differences, and excludes heading and magnitude")
  func gravity() throws {
    let up = Self.estimate.earthFromDevice.rotateInverse(.unitZ)
    for scale in [1, 1.3] {
      let measurement = ErrorMeasurement.gravity(Vector3(0.1, 0.2, scale), variance: 1)
      #expect(measurement.count == 2)
    }
    try expectSlopes(MEKF()) { MEKF().fuse(&$0, force: up, variance: 1) }
    try expectSlopes(EqF()) { EqF().fuse(&$0, force: up, variance: 1) }
  }

  @Test("equations 7 to 9: the derivatives of a field equal differences")
  func fieldVector() throws {
    let measured = Self.estimate.earthFromDevice.rotateInverse(Self.field)
    func check<Algorithm: EpochAlgorithm>(_ algorithm: Algorithm) throws {
      try expectSlopes(algorithm) { algorithm.fuse(&$0, field: measured, reference: Self.field, variance: 1) }
    }
    try check(MEKF())
    try check(EqF())
    try check(QuaternionEKF())
  }

  @Test("equation 8: the derivative at the mean of both directions is accurate to third order")
  func meanDirection() {
    let θ = Vector3(0.1, -0.2, 0.15)
    let measured = Quaternion(rotationVector: -θ).rotate(Self.field)
    let first = Self.field.cross(θ)
    let mean = (0.5 * (Self.field + measured)).cross(θ)
    let residual = measured - Self.field
    #expect((residual - first).norm > 0.5 && (residual - mean).norm < 0.1)
  }

  @Test("equations 10 and 11: the derivative of an azimuth equals differences, and the gain on the tilt is zero")
  func azimuth() throws {
    let measured = Self.estimate.earthFromDevice.rotateInverse(Self.field)
    func check<Algorithm: EpochAlgorithm>(_ algorithm: Algorithm) throws {
      try expectSlopes(algorithm) { algorithm.fuse(&$0, field: measured, azimuth: 0.2, variance: 1) }
      var state = Self.correlated()
      let before = state.kalman.matrix
      _ = algorithm.fuse(&state, field: measured, azimuth: 0.2, variance: 1e-4)
      #expect(
        isNear(
          Vector3(state.kalman[0, 0], state.kalman[0, 1], state.kalman[1, 1]),
          Vector3(before[0, 0], before[0, 1], before[1, 1]), within: 1e-18))
      #expect(state.kalman[2, 2] < before[2, 2])
    }
    try check(MEKF())
    try check(EqF())
    try check(QuaternionEKF())
  }

  @Test("equation 12: the rate at rest measures the bias in any axes, with the same correction")
  func restRate() {
    let residual = Vector3(0.01, -0.02, 0.005)
    func corrected(_ axes: Matrix3) -> ErrorValues {
      var kalman = Self.correlated().kalman
      kalman.take(.restRate(residual, in: axes, variance: 1e-10))
      return kalman.close()
    }
    let (device, earth) = (corrected(.identity), corrected(Self.estimate.earthFromDevice.matrix))
    for index in 0..<6 { #expect(abs(device[index] - earth[index]) < 1e-14) }
    #expect(isNear(device[EpochErrors.bias], residual, within: 1e-4))
  }

  // MARK: Corrections

  @Test("equations 13 to 16: a correction by a small error gives the state with that error", arguments: 0..<6)
  func charts(_ index: Int) {
    func check<Algorithm: EpochAlgorithm>(_ algorithm: Algorithm, angle: (Double) -> Double) {
      for size in [1e-4, 0.5] {
        var state = Self.estimate
        Algorithm.correct(&state, by: Self.error(index, size))
        let errors = Self.errors(state, from: Self.estimate)
        let expected = index < 3 ? angle(size) : size
        for row in 0..<6 { #expect(abs(errors[row] - (row == index ? expected : 0)) < 1e-14, "\(algorithm)") }
      }
    }
    check(MEKF()) { $0 }
    check(EqF()) { $0 }
    check(QuaternionEKF()) { 2 * atan($0 / 2) }
    check(UnscentedKalman()) { 4 * atan($0 / 4) }
  }

  @Test("equation 14: the bias correction is J_r(θ) in earth axes, the mean of the rotations −tθ")
  func biasChart() {
    let (θ, b) = (Vector3(0.3, -0.2, 0.4), Vector3(0.02, 0.01, -0.03))
    var correction = ErrorValues()
    correction[EpochErrors.attitude] = θ
    correction[EpochErrors.bias] = b
    var state = Self.estimate
    EqF.correct(&state, by: correction)
    let inEarth = Self.estimate.earthFromDevice.rotate(b)
    var mean = Vector3.zero
    for step in 0..<1000 {
      mean += 1e-3 * Quaternion(rotationVector: -(Double(step) + 0.5) / 1000 * θ).rotate(inEarth)
    }
    let expected = Self.estimate.gyroscopeBias + Self.estimate.earthFromDevice.rotateInverse(mean)
    #expect(isNear(state.gyroscopeBias, expected, within: pow(θ.norm, 3) / 24 * b.norm))
  }

  // MARK: Sigma points

  private func list(_ pair: (turn: Vector3, bias: Vector3)) -> [Double] {
    [pair.turn.x, pair.turn.y, pair.turn.z, pair.bias.x, pair.bias.y, pair.bias.z]
  }

  @Test("equation 17: the points have the covariance, and the first three pairs are the same without the others")
  func sigmaPoints() {
    let kalman = Self.correlated().kalman
    let (points, three) = (SigmaPoints(kalman, .init()), SigmaPoints(kalman, onlyTurns: true, .init()))
    var sum = Matrix(rowCount: 6, columnCount: 6)
    for index in 0..<6 {
      let column = list(points.pair(index))
      for row in 0..<6 { for other in 0..<6 { sum[row, other] += 2 * points.weight * column[row] * column[other] } }
      if index < 3 { #expect(list(three.pair(index)) == column) }
    }
    for row in 0..<6 { for column in 0..<6 { #expect(abs(sum[row, column] - kalman[row, column]) < 1e-18) } }
    #expect(points.weight == three.weight && points.meanWeight == three.meanWeight)
  }

  @Test("equation 18: for small errors the points are propagated as by equation 2")
  func propagatedPoints() {
    let step = EpochStep(
      turn: Quaternion(rotationVector: Vector3(0.05, -0.06, 0.04)), duration: 0.05, attitudeVariance: 2e-9,
      biasVariance: 3e-10)
    var (points, linear) = (Self.correlated(1e-4), Self.correlated(1e-4))
    UnscentedKalman().predict(&points, over: step)
    linear.predict(over: step)
    for row in 0..<6 {
      for column in 0..<6 { #expect(abs(points.kalman[row, column] - linear.kalman[row, column]) < 1e-13) }
    }
  }

  @Test("equations 19 and 20: components in sequence equal the joint update with C S⁻¹", arguments: [1, 2, 3])
  func moments(count: Int) throws {
    var generator = SeededGenerator(seed: 7)
    let state = Self.correlated()
    let points = SigmaPoints(state.kalman, onlyTurns: true, .init())
    var moments = MeasuredMoments(variance: 1e-4)
    var (c, s) = (Matrix(rowCount: 6, columnCount: count), 1e-4 * Matrix.identity(count))
    for index in 0..<3 {
      let (pair, plus, minus) = (points.pair(index), generator.vector(0.02), generator.vector(0.02))
      moments.add(pair, plus, minus, weight: points.weight)
      for i in 0..<count {
        for row in 0..<6 { c[row, i] += points.weight * list(pair)[row] * (plus[i] - minus[i]) }
        for j in 0..<count { s[i, j] += points.weight * (plus[i] * plus[j] + minus[i] * minus[j]) }
      }
    }
    let z = Vector3(0.01, -0.02, 0.03)
    let gain = (try Cholesky(s).solve(c.transpose)).transpose
    let expected = gain * Matrix(rowCount: count, columnCount: 1) { row, _ in z[row] }
    let covariance = state.kalman.matrix - gain * c.transpose

    var kalman = state.kalman
    moments.decorrelate(z, count: count) { kalman.take(covariance: $0, innovation: $1, variance: $2) }
    let correction = kalman.close()
    for row in 0..<6 {
      #expect(abs(correction[row] - expected[row, 0]) < 1e-15)
      for column in 0..<6 { #expect(abs(kalman[row, column] - covariance[row, column]) < 1e-17) }
    }
  }

  // MARK: Field, start and gaps

  @Test("equation 21: the deviation of a field is the distance of norm and vertical part, with a short memory")
  func deviation() {
    var learned = LearnedField(strength: 49, dip: 1.15)
    let normal = learned.field(atAzimuth: 0.3)!
    #expect(
      isNear(normal, Vector3(49 * cos(1.15) * cos(0.3), 49 * cos(1.15) * sin(0.3), -49 * sin(1.15)), within: 1e-12))
    #expect(learned.deviation(of: normal, dt: 0.05, timeConstant: 0.5) < 1e-12)
    let field = normal + Vector3(3, -4, 2)
    let expected = ((field.norm - 49) * (field.norm - 49) + 4).squareRoot()
    #expect(abs(learned.deviation(of: field, dt: 0.05, timeConstant: 0.5) - expected) < 1e-12)
    let remaining = learned.deviation(of: normal, dt: 0.05, timeConstant: 0.5)
    #expect(abs(remaining - (1 - exp(-0.1)) * exp(-0.1) * expected) < 1e-12)
  }

  @Test("equation 22: a field beyond the bound is learned no faster than one at the bound")
  func learning() {
    func moved(by difference: Double) -> Double {
      var learned = LearnedField()
      for _ in 0..<100 { learned.learn(Vector3(20, 0, 0), dt: 1, timeConstant: 1, bound: 1) }
      learned.learn(Vector3(20 + difference, 0, 0), dt: 0.1, timeConstant: 30, bound: 1)
      return learned.strength! - 20
    }
    #expect(abs(moved(by: 0.5) - 0.5 * (1 - exp(-0.1 / 30))) < 1e-12)
    #expect(abs(moved(by: 40) - moved(by: 1)) < 1e-12)
  }

  @Test("equations 23 and 24: the variances after the start-up and after a gap follow from spread and duration")
  func start() throws {
    var filter = MEKFFilter()
    func run(_ times: StrideTo<Double>) {
      for time in times {
        filter.update(gyroscope: .zero, accelerometer: Vector3(0, 0, -1), magneticField: nil, at: time)
      }
    }
    run(stride(from: 0, to: 1.01, by: 0.01))
    let noise = MEKF.Parameters().noise
    let p = filter.state.attitudeCovariance
    #expect(abs(p.m11 / (noise.initialTiltSigma * noise.initialTiltSigma) - 1) < 0.02)
    run(stride(from: 1.01, to: 3, by: 0.01))
    let (heading, bias) = (filter.state.attitudeCovariance.m33, filter.state.biasCovariance)
    filter.update(gyroscope: .zero, at: 7)
    let turned = noise.gapRate * (7 - 2.99)
    #expect(abs(filter.state.attitudeCovariance.m33 - min(heading + turned * turned, .pi * .pi)) < 1e-9)
    let grown = filter.state.biasCovariance - bias
    #expect(
      isNear(
        Vector3(grown.m11, grown.m22, grown.m33),
        Vector3(repeating: noise.biasNoise * noise.biasNoise * (7 - 2.99)), within: 1e-15))
    #expect(filter.state.algorithm.kalman[0, 3] == 0)
  }
}
