import Foundation
import InertialFilters
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

/// The mathematics of mekf, eqf, ekf and ukf without the filter around them. Three use derivatives, in different charts,
/// and one does not, so for small errors each is a test of the others.
@Suite("Kalman filters in epochs")
struct EpochAlgorithmTests {
  private static let algorithms: [any EpochAlgorithm] = [MEKF(), EqF(), QuaternionEKF(), UnscentedKalman()]
  private static let attitudes = Quaternion.nastyCases.prefix(12) + Quaternion.random(8, seed: 5)

  /// Returns a covariance with correlations between all errors: errors of `scale` rad and a third of it in rad/s.
  private func covariance(_ scale: Double, seed: UInt64) -> FixedMatrix<6, 6> {
    var generator = SeededGenerator(seed: seed)
    let factor = FixedMatrix<6, 6> { row, _ in (row < 3 ? 0.5 : 0.15) * scale * generator.normal() }
    return factor.timesTranspose(factor)
  }

  private func start(_ scale: Double, _ attitude: Quaternion) -> EpochState {
    EpochState(at: attitude, covariance(scale, seed: 3))
  }

  private func expectEqual(
    _ a: EpochState, _ b: EpochState, scale: Double, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    // Terms of second order in the errors differ.
    let tolerance = 10 * scale * scale
    #expect(isSameRotation(a.earthFromDevice, b.earthFromDevice, within: tolerance), sourceLocation: sourceLocation)
    #expect(isNear(a.gyroscopeBias, b.gyroscopeBias, within: tolerance), sourceLocation: sourceLocation)
    let (p, q) = (a.kalman, b.kalman)
    for row in 0..<6 {
      for column in 0..<6 {
        #expect(
          isNear(p[row, column], q[row, column], within: tolerance * scale), "\(row), \(column)",
          sourceLocation: sourceLocation)
      }
    }
  }

  @Test("derivatives and sigma points agree on a prediction with a rotation of 0.9 rad", arguments: attitudes)
  func prediction(attitude: Quaternion) {
    let step = EpochStep(
      turn: Quaternion(rotationVector: Vector3(0.5, -0.6, 0.4)), duration: 0.8, attitudeVariance: 2e-7,
      biasVariance: 3e-8)
    func predicted<Algorithm: EpochAlgorithm>(_ algorithm: Algorithm) -> EpochState {
      var state = start(1e-3, attitude)
      algorithm.predict(&state, over: step)
      return state
    }
    let ekf = predicted(QuaternionEKF())
    // The mean of the rotating axes over the epoch is a series of three terms.
    for other in [predicted(MEKF()), predicted(UnscentedKalman()), predicted(EqF())] {
      expectEqual(ekf, other, scale: 5e-3)
    }
    #expect(isSameRotation(ekf.earthFromDevice, attitude * step.turn, within: 1e-12))
  }

  @Test(
    "derivatives and sigma points agree on force, field and azimuth", arguments: attitudes,
    ["force", "field", "azimuth"])
  func measurements(attitude: Quaternion, kind: String) {
    let error = Quaternion(rotationVector: Vector3(1e-3, -2e-3, 1.5e-3))
    let inDevice = { (vector: Vector3) in (error * attitude).rotateInverse(vector) }
    let field = Vector3(18, 5, -42)
    func corrected<Algorithm: EpochAlgorithm>(_ algorithm: Algorithm) -> EpochState {
      var state = start(2e-3, attitude)
      switch kind {
      case "force": algorithm.fuse(&state, force: inDevice(.unitZ), variance: 1e-6)
      case "field": algorithm.fuse(&state, field: inDevice(field), reference: field, variance: 1e-3)
      default: algorithm.fuse(&state, field: inDevice(field), azimuth: 0.2, variance: 1e-2)
      }
      return state
    }
    let ekf = corrected(QuaternionEKF())
    for other in [corrected(MEKF()), corrected(UnscentedKalman()), corrected(EqF())] {
      expectEqual(ekf, other, scale: 2e-3)
    }
  }

  // Sigma points use the mean slope over their spread, 0.01 rad here, which differs from the slope at the mean.
  @Test(
    "an exact force corrects the tilt, an exact field the whole attitude, to second order of the error",
    arguments: attitudes)
  func exactMeasurements(attitude: Quaternion) {
    let truth = Quaternion(rotationVector: Vector3(0.002, -0.003, 0.004)) * attitude
    let field = Vector3(20, 0, -40)
    func check<Algorithm: EpochAlgorithm>(_ algorithm: Algorithm) {
      var state = EpochState(attitudeVariances: Vector3(repeating: 1e-4), biasVariance: 1e-4)
      state.earthFromDevice = attitude
      for _ in 0..<3 { algorithm.fuse(&state, force: truth.rotateInverse(.unitZ), variance: 1e-10) }
      #expect(isNear(state.earthFromDevice.rotateInverse(.unitZ), truth.rotateInverse(.unitZ), within: 1e-5))
      for _ in 0..<3 { algorithm.fuse(&state, field: truth.rotateInverse(field), reference: field, variance: 1e-8) }
      #expect(isSameRotation(state.earthFromDevice, truth, within: 1e-5))
      #expect(state.attitudeCovariance.trace < 1e-5)
    }
    for algorithm in Self.algorithms { check(algorithm) }
  }

  @Test("an azimuth rotates the attitude only about the vertical, for any correlations", arguments: attitudes)
  func azimuth(attitude: Quaternion) {
    let field = attitude.rotateInverse(Vector3(18, 5, -42))
    func check<Algorithm: EpochAlgorithm>(_ algorithm: Algorithm) {
      var state = start(0.1, attitude)
      algorithm.fuse(&state, field: field, azimuth: 0.1, variance: 1e-4)
      let corrected = state.earthFromDevice
      #expect(isNear(corrected.rotateInverse(.unitZ), attitude.rotateInverse(.unitZ), within: 1e-12))
      #expect(corrected.angle(to: attitude) > 0.005)
    }
    for algorithm in Self.algorithms { check(algorithm) }
  }

  @Test("repeated azimuths of a field do not reduce the heading's uncertainty below the tilt's contribution")
  func azimuthAgain() {
    let tilt = 0.02
    func sigma<Algorithm: EpochAlgorithm>(_ algorithm: Algorithm) -> Double {
      var state = EpochState(attitudeVariances: Vector3(tilt * tilt, tilt * tilt, 0.01), biasVariance: 1e-8)
      // At a dip of 63°, a tilt changes the azimuth by twice as much.
      let field = Vector3(20, 0, -40)
      for _ in 0..<200 { algorithm.fuse(&state, field: field, azimuth: 0, variance: 1e-4) }
      return state.attitudeCovariance.m33.squareRoot()
    }
    for algorithm in Self.algorithms {
      let found = sigma(algorithm)
      // The prior heading, 0.1 rad, reduces it by up to 7 %. As white noise it would be 0.003 rad.
      #expect(abs(found / (2 * tilt) - 1) < 0.08)
    }
  }

  @Test("forces of an accelerating device contain no information about the heading")
  func headingOfForces() {
    var generator = SeededGenerator(seed: 12)
    let forces = (0..<400).map { _ in
      Vector3(0.1 * generator.normal(), 0.1 * generator.normal(), 1 + 0.1 * generator.normal())
    }
    func sigma<Algorithm: EpochAlgorithm>(_ algorithm: Algorithm) -> Double {
      var state = EpochState(attitudeVariances: Vector3(1e-4, 1e-4, 0.25), biasVariance: 1e-8)
      for force in forces { algorithm.fuse(&state, force: force, variance: 0.01) }
      return state.attitudeCovariance.m33.squareRoot()
    }
    #expect(isNear(sigma(MEKF()), 0.5, within: 1e-6) && isNear(sigma(EqF()), 0.5, within: 1e-6))
  }

  @Test("a rate at rest is the bias, unless it exceeds the gate")
  func rest() {
    let rate = Vector3(0.01, -0.02, 0.015)
    func bias<Algorithm: EpochAlgorithm>(_ algorithm: Algorithm, gate: Double) -> Vector3 {
      var state = EpochState(attitudeVariances: Vector3(repeating: 1e-4), biasVariance: 1e-4)
      algorithm.fuse(&state, restRate: rate, variance: 1e-12, gate: gate)
      return state.gyroscopeBias
    }
    for algorithm in Self.algorithms {
      #expect(isNear(bias(algorithm, gate: 14), rate, within: 1e-9) && bias(algorithm, gate: 1) == .zero)
    }
  }

  @Test("the covariance stays symmetric and positive definite, and the norm of the quaternion 1")
  func positive() {
    func check<Algorithm: EpochAlgorithm>(_ algorithm: Algorithm) {
      var state = start(0.1, Quaternion.random(1, seed: 8)[0])
      var generator = SeededGenerator(seed: 4)
      for _ in 0..<300 {
        algorithm.predict(
          &state,
          over: EpochStep(
            turn: Quaternion(rotationVector: generator.vector(0.2)), duration: 0.05, attitudeVariance: 1e-4,
            biasVariance: 1e-8))
        let force = Vector3(generator.normal(), generator.normal(), 1 + generator.normal())
        algorithm.fuse(&state, force: state.earthFromDevice.rotateInverse(force), variance: 0.1)
        let p = state.kalman.matrix
        for row in 0..<6 { for column in 0..<row { #expect(p[row, column] == p[column, row]) } }
        #expect(throws: Never.self) { try Cholesky(p) }
        #expect(abs(state.earthFromDevice.norm - 1) < 1e-15)
      }
    }
    for algorithm in Self.algorithms { check(algorithm) }
  }

  @Test(
    "if there is no rotation, sigma points reproduce the covariance, even with an unknown heading",
    arguments: [0.001, 1, 2], [1e-3, 0.3, Double.pi])
  func sigmaPoints(alpha: Double, heading: Double) {
    var parameters = UnscentedKalman.Parameters()
    parameters.sigmaPointSpread = alpha
    var state = EpochState(attitudeVariances: Vector3(1e-4, 1e-4, heading * heading), biasVariance: 1e-6)
    let before = state.kalman
    UnscentedKalman(parameters: parameters).predict(
      &state, over: EpochStep(turn: .identity, duration: 0, attitudeVariance: 0, biasVariance: 0))
    for row in 0..<6 {
      for column in 0..<6 { #expect(abs(state.kalman[row, column] - before[row, column]) < 1e-9) }
    }
  }

  @Test("if only the azimuth is used, ekf and ukf match the multiplicative filter to 0.2°")
  func likeMEKF() throws {
    let simulation = try Simulation(
      scenario: .named("random-spline"), sensors: .phone.forFilters(rates: (50, 50, 25)), duration: 15, seed: 4)
    var mekf = FilterKind.all["mekf"]!.standard()
    var others = try ["ekf", "ukf"].map { try FilterKind.all[$0]!.make(["fieldMovesTilt": 0]) }
    for sample in simulation {
      mekf.take(sample)
      for index in others.indices { others[index].take(sample) }
      guard sample.channel == .gyroscope, sample.time > 8, let expected = mekf.estimate else { continue }
      for other in others {
        let found = try #require(other.estimate)
        #expect(isSameRotation(found.earthFromDevice, expected.earthFromDevice, within: 0.2 * .pi / 180))
      }
    }
  }

  @Test("a given field is not learned: another dip stays flagged as a disturbance")
  func givenField() throws {
    for (dip, isDisturbed) in [(EarthField().dip, false), (0.9, true)] {
      var filter = try FilterKind.all["ekf"]!.make(["fieldStrength": EarthField().strength, "fieldDip": dip])
      filter.take(
        Simulation(
          trajectory: RestTrajectory(), sensors: .ideal.forFilters(rates: (20, 20, 20)), duration: 60
        ).samples())
      #expect(filter.estimate!.flags.contains(.magneticDisturbance) == isDisturbed)
    }
  }

  @Test("an innovation is measured minus predicted, and its variance includes the state's and the sensor's")
  func innovations() throws {
    func check<Algorithm: EpochAlgorithm>(_ algorithm: Algorithm) throws {
      func fused(
        _ body: (inout EpochState) -> MeasurementOutcome
      ) throws -> (Vector3, Vector3, MeasurementOutcome) {
        var state = start(1e-3, .identity)
        let outcome = body(&state)
        #expect(outcome.verdict == .accepted && outcome.weight == 1)
        let (squared, ratio) = (try #require(outcome.normalizedSquared), try #require(outcome.testRatio))
        #expect(squared > 0 && abs(ratio - squared / outcome.gate) < 1e-12)
        return (outcome.innovation, try #require(outcome.variance), outcome)
      }
      let (tilt, tiltVariance, _) = try fused { algorithm.fuse(&$0, force: Vector3(0.01, -0.02, 1), variance: 1e-2) }
      #expect(isNear(tilt, Vector3(0.01, -0.02, 0), within: 1e-5))
      #expect(abs(tiltVariance.x - 1e-2) < 1e-5 && abs(tiltVariance.y - 1e-2) < 1e-5)
      let reference = Vector3(20, 0, -40)
      let (field, _, _) = try fused {
        algorithm.fuse(&$0, field: reference + Vector3(0.1, 0.2, -0.3), reference: reference, variance: 1)
      }
      #expect(isNear(field, Vector3(0.1, 0.2, -0.3), within: 1e-3))
      let (heading, _, azimuth) = try fused {
        algorithm.fuse(&$0, field: Vector3(20 * cos(0.1), 20 * sin(0.1), 0), azimuth: 0, variance: 1e-2)
      }
      #expect(azimuth.kind == .heading && azimuth.count == 1 && abs(heading.x - 0.1) < 1e-5)
      let (rate, _, rest) = try fused {
        algorithm.fuse(&$0, restRate: Vector3(0.01, 0, -0.02), variance: 1e-4, gate: 20)
      }
      #expect(isNear(rate, Vector3(0.01, 0, -0.02), within: 1e-12) && rest.gate == 20)
      var state = start(1e-3, .identity)
      let refused = algorithm.fuse(&state, restRate: Vector3(1, 0, 0), variance: 1e-4, gate: 20)
      #expect(refused.verdict == .beyondGate && refused.weight == 0 && state.gyroscopeBias == .zero)
    }
    for algorithm in Self.algorithms { try check(algorithm) }
  }
}

extension EpochState {
  /// Creates a state with a covariance of all errors.
  init(at attitude: Quaternion, _ covariance: FixedMatrix<6, 6>) {
    self.init(attitudeVariances: .zero, biasVariance: 0)
    earthFromDevice = attitude
    for row in 0..<6 { for column in 0...row { kalman[row, column] = covariance[row, column] } }
  }
}

extension ErrorKalman {
  /// The covariance as a dense matrix.
  var matrix: Matrix { Matrix(rowCount: count, columnCount: count) { self[$0, $1] } }
}
