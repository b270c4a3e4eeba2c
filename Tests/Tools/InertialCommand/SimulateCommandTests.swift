import Testing

@Suite struct SimulateCommandTests {
  private struct Document: Decodable {
    var scenario, sensors: String
    var duration: Double
    var samples: Int
  }

  private func simulate(_ runner: CommandRunner, _ arguments: String...) throws -> Document {
    try runner.check(["simulate"] + arguments + ["--json"]).decoded()
  }

  @Test("a scene has default sensors and a default duration; a scenario defaults to a minute with a phone")
  func scenes() throws {
    let runner = try CommandRunner()
    let own = try simulate(runner, "moving-start", "-o", "own")
    #expect(own.sensors == "its own" && own.duration == 30)
    let replaced = try simulate(runner, "car", "-o", "replaced", "--sensors", "research-imu", "--duration", "3")
    #expect(replaced.sensors == "research-imu" && replaced.duration == 3)
    let scenario = try simulate(runner, "rest", "-o", "scenario")
    #expect(scenario.sensors == "phone" && scenario.duration == 60)
    #expect(try runner.read("own/truth.csv").split(separator: "\n").count > 2900)
  }

  @Test("the error for an unknown name lists scenarios and scenes")
  func unknown() throws {
    try CommandRunner().check(
      "simulate", "fly", "-o", "folder", status: 2, errors: "random-spline", "magnetic-step")
  }
}
