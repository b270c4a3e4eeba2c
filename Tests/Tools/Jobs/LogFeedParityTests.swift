import Testing

@testable import InertialFusion

/// Tests that a log is read and validated in the same way by all readers.
@Suite("Consistent reading of logs") struct LogFeedParityTests {
  private let folder = TemporaryFolder()
  private static let header = "time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ"

  /// Returns a log of a device that rotates and moves slightly, with optional changes of its rows.
  private static func text(
    columns: String = "", count: Int = 1000, _ change: (Int, inout [Double]) -> Void = { _, _ in }
  ) -> String {
    header + columns + "\n"
      + (0..<count).map { row in
        let phase = Double(row) / 15
        var values = [
          Double(row) / 100, 0.02 * sin(phase), 0.03 * cos(phase), -1, 0.1 * cos(phase), 0.12 * sin(phase), 0.05,
        ]
        change(row, &values)
        return values.map { $0.isNaN ? "nan" : "\($0)" }.joined(separator: ",") + "\n"
      }.joined()
  }

  @Test(
    "a log of jumps is fused despite long free falls, and a log without gravity is rejected",
    arguments: [(0.6, 0.35), (1.4, 0.95), (1.8, 1.3)])
  func jumps(period: Double, flight: Double) throws {
    func jump(_ row: Int) -> Double {
      let phase = (Double(row) / 100).truncatingRemainder(dividingBy: period)
      let push = period / (period - flight) * .pi / 2 * sin(.pi * (phase - flight) / (period - flight))
      return phase < flight ? -0.02 : -push
    }
    let jumping = Self.text(count: 3000) { row, values in values[3] = jump(row) }
    let path = folder.write(jumping, to: "log.csv")
    #expect(throws: Never.self) { try FusionJob(input: path).run() }
    let removed = Self.text(count: 3000) { row, values in values[3] = 0.3 * sin(Double(row) / 5) }
    let removedPath = folder.write(removed, to: "removed.csv")
    let error = #expect(throws: FusionError.self) { try FusionJob(input: removedPath).run() }
    #expect(error?.description.contains("gravity appears to be removed") == true, "\(String(describing: error))")
  }

  /// A part of the message about each faulty log, and its text.
  private static let faults: [String: (message: String, text: String)] = [
    "acceleration in m/s²": ("--acceleration-unit m/s2", text { $1[3] *= 9.81 }),
    "acceleration without gravity": ("gravity appears to be removed", text { $1[3] += 1 }),
    "rates in degrees per second": ("--rotation-unit deg/s", text { $1[4] = $0 % 2 == 0 ? 80 : -80 }),
    "a channel without numbers": ("are NaN", text { if $0 >= 400 { ($1[4], $1[5], $1[6]) = (.nan, .nan, .nan) } }),
    "impossible values": ("infinite or impossible", text { if $0 % 20 == 0 { $1[2] = 1e6 } }),
    "time that runs backwards": ("time runs backwards", text { $1[0] = Double(($0 * 389) % 1000) / 100 }),
    "a time for all": ("share their timestamp", text { $1[0] = Double($0 / 10) / 10 }),
    "time in the wrong unit": ("too few to follow motion", text { $1[0] *= 1000 }),
    "an accelerometer that is mounted otherwise": (
      "by 90° on average", text(columns: ",gravityX,gravityY,gravityZ") { $1 += [-1, 0, 0] }
    ),
    "an acceleration whose sign is turned": (
      "by 180° on average",
      text(columns: ",gravityX,gravityY,gravityZ") { $1 = [$1[0], -$1[1], -$1[2], -$1[3]] + $1[4...] + [0, 0, -1] }
    ),
    "many rows that are none": (":1002", text() + String(repeating: "1,two\n", count: 400)),
  ]

