import Testing

@Suite("inertial report") struct ReportCommandTests {
  private let runner = try! CommandRunner()

  private func simulated(_ scenario: String = "walk", duration: String = "15") throws {
    try runner.simulate(scenario, to: "log", "--duration", duration)
  }

  @Test("the report of a log is written next to it, or to the given path")
  func page() throws {
    try simulated()
    let result = try runner.run("report", "log/log.csv")
    #expect(result.status == 0 && result.output.contains("log/log.csv.report.html") && result.errors == "")
    let page = try runner.read("log/log.csv.report.html")
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
    #expect(page.contains("\"command\":\"inertial report log/log.csv\""))
    try runner.check("report", "log/log.csv", status: 2)
    try runner.check("report", "log/log.csv", "--force")
    try runner.check("report", "log/log.csv", "-o", "it's here.html")
    #expect(try runner.read("it's here.html").contains("-o 'it'\\\\''s here.html'"))
  }

  @Test("--json lists the reports, with scores if there is a reference")
  func json() throws {
    try simulated()
    let reference = ["--reference", "truth.csv", "--reference-frame", "nwu", "--filters", "kalman,vqf", "--no-cost"]
    let document = try runner.document(["report", "log/log.csv"] + reference)
    #expect(document["rows"] as? Int == 1500 && document["samples"] as? Int == 1500)
    let scores = try #require(document["scores"] as? [[String: Any]])
    #expect(scores.map { $0["filter"] as? String } == ["kalman", "vqf"])
    let other = try runner.document(["evaluate", "log/log.csv"] + reference)
    let rows = try #require(other["rows"] as? [[String: Any]])
    for (one, other) in zip(scores, rows) { #expect(one["total"] as? Double == other["total"] as? Double) }
  }

  @Test("a folder of logs becomes a folder with an overview; a faulty log is reported, and the others have pages")
  func folder() throws {
    for name in ["one", "two"] { try runner.simulate("walk", to: name, "--duration", "8") }
    for name in ["one", "two"] { try runner.write(try runner.read(name + "/log.csv"), to: "logs/\(name).csv") }
    try runner.check("report", "logs")
    let index = try runner.read("logs.report/index.html")
    #expect(index.contains("recordings/one.csv.html") && index.contains("recordings/two.csv.html"))
    #expect(try runner.read("logs.report/recordings/one.csv.html").contains("../index.html"))
    try runner.check("report", "logs", status: 2)
    try runner.check("report", "logs", "-o", "pages.html", status: 2)
    try runner.check("report", "logs/one.csv", "logs/two.csv", status: 2)
    try runner.check("report", "logs/one.csv", "logs/none.csv", "-o", "some", status: 1, errors: "none.csv")
    #expect(try runner.read("some/index.html").contains("\"name\":\"none.csv\""))
  }

  @Test("invalid requests are rejected with one line")
  func refusals() throws {
    try simulated(duration: "5")
    for arguments in [
      ["-"], ["log/log.csv", "-o", "-"], ["log/log.csv", "--filters", "nothing"],
      ["log/log.csv", "--filters", "vqf", "--filter", "mahony"], ["log/log.csv", "--detail", "much"],
      ["log/log.csv", "--rate", "0"], ["log/log.csv", "--with", "dance"],
    ] { try runner.check(["report"] + arguments, status: 2) }
    try runner.write("time,accelerationX\n0,nothing\n", to: "bad.csv")
    try runner.check("report", "bad.csv", status: 1)
    #expect(!FileManager.default.fileExists(atPath: runner.path("bad.csv.report.html")))
  }

  @Test("--with none disables the recognisers")
  func less() throws {
    try simulated()
    try runner.check("report", "log/log.csv", "--with", "none", "--with-channels", "none")
    #expect(try !runner.read("log/log.csv.report.html").contains("\"stepCount\""))
  }
}
