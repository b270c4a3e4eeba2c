internal import InertialEssentials
internal import InertialLogs
package import InertialSimulation
package import InertialSystem

/// The simulation of a scenario as a synthetic log with ground truth, in a folder: `log.csv` (canonical raw CSV) and
/// `truth.csv` (orientation from device to NWU, and movement).
package struct SimulationJob: Sendable {
  package var simulation: Simulation
  /// The names of the scenario and the sensors in the result.
  package var scenario = ""
  package var sensors = ""
  /// The path of the folder. It is created if it is missing, but its parent must exist.
  package var folder: String
  /// Whether an existing log is overwritten.
  package var force = false

  package init(simulation: Simulation, folder: String) {
    (self.simulation, self.folder) = (simulation, folder)
  }

  /// The sensors of a scenario, unless others are given.
  private static let standardSensors = "phone"

  /// Creates the job of a scenario, or of a scene for comparing filters.
  ///
  /// - Parameters:
  ///   - sensors: The name of the sensors, or `nil` for a phone's or the scene's.
  ///   - duration: The duration in seconds, or `nil` for 60 s or the scene's.
  ///   - settings: The parameters of the scenario; a scene does not accept any.
  /// - Throws: ``FusionError`` if a name is unknown or a number is outside its range.
  package init(
    scenario: String, sensors: String? = nil, duration: Double? = nil, seed: UInt64 = 1,
    settings: ParameterSettings = ParameterSettings(), folder: String
  ) throws(FusionError) {
    let scene = BenchmarkScene.named(scenario)
    let name = sensors ?? (scene == nil ? Self.standardSensors : nil)
    let suite = name.flatMap { SensorSuite.preset(named: $0) }
    if let name, suite == nil {
      throw .usage(
        "there are no sensors '\(name)'; there are \(SensorSuite.presets.map(\.name).joined(separator: ", "))")
    }
    if let duration, !(duration > 0 && duration <= 1e6) {
      throw .usage("--duration takes seconds above 0 and up to 1000000, not \(duration)")
    }
    if let name = settings.own.keys.sorted().first {
      throw .usage("--set \(name).… is not a parameter of a scenario; use --set name=value")
    }
    if let scene {
      guard settings.common.isEmpty else { throw .usage("the scene \(scenario) has no parameters") }
      self.init(simulation: scene.simulation(seed: seed, sensors: suite, duration: duration), folder: folder)
    } else {
      do throws(ScenarioError) {
        guard Scenario.allNames.contains(scenario) else {
          throw .unknownScenario(name: scenario, known: Scenario.allNames + BenchmarkScene.all.map(\.name))
        }
        self.init(
          simulation: try Simulation(
            scenario: try Scenario.named(scenario), parameters: settings.common, sensors: suite ?? .phone,
            duration: duration ?? 60, seed: seed),
          folder: folder)
      } catch {
        throw .usage(error.description)
      }
    }
    (self.scenario, self.sensors) = (scenario, name ?? "its own")
  }

  /// The path of the simulated log.
  package var log: String { folder.appendingPathPart("log.csv") }
  /// The path of the log's ground truth.
  package var truth: String { folder.appendingPathPart("truth.csv") }

  /// Simulates and writes the log, and returns the number of samples.
  @discardableResult package func run() throws(FusionError) -> Int {
    let files = FileManager.default
    if !files.fileExists(atPath: folder) {
      do {
        try files.createDirectory(atPath: folder, withIntermediateDirectories: false)
      } catch {
        throw .badData("\(folder): the folder cannot be created; create its parent folder, or use another path")
      }
    }
    // Both outputs are checked before the simulation and before either is written.
    _ = try OutputFiles([log, truth], sparing: InputGuard([]), force: force)
    let samples = simulation.samples()
    do throws(OutputError) {
      try RawLogWriter.write(samples, to: log, force: force)
      try RawLogWriter.writeReference(samples, to: truth, force: force)
    } catch {
      throw FusionError(error)
    }
    return samples.count
  }

  /// Returns the document of `inertial simulate --json`, for the number of samples in the log.
  package func document(samples: Int) -> EncodedObject {
    EncodedObject([
      "scenario": scenario, "sensors": sensors, "duration": simulation.duration, "seed": simulation.seed, "log": log,
      "truth": truth, "samples": samples,
    ])
  }
}
