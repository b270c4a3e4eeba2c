import Testing

@testable import InertialFigures
@testable import InertialJobs

@Suite("Data of figures") struct PlotTests {
  private let folder = TemporaryFolder()

  /// Writes the log of a simulated motion.
  private func log(_ scenario: Scenario = .walk, duration: Double = 8) throws -> String {
    let simulation = try Simulation(scenario: scenario, sensors: .researchIMU, duration: duration, seed: 2)
    let job = SimulationJob(simulation: simulation, folder: folder.path("log"))
    try job.run()
    return job.log
  }

  /// Returns the message of a figure that cannot be drawn.
  private func error(of job: PlotJob) async throws -> String {
    "\(try await #require(throws: FusionError.self) { _ = try await job.run() })"
  }

  @Test("a dataset in memory has the values of the written dataset")
  func table() throws {
    let (log, output) = (try log(), folder.path("walk.fused.csv"))
    let options = with(FusionOptions()) { ($0.recognitions, $0.rate, $0.digits) = ([.shake], 50, 17) }
    let report = try FusionJob(input: log, output: output, options: options).run()
    let (table, memory) = try FusionJob(input: log, options: options).table()
    #expect(table.rowCount == report.rowCount && memory.rowCount == report.rowCount && report.rowCount > 300)
    let dataset = try #require(try DatasetColumns(path: output))
    #expect(dataset.names == table.columns.map(\.name))
    for (name, column) in zip(dataset.names, try dataset.read(dataset.names)) {
      let own = try #require(table[name])
      #expect(zip(column, own).allSatisfy { $0 == $1 || $0.isNaN && $1.isNaN }, "\(name)")
    }
    #expect(try table["nothing"] == nil && DatasetColumns(path: log) == nil)
  }

  @Test("an altered dataset is drawn, or rejected with its line number")
  func altered() async throws {
    let options = try with(FusionOptions()) { $0.columns = try FusedColumn.named(["time", "roll", "yaw", "status"]) }
    _ = try FusionJob(input: try log(), output: folder.path("whole.fused.csv"), options: options).run()
    let lines = folder.text("whole.fused.csv").split(separator: "\n").map(String.init)
    /// Returns the job of the dataset with another line 7.
    func job(_ text: String) throws -> PlotJob {
      let altered = with(lines) { $0[6] = text }.joined(separator: "\n") + "\n"
      let quantities = try [PlotQuantity("yaw"), PlotQuantity("status")]
      let path = folder.write(altered, to: "altered.fused.csv")
      return with(PlotJob(input: path, quantities: quantities)) { $0.marks = [.rest, .disturbance] }
    }
    let time = lines[6].prefix { $0 != "," }
    for status in ["-5", "1e9", "0.5", "nan", ""] {
      let figure = try await job("\(time),0.1,0.2,\(status)").run().figure
      #expect(figure.svg.contains("<svg") && !figure.svg.contains("nan"), "status \(status)")
    }
    for yaw in ["inf", "-inf", "1e308", "-1e308"] {
      let figure = try await job("\(time),0.1,\(yaw),0").run().figure
      #expect(!figure.svg.contains("nan") && !figure.svg.contains("inf"), "yaw \(yaw)")
    }
    for (text, problem) in [
      (",0.1,0.2,0", "has no time"), ("nan,0.1,0.2,0", "has no time"), ("-1,0.1,0.2,0", "earlier"),
      ("\(time),0.1,0.2", "has 3 fields"), ("\(time),0.1,0.2,0,7", "more fields"), ("\(time),0.1,word,0", "yaw"),
    ] {
      let error = try await error(of: job(text))
      #expect(error.contains(".csv:7:") && error.contains(problem), "\(text): \(error)")
    }
  }

  @Test("a time range without samples is rejected")
  func beyond() async throws {
    let log = try log()
    for (from, to) in [(nil, -5.0), (100.0, nil), (1e300, nil), (nil, -1e300)] as [(Double?, Double?)] {
      var job = PlotJob(input: log, quantities: [try PlotQuantity("yaw")])
      (job.from, job.to) = (from, to)
      let error = try await error(of: job)
      #expect(error.contains("there is no sample between"), "\(error)")
    }
  }

