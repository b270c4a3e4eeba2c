import AttitudeFilters
import LinearAlgebra
import Rotations
import Sensors
public import Simulation
import TestSupport
public import Testing

extension Scenario: CustomTestStringConvertible {
  public var testDescription: String { name }
}

@Suite("Scenarios")
struct ScenarioTests {
  /// Largest errors in degrees after the first 3 s.
  private struct Bounds {
    var tilt: Double
    var heading: Double
  }

  private func check(
    _ kind: FilterKind, _ scenario: Scenario, _ suite: SensorSuite, suiteName: String, _ bounds: Bounds
  ) throws {
    for hasField in [true, false] {
      let simulation = try Simulation(
        scenario: scenario, sensors: suite.forFilters(hasField: hasField), duration: 30, seed: 5)
      var filter = kind.standard()
      let errors = run(&filter, over: simulation, skip: 3)
      #expect(errors.largestTilt < bounds.tilt)
      #expect(errors.largestHeading < bounds.heading)
      print(
        "SCEN \(kind.name) \(scenario.name) \(suiteName) \(hasField ? "9" : "6") axes:",
        "tilt \(errors.largestTilt) (rms \(errors.tiltRMS)), heading \(errors.largestHeading)",
        "(rms \(errors.headingRMS))")
    }
  }

  @Test("a research unit is followed through every scenario", arguments: FilterKind.all, Scenario.all)
  func researchIMU(kind: FilterKind, scenario: Scenario) throws {
    try check(kind, scenario, .researchIMU, suiteName: "research", Bounds(tilt: 3, heading: 5))
  }

  @Test("a phone is followed through every scenario", arguments: FilterKind.all, Scenario.all)
  func phone(kind: FilterKind, scenario: Scenario) throws {
    try check(kind, scenario, .phone, suiteName: "phone", Bounds(tilt: 4, heading: 8))
  }
}
