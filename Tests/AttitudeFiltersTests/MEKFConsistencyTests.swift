import AttitudeFilters
import LinearAlgebra
import Rotations
import Sensors
import Simulation
import TestSupport
import Testing

@Suite("Covariance of the Kalman filter")
struct MEKFConsistencyTests {
  /// White noise and a bias walk of exactly the densities that the filter is told.
  private func suite(_ parameters: MEKF.Parameters, bias: Vector3) -> SensorSuite {
    var suite = SensorSuite.ideal.forFilters(rates: (50, 50, 50))
    suite.gyroscope!.noiseDensity = parameters.gyroscopeNoise
    suite.gyroscope!.biasWalk = parameters.biasNoise
    suite.gyroscope!.bias = bias
    suite.accelerometer!.noiseDensity = parameters.accelerationNoise
    suite.magnetometer!.sensor.noiseDensity = parameters.magneticNoise
    return suite
  }

  @Test("with the sensors' true noise the normalised squared error is that of a right covariance")
  func consistency() {
    var parameters = MEKF.Parameters()
    // No rest and no motion to tell: only what the plain filter knows.
    (parameters.handling.restRateThreshold, parameters.motionWeight, parameters.gyroscopeScaleNoise) = (0, 0, 0)
    (parameters.disturbanceWeight, parameters.initialBiasSigma) = (0, 0.01)
    parameters.accelerationNoise = 0.002
    var (sum, biasSum, count) = (0.0, 0.0, 0.0)
    for (seed, q) in Quaternion.random(12, seed: 30).enumerated() {
      let bias = parameters.initialBiasSigma * 2 * q.vector
      // Slow turns, no acceleration.
      let simulation = Simulation(
        trajectory: ConingTrajectory(halfAngle: 0.5, frequency: 0.05), sensors: suite(parameters, bias: bias),
        duration: 40, seed: UInt64(seed))
      var filter = MEKF(parameters: parameters)
      var nextTime = 5.0
      for sample in simulation {
        filter.take(sample)
        guard sample.channel == .gyroscope, sample.time >= nextTime else { continue }
        nextTime += 1
        let truth = simulation.trajectory.state(at: sample.time).attitude
        // q_true = exp(θ) ⊗ q.
        let theta = (truth * filter.state.earthFromDevice.conjugate).rotationVector
        sum += mahalanobis(theta, filter.state.covariance, from: 0)
        biasSum += mahalanobis(bias - filter.state.gyroscopeBias, filter.state.covariance, from: 3)
        count += 1
      }
    }
    let attitude = sum / count
    let bias = biasSum / count
    #expect((1.5..<6).contains(attitude))
    #expect((1.0..<6).contains(bias))
  }

  /// eᵀ P⁻¹ e for a 3 by 3 block of P.
  private func mahalanobis(_ e: Vector3, _ p: Matrix, from start: Int) -> Double {
    let block = p.block(start, start, rowCount: 3, columnCount: 3)
    let solution = try! Cholesky(block).solve([e.x, e.y, e.z])
    return e.dot(Vector3(solution[0], solution[1], solution[2]))
  }

  @Test(
    "with its defaults on a phone, the error is some sigmas at most in every scenario",
    arguments: Scenario.all)
  func defaults(scenario: Scenario) throws {
    let simulation = try Simulation(
      scenario: scenario, sensors: .phone.forFilters(rates: (50, 50, 25)), duration: 25, seed: 3)
    var filter = MEKF()
    var (largestTilt, largestHeading) = (0.0, 0.0)
    for sample in simulation {
      filter.take(sample)
      guard let sigma = filter.estimate?.attitudeSigma else { continue }
      #expect(sigma.isFinite && sigma.x > 0 && sigma.y > 0 && sigma.z > 0)
      guard sample.channel == .gyroscope, sample.time > 2 else { continue }
      let truth = simulation.trajectory.state(at: sample.time).attitude
      let theta = (truth * filter.state.earthFromDevice.conjugate).rotationVector
      largestTilt = max(largestTilt, abs(theta.x) / sigma.x, abs(theta.y) / sigma.y)
      largestHeading = max(largestHeading, abs(theta.z) / sigma.z)
    }
    // Its noise is not that of the filter's model, and the accelerometer's bias of 0.6° not in it at all; the steady
    // acceleration to the inside of a circle (2.6°) cannot be told from gravity.
    #expect(largestTilt < (scenario.name == "circle" ? 20 : 7))
    #expect(largestHeading < 6)
  }

  @Test("the covariance stays symmetric and positive definite, at rest for long and through gaps")
  func positive() throws {
    var suite = SensorSuite.phone.forFilters(rates: (50, 50, 10))
    suite.gyroscope!.gaps = [20...26, 30...30.6, 31...39]
    let simulation = Simulation(
      trajectory: TurnTrajectory(angle: 3, start: 40, duration: 2), sensors: suite, duration: 60)
    var filter = MEKF()
    for (index, sample) in simulation.enumerated() {
      filter.take(sample)
      guard index % 50 == 0 else { continue }
      let p = filter.state.covariance
      for row in 0..<6 { for column in 0..<row { #expect(p[row, column] == p[column, row]) } }
      #expect(throws: Never.self) { try Cholesky(p) }
    }
  }

  @Test("uncertainty grows in a gap, heading's without a field for good")
  func gap() {
    var suite = SensorSuite.phone.forFilters(hasField: false, rates: (50, 50, 10))
    suite.gyroscope!.gaps = [5...8]
    suite.accelerometer!.gaps = [5...8]
    var filter = MEKF()
    var sigmas: [(time: Double, sigma: Vector3)] = []
    for sample in Simulation(trajectory: RestTrajectory(), sensors: suite, duration: 15) {
      filter.take(sample)
      if let sigma = filter.estimate?.attitudeSigma { sigmas.append((sample.time, sigma)) }
    }
    let before = sigmas.last { $0.time < 5 }!.sigma
    let after = sigmas.first { $0.time > 8.03 }!.sigma
    let end = sigmas.last!.sigma
    #expect(after.x > 10 * before.x && after.y > 10 * before.y)
    #expect(after.z >= 1.5 && end.z >= 1.5)
    #expect(end.x < 0.05 && end.y < 0.05)
  }
}
