import Foundation
import Testing

@Suite("inertial report")
struct ReportCommandTests {
  private func simulated(_ scenario: String = "walk", duration: String = "15") throws -> CommandRunner {
    let runner = try CommandRunner()
    #expect(try runner.run("simulate", scenario, "-o", "log", "--duration", duration).status == 0)
    return runner
  }

  @Test("the report of a log is written next to it, or to the given path")
  func page() throws {
    let runner = try simulated()
    let result = try runner.run("report", "log/log.csv")
    #expect(result.status == 0 && result.output.contains("log/log.csv.report.html") && result.errors == "")
    let page = try runner.read("log/log.csv.report.html")
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
    #expect(page.contains("\"command\":\"inertial report log/log.csv\""))
    #expect(try runner.run("report", "log/log.csv").status == 2)
    #expect(try runner.run("report", "log/log.csv", "--force").status == 0)
    #expect(try runner.run("report", "log/log.csv", "-o", "it's here.html").status == 0)
    #expect(try runner.read("it's here.html").contains("-o 'it'\\\\''s here.html'"))
  }

  @Test("--json lists the reports, with scores if there is a reference")
  func json() throws {
    let runner = try simulated()
    let result = try runner.run(
      "report", "log/log.csv", "--json", "--reference", "truth.csv", "--reference-frame", "nwu", "--filters",
      "kalman,vqf", "--no-cost")
    let document = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(document["rows"] as? Int == 1500 && document["samples"] as? Int == 1500)
    let scores = try #require(document["scores"] as? [[String: Any]])
    #expect(scores.map { $0["filter"] as? String } == ["kalman", "vqf"])
    let judged = try runner.run(
      "evaluate", "log/log.csv", "--reference", "truth.csv", "--reference-frame", "nwu", "--filters", "kalman,vqf",
      "--no-cost", "--json")
    let other = try #require(try JSONSerialization.jsonObject(with: Data(judged.output.utf8)) as? [String: Any])
    let rows = try #require(other["rows"] as? [[String: Any]])
    for (one, other) in zip(scores, rows) { #expect(one["total"] as? Double == other["total"] as? Double) }
  }

  @Test("a folder of logs becomes a folder with an overview; a faulty log is reported, and the others have pages")
  func folder() throws {
    let runner = try CommandRunner()
    for name in ["one", "two"] {
      #expect(try runner.run("simulate", "walk", "-o", name, "--duration", "8").status == 0)
    }
    try FileManager.default.createDirectory(
      at: runner.folder.appendingPathComponent("logs"), withIntermediateDirectories: true)
    for name in ["one", "two"] { try runner.write(try runner.read(name + "/log.csv"), to: "logs/\(name).csv") }
    #expect(try runner.run("report", "logs").status == 0)
    let index = try runner.read("logs.report/index.html")
    #expect(index.contains("recordings/one.csv.html") && index.contains("recordings/two.csv.html"))
    #expect(try runner.read("logs.report/recordings/one.csv.html").contains("../index.html"))
    #expect(try runner.run("report", "logs").status == 2)
    #expect(try runner.run("report", "logs", "-o", "pages.html").status == 2)
    #expect(try runner.run("report", "logs/one.csv", "logs/two.csv").status == 2)
    let result = try runner.run("report", "logs/one.csv", "logs/none.csv", "-o", "some")
    #expect(result.status == 1 && result.errors.contains("none.csv"))
    #expect(try runner.read("some/index.html").contains("\"name\":\"none.csv\""))
  }

  @Test("invalid requests are rejected with one line")
  func refusals() throws {
    let runner = try simulated(duration: "5")
    for arguments in [
      ["-"], ["log/log.csv", "-o", "-"], ["log/log.csv", "--filters", "nothing"],
      ["log/log.csv", "--filters", "vqf", "--filter", "mahony"], ["log/log.csv", "--detail", "much"],
      ["log/log.csv", "--rate", "0"], ["log/log.csv", "--with", "dance"],
    ] {
      #expect(try runner.run(["report"] + arguments).status == 2, "\(arguments)")
    }
    try runner.write("time,accelerationX\n0,nothing\n", to: "bad.csv")
    #expect(try runner.run("report", "bad.csv").status == 1)
    #expect(!FileManager.default.fileExists(atPath: runner.folder.appendingPathComponent("bad.csv.report.html").path))
  }

  @Test("--with none disables the recognisers")
  func less() throws {
    let runner = try simulated()
    #expect(try runner.run("report", "log/log.csv", "--with", "none", "--with-channels", "none").status == 0)
    #expect(try !runner.read("log/log.csv.report.html").contains("\"stepCount\""))
  }
}
