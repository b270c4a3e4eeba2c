import Foundation
import Testing

@Suite("inertial inspect and the options that mend what it finds")
struct InspectCommandTests {
  private func simulated() throws -> CommandRunner {
    let runner = try CommandRunner()
    #expect(
      try runner.run("simulate", "random-spline", "-o", "log", "--duration", "40", "--sensors", "phone").status == 0)
    return runner
  }

  private func findings(_ runner: CommandRunner, _ arguments: String...) throws -> [String] {
    let result = try runner.run(["inspect", "--json"] + arguments)
    #expect(result.status == 0)
    let document = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    return try #require(document?["findings"] as? [String])
  }

  @Test("axes that are wrong are found first, and mended by the option that is named")
  func axes() throws {
    let runner = try simulated()
    #expect(try findings(runner, "log") == [])
    let found = try findings(runner, "log", "--axes", "gyroscope=y,x,-z")
    #expect(found.count == 1 && found[0].contains("--axes gyroscope=y,x,-z"))
    #expect(try findings(runner, "log", "--axes", "gyroscope=y,x,-z", "--axes", "gyroscope=y,x,-z") == [])
    // All sensors turned alike are a device held otherwise.
    #expect(try findings(runner, "log", "--axes", "-y,x,z") == [])
    let text = try runner.run("inspect", "log", "--axes", "gyroscope=y,x,-z").output
    let lines = text.split(separator: "\n")
    #expect(lines[1].hasPrefix("! The gyroscope"))
  }

  @Test("the report has clocks, values and the overlap of the sensors")
  func report() throws {
    let runner = try simulated()
    let result = try runner.run("inspect", "log", "--json")
    let document = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    let channels = try #require(document["channels"] as? [[String: Any]])
    let gyroscope = try #require(channels.first { $0["name"] as? String == "gyroscope" }?["quality"] as? [String: Any])
    #expect(abs((gyroscope["medianInterval"] as? Double ?? 0) - 0.01) < 2e-4)
    let axes = try #require(gyroscope["axes"] as? [[String: Any]])
    #expect(abs((axes[0]["step"] as? Double ?? 0) - 0.001) < 1e-5)
    let overlap = try #require(document["overlap"] as? [String: Double])
    #expect((overlap["end"] ?? 0) - (overlap["start"] ?? 99) > 39)
    let text = try runner.run("inspect", "log").output
    #expect(text.contains("Nothing looks wrong.") && text.contains("gyroscope and gravity: agrees"))
  }

  @Test("gap options of fuse: the column, the JSON, and what is refused")
  func gaps() throws {
    let runner = try simulated()
    let result = try runner.run("fuse", "log", "-o", "out.csv", "--gaps", "split", "--gap", "1", "--json")
    #expect(result.status == 0)
    #expect(try runner.read("out.csv").split(separator: "\n")[0].hasSuffix(",heading,segment"))
    #expect(result.output.contains("\"gaps\" : \"split\"") && result.output.contains("\"segments\" : 1"))
    #expect(try runner.run("fuse", "log", "-o", "-", "--gaps", "fill").status == 2)
    #expect(try runner.run("fuse", "log", "-o", "-", "--gap", "0").status == 2)
    #expect(try runner.run("fuse", "log", "-o", "-", "--axes", "x,x,z").status == 2)
  }
}
