import TestSupport
import Testing

/// Bad input gives exit status 1, one line with file, position, problem and remedy, and no output.
@Suite struct BadInputTests {
  private let runner = try! CommandRunner()

  /// A faulty log and the expected words of its error message.
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var text: String
    var place: String
    var words: [String]
    var testDescription: String { name }
  }

  static let cases: [Case] = {
    func rows(_ change: (Int, inout [Double]) -> Void) -> String { CanonicalLog.text(change: change) }
    // A small number of such rows would be skipped.
    func late(_ change: (String) -> String) -> String {
      let lines = CanonicalLog.text().split(separator: "\n").map(String.init)
      return (lines[..<100] + lines[100...].map(change)).joined(separator: "\n")
    }
    return [
      Case(name: "an empty file", text: "", place: "log.csv:", words: ["empty"]),
      Case(name: "a header only", text: CanonicalLog.header, place: "log.csv:1:", words: ["no rows"]),
      Case(
        name: "missing columns", text: "time,accelerationX,accelerationY\n1,2,3\n", place: "log.csv:1:2:",
        words: ["found: time, accelerationX, accelerationY"]),
      Case(
        name: "no gyroscope", text: "time,accelerationX,accelerationY,accelerationZ\n0,0,0,-1\n0.01,0,0,-1\n",
        place: "log.csv:", words: ["no gyroscope"]),
      Case(
        name: "text in a number", text: late { $0.replacing("0.001", with: "abc") }, place: "log.csv:101:5:",
        words: ["abc", "not a number"]),
      Case(name: "a field too many", text: late { $0 + ",5" }, place: "log.csv:101:11:", words: ["11 fields", "10"]),
      Case(
        name: "fields too few", text: late { _ in "0.99,0.01,0.02" }, place: "log.csv:101:4:",
        words: ["3 fields", "10"]),
      Case(
        name: "a stream of mostly NaN",
        text: rows { index, row in if index % 10 < 8 { (row[1], row[2], row[3]) = (.nan, .nan, .nan) } },
        place: "log.csv:2:2:", words: ["80.0 %", "accelerometer", "NaN"]),
      Case(
        name: "a stream of mostly infinity", text: rows { index, row in if index % 10 < 8 { row[4] = .infinity } },
        place: "log.csv:2:5:", words: ["80.0 %", "gyroscope", "infinite"]),
      Case(
        name: "time mostly running backwards",
        // Not in descending order, which would be sorted.
        text: rows { index, row in row[0] = Double(500 - index) / 100 + (index % 3 == 0 ? 0.05 : 0) },
        place: "log.csv:3:", words: ["backwards"]),
      Case(
        name: "one time for all rows",
        text: rows { index, row in
          row[0] = 5
          row[4] = Double(index) * 1e-6
          row[1] = Double(index) * 1e-5
        }, place: "log.csv:2:", words: ["share their timestamp", "--sample-rate"]),
      Case(
        name: "milliseconds as seconds", text: rows { index, row in row[0] = Double(10 * index) },
        place: "log.csv:2:", words: ["0.1 samples per second", "--time-unit"]),
      Case(
        name: "a single row", text: CanonicalLog.text(1), place: "log.csv:2:",
        words: ["1 usable gyroscope sample", "at least two"]),
      Case(
        name: "an acceleration of 50 g", text: rows { _, row in row[3] = -50 }, place: "log.csv:2:2:",
        words: ["50.0 g", "is impossible"]),
      Case(
        name: "an acceleration in m/s²", text: rows { _, row in row[3] = -9.81 }, place: "log.csv:2:2:",
        words: ["9.81 g", "--acceleration-unit m/s2"]),
      Case(
        name: "an acceleration without gravity", text: rows { _, row in row[3] = 0.01 }, place: "log.csv:2:2:",
        words: ["gravity appears to be removed"]),
      Case(
        name: "a rate in degrees per second", text: rows { index, row in row[4] = index % 2 == 0 ? 90 : -90 },
        place: "log.csv:2:5:", words: ["60 rad/s", "--rotation-unit deg/s"]),
    ]
  }()

  @Test("faulty logs are rejected with one line, without output", arguments: cases)
  func badLog(_ item: Case) throws {
    try runner.write(item.text, to: "log.csv")
    let result = try runner.check("fuse", "log.csv", status: 1, lines: 1)
    #expect(result.errors.hasPrefix("error: \(item.place)"), "\(result.errors)")
    for word in item.words { #expect(result.errors.contains(word), "\(result.errors)") }
    #expect(try result.output.isEmpty && runner.files() == ["log.csv"])
  }

  @Test("a file that is not HDF5 and a truncated file are rejected")
  func notHDF5() throws {
    try runner.write("no hdf5 at all", to: "a.hdf5")
    try runner.check("fuse", "a.hdf5", status: 1, lines: 1)
    var bytes = Data([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A])
    bytes.append(Data(repeating: 0, count: 40))
    try bytes.write(to: runner.folder.appendingPathComponent("b.hdf5"))
    try runner.check("fuse", "b.hdf5", status: 1, errors: "b.hdf5", "damaged", lines: 1)
    #expect(try runner.files() == ["a.hdf5", "b.hdf5"])
  }

  @Test("a file without read permission is rejected in one line", .needs(.nonroot))
  func nonrootFile() throws {
    try runner.write(CanonicalLog.text(), to: "log.csv")
    let path = runner.path("log.csv")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    try runner.check("fuse", "log.csv", status: 1, lines: 1)
    #expect(try runner.files() == ["log.csv"])
  }

  @Test("a missing output folder and a full disk are reported, without output")
  func badOutput() throws {
    try runner.write(CanonicalLog.text(), to: "log.csv")
    let noFolder = try runner.check("fuse", "log.csv", "-o", "absent/out.csv", status: 1)
    #expect(
      noFolder.errors == "error: absent/out.csv: the output folder does not exist; create it, or give another path\n")
    #if os(Linux)
      try runner.check("fuse", "log.csv", "-o", "/dev/full", status: 1, errors: "/dev/full: the disk is full")
    #endif
    #expect(try runner.files() == ["log.csv"])
  }

  @Test("single invalid samples are skipped, counted and reported, and --strict rejects them")
  func singleBadSamples() throws {
    try runner.write(
      CanonicalLog.text { index, row in
        if index == 250 { row[4] = .nan }
        if index == 300 { (row[1], row[2], row[3]) = (0, 0, 0) }
        if index == 350 { row[5] = .infinity }
        if index == 360 { row[7] = 1e9 }
      }, to: "log.csv")
    try runner.check(
      "fuse", "log.csv", "-o", "out.csv",
      errors: "gyroscope: 1 sample infinite or impossible, skipped (first in line 352)",
      "gyroscope: 1 sample NaN, treated as missing (first in line 252)", lines: 4)
    // One row per valid gyroscope sample, and the header.
    #expect(try runner.read("out.csv").split(separator: "\n").count == 499)
    try runner.check("fuse", "log.csv", "-o", "strict.csv", "--strict", status: 1)
    #expect(try runner.files() == ["log.csv", "out.csv"])
  }

  @Test("rates that contradict the rotation of gravity, and a stream that ends early, are reported")
  func warnings() throws {
    try runner.simulate("random-spline", "--duration", "30")
    let lines = try runner.table("sim/log.csv")
    // A quarter of the motion's rates, in degrees: small enough to be plausible radians.
    var text = lines[0].joined(separator: ",") + "\n"
    for (index, line) in lines.dropFirst().enumerated() {
      var line = line
      for column in 4...6 where !line[column].isEmpty { line[column] = "\(Double(line[column])! * 57.3 / 4)" }
      if index > lines.count / 2 { (line[7], line[8], line[9]) = ("", "", "") }
      text += line.joined(separator: ",") + "\n"
    }
    try runner.write(text, to: "log.csv")
    let result = try runner.check("fuse", "log.csv", "-o", "out.csv")
    #expect(result.errors.contains(/about 14\.\d times too large for the device's rotation/), "\(result.errors)")
    #expect(result.errors.contains("magnetometer: ends"), "\(result.errors)")
    let strict = try runner.run("fuse", "log.csv", "-o", "strict.csv", "--strict")
    #expect(
      strict.status == 1 && strict.errorLines.count == 1
        && strict.errors.hasPrefix("error: log.csv: The gyroscope's rates"))
    #expect(try runner.files().contains("strict.csv") == false)
    #expect(try runner.run("fuse", "sim/log.csv", "-o", "good.csv").errors.isEmpty)
  }

  @Test("samples far out of order are sorted from a file, and rejected from standard input")
  func lateOnStandardInput() throws {
    var lines = CanonicalLog.text(1000).split(separator: "\n").map(String.init)
    lines.append(lines.remove(at: 200))
    let text = lines.joined(separator: "\n") + "\n"
    try runner.write(text, to: "log.csv")
    try runner.check("fuse", "log.csv", "-o", "a.csv")
    try runner.check("fuse", "-", "-o", "b.csv", status: 1, errors: "save it to a file", input: text)
    #expect(try runner.files() == ["a.csv", "log.csv"])
  }

  @Test(
    "a usage error exits with 2 and leaves no output",
    arguments: [
      ["fuse"], ["fuse", "log.csv", "--bogus"], ["fuse", "log.csv", "--filter", "none"],
      ["fuse", "log.csv", "--set", "gyroscopeNoise"], ["fuse", "log.csv", "--set", "none=1"],
      ["fuse", "log.csv", "--set", "gyroscopeNoise=-1"], ["fuse", "log.csv", "--columns-out", "time,none"],
      ["fuse", "log.csv", "--columns-out", "time,time"], ["fuse", "log.csv", "--digits", "18"],
      ["fuse", "log.csv", "--rate", "0"], ["fuse", "log.csv", "--frame", "none"],
      ["fuse", "log.csv", "--frame", "xTrueNorthZVertical"],
      ["fuse", "log.csv", "--frame", "xTrueNorthZVertical", "--latitude", "47"],
      ["fuse", "log.csv", "--frame", "xTrueNorthZVertical", "--latitude", "99", "--longitude", "8"],
      ["fuse", "log.csv", "--json", "-o", "-"], ["fuse", "-"], ["evaluate", "log.csv", "--filters", "none"],
      ["simulate", "none", "-o", "folder"], ["simulate", "rest", "-o", "folder", "--set", "none=1"], ["none"],
      ["simulate", "car", "-o", "folder", "--set", "speed=1"],
      ["simulate", "car", "-o", "folder", "--sensors", "none"],
    ])
  func badUsage(_ arguments: [String]) throws {
    try runner.write(CanonicalLog.text(), to: "log.csv")
    let process = try runner.check(arguments, status: 2)
    #expect(try !process.errors.isEmpty && process.output.isEmpty && runner.files() == ["log.csv"])
  }

  @Test("a date outside every magnetic model is rejected with the supported range")
  func dateOutOfRange() throws {
    try runner.write(CanonicalLog.text(), to: "log.csv")
    try runner.check(
      [
        "fuse", "log.csv", "--frame", "xTrueNorthZVertical", "--latitude", "47", "--longitude", "8", "--date",
        "2040-01-01",
      ], status: 2, errors: "2015.0 to 2030.0")
  }
}
