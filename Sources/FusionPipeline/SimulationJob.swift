public import MotionLogs
public import Simulation

/// A scenario to a synthetic log with its truth: `log.csv` (canonical raw CSV) and `truth.csv` (orientations, NWU).
public struct SimulationJob: Sendable {
  public var scenario: Scenario
  /// Values of the scenario's parameters by name; the others keep their defaults.
  public var settings: [String: Double] = [:]
  public var sensors = SensorSuite.phone
  /// Seconds.
  public var duration = 60.0
  public var seed: UInt64 = 1
  /// The folder, made where it is not there.
  public var folder: String
  /// Overwrite an existing log.
  public var force = false

  public init(scenario: Scenario, folder: String) {
    self.scenario = scenario
    self.folder = folder
  }

  public struct Report: Sendable {
    public var logPath: String
    public var truthPath: String
    public var sampleCount: Int
  }
}
