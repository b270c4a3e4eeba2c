internal import InertialRecognition
import Testing

@testable import InertialJobs

@Suite("Recognisers in fused datasets") struct RecognitionTests {
  private let folder = try! Folder()
  /// A log with two shakes of three seconds, each after a pause of four seconds, at 100 Hz, optionally with a gap.
  private struct Folder {
    let folder = TemporaryFolder()
    var log: String { folder.path("log.csv") }

    init(without gap: ClosedRange<Double>? = nil) throws {
      let suite = with(SensorSuite.phone) { $0.referenceRate = nil }
      let simulation = Simulation(trajectory: ShakeTrajectory(), sensors: suite, duration: 17, seed: 3)
      try RawLogWriter.write(simulation.filter { gap?.contains($0.time) != true }, to: log)
    }

    func fuse(overlapped: Bool = false, _ change: (inout FusionOptions) -> Void = { _ in }) throws -> Dataset {
      var options = FusionOptions()
      (options.force, options.recognitions) = (true, [.shake])
      change(&options)
      var job = FusionJob(input: log, output: folder.path("out.csv"), options: options)
      job.isOverlapped = overlapped
      let report = try job.run()
      return Dataset(text: folder.text("out.csv"), table: folder.table("out.csv"), report: report)
    }
  }

  private struct Dataset {
    var text: String
    var table: TextTable
    var report: FusionJob.Report

    /// Returns the times at which a status begins, from the second row.
    func changes(to status: Double) -> [Double] {
      let (times, values) = (table["time"], table["shakeStatus"])
      return values.indices.dropFirst().filter { values[$0] == status && values[$0 - 1] != status }.map { times[$0] }
    }
  }

  private static let own = ["shakeStatus", "shakeCount", "shakeProbability"]

  /// A table that only counts its rows.
  private final class CountingTable: TableWriter {
    var columns: [String] = []
    private(set) var rowCount = 0
    private(set) var isClosed = false
    func append(_ rows: UnsafeBufferPointer<Double>) { rowCount += rows.count / columns.count }
    func flush() {}
    func close() { isClosed = true }
  }

  @Test("activities and steps use the shakes that the stage detects once, as if they detected them themselves")
  func sharedShakes() throws {
    let samples = try LogFeed(path: folder.log).load().samples
    var estimator = try DeviceMotionEstimator(filter: FilterKind.all.known("vqf"))
    var motions: [DeviceMotion] = []
    estimator.append(samples[...], motionsTo: &motions)
    var alone = try #require(RecognitionStage([.activity]))
    var withShakes = try #require(RecognitionStage([.activity, .steps, .shake]))
    var (aloneRows, rows): ([Double], [Double]) = ([], [])
    alone.update(motions, into: &aloneRows)
    withShakes.update(motions, into: &rows)
    let place = try #require(FusedColumn.recognised.firstIndex { $0.name == "walkingProbability" })
    var (pass, isSeen) = (ActivityPass(), false)
    var expected = Double.nan
    for (index, motion) in motions.enumerated() {
      if let activity = pass.update(MotionSample(motion)) {
        expected = activity.flags.contains(.unknown) ? .nan : activity.probabilities.walking
        isSeen = isSeen || !expected.isNaN
      }
      for (rows, stage) in [(aloneRows, alone), (rows, withShakes)] {
        let value = rows[index * stage.values.count + place]
        #expect(value == expected || (value.isNaN && expected.isNaN))
      }
    }
    #expect(isSeen)
    #expect(alone.values.count == withShakes.values.count + ShakeAnnotator.columns.count)
  }

  @Test("a dataset has the shakes of the device's own motion, as the command does, at rows between its samples")
  func deviceMotion() throws {
    let lines = try folder.fuse { $0.recognitions = [] }.table
    let own = ["X", "Y", "Z"].map { lines["userAcceleration" + $0] }
    let names = [("acceleration", "g"), ("rotation rate", "rad/s"), ("user acceleration", "g")]
    var text = "time"
    for (name, unit) in names { for axis in ["x", "y", "z"] { text += ",\(name) \(axis) (\(unit))" } }
    text += "\n"
    for (index, time) in lines["time"].enumerated() {
      // The raw sensors are still, so fused motion has no shake.
      text += "\(time),0,0,-1,0.001,0,0,,,\n"
      text += "\(time + 0.004),,,,,,,\(own.map { "\($0[index])" }.joined(separator: ","))\n"
    }
    folder.folder.write(text, to: "log.csv")
    let found = try ShakeJob(input: folder.log).run()
    let dataset = try folder.fuse()
    #expect(found.source == .device && found.gestures.count == 2)
    #expect(dataset.table["shakeCount"].last == 2)
    for (row, gesture) in zip(dataset.changes(to: 2), found.gestures) {
      #expect(row > gesture.time && row < gesture.time + 0.0101)
    }
    let sparse = try folder.fuse { $0.rate = 20 }
    #expect(sparse.table["shakeCount"].last == 2)
  }

