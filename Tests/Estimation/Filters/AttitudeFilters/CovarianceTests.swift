import InertialFilters
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@Suite("Covariance of the Kalman filters")
struct CovarianceTests {
  @Test(
    "with the defaults on a phone, the error is at most some sigmas in every scenario",
    arguments: FilterKind.having(.covariance), Scenario.all)
  func defaults(kind: FilterKind, scenario: Scenario) throws {
    let simulation = try Simulation(
      scenario: scenario, sensors: .phone.forFilters(rates: (50, 50, 25)), duration: 25, seed: 3)
    var filter = kind.standard()
    var (largestTilt, largestHeading) = (0.0, 0.0)
    for sample in simulation {
      filter.take(sample)
      guard let estimate = filter.estimate else { continue }
      let sigma = try #require(estimate.attitudeSigma)
      #expect(sigma.isFinite && sigma.x > 0 && sigma.y > 0 && sigma.z > 0)
      guard sample.channel == .gyroscope, sample.time > 2 else { continue }
      let truth = simulation.trajectory.state(at: sample.time).attitude
      let theta = (truth * estimate.earthFromDevice.conjugate).rotationVector
      largestTilt = max(largestTilt, abs(theta.x) / sigma.x, abs(theta.y) / sigma.y)
      largestHeading = max(largestHeading, abs(theta.z) / sigma.z)
    }
    // The phone's noise differs from the filter's model, which also lacks the accelerometer's bias of 0.6°. The
    // constant acceleration towards the inside of a circle (2.6°) is indistinguishable from gravity; in a figure of
    // eight, it is so at first.
    #expect(largestTilt < (["circle": 20, "figure-eight": 12][scenario.name] ?? 7))
    #expect(largestHeading < 6)
  }

  @Test("the covariance stays symmetric and positive definite, at rest for long and through gaps")
  func positive() throws {
    var suite = SensorSuite.phone.forFilters(rates: (50, 50, 10))
    suite.gyroscope!.gaps = [20...26, 30...30.6, 31...39]
    let simulation = Simulation(
      trajectory: TurnTrajectory(angle: 3, start: 40, duration: 2), sensors: suite, duration: 60)
    var filter = MEKFFilter()
    for (index, sample) in simulation.enumerated() {
      filter.take(sample)
      guard index % 50 == 0 else { continue }
      let p = filter.state.algorithm.kalman.matrix
      for row in 0..<6 { for column in 0..<row { #expect(p[row, column] == p[column, row]) } }
      #expect(throws: Never.self) { try Cholesky(p) }
    }
  }

  @Test("uncertainty grows in a gap; the heading's stays without a field", arguments: FilterKind.having(.covariance))
  func gap(kind: FilterKind) {
    var suite = SensorSuite.phone.forFilters(hasField: false, rates: (50, 50, 10))
    suite.gyroscope!.gaps = [5...8]
    suite.accelerometer!.gaps = [5...8]
    var filter = kind.standard()
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
