import TestSupport
import Testing

@testable import InertialJobs

@Suite("The saved state of a stream") struct StreamStateTests {
  private static let names =
    ["time"] + ["acceleration", "rotationRate", "magneticField"].flatMap { name in ["X", "Y", "Z"].map { name + $0 } }
    + ["pressure", "latitude", "longitude", "horizontalAccuracy"]

  /// Ninety seconds at 50 Hz: a walk upstairs with position fixes, a pause of the sensors, a shake, a fall and a rest, with
  /// noise and missing samples.
  private static let rows: [[Double]] = {
    var random = SeededGenerator(seed: 5)
    func noise(_ size: Double) -> Double { Double.random(in: -size...size, using: &random) }
    return (0..<4500).compactMap { index -> [Double]? in
      let time = Double(index) / 50
      guard !(30..<31.7).contains(time), index != 2011 else { return nil }
      let beat = 2 * Double.pi * 1.9 * time
      var force = [0.1 * cos(0.5 * beat), 0.05 * sin(beat), -1 + 0.35 * sin(beat)]
      var rate = [0.8 * sin(0.5 * beat), 0.1 * sin(beat), 0.2 * sin(0.1 * time)]
      if time >= 60 { (force, rate) = ([0, 0, -1], [0, 0, 0]) }
      if (40..<44).contains(time) { (force[0], rate[1]) = (3 * sin(30 * time), 4 * cos(30 * time)) }
      if (58..<58.4).contains(time) { force = [0, 0, -0.05] }
      if (58.4..<58.5).contains(time) { force = [3, 1, -5] }
      let field = index % 3 == 0 ? [20 + noise(0.5), noise(0.5), -40 + noise(0.5)] : [.nan, .nan, .nan]
      let pressure = index % 50 == 0 ? 101.325 - 0.012 * 0.4 * min(time, 58) : .nan
      let place =
        index % 50 == 0 ? [48 + 1e-5 * min(time, 58) + noise(1e-6), 11 + noise(1e-6), 2] : [.nan, .nan, .nan]
      return [time] + force.map { $0 + noise(0.02) } + rate.map { $0 + noise(0.01) } + field + [pressure] + place
    }
  }()

  /// Passes rows to a stream, and returns the numbers of its output rows.
  private func run(_ stream: inout FusionStream, _ rows: ArraySlice<[Double]>) throws -> [Double] {
    for row in rows { try stream.append(row) }
    return stream.takeRows()
  }

  @Test(
    "a stream continued from its state, anywhere, yields the rows of an uninterrupted one",
    arguments: [
      "", #""filter": "vqf", "recognitions": ["activity", "steps", "shake", "falls"]"#,
      #""recognitions": ["altitude", "posture"], "placement": "trunk", "channels": ["barometer"]"#,
      #""gaps": "split", "columns": ["time", "quaternionW", "line", "relativeYaw", "segment"], "relativeTo": "first""#,
      #""recognitions": ["track"], "track": {"carrying": "foot"}"#,
      #""recognitions": ["track"], "track": {"carrying": "body"}"#,
      #""recognitions": ["track"], "track": {"carrying": "vehicle"}"#,
      #""rate": 33, "gaps": "hold", "channels": ["barometer"], "motion": {"frame": "xMagneticNorthZVertical"}"#,
    ])
  func continued(_ members: String) throws {
    let (rows, options) = (Self.rows, "{\(members)}")
    var whole = try FusionStream(options, names: Self.names)
    var expected = try run(&whole, rows[...])
    try whole.finish()
    expected += whole.takeRows()
    #expect(expected.count > 100 * whole.columns.count)

    var random = SeededGenerator(seed: 11)
    let places = [0, 1, 20] + (0..<5).map { _ in Int.random(in: 0...rows.count, using: &random) }
    var stream = try FusionStream(options, names: Self.names)
    var found: [Double] = []
    var start = 0
    for place in places.sorted() {
      found += try run(&stream, rows[start..<place])
      stream = try FusionStream(state: stream.state())
      start = place
    }
    found += try run(&stream, rows[start...])
    try stream.finish()
    found += stream.takeRows()
    #expect(found.map(\.bitPattern) == expected.map(\.bitPattern))
    #expect(stream.rowCount == whole.rowCount)
    #expect(stream.channelReports == whole.channelReports)
  }

  @Test("rows that were not taken are part of the state, and the stream itself continues")
  func untaken() throws {
    var stream = try FusionStream("{}", names: Self.names)
    for row in Self.rows[..<200] { try stream.append(row) }
    var copy = try FusionStream(state: stream.state())
    #expect(copy.rowCount == stream.rowCount && copy.rowCount > 100)
    #expect(copy.takeRows().map(\.bitPattern) == stream.takeRows().map(\.bitPattern))
    #expect(try run(&copy, Self.rows[200..<300]) == run(&stream, Self.rows[200..<300]))
  }

  @Test("a stream without a required sensor has no rows, and ends with the name of the sensor")
  func missingSensor() throws {
    for (missing, name) in [(1...3, "accelerometer"), (4...6, "gyroscope")] {
      var stream = try FusionStream("{}", names: Self.names)
      for row in Self.rows[..<200] {
        try stream.append(row.enumerated().map { missing.contains($0) ? .nan : $1 })
      }
      let error = #expect(throws: FusionError.self) { try stream.finish() }
      #expect(error?.description.contains("no \(name) samples") == true && stream.rowCount == 0)
    }
    var empty = try FusionStream("{}", names: Self.names)
    try empty.finish()
  }

  @Test("UNIX nanoseconds continue from the first row's time")
  func nanoseconds() throws {
    func rows() -> [[Double]] {
      Self.rows[..<300].map { [1_700_000_000_000_000_000 + ($0[0] * 1e9).rounded()] + $0.dropFirst() }
    }
    var whole = try FusionStream("{}", names: ["time (ns)"] + Self.names.dropFirst())
    var stream = try FusionStream("{}", names: ["time (ns)"] + Self.names.dropFirst())
    let expected = try run(&whole, rows()[...])
    var found = try run(&stream, rows()[..<120])
    stream = try FusionStream(state: stream.state())
    found += try run(&stream, rows()[120...])
    #expect(!expected.isEmpty && found.map(\.bitPattern) == expected.map(\.bitPattern))
  }

  @Test("the state of a finished stream or of samples is refused, and so is any other document")
  func refused() throws {
    func message(_ work: () throws -> Void) -> String {
      #expect(throws: FusionError.self) { try work() }?.description ?? ""
    }
    var finished = try FusionStream("{}", names: Self.names)
    try finished.finish()
    #expect(message { _ = try finished.state() }.contains("finished"))
    let ofSamples = try FusionStream(name: "samples", options: FusionOptions())
    #expect(message { _ = try ofSamples.state() }.contains("rows"))
    let state = try FusionStream("{}", names: Self.names).state()
    #expect(message { _ = try FusionStream(state: String(state.dropLast(9))) }.contains("not the state"))
    #expect(message { _ = try FusionStream(state: "{}") }.contains("not the state"))
    let other = state.replacing("\"version\":\"\(ToolVersion.current)\"", with: "\"version\":\"0.1\"")
    #expect(message { _ = try FusionStream(state: other) }.contains("0.1"))
    let without = state.replacing("\"rowCount\":0", with: "\"rows\":0")
    #expect(message { _ = try FusionStream(state: without) }.contains("damaged"))
  }
}