  @Test("rows in a table are accompanied by the log's inspection and the recognised events")
  func events() throws {
    let options = with(FusionOptions()) { $0.recognitions = [.activity, .steps, .shake] }
    let table = CountingTable()
    let report = try FusionJob(input: folder.log, options: options).run(into: { columns in
      table.columns = columns.map(\.name)
      return table
    })
    #expect(table.isClosed && table.rowCount == report.rowCount && report.rowCount > 1600)
    #expect(table.columns == report.columns)
    let details = try #require(report.details)
    let shakes = details.events.filter { $0.kind == .shake }
    let found = try ShakeJob(input: folder.log).run().gestures
    #expect(shakes.count == found.count && shakes.count >= 2)
    for (shake, gesture) in zip(shakes, found) {
      #expect(abs(shake.start - gesture.start) < 0.05 && abs(shake.end - gesture.end) < 0.05)
    }
    #expect(details.events.contains { $0.kind == .activity })
    #expect(details.inspection.findings == (try InspectionReport(path: folder.log).findings))
    #expect(details.facts.contains("\"inputCRC32\""))
    #expect(!FileManager.default.fileExists(atPath: folder.log + ".fused.csv"))
    // Without an inspection, the report contains no details.
    let plain = try FusionJob(input: folder.log, options: options).run(into: { _ in table }, isDetailed: false)
    #expect(plain.details == nil && table.rowCount == 2 * report.rowCount)
  }

  @Test("the names of recognisers are the cases, each once, in the order of the columns")
  func words() throws {
    let words = Recognition.allCases.map(\.rawValue)
    #expect(try Recognition.list(words.reversed()) == Recognition.allCases)
    for wrong in [["shakes"], ["shake", "shake"], [""], []] {
      #expect(throws: FusionError.self) { try Recognition.list(wrong) }
    }
  }

  @Test("a dataset has the log's shakes at the times of detection, and other columns are unchanged")
  func shakes() throws {
    let (dataset, gestures) = (try folder.fuse(), try ShakeJob(input: folder.log).run().gestures)
    #expect(gestures.count == 2 && gestures.allSatisfy { $0.phase == .ended })
    #expect(dataset.table.header == FusedColumn.standard.map(\.name) + Self.own)
    #expect(dataset.changes(to: 2) == gestures.map(\.time))
    let began = dataset.changes(to: 1)
    #expect(began.count == 2)
    for (time, gesture) in zip(began, gestures) { #expect(time > gesture.start && time < gesture.start + 0.9) }
    #expect(dataset.changes(to: 3).isEmpty)
    let (status, count) = (dataset.table["shakeStatus"], dataset.table["shakeCount"])
    let probability = dataset.table["shakeProbability"]
    for index in count.indices.dropFirst() {
      #expect(count[index] - count[index - 1] == (status[index] == 2 && status[index - 1] == 1 ? 1 : 0))
    }
    #expect(probability[0].isNaN && probability.last! < 0.01 && probability.contains { $0 > 0.5 })
    #expect(dataset.report.recognised.map(\.column) == Self.own)
    #expect(dataset.report.recognised.prefix(2).map(\.value) == [2, 2])
    // The other columns are line by line those of the dataset without recognisers.
    let plain = try folder.fuse { $0.recognitions = [] }
    #expect(plain.report.recognised.isEmpty)
    let lines = zip(plain.text.split(separator: "\n"), dataset.text.split(separator: "\n"))
    #expect(lines.allSatisfy { $1.hasPrefix($0 + ",") })
  }

  @Test("overlapped fusion has the same bytes, also in the offline form, which has the same shakes")
  func forms() throws {
    for (smooths, rate) in [(false, nil), (true, nil), (true, 30)] as [(Bool, Double?)] {
      let change = { (options: inout FusionOptions) in (options.smooths, options.rate) = (smooths, rate) }
      let one = try folder.fuse(change)
      #expect(try folder.fuse(overlapped: true, change).text == one.text)
      #expect(one.changes(to: 2).count == 2 && one.table["shakeCount"].last == 2)
    }
  }

  @Test("rows at a fixed rate have the values that the full rate has at their times", arguments: [10.0, 37, 250])
  func rates(rate: Double) throws {
    let full = try folder.fuse()
    let sparse = try folder.fuse { $0.rate = rate }
    let times = full.table["time"]
    for name in Self.own {
      let (known, found) = (full.table[name], sparse.table[name])
      for (time, value) in zip(sparse.table["time"], found) {
        let expected = known[times.lastIndex { $0 <= time + 1e-9 }!]
        #expect(value == expected || value.isNaN && expected.isNaN, "\(name) at \(time): \(value), not \(expected)")
      }
    }
  }

  @Test("a gap cancels a shake, segments restart recognisers, and rows without an estimate are empty")
  func gaps() throws {
    // The gap is in the middle of the second shake.
    let folder = try Folder(without: 12.5...14.2)
    let across = try folder.fuse()
    #expect(across.changes(to: 3).count == 1 && across.table["shakeCount"].last == 1)
    let split = try folder.fuse { $0.gaps = .split }
    #expect(split.table.header == FusedColumn.standard.map(\.name) + ["segment"] + Self.own)
    let (segments, status, count) = (split.table["segment"], split.table["shakeStatus"], split.table["shakeCount"])
    let second = try #require(segments.firstIndex(of: 2))
    #expect(status[second - 1] == 1 && count[second - 1] == 1 && split.table["shakeProbability"][second].isNaN)
    #expect(status[second...].allSatisfy { $0 == 0 } && count[second...].allSatisfy { $0 == 0 })
    let nan = try folder.fuse { ($0.gaps, $0.rate) = (.nan, 50) }
    let held = try folder.fuse { ($0.gaps, $0.rate) = (.hold, 50) }
    var inside = 0
    for (index, time) in nan.table["time"].enumerated() where time > 12.52 && time < 14.18 {
      inside += 1
      #expect(Self.own.allSatisfy { nan.table[$0][index].isNaN })
      #expect(held.table["shakeStatus"][index] == 1 && held.table["shakeCount"][index] == 1)
    }
    #expect(inside > 80)
    // Inserted rates in the gap neither cause nor interrupt a shake.
    let cancelled = try #require(across.changes(to: 3).first)
    #expect(held.changes(to: 3) == [try #require(held.table["time"].first { $0 >= cancelled - 1e-9 })])
  }

  @Test("columns can be selected, and a column of an inactive recogniser is rejected")
  func chosen() throws {
    let some = try FusedColumn.named(["shakeCount", "time"])
    #expect(try folder.fuse { $0.columns = some }.table.header == ["shakeCount", "time"])
    let others = try FusedColumn.named(["time", "yaw"])
    #expect(try folder.fuse { $0.columns = others }.table.header == ["time", "yaw"] + Self.own)
    #expect(
      throws: FusionError.usage("the column 'shakeCount' needs --with shake; add the option, or omit the column")
    ) {
      try folder.fuse { ($0.columns, $0.recognitions) = (some, []) }
    }
  }

