import TestSupport
import Testing

@Suite("The sample logs of Notebooks-data") struct SampleLogsTests {
  private let runner = try! CommandRunner()

  private static let logs = Checkout.url("Notebooks-data/logs")

  /// The lines of the README that start with the command.
  private static let examples: [String] = {
    let text = (try? String(contentsOf: logs.appendingPathComponent("README.md"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("inertial ") }
  }()

  @Test("every command of their README works on them, line by line")
  func examples() throws {
    let folder = runner.folder.appendingPathComponent("Notebooks-data")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: Self.logs, to: folder.appendingPathComponent("logs"))
    #expect(Self.examples.count >= 13)
    // The tests of Serve run the example of `inertial serve`, for which its program must be built.
    for line in Self.examples where !line.hasPrefix("inertial serve ") {
      let result = try runner.run(line.split(separator: " ").dropFirst().map(String.init))
      #expect(result.status == 0 && !result.output.isEmpty, "\(line): \(result.errors)")
    }
  }

  @Test("each subcommand has an example")
  func complete() throws {
    let help = try CommandRunner().run("--help").output
    let listed = help.components(separatedBy: "SUBCOMMANDS:").last!.split(separator: "\n")
      .filter { $0.hasPrefix("  ") && $0.dropFirst(2).first?.isLowercase == true }.map { $0.split(separator: " ")[0] }
    #expect(listed.count >= 13)
    for name in listed { #expect(Self.examples.contains { $0.hasPrefix("inertial \(name)") }, "\(name)") }
  }

  @Test("the known contents are detected: three shakes, the steps of the walk, the lift, the rides")
  func truth() throws {
    func json(_ arguments: String...) throws -> [String: Any] { try runner.document(arguments) }
    func path(_ name: String) -> String { Self.logs.appendingPathComponent(name).path }
    #expect((try json("shake", path("shake.csv"))["events"] as? [Any])?.count == 3)
    #expect((try json("inspect", path("shake.csv"))["findings"] as? [String])?.isEmpty == true)
    #expect((try json("steps", path("walk.csv"))["stepTimes"] as? [Double])?.count == 45)
    let floors = try #require(try json("altitude", path("outing.csv"))["floors"] as? [[String: Any]])
    #expect(floors.map { $0["kind"] as? String } == ["lift"])
    // 1.2 m/s for the nine seconds from the middle of the start to that of the stop.
    #expect(abs(try #require(floors.first?["height"] as? Double) - 10.8) < 0.6)
    for (log, activity) in [("bicycle.csv", "cycling"), ("car.csv", "automotive"), ("walk.csv", "walking")] {
      let segments = try #require(try json("activity", path(log))["segments"] as? [[String: Any]])
      let seconds = segments.filter { ($0["flags"] as? [String])?.contains(activity) == true }
        .reduce(0.0) { $0 + ($1["end"] as! Double) - ($1["start"] as! Double) }
      #expect(seconds > (log == "walk.csv" ? 20 : 40), "\(activity): \(seconds) s")
    }
    let outing = try runner.run("inspect", path("outing.csv")).output
    for channel in ["barometer", "location", "light", "proximity", "battery", "annotation", "wifi", "bluetooth", "nfc"]
    { #expect(outing.contains(channel), "\(channel)") }
  }
}
