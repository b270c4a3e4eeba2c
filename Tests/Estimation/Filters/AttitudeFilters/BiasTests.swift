import InertialFilters
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@Suite("Gyroscope bias")
struct BiasTests {
  private static let bias = Vector3(0.03, -0.02, 0.025)

  private func suite(hasField: Bool, rates: (Double, Double, Double)? = nil) -> SensorSuite {
    var suite = SensorSuite.phone.forFilters(hasField: hasField, rates: rates)
    suite.gyroscope!.bias = Self.bias
    return suite
  }

  @Test(
    "at rest a bias of 1.7 °/s is learned about all axes in 6 s, without a field as well",
    arguments: FilterKind.having(.restBias), [true, false])
  func atRest(kind: FilterKind, hasField: Bool) {
    let simulation = Simulation(
      trajectory: RestTrajectory(), sensors: suite(hasField: hasField), duration: 6)
    var filter = kind.standard()
    run(&filter, over: simulation, skip: 0)
    #expect(isNear(filter.estimate!.gyroscopeBias, Self.bias, within: 0.001))
  }

  @Test(
    "in motion a bias of 1.7 °/s is learned to a fifth in two minutes with a field",
    arguments: FilterKind.having([.gyroscopeBias, .magneticField]))
  func moving(kind: FilterKind) {
    let simulation = Simulation(
      trajectory: RandomSplineTrajectory(duration: 1e3, restDuration: 0, seed: 2),
      sensors: suite(hasField: true, rates: (50, 50, 25)), duration: 120)
    var filter = kind.standard()
    run(&filter, over: simulation, skip: 0)
    #expect(isNear(filter.estimate!.gyroscopeBias, Self.bias, within: 0.0085 * kind.expectations.movingBias))
  }

  @Test("a constant rotation faster than any bias is not learned as one", arguments: FilterKind.all)
  func steadyTurn(kind: FilterKind) {
    // 0.3 rad/s about the vertical: the acceleration is as at rest.
    let simulation = Simulation(
      trajectory: CircleTrajectory(radius: 0.01, speed: 0.003), sensors: .ideal.forFilters(hasField: false),
      duration: 20)
    var filter = kind.standard()
    let errors = run(&filter, over: simulation, skip: 1)
    #expect(errors.largestHeading < kind.expectations.heading)
    #expect(filter.estimate!.gyroscopeBias.norm < 1e-3)
  }

  @Test(
    "a slow constant rotation after a rest is not learned as a bias",
    arguments: FilterKind.having(.restBias).filter(\.expectations.distinguishesSlowRotations), [0.03, 0.1, 0.15])
  func slowTurn(kind: FilterKind, rate: Double) {
    // Ten seconds of rest, then a rotation of thirty seconds about the vertical.
    let simulation = Simulation(
      trajectory: TurnTrajectory(angle: 30 * rate, start: 10, duration: 30), sensors: suite(hasField: false),
      duration: 42)
    var filter = kind.standard()
    let errors = run(&filter, over: simulation, skip: 8)
    #expect(errors.largestHeading < 10)
    #expect(isNear(filter.estimate!.gyroscopeBias, Self.bias, within: 0.005))
  }

  @Test("rest is flagged at rest, and not in motion", arguments: FilterKind.having(.rest))
  func restFlag(kind: FilterKind) throws {
    let simulation = Simulation(
      trajectory: TurnTrajectory(angle: 3, start: 5, duration: 3), sensors: .phone.forFilters(), duration: 12)
    var filter = kind.standard()
    for sample in simulation {
      filter.take(sample)
      guard sample.channel == .gyroscope, let flags = filter.estimate?.flags else { continue }
      let isResting = flags.contains(.resting)
      if (2.5..<5).contains(sample.time) || sample.time > 11 { #expect(isResting, "at \(sample.time) s") }
      if (5.5..<8).contains(sample.time) { #expect(!isResting, "at \(sample.time) s") }
    }
  }
}