  /// A recogniser that counts its motions and barometer samples, and keeps the last times.
  private struct Probe: MotionAnnotator {
    static let meaning = "a probe"
    static let columns: [Column] = []
    static let channels: Set<AuxiliaryChannel> = [.barometer]
    var values = [0, 0, Double.nan, .nan]

    mutating func update(_ sample: MotionSample, _ shake: inout GestureEvent?) {
      (values[0], values[2]) = (values[0] + 1, sample.time)
    }

    mutating func add(_ sample: AuxiliarySample) {
      #expect(sample.channel == .barometer && !(sample.time < values[3]))
      (values[1], values[3]) = (values[1] + 1, sample.time)
    }
  }

  @Test("samples of other channels are passed on in chronological order, up to the row's time")
  func auxiliary() {
    func motion(_ time: Double) -> DeviceMotion { .unknown(at: time, flags: []) }
    var stage = RecognitionStage([2: Probe()], count: 7)
    #expect(stage.values.count == 7 && stage.values[..<2].allSatisfy { $0.isNaN } && stage.values[6].isNaN)
    stage.add([3.0, 1, 2, 1].map { AuxiliarySample(time: $0, channel: .barometer) })
    stage.add([AuxiliarySample(time: 0.5, channel: .light)])
    stage.update(motion(1))
    #expect(Array(stage.values[2..<6]) == [1, 2, 1, 1])
    stage.advance(to: 1.9)
    #expect(Array(stage.values[2..<6]) == [1, 2, 1, 1])
    stage.advance(to: 2)
    #expect(Array(stage.values[2..<6]) == [1, 3, 1, 2])
    stage.restart()
    #expect(stage.values[2] == 0 && stage.values[4].isNaN)
    // Pending samples belong to the next segment.
    stage.update(motion(5))
    #expect(Array(stage.values[2..<6]) == [1, 1, 5, 3])
    #expect(RecognitionStage([]) == nil)
  }

  @Test("a dataset's shakes, and the words of a collector app, are read as events of a device")
  func readBack() throws {
    let (dataset, path) = (try folder.fuse(), folder.folder.path("out.csv"))
    func shakes(_ path: String) throws -> [AuxiliarySample] {
      try with(LogFeed(path: path)) { $0.options.auxiliary = [.deviceShake] }.load()[.deviceShake]
    }
    let read = try shakes(path)
    #expect(read.map { $0["shakePhase"] } == [0, 1, 0, 1])
    #expect(read.map(\.time) == zip(dataset.changes(to: 1), dataset.changes(to: 2)).flatMap { [$0, $1] })
    // The same statuses in the words of a collector app. An unchanged status is one event.
    let words = ["", "ShakeBegan", "ShakeEnded", "ShakeCancelled"]
    let position = try #require(dataset.table.header.firstIndex(of: "shakeStatus"))
    let lines = dataset.text.split(separator: "\n").enumerated().map { number, line in
      var fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      if number > 0 { fields[position] = words[Int(Double(fields[position])!)] }
      return fields.joined(separator: ",")
    }
    folder.folder.write(lines.joined(separator: "\n") + "\n", to: "out.csv")
    #expect(try shakes(path) == read)
  }
}