  @Test("a log that fuse rejects is not played, with the same message", arguments: faults.keys.sorted())
  func refused(name: String) throws {
    let fault = try #require(Self.faults[name])
    let path = folder.write(fault.text, to: "log.csv")
    let error = #expect(throws: FusionError.self) { try FusionJob(input: path).run() }
    let reported = try #require(error?.description)
    #expect(reported.contains(fault.message), "\(reported)")
    let other = #expect(throws: LogError.self) { try RecordingSource(path: path) }
    #expect(other?.description == reported)
    #expect(throws: FusionError.badData(reported)) { try StepsJob(input: path).run() }
    #expect(throws: LogError.self) { try LogFeed(path: path).load() }
  }

  @Test("fuse and a recording source have the same warnings about a usable log")
  func warnings() throws {
    let text = Self.text { if $0 == 500 { $1[2] = 1e6 } else if $0 == 700 { $1[0] -= 0.05 } }
    let path = folder.write(text, to: "log.csv")
    let reported = try FusionJob(input: path).run().log.warnings
    for words in ["impossible", "out of order"] {
      #expect(reported.contains { $0.contains(words) }, "\(words): \(reported)")
    }
    #expect(try RecordingSource(path: path).warnings == reported)
  }

  @Test("a log without a gyroscope is rejected by fuse and played without it")
  func lacking() throws {
    let text = Self.text().split(separator: "\n").map { $0.split(separator: ",").prefix(4).joined(separator: ",") }
    let path = folder.write(text.joined(separator: "\n") + "\n", to: "log.csv")
    #expect(throws: FusionError.self) { try FusionJob(input: path).run() }
    let source = try RecordingSource(path: path)
    #expect(source.channels == [.accelerometer] && source.recordedSamples.count == 1000)
  }

  // MARK: True north

  private static func placed(_ place: String) -> String {
    let names = ",quaternionX,quaternionY,quaternionZ,quaternionW,magneticFieldX,magneticFieldY,magneticFieldZ"
    let lines = text().split(separator: "\n").dropFirst().enumerated().map { row, line in
      "\(line),0,0,0,1,20,0,-40,\(row == 200 ? place : ",")"
    }
    return ([header + names + ",latitude,longitude"] + lines).joined(separator: "\n") + "\n"
  }

  private var northern: EvaluationJob {
    with(EvaluationJob()) { ($0.options.motion.frame, $0.options.referenceFrame) = (.xTrueNorthZVertical, .nwu) }
  }

  private func evaluated(_ job: EvaluationJob, _ path: String) throws -> ReferenceRecording {
    try with(job) { $0.options.referencePath = path }.load(path)
  }

  @Test("fuse, a recording source and an evaluated filter use the log's place for true north")
  func trueNorth() throws {
    let path = folder.write(Self.placed("47.4,8.5"), to: "log.csv")
    let judged = try evaluated(northern, path)
    let declination = try #require(judged.declination)
    #expect(declination.placeOrigin == .log && declination.angle != 0)
    #expect(northern.configuration(of: judged).declination == declination.angle)
    #expect(try RecordingSource(path: path).declination == declination.angle)
    var fusion = FusionJob(input: path, output: path + ".fused.csv")
    fusion.options.motion.frame = .xTrueNorthZVertical
    #expect(try fusion.run().declination == declination)
    #expect(judged.log.warnings.contains { $0.contains("the date of recording is unknown") })
    let other = with(northern) { $0.options.given.place = Place(latitude: -33.4, longitude: -70.6) }
    #expect(try evaluated(other, path).declination?.placeOrigin == .given)
  }

  @Test("a filter in the frame of true north needs a place, and a filter in other frames does not")
  func nowhere() throws {
    let path = folder.write(Self.placed(","), to: "log.csv")
    let error = #expect(throws: FusionError.self) { try evaluated(northern, path) }
    #expect(error?.description.contains("the log has no location") == true, "\(String(describing: error))")
    #expect(error?.exitCode == 2)
    let job = with(northern) { $0.options.motion.frame = .xMagneticNorthZVertical }
    let judged = try evaluated(job, path)
    #expect(judged.declination == nil && job.configuration(of: judged) == job.options.motion)
  }
}
