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
