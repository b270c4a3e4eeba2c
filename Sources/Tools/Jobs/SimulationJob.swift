internal import InertialEssentials
internal import InertialLogs
package import InertialSimulation
internal import InertialSystem

/// A scenario to a synthetic log with its truth: `log.csv` (canonical raw CSV) and `truth.csv` (orientation, device to
/// NWU, and movement), in a folder.
package struct SimulationJob: Sendable {
  package var simulation: Simulation
  /// The folder; made where it is not there, in a folder that is.
  package var folder: String
  /// Overwrite an existing log.
  package var force = false

  package init(simulation: Simulation, folder: String) {
    self.simulation = simulation
    self.folder = folder
  }

  /// The files that were written.
  package struct Report: Sendable {
    package var logPath: String
    package var truthPath: String
    package var sampleCount: Int
  }

  package func run() throws(FusionError) -> Report {
    let log = folder.appendingPathPart("log.csv")
    let truth = folder.appendingPathPart("truth.csv")
    let files = FileManager.default
    if !files.fileExists(atPath: folder) {
      do {
        try files.createDirectory(atPath: folder, withIntermediateDirectories: false)
      } catch {
        throw .badData("\(folder): the folder cannot be made; create the folder above it, or give another")
      }
    }
    // Before the work, and both before either is written.
    _ = try OutputFiles([log, truth], sparing: InputGuard([]), force: force)
    let samples = simulation.samples()
    do throws(OutputError) {
      try RawLogWriter.write(samples, to: log, force: force)
      try RawLogWriter.writeReference(samples, to: truth, force: force)
    } catch {
      throw FusionError(error)
    }
    return Report(logPath: log, truthPath: truth, sampleCount: samples.count)
  }
}
