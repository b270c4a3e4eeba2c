import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFilters

extension FilterKind {
  /// Those that tell what they make of their measurements.
  fileprivate static let telling = all.filter { !$0.measurementKinds(smoothing: false).isEmpty }
}

@Suite("What filters tell of their measurements")
struct MeasurementReportingTests {
  private static let motion = RandomSplineTrajectory(duration: 36, restDuration: 3, seed: 12)

  private static func simulation(
    _ trajectory: any Trajectory = motion, disturbances: [MagneticDisturbance] = [], duration: Double = 40
  ) -> Simulation {
    var suite = SensorSuite.phone.forFilters(rates: (50, 50, 25))
    suite.disturbances = disturbances
    return Simulation(trajectory: trajectory, sensors: suite, duration: duration, seed: 4)
  }

  /// What a filter tells at each gyroscope sample.
  private static func told(
    _ kind: FilterKind, _ simulation: Simulation
  ) throws -> [(time: Double, outcomes: [MeasurementOutcome])] {
    var filter = try #require(kind.standard().reporting())
    var result: [(Double, [MeasurementOutcome])] = []
    for sample in simulation {
      filter.take(sample)
      guard sample.channel == .gyroscope, let estimate = filter.estimate else { continue }
      result.append((sample.time, try #require(estimate.measurements)))
    }
    return result
  }

  @Test("every filter with a covariance tells, and vqf of what its paper judges")
  func kinds() {
    #expect(Set(FilterKind.telling.map(\.name)) == ["mekf", "ekf", "ukf", "eqf", "kalman", "vqf"])
    #expect(FilterKind.having(.covariance).allSatisfy { !$0.measurementKinds(smoothing: false).isEmpty })
    #expect(FilterKind.all.filter { !$0.measurementKinds(smoothing: true).isEmpty }.map(\.name) == ["kalman"])
  }

  @Test(
    "who asks changes no bit of state and estimate, and who does not is told nothing", arguments: FilterKind.telling)
  func sameBits(kind: FilterKind) throws {
    var silent = kind.standard()
    var telling = try #require(kind.standard().reporting())
    for sample in Self.simulation() {
      silent.take(sample)
      telling.take(sample)
      guard var estimate = telling.estimate else { continue }
      #expect(silent.estimate?.measurements == nil)
      estimate.measurements = nil
      #expect(estimate == silent.estimate)
    }
    func state<Filter: AttitudeFilter>(_ filter: Filter) throws -> Data {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return try encoder.encode(filter.state)
    }
    #expect(try state(silent) == state(telling))
  }

  @Test("outcomes are of the filter's kinds, whole, and come once", arguments: FilterKind.telling)
  func outcomes(kind: FilterKind) throws {
    let kinds = kind.measurementKinds(smoothing: false)
    var counts: [MeasurementKind: Int] = [:]
    var last: [MeasurementOutcome] = []
    for (_, outcomes) in try Self.told(kind, Self.simulation()) {
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
    #expect(counts[heading]! > 200)
    #expect(counts[.restRate]! > 20)
  }

  @Test(
    "a disturbed field is told as rejected with that reason while it lasts, and accepted before and after",
    arguments: FilterKind.telling)
  func disturbedField(kind: FilterKind) throws {
    // Turning, so that a field is learned before; the magnet passes at a third of the log.
    let trajectory = CircleTrajectory(radius: 0.01, speed: 0.005)
    let magnet = MagneticDisturbance(start: 30, end: 36, field: Vector3(0, 35, 20), ramp: 0.2)
    var phases: [String: [MeasurementVerdict]] = [:]
    var west = 0.0
    for (time, outcomes) in try Self.told(kind, Self.simulation(trajectory, disturbances: [magnet], duration: 60)) {
      let phase = time > 20 && time < 29.5 ? "before" : time > 31 && time < 36 ? "during" : time > 45 ? "after" : ""
      for outcome in outcomes where [.magneticField, .heading].contains(outcome.kind) {
        phases[phase, default: []].append(outcome.verdict)
        if phase == "during" { west += outcome.kind == .heading ? outcome.innovation.x : outcome.innovation.y }
      }
    }
    func share(_ verdict: MeasurementVerdict, _ phase: String) throws -> Double {
      let verdicts = try #require(phases[phase])
      #expect(verdicts.count > 20)
      return Double(verdicts.count { $0 == verdict }) / Double(verdicts.count)
    }
    // The magnet turns the field to the west, which is counter-clockwise.
    #expect(west > 0 || kind.name == "ekf", "in the axes of the device, which turns")
    #expect(try share(.accepted, "before") > 0.95)
    #expect(try share(.disturbedField, "during") > 0.9)
    #expect(try share(.accepted, "after") > 0.9)
  }

  @Test(
    "the force of a device that is shaken is told as rejected for its motion, and accepted at rest",
    arguments: FilterKind.telling.filter { $0.measurementKinds(smoothing: false).contains(.gravity) })
  func movingForce(kind: FilterKind) throws {
    let simulation = try Simulation(
      scenario: .shake, sensors: .phone.forFilters(rates: (100, 100, 25)), duration: 30, seed: 3)
    var (resting, moving) = ([MeasurementVerdict](), [MeasurementVerdict]())
    for (time, outcomes) in try Self.told(kind, simulation) where time > 1.5 {
      let acceleration = simulation.trajectory.state(at: time).acceleration.norm
      for outcome in outcomes where outcome.kind == .gravity {
        if outcome.verdict == .motion { moving.append(outcome.verdict) }
        if acceleration < 0.01, time < 3 { resting.append(outcome.verdict) }
      }
    }
    #expect(moving.count > 20)
    #expect(resting.count > 5 && resting.allSatisfy { $0 == .accepted })
  }

  @Test("a device that turns steadily is not at rest for kalman: the rate is beyond the gate, and no velocity is taken")
  func steadyTurn() throws {
    // Ten seconds of rest teach the bias; then 6 °/s about the vertical, as steady as rest.
    let trajectory = TurnTrajectory(angle: 3, start: 10, duration: 30)
    let told = try Self.told(try #require(FilterKind.named("kalman")), Self.simulation(trajectory, duration: 30))
    let rates = told.flatMap(\.outcomes).filter { $0.kind == .restRate && $0.verdict == .beyondGate }
    let velocities = told.flatMap(\.outcomes).filter { $0.kind == .restVelocity && $0.verdict == .motion }
    #expect(!rates.isEmpty && rates.allSatisfy { $0.testRatio! > 1 && $0.weight == 0 })
    #expect(velocities.count == rates.count)
  }

  @Test("smoothed estimates tell what the pass forward made of each measurement, once, and no bit changes")
  func smoothed() throws {
    let kind = try #require(FilterKind.named("kalman"))
    func run(_ smoother: any AttitudeSmoother) -> [TimedAttitudeEstimate] {
      var (smoother, result) = (smoother, [TimedAttitudeEstimate]())
      for sample in Self.simulation() { smoother.take(sample) }
      smoother.finish()
      while let estimate = smoother.next() { result.append(estimate) }
      return result
    }
    let silent = run(try #require(try kind.makeSmoother()))
    var telling = run(try #require(try kind.makeSmoother()?.reporting()))
    // The pass forward is the filter with the parameters and the speeds of the offline form: as many measurements.
    let online = try Self.told(kind, Self.simulation()).flatMap(\.outcomes).filter { $0.kind == .magneticField }
    let offline = telling.compactMap(\.estimate.measurements).flatMap { $0 }.filter { $0.kind == .magneticField }
    #expect(offline.count == online.count && offline.count > 100)
    for index in telling.indices {
      #expect(telling[index].estimate.measurements != nil)
      telling[index].estimate.measurements = nil
    }
    #expect(telling == silent)
  }

  @Test("a filter that is saved while it tells goes on telling the same", arguments: FilterKind.telling)
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
