import ArgumentParser
import Inertial

struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Make a synthetic log with its truth: log.csv and truth.csv in a folder.",
    discussion: "Scenarios:\n"
      + Scenario.all.map { scenario in
        "  \(scenario.name): \(scenario.summary)\n"
          + scenario.parameters.map {
            "      \($0.name) = \($0.defaultValue) \($0.unit): \($0.meaning)"
          }.joined(separator: "\n")
      }.joined(separator: "\n"))

  @Argument(help: "\(Scenario.allNames.joined(separator: ", ")).")
  var scenario: String

  @Option(name: [.customShort("o"), .long], help: ArgumentHelp("Folder to write to.", valueName: "folder"))
  var output: String

  @Option(help: "Sensors: \(SensorSuite.presets.map(\.name).joined(separator: ", ")).")
  var sensors = "phone"

  @Option(help: ArgumentHelp("Length in seconds.", valueName: "seconds"))
  var duration = 60.0

  @Option(help: "Seed of everything random: the same seed gives the same log.")
  var seed: UInt64 = 1

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp("A parameter of the scenario; may be given again.", valueName: "name=value"))
  var settings: [String] = []

  @Flag(help: "Overwrite an existing log.")
  var force = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  private struct Document: Encodable {
    var scenario: String
    var sensors: String
    var duration: Double
    var seed: UInt64
    var log: String
    var truth: String
    var samples: Int
  }

  func validate() throws {
    if !(duration > 0 && duration <= 1e6) {
      throw ValidationError("--duration takes seconds above 0 and up to 1000000, not \(duration)")
    }
  }

  func run() throws {
    guard let suite = SensorSuite.preset(named: sensors) else {
      throw FusionError.usage(
        "there are no sensors '\(sensors)'; there are \(SensorSuite.presets.map(\.name).joined(separator: ", "))"
      )
    }
    let simulation: Simulation
    do {
      simulation = try Simulation(
        scenario: try Scenario.named(scenario), parameters: try parsedSettings(settings), sensors: suite,
        duration: duration, seed: seed)
    } catch let error as ScenarioError {
      throw FusionError.usage(error.description)
    }
    var job = SimulationJob(simulation: simulation, folder: output)
    job.force = force
    let report = try job.run()
    if json {
      try printJSON(
        Document(
          scenario: scenario, sensors: sensors, duration: duration, seed: seed, log: report.logPath,
          truth: report.truthPath, samples: report.sampleCount))
    } else {
      print("simulated \(scenario) with \(sensors) sensors, \(fixed(duration, 1)) s, seed \(seed)")
      print("log    \(report.logPath)")
      print("truth  \(report.truthPath) (orientation device to NWU, movement)")
    }
  }
}
