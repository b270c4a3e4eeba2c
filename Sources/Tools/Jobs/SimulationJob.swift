internal import InertialEssentials
internal import InertialLogs
package import InertialSimulation
internal import InertialSystem

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
    self.simulation = simulation
    self.folder = folder
  }

  /// The simulated log.
  package struct Report: Sendable, Encodable {
    /// The names of the scenario and the sensors.
    package var scenario: String
    package var sensors: String
    /// The duration in seconds, and the seed.
    package var duration: Double
    package var seed: UInt64
    /// The paths of the log and its ground truth.
    package var log: String
    package var truth: String
    /// The number of samples.
    package var samples: Int
  }

  package func run() throws(FusionError) -> Report {
    let log = folder.appendingPathPart("log.csv")
    let truth = folder.appendingPathPart("truth.csv")
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
    return Report(
      scenario: scenario, sensors: sensors, duration: simulation.duration, seed: simulation.seed, log: log,
      truth: truth, samples: samples.count)
  }
}
