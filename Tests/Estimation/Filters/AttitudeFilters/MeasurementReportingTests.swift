import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFilters

extension FilterKind {
  /// The filters that report measurement outcomes.
  fileprivate static let reporting = all.filter { !$0.measurementKinds(smoothing: false).isEmpty }
}

@Suite("Measurement outcomes of filters")
struct MeasurementReportingTests {
  private static let motion = RandomSplineTrajectory(duration: 36, restDuration: 3, seed: 12)

  private static func simulation(
    _ trajectory: any Trajectory = motion, disturbances: [MagneticDisturbance] = [], duration: Double = 40
  ) -> Simulation {
    var suite = SensorSuite.phone.forFilters(rates: (50, 50, 25))
    suite.disturbances = disturbances
    return Simulation(trajectory: trajectory, sensors: suite, duration: duration, seed: 4)
  }

  /// Returns the reported outcomes at each gyroscope sample.
  private static func reported(
    _ kind: FilterKind, _ simulation: Simulation
  ) throws -> [(time: Double, outcomes: [MeasurementOutcome])] {
    var filter = try #require(kind.standard().reporting())
    var result: [(Double, [MeasurementOutcome])] = []
    for sample in simulation {
      filter.take(sample)
      guard sample.channel == .gyroscope, filter.estimate != nil else { continue }
      result.append((sample.time, try #require(filter.outcomes)))
    }
    return result
  }

  @Test("every filter with a covariance reports outcomes, and vqf those defined in its paper")
  func kinds() {
    #expect(Set(FilterKind.reporting.map(\.name)) == ["mekf", "ekf", "ukf", "eqf", "kalman", "vqf"])
    #expect(FilterKind.having(.covariance).allSatisfy { !$0.measurementKinds(smoothing: false).isEmpty })
    #expect(FilterKind.all.filter { !$0.measurementKinds(smoothing: true).isEmpty }.map(\.name) == ["kalman"])
  }

  @Test("reporting changes no bit of state and estimate, and is off by default", arguments: FilterKind.reporting)
  func sameBits(kind: FilterKind) throws {
    var silent = kind.standard()
    var reporting = try #require(kind.standard().reporting())
    for sample in Self.simulation() {
      silent.take(sample)
      reporting.take(sample)
      #expect(silent.outcomes == nil && reporting.outcomes != nil)
      #expect(reporting.estimate == silent.estimate)
    }
    func state<Filter: AttitudeFilter>(_ filter: Filter) throws -> Data {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return try encoder.encode(filter.state)
    }
    #expect(try state(silent) == state(reporting))
  }

  @Test("outcomes have the filter's kinds, are complete, and are reported once", arguments: FilterKind.reporting)
  func outcomes(kind: FilterKind) throws {
    let kinds = kind.measurementKinds(smoothing: false)
    var counts: [MeasurementKind: Int] = [:]
    var last: [MeasurementOutcome] = []
    for (_, outcomes) in try Self.reported(kind, Self.simulation()) {
      for outcome in outcomes {
        #expect(kinds.contains(outcome.kind))
        counts[outcome.kind, default: 0] += 1
        guard outcome.count > 0 else { continue }
        #expect(outcome.innovation.isFinite && (0...1).contains(outcome.weight))
        if let variance = outcome.variance {
          for index in 0..<outcome.count { #expect(variance[index] > 0) }
          #expect(outcome.normalizedSquared! >= 0)
        } else {
          #expect(kind.name == "vqf" && outcome.kind == .heading && outcome.testRatio == nil)
        }
      }
      #expect(outcomes.isEmpty || outcomes != last)
      last = outcomes
    }
    let heading = try #require(kinds.first { [.magneticField, .heading].contains($0) && counts[$0] != nil })
    // The rest of kalman begins when the directions of gravity and field have been steady for another 1.5 s.
    #expect(counts[heading]! > 200 && counts[.restRate]! > (kind.name == "kalman" ? 8 : 20))
  }

  @Test(
    "a disturbed field is reported as rejected for that reason while it lasts, otherwise as accepted",
    arguments: FilterKind.reporting)
  func disturbedField(kind: FilterKind) throws {
    // The device rotates, so that a field is learned first; the magnet passes at a third of the log.
    let trajectory = CircleTrajectory(radius: 0.01, speed: 0.005)
    let magnet = MagneticDisturbance(start: 30, end: 36, field: Vector3(0, 35, 20), ramp: 0.2)
    var phases: [String: [MeasurementVerdict]] = [:]
    var west = 0.0
    for (time, outcomes) in try Self.reported(kind, Self.simulation(trajectory, disturbances: [magnet], duration: 60)) {
      let phase = time > 20 && time < 29.5 ? "before" : time > 31 && time < 36 ? "during" : time > 45 ? "after" : ""
      for outcome in outcomes where [.magneticField, .heading].contains(outcome.kind) {
        phases[phase, default: []].append(outcome.verdict)
        if phase == "during" { west += outcome.kind == .heading ? outcome.innovation.x : outcome.innovation.y }
      }
    }
    func fraction(_ verdict: MeasurementVerdict, _ phase: String) throws -> Double {
      let verdicts = try #require(phases[phase])
      #expect(verdicts.count > 20)
      return Double(verdicts.count { $0 == verdict }) / Double(verdicts.count)
    }
    // The magnet rotates the field to the west, which is counter-clockwise.
    #expect(west > 0 || kind.name == "ekf", "in the axes of the device, which turns")
    #expect(try fraction(.accepted, "before") > 0.95)
    #expect(try fraction(.disturbedField, "during") > 0.9)
    #expect(try fraction(.accepted, "after") > 0.9)
  }

  @Test(
    "the force of a shaken device is reported as rejected for its motion, and as accepted at rest",
    arguments: FilterKind.reporting.filter { $0.measurementKinds(smoothing: false).contains(.gravity) })
  func movingForce(kind: FilterKind) throws {
    let simulation = try Simulation(
      scenario: .shake, sensors: .phone.forFilters(rates: (100, 100, 25)), duration: 30, seed: 3)
    var (resting, moving) = ([MeasurementVerdict](), [MeasurementVerdict]())
    for (time, outcomes) in try Self.reported(kind, simulation) where time > 1.5 {
      let acceleration = simulation.trajectory.state(at: time).acceleration.norm
      for outcome in outcomes where outcome.kind == .gravity {
        if outcome.verdict == .motion { moving.append(outcome.verdict) }
        if acceleration < 0.01, time < 3 { resting.append(outcome.verdict) }
      }
    }
    #expect(moving.count > 20)
    #expect(resting.count > 5 && resting.allSatisfy { $0 == .accepted })
  }

  @Test("for kalman a device with a constant rotation is not at rest: no rate is fused")
  func steadyTurn() throws {
    // Ten seconds of rest determine the bias; then 6 °/s about the vertical, as steady as rest.
    let trajectory = TurnTrajectory(angle: 3, start: 10, duration: 30)
    let reported = try Self.reported(
      try #require(FilterKind.all["kalman"]), Self.simulation(trajectory, duration: 30))
    let rates = reported.flatMap(\.outcomes).filter { $0.kind == .restRate && $0.verdict == .beyondGate }
    #expect(!rates.isEmpty && rates.allSatisfy { $0.testRatio! > 1 && $0.weight == 0 })
  }

  @Test("smoothed estimates contain the outcomes of the forward pass once, and no bit changes")
  func smoothed() throws {
    let kind = try #require(FilterKind.all["kalman"])
    func run(_ smoother: any AttitudeSmoother) -> [TimedAttitudeEstimate] {
      var smoother = smoother
      return smoother.estimates(of: Self.simulation())
    }
    let silent = run(try #require(try kind.makeSmoother()))
    var reporting = run(try #require(try kind.makeSmoother()?.reporting()))
    // The forward pass is the filter with the parameters of the offline form: equally many measurements.
    let online = try Self.reported(kind, Self.simulation()).flatMap(\.outcomes).filter { $0.kind == .magneticField }
    let offline = reporting.compactMap(\.outcomes).flatMap { $0 }.filter { $0.kind == .magneticField }
    #expect(offline.count == online.count && offline.count > 100)
    for index in reporting.indices {
      #expect(reporting[index].outcomes != nil)
      reporting[index].outcomes = nil
    }
    #expect(reporting == silent)
  }

  @Test("a saved and resumed filter continues to report the same outcomes", arguments: FilterKind.reporting)
  func saved(kind: FilterKind) throws {
    var whole = try #require(kind.standard().reporting())
    var parts = whole
    for (index, sample) in Self.simulation(duration: 12).enumerated() {
      whole.take(sample)
      parts.take(sample)
      if index % 97 == 0 { parts = try savedAndResumed(parts) }
      #expect(whole.estimate == parts.estimate)
    }
  }
}