  @Test("every quantity name is valid, and no other name is")
  func names() throws {
    for name in PlotQuantity.names { #expect(throws: Never.self) { try PlotQuantity(name) } }
    for name in ["time", "Attitude", "", "annotation"] {
      #expect(throws: FusionError.self) { try PlotQuantity(name) }
    }
  }

  @Test("an innovation has a value per measurement, and a state holds until the next sample")
  func sparse() async throws {
    var job = PlotJob(input: try log(), quantities: [try PlotQuantity("velocityTestRatio")])
    let line = try #require(try await job.run().figure.panels.first?.lines.first)
    #expect(line.y.count > 10 && line.y.allSatisfy(\.isFinite))
    job.options.filter = "vqf"
    let error = try await error(of: job)
    #expect(error.contains("the filter vqf has no column 'velocityTestRatio'"), "\(error)")
  }

  @Test("names are split into common words and individual words")
  func words() {
    func reported(_ names: String...) -> [String] {
      let (common, own) = PlotLabels.split(names)
      return [common] + own
    }
    #expect(reported("userAccelerationX", "userAccelerationY") == ["User acceleration", "x", "y"])
    #expect(reported("heading") == ["Heading"] && reported("roll", "pitch") == ["", "roll", "pitch"])
  }

  @Test("angles are unwrapped at full turns")
  func unwrapped() {
    #expect([350, 359, 5, 20, .nan, 355].unwrapped(turn: 360)[..<4] == [350, 359, 365, 380])
    #expect([350, 5, .nan, 355].unwrapped(turn: 360).last == 355)
  }

  @Test("a figure over time has the band of the filter's sigma, and marks of rest")
  func figure() async throws {
    var job = PlotJob(input: try log(), quantities: [try PlotQuantity("yaw"), try PlotQuantity("gravityZ")])
    job.marks = [.rest]
    let report = try await job.run()
    let panel = try #require(report.figure.panels.first)
    let line = try #require(panel.lines.first)
    let band = try #require(line.band)
    #expect(line.period == 360 && line.x.count == report.figure.panels[1].lines[0].x.count)
    #expect(zip(band.lower, line.y).allSatisfy { $0 <= $1 } && zip(band.upper, line.y).allSatisfy { $0 >= $1 })
    // The device of this log is never at rest.
    #expect(panel.shades.isEmpty && report.notes.contains { $0.contains("'at rest'") })
    job.sigma = 0
    #expect(try await job.run().figure.panels[0].lines[0].band == nil)
  }

  @Test("a path in plan view has equal scales, its end and 95 % region, from a log as from its dataset")
  func path() async throws {
    let log = try log(duration: 30)
    var job = PlotJob(input: log, quantities: [try PlotQuantity("path"), try PlotQuantity("pathHeight")])
    let report = try await job.run()
    #expect(report.notes.contains { $0.contains("on hand") && $0.contains("standard deviation of its end") })
    let (map, height) = (report.figure.panels[0], report.figure.panels[1])
    #expect(map.hasEqualScale && !map.hasNorthArrow && !height.hasEqualScale)
    #expect(map.x.label == "X of \(job.options.motion.frame.name) (m)" && map.y.label == "Y (m)")
    #expect(map.lines.first?.name == "0–10 s" && map.lines.allSatisfy { $0.tone != nil })
    #expect(map.points.map(\.name).suffix(2) == ["start", "end"])

    let options = with(job.options) { ($0.recognitions, $0.digits) = ([.track], 17) }
    let dataset = folder.path("walk.track.csv")
    _ = try FusionJob(input: log, output: dataset, options: options).run()
    let columns = try #require(try DatasetColumns(path: dataset)).read(
      ["positionX", "positionY", "positionSigmaX", "positionSigmaY"])
    let end = try #require(map.points.last)
    let last = try columns.map { try #require($0.last) }
    #expect(end.x == [last[0]] && end.y == [last[1]])
    let outline = try #require(map.areas.last { $0.isOutlined }?.outlines.first)
    #expect(abs(outline.map { $0.x - end.x[0] }.max()! - 2.4477 * last[2]) < 1e-3)

    job = PlotJob(input: dataset, quantities: job.quantities)
    let same = try await job.run().figure.panels[0]
    #expect(same.lines.map(\.x) == map.lines.map(\.x) && same.points.last?.x == end.x)
    #expect(same.x.label == "X of the frame (m)")
    // A part of the path has its own start and end.
    (job.from, job.to) = (10, 20)
    let part = try await job.run().figure.panels[0]
    #expect(part.lines.map(\.name).first == "10–12 s" && (part.points.last?.x ?? []) != end.x)
    job.quantities = [try PlotQuantity("path")]
    (job.from, job.to) = (100, nil)
    #expect(try await error(of: job).contains("there is no sample between"))
  }

  @Test("a path of a log without a walk, or of a dataset without a path, is an error of one line")
  func noPath() async throws {
    let rest = try log(.randomSpline, duration: 20)
    let options = try with(FusionOptions()) { $0.columns = try FusedColumn.named(["time", "roll", "quaternionX"]) }
    let dataset = folder.path("plain.fused.csv")
    _ = try FusionJob(input: rest, output: dataset, options: options).run()
    for (input, words) in [(rest, "no path: the log has no steps of a walk"), (dataset, "inertial track LOG")] {
      let job = PlotJob(input: input, quantities: [try PlotQuantity("path")])
      let error = try await error(of: job)
      #expect(error.contains(words) && !error.contains("\n"), "\(error)")
    }
  }

  @Test("a dataset with one row, without rows or with invalid numbers is drawn without them, or rejected")
  func alteredPath() async throws {
    let header =
      "time,quaternionX,quaternionY,quaternionZ,quaternionW,positionX,positionY,positionZ,"
      + "positionSigmaX,positionSigmaY,positionSigmaZ,stance,step"
    func run(_ rows: [String]) async throws -> PlotJob.Report {
      let path = folder.write(([header] + rows).joined(separator: "\n") + "\n", to: "p.fused.csv")
      return try await PlotJob(input: path, quantities: [try PlotQuantity("path"), try PlotQuantity("pathHeight")])
        .run()
    }
    let walk = (0..<40).map { "\(Double($0) / 10),0,0,0,1,\(Double($0) / 5),1,0.1,0.2,0.3,0.1,0,\($0 / 5)" }
    for (index, row) in [
      (0, "0,0,0,0,1,,,,,,,,"), (20, "2,0,0,0,1,nan,1,0,0.1,0.1,0.1,0,4"),
      (39, "3.9,0,0,0,1,7.8,inf,0,inf,nan,0.1,0,7"),
      (39, "3.9,0,0,0,1,1e308,-1e308,0,1e308,1e308,1e308,0,7"),
    ] {
      let svg = try await run(with(walk) { $0[index] = row }).figure.svg
      #expect(!svg.contains("nan") && !svg.contains("inf"), "\(row)")
    }
    #expect(try await run(["0,0,0,0,1,1,2,0,0.1,0.1,0.1,0,0"]).figure.panels[0].points.last?.x == [1])
    for rows in [[], ["0,0,0,0,1,,,,,,,,"]] {
      await #expect(throws: FusionError.self, "\(rows)") { _ = try await run(rows) }
    }
  }
}
