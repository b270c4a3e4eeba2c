import Synchronization
import Testing

@testable import InertialJobs

@Suite("Overlapped fusion") struct OverlapTests {
  private let folder = TemporaryFolder()

  private func log(duration: Double = 40) throws -> String {
    let simulation = Simulation(
      trajectory: RandomSplineTrajectory(duration: duration, seed: 5), sensors: .phone, duration: duration, seed: 5)
    try RawLogWriter.write(Array(simulation), to: folder.path("log.csv"))
    return folder.path("log.csv")
  }

  /// Changes the lines of the log.
  private func edit(_ change: (inout [Substring]) -> Void) {
    var lines = folder.text("log.csv").split(separator: "\n")
    change(&lines)
    folder.write(lines.joined(separator: "\n") + "\n", to: "log.csv")
  }

  private func fused(
    _ input: String, overlapped: Bool, change: (inout FusionOptions) -> Void = { _ in }
  ) throws -> (text: String, report: FusionJob.Report) {
    var options = FusionOptions()
    (options.force, options.columns) = (true, FusedColumn.all)
    options.motion.frame = .xMagneticNorthZVertical
    change(&options)
    var job = FusionJob(input: input, output: folder.path("out.csv"), options: options)
    job.isOverlapped = overlapped
    let report = try job.run()
    return (folder.text("out.csv"), report)
  }

  @Test(
    "overlapped and sequential fusion have the same bytes and the same report",
    arguments: ["vqf", "complementary", "mahony"])
  func sameBytes(filter: String) throws {
    let input = try log()
    let changes: [(inout FusionOptions) -> Void] = [
      { _ in }, { $0.rate = 37 }, { $0.digits = 5 }, { $0.smooths = filter == "vqf" },
    ]
    for change in changes {
      func result(overlapped: Bool) throws -> (text: String, report: FusionJob.Report) {
        try fused(input, overlapped: overlapped) {
          $0.filter = filter
          change(&$0)
        }
      }
      let (one, other) = (try result(overlapped: false), try result(overlapped: true))
      #expect(one.text == other.text && one.text.utf8.count > 100_000)
      #expect(one.report.rowCount == other.report.rowCount && one.report.lastRow == other.report.lastRow)
      #expect(one.report.log.warnings == other.report.log.warnings)
    }
  }

  @Test("an unsorted log has the rows of the sorted log, overlapped and sequential")
  func sorted() throws {
    let input = try log()
    // A row that was moved has another line.
    let columns = FusedColumn.all.filter { $0.name != "line" }
    let expected = try fused(input, overlapped: false) { $0.columns = columns }
    edit { $0 = Array($0[..<2000] + $0[2050...] + $0[2000..<2050]) }
    for overlapped in [false, true] {
      let result = try fused(input, overlapped: overlapped) { $0.columns = columns }
      #expect(result.report.log.wasSorted && result.text == expected.text)
    }
  }

  @Test("invalid rows are an error that leaves no dataset, overlapped or sequential", arguments: [false, true])
  func badRow(overlapped: Bool) throws {
    let input = try log()
    // More than a fifth of the rows are invalid, as fewer would be skipped.
    edit { for index in 3000..<$0.count { $0[index] = "1,2,three" } }
    let error = #expect(throws: FusionError.self) { try fused(input, overlapped: overlapped) }
    #expect(error?.description.contains("log.csv:3001") == true, "\(error?.description ?? "no error")")
    #expect(folder.contents == ["log.csv"])
  }

  @Test("an error in the consumer ends the reading at once")
  func givesUp() throws {
    let feed = try with(LogFeed(path: log())) { $0.readsAhead = true }
    var blocks = 0
    let error = #expect(throws: FusionError.self) {
      _ = try feed.run(
        consume: { (_) throws(FusionError) in
          blocks += 1
          throw .usage("enough")
        })
    }
    #expect(error == .usage("enough") && blocks == 1)
  }

  @Test("a reader pauses while no samples are consumed, so memory does not grow with the log")
  func bounded() throws {
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let written = Mutex(0)
    let rowCount = 60_000
    // The log exceeds the capacity of a pipe, a scanner's buffer and the queue's blocks.
    Thread.detachNewThread {
      guard let file = fopen(pipe, "w") else { return }
      fputs("time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ\n", file)
      for row in 0..<rowCount {
        fputs("\(Double(row) / 100),0.01,0.02,-1,0.001,0,\(Double(row) * 1e-9)\n", file)
        written.withLock { $0 = row + 1 }
      }
      fclose(file)
    }
    var (rowsWhenStalled, samples) = (0, 0)
    let feed = with(LogFeed(path: pipe)) { $0.readsAhead = true }
    let summary = try feed.run(
      consume: { (block) throws(FusionError) in
        if samples == 0 {
          // Waits until no more rows are read for a while.
          var last = -1
          while rowsWhenStalled != last {
            last = rowsWhenStalled
            usleep(300_000)
            rowsWhenStalled = written.withLock { $0 }
          }
        }
        samples += block.count
      })
    #expect(rowsWhenStalled < rowCount / 2, "\(rowsWhenStalled) of \(rowCount) rows were read ahead")
    #expect(samples == 2 * rowCount && summary.reports[.gyroscope]?.used == rowCount)
  }

  @Test("a batch reports its jobs in order, continues after a failure, and leaves no incomplete files")
  func batch() throws {
    let input = try log(duration: 20)
    let bad = folder.write("time,accelerationX\n0,zero\n", to: "bad.csv")
    let inputs = [input, bad, input, input, folder.path("absent.csv"), input, input]
    var texts: [[String]] = []
    for workers in [1, 3] {
      let options = with(FusionOptions()) { ($0.filter, $0.force) = ("complementary", true) }
      let jobs = inputs.enumerated().map { index, input in
        FusionJob(input: input, output: folder.path("\(index).csv"), options: options)
      }
      var (places, isGood, fractions): ([Int], [Bool], [Double]) = ([], [], [])
      try FusionBatch(jobs: jobs, workerCount: workers).run(progress: { fractions.append($0) }) { index, outcome in
        places.append(index)
        isGood.append((try? outcome.get()) != nil)
      }
      #expect(places == Array(0..<7) && isGood == [true, false, true, true, false, true, true])
      #expect(fractions.last == 1 && fractions == fractions.sorted())
      texts.append((0..<7).map { folder.text("\($0).csv") })
      #expect(folder.contents == ["0.csv", "2.csv", "3.csv", "5.csv", "6.csv", "bad.csv", "log.csv"])
    }
    #expect(texts[0] == texts[1] && texts[0][0] == texts[0][6])
  }

  @Test("an invalid request ends a batch before further jobs start", arguments: [1, 2])
  func usage(workers: Int) throws {
    let input = try log(duration: 10)
    let options = with(FusionOptions()) { $0.filter = "none of this name" }
    let jobs = (0..<20).map { FusionJob(input: input, output: folder.path("\($0).csv"), options: options) }
    var reported = 0
    try FusionBatch(jobs: jobs, workerCount: workers).run { _, outcome in
      reported += 1
      if case .failure(.usage) = outcome {} else { Issue.record("\(outcome)") }
    }
    #expect((1...workers).contains(reported) && folder.contents == ["log.csv"])
  }
}
