import Foundation
import Inertial
import Testing

@testable import InertialFusion

/// A log is read and judged in one way, whoever reads it.
@Suite("One way into a log")
struct OneWayTests {
  private static let header =
    "time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ"

  /// A log of a device that turns and is moved a little; rows are changed as asked.
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

  private func withLog<Result>(_ text: String, _ body: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("one-way-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("log.csv").path
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return try body(path)
  }

  @Test(
    "who jumps falls freely for most of the time and is fused; where gravity was removed the log is refused",
    arguments: [(0.6, 0.35), (1.4, 0.95), (1.8, 1.3)])
  func jumps(period: Double, flight: Double) throws {
    func jump(_ row: Int) -> Double {
      let phase = (Double(row) / 100).truncatingRemainder(dividingBy: period)
      let push = period / (period - flight) * .pi / 2 * sin(.pi * (phase - flight) / (period - flight))
      return phase < flight ? -0.02 : -push
    }
    let jumping = Self.text(count: 3000) { row, values in values[3] = jump(row) }
    try withLog(jumping) { path in
      #expect(throws: Never.self) { try FusionJob(input: path).run() }
    }
    let removed = Self.text(count: 3000) { row, values in values[3] = 0.3 * sin(Double(row) / 5) }
    try withLog(removed) { path in
      let error = #expect(throws: FusionError.self) { try FusionJob(input: path).run() }
      #expect(error?.description.contains("gravity seems to be taken off") == true, "\(String(describing: error))")
    }
  }

  struct Fault: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// A part of the message.
    var told: String
    var text: String
  }

  static let faults = [
    Fault(
      testDescription: "acceleration in m/s²", told: "--acceleration-unit m/s2",
      text: text { $1[3] *= 9.81 }),
    Fault(
      testDescription: "acceleration without gravity", told: "gravity seems to be taken off",
      text: text { $1[3] += 1 }),
    Fault(
      testDescription: "rates in degrees per second", told: "--rotation-unit deg/s",
      text: text { $1[4] = $0 % 2 == 0 ? 80 : -80 }),
    Fault(
      testDescription: "a channel without numbers", told: "are NaN",
      text: text { if $0 >= 400 { ($1[4], $1[5], $1[6]) = (.nan, .nan, .nan) } }),
    Fault(
      testDescription: "impossible values", told: "infinite or impossible",
      text: text { if $0 % 20 == 0 { $1[2] = 1e6 } }),
    Fault(
      testDescription: "time that runs backwards", told: "time runs backwards",
      text: text { $1[0] = Double(($0 * 389) % 1000) / 100 }),
    Fault(
      testDescription: "a time for all", told: "share their time",
      text: text { $1[0] = Double($0 / 10) / 10 }),
    Fault(
      testDescription: "time in the wrong unit", told: "too few to follow a motion",
      text: text { $1[0] *= 1000 }),
    Fault(
      testDescription: "an accelerometer that is mounted otherwise", told: "by 90° on average",
      text: text(columns: ",gravityX,gravityY,gravityZ") { $1 += [-1, 0, 0] }),
    Fault(
      testDescription: "an acceleration whose sign is turned", told: "by 180° on average",
      text: text(columns: ",gravityX,gravityY,gravityZ") {
        $1 += [0, 0, -1]; $1[1] *= -1; $1[2] *= -1; $1[3] *= -1
      }),
    Fault(
      testDescription: "many rows that are none", told: ":1002",
      text: text() + String(repeating: "1,two\n", count: 400)),
  ]

  @Test("what fuse refuses is not played, for the same reason in the same words", arguments: faults)
  func refused(fault: Fault) throws {
    try withLog(fault.text) { path in
      let error = #expect(throws: FusionError.self) { try FusionJob(input: path).run() }
      let told = try #require(error?.description)
      #expect(told.contains(fault.told), "\(told)")
      let other = #expect(throws: LogError.self) { try RecordingSource(path: path) }
      #expect(other?.description == told)
      #expect(throws: FusionError.badData(told)) { try StepsJob(input: path).run() }
      #expect(throws: LogError.self) { try LogFeed(path: path).load() }
    }
  }

  @Test("what is wrong with a log that is fit all the same is told by both")
  func warnings() throws {
    let text = Self.text { if $0 == 500 { $1[2] = 1e6 } else if $0 == 700 { $1[0] -= 0.05 } }
    try withLog(text) { path in
      let report = try FusionJob(input: path).run()
      let told = report.log.warnings
      #expect(told.contains { $0.contains("impossible") } && told.contains { $0.contains("out of order") }, "\(told)")
      #expect(try RecordingSource(path: path).warnings == told)
    }
  }

  @Test("a log that lacks a sensor is none for fuse, and is played with what it has")
  func lacking() throws {
    let text = Self.text().split(separator: "\n").map { $0.split(separator: ",").prefix(4).joined(separator: ",") }
    try withLog(text.joined(separator: "\n") + "\n") { path in
      #expect(throws: FusionError.self) { try FusionJob(input: path).run() }
      let source = try RecordingSource(path: path)
      #expect(source.channels == [.accelerometer] && source.recordedSamples.count == 1000)
    }
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
    var job = EvaluationJob()
    job.options.motion.frame = .xTrueNorthZVertical
    job.options.referenceFrame = .nwu
    return job
  }

  private func evaluated(_ job: EvaluationJob, _ path: String) throws -> JudgedRecording {
    var job = job
    job.options.referencePath = path
    return try job.load(path)
  }

  @Test("true north is where the log says, for fuse, a recording source and a judged filter alike")
  func trueNorth() throws {
    try withLog(Self.placed("47.4,8.5")) { path in
      let judged = try evaluated(northern, path)
      let declination = try #require(judged.declination)
      #expect(declination.placeOrigin == .log && declination.angle != 0)
      #expect(northern.configuration(of: judged).declination == declination.angle)
      #expect(try RecordingSource(path: path).declination == declination.angle)
      var fusion = FusionJob(input: path, output: path + ".fused.csv")
      fusion.options.motion.frame = .xTrueNorthZVertical
      #expect(try fusion.run().declination == declination)
      #expect(judged.log.warnings.contains { $0.contains("when it was recorded is not known") })
      var other = northern
      other.options.given.place = Place(latitude: -33.4, longitude: -70.6)
      #expect(try evaluated(other, path).declination?.placeOrigin == .given)
    }
  }

  @Test("without a place a filter is not judged in the frame of true north, and elsewhere nobody asks for one")
  func nowhere() throws {
    try withLog(Self.placed(",")) { path in
      let error = #expect(throws: FusionError.self) { try evaluated(northern, path) }
      #expect(error?.description.contains("does not say where it was made") == true, "\(String(describing: error))")
      #expect(error?.exitCode == 2)
      var job = northern
      job.options.motion.frame = .xMagneticNorthZVertical
      let judged = try evaluated(job, path)
      #expect(judged.declination == nil && job.configuration(of: judged) == job.options.motion)
    }
  }
}
