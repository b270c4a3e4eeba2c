import InertialFilters
import InertialNumerics
import InertialRotations
import InertialSensors
public import InertialSimulation
import TestSupport
public import Testing

extension Scenario: CustomTestStringConvertible {
  public var testDescription: String { name }
}

@Suite("Scenarios")
struct ScenarioTests {
  /// The largest errors in degrees after the first 3 s, with a field and without.
  ///
  /// The circle's inward acceleration is constant and indistinguishable from gravity: 2.6° of tilt, and, for a field
  /// with a dip of 66°, more than twice that in heading. Without a field, a coning device observes the bias about the
  /// vertical only through effects that also look like scale errors of a gyroscope: its heading is then not bounded. A
  /// figure of eight accelerates and rotates at once, from its start: the filters with a model of the accelerometer's
  /// noise but not of motion (mekf, ekf, ukf) have 9° of tilt error there. A foot's swings are equally difficult for
  /// the complementary filter.
  private static let bounds: [String: (research: (Double, Double), phone: (Double, Double))] = [
    "rest": (research: (0.3, 0.5), phone: (1.2, 2.5)),
    "turn": (research: (0.3, 0.5), phone: (1.2, 2.5)),
    "coning": (research: (0.5, 2.5), phone: (2.3, 5)),
    "circle": (research: (3.5, 8.5), phone: (4, 9)),
    "walk": (research: (2.2, 3), phone: (3, 3.5)),
    "strides": (research: (10.5, 4), phone: (10.5, 4)),
    "shake": (research: (2, 1.5), phone: (3, 3.5)),
    "random-spline": (research: (2, 1), phone: (2.3, 2.5)),
    "poses": (research: (1.1, 1.4), phone: (2.2, 1.3)),
    "tumbling": (research: (1.1, 0.7), phone: (1.6, 2)),
    "figure-eight": (research: (11, 12), phone: (11.5, 11)),
  ]

  private func check(
    _ kind: FilterKind, _ scenario: Scenario, _ suite: SensorSuite, _ bounds: (tilt: Double, heading: Double)
  ) throws {
    for hasField in [true, false] {
      let simulation = try Simulation(
        scenario: scenario, sensors: suite.forFilters(hasField: hasField), duration: 30, seed: 5)
      var filter = kind.standard()
      let errors = run(&filter, over: simulation, skip: 3)
      let factors = kind.expectations.factors(in: scenario.name)
      #expect(errors.largestTilt < factors.tilt * bounds.tilt, "field: \(hasField)")
      if hasField || scenario.name != "coning" {
        #expect(errors.largestHeading < factors.heading * bounds.heading, "field: \(hasField)")
      }
    }
  }

  @Test("a research unit is followed through every scenario", arguments: FilterKind.correcting, Scenario.all)
  func researchIMU(kind: FilterKind, scenario: Scenario) throws {
    try check(kind, scenario, .researchIMU, try #require(Self.bounds[scenario.name]).research)
  }

  @Test("a phone is followed through every scenario", arguments: FilterKind.correcting, Scenario.all)
  func phone(kind: FilterKind, scenario: Scenario) throws {
    try check(kind, scenario, .phone, try #require(Self.bounds[scenario.name]).phone)
  }
}
