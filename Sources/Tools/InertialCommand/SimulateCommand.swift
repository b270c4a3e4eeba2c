import ArgumentParser
import Inertial

struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Simulate a log with its true attitude: log.csv and truth.csv in a folder.",
    discussion: "Scenarios:\n"
      + Scenario.all.map { scenario in
        "  \(scenario.name): \(scenario.summary)\n"
          + scenario.parameters.map {
            "      \($0.name) = \($0.defaultValue) \($0.unit): \($0.meaning)"
          }.joined(separator: "\n")
      }.joined(separator: "\n")
      + "\nScenes for comparing filters, with fixed sensors and duration, without parameters:\n"
      + BenchmarkScene.all.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n"))

  @Argument(
    help: "The scenario or scene: \((Scenario.allNames + BenchmarkScene.all.map(\.name)).joined(separator: ", ")).")
  var scenario: String

  @Option(name: [.customShort("o"), .long], help: ArgumentHelp("The output folder.", valueName: "folder"))
  var output: String

  @Option(
    help:
      "The sensors: \(SensorSuite.presets.map(\.name).joined(separator: ", ")). Default: phone; for a scene, its sensors."
  )
  var sensors: String?

  @Option(help: ArgumentHelp("The duration, in seconds. Default: 60; for a scene, its duration.", valueName: "seconds"))
  var duration: Double?

  @Option(help: "The random seed: the same seed gives the same log.")
  var seed: UInt64 = 1

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp("A parameter of the scenario; can be repeated.", valueName: "name=value"))
  var settings: [String] = []

  @Flag(help: "Overwrite an existing log.")
  var force = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  func run() throws {
    var job = try SimulationJob(
      scenario: scenario, sensors: sensors, duration: duration, seed: seed,
      settings: try ParameterSettings(words: settings), folder: output)
    job.force = force
    let samples = try job.run()
    if json { return try printJSON(job.document(samples: samples)) }
    Page.standard.line(
      "simulated \(scenario) with \(job.sensors) sensors, \(fixed(job.simulation.duration, 1)) s, seed \(seed)")
    Page.standard.line("log    \(job.log)")
    Page.standard.line("truth  \(job.truth) (orientation device to NWU, movement)")
  }
}
