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

  func validate() throws {
    if let duration, !(duration > 0 && duration <= 1e6) {
      throw ValidationError("--duration takes seconds above 0 and up to 1000000, not \(duration)")
    }
  }

  func run() throws {
    var job = SimulationJob(simulation: try simulation(), folder: output)
    (job.scenario, job.sensors, job.force) = (scenario, sensorsName, force)
    let samples = try job.run()
    if json { return try printJSON(job.document(samples: samples)) }
    Page.standard.line(
      "simulated \(scenario) with \(sensorsName) sensors, \(fixed(job.simulation.duration, 1)) s, seed \(seed)")
    Page.standard.line("log    \(job.log)")
    Page.standard.line("truth  \(job.truth) (orientation device to NWU, movement)")
  }

  private var scene: BenchmarkScene? { BenchmarkScene.named(scenario) }

  private var sensorsName: String { sensors ?? (scene == nil ? Self.standardSensors : "its own") }

  private static let standardSensors = "phone"

  private func simulation() throws -> Simulation {
    let suite = try (sensors ?? (scene == nil ? Self.standardSensors : nil)).map { name in
      guard let suite = SensorSuite.preset(named: name) else {
        throw FusionError.usage(
          "there are no sensors '\(name)'; there are \(SensorSuite.presets.map(\.name).joined(separator: ", "))")
      }
      return suite
    }
    let settings = try ParameterSettings(words: settings)
    if let name = settings.own.keys.sorted().first {
      throw FusionError.usage("--set \(name).… is not a parameter of a scenario; use --set name=value")
    }
    let values = settings.common
    do {
      if let scene {
        guard values.isEmpty else { throw FusionError.usage("the scene \(scenario) has no parameters") }
        return scene.simulation(seed: seed, sensors: suite, duration: duration)
      }
      guard Scenario.allNames.contains(scenario) else {
        throw ScenarioError.unknownScenario(name: scenario, known: Scenario.allNames + BenchmarkScene.all.map(\.name))
      }
      return try Simulation(
        scenario: try Scenario.named(scenario), parameters: values, sensors: suite ?? .phone,
        duration: duration ?? 60, seed: seed)
    } catch let error as ScenarioError {
      throw FusionError.usage(error.description)
    }
  }
}
