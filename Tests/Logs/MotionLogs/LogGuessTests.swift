import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

/// Unspecified units of a log: the error proposes options derived from the numbers, and the log is read with them.
struct LogGuessTests {
  private static let header = "time (s),ax,ay,az,gx,gy,gz"

  private func text(_ table: SimulatedTable, perG: Double, perDegree: Double, digits: Int, isUnsigned: Bool = false)
    -> String
  {
    func words(_ v: Vector3) -> [String] {
      SimulatedTable.words(v, digits).map { word in
        guard isUnsigned, let value = Int(word), value < 0 else { return word }
        return "\(value + 65_536)"
      }
    }
    return table.text(Self.header) { row in
      [String(format: "%.3f", table.times[row])] + words(perG / standardGravity * table.acceleration[row])
        + words(perDegree * 180 / .pi * table.rates[row])
    }
  }

  @Test(
    "the log is read without a fault with the units that the numbers suggest",
    arguments: [
      (1, 1, 4, "g", "deg/s"), (standardGravity, 1, 3, "m/s2", "deg/s"), (1000, 1, 2, "mg", "deg/s"),
      (standardGravity, Double.pi / 180, 5, "m/s2", "rad/s"), (16_384, 131, 0, "16384/g", "131/dps"),
      (4096, 32.8, 0, "4096/g", "32.8/dps"), (8192, 65.5, 0, "8192/g", "65.5/dps"),
      (2048, 16.4, 0, "2048/g", "16.4/dps"),
    ] as [(Double, Double, Int, String, String)])
  func units(perG: Double, perDegree: Double, digits: Int, acceleration: String, rotation: String) throws {
    let text = text(SimulatedTable(), perG: perG, perDegree: perDegree, digits: digits)
    let error = try #require(throws: LogError.self) { try summary(text) }
    #expect(error.remedy.contains("--acceleration-unit \(acceleration) --rotation-unit \(rotation) "), "\(error)")
    var options = LogOptions()
    options.accelerationUnit = LogOptions.AccelerationUnit(acceleration)
    options.rotationUnit = LogOptions.RotationUnit(rotation)
    #expect(try faults(text, options: options) == [])
  }

  @Test("an acceleration without gravity is not read as one in g, even if it often has the magnitude of 1 g")
  func withoutGravity() throws {
    let table = SimulatedTable()
    let text = table.text(Self.header) { row in
      let angle = 13 * table.times[row]
      return ["\(table.times[row])"] + SimulatedTable.words(1.1 * Vector3(cos(angle), sin(angle), 0), 3)
        + SimulatedTable.words(table.rates[row], 4)
    }
    let error = try #require(throws: LogError.self) { try summary(text) }
    #expect(!error.remedy.contains("the numbers suggest") && error.remedy.contains("--acceleration-unit"), "\(error)")
  }

  @Test("slow rotations in degrees are not read as radians")
  func slowDegrees() throws {
    let table = SimulatedTable(rate: 20, speed: 0.5)
    let text = table.text("t,ax,ay,az,gx,gy,gz") { row in
      ["\(50 * row)"] + SimulatedTable.words(table.acceleration[row], 3)
        + SimulatedTable.words(180 / .pi * table.rates[row], 2)
    }
    let error = try #require(throws: LogError.self) { try summary(text) }
    #expect(error.remedy.contains("--acceleration-unit m/s2 --rotation-unit deg/s "))
    // The reader determines the time's unit itself.
    #expect(!error.remedy.contains("--time-unit"))
  }

  @Test("unsigned counts are recognized and read like signed ones")
  func unsigned() throws {
    let signed = text(SimulatedTable(), perG: 16_384, perDegree: 131, digits: 0)
    let unsigned = text(SimulatedTable(), perG: 16_384, perDegree: 131, digits: 0, isUnsigned: true)
    let error = try #require(throws: LogError.self) { try summary(unsigned) }
    #expect(error.remedy.contains("16384/g") && error.remedy.contains("without their sign"))
    var options = LogOptions()
    options.accelerationUnit = LogOptions.AccelerationUnit("16384/g")
    options.rotationUnit = LogOptions.RotationUnit("131/dps")
    let folder = TemporaryFolder()
    let read = try ["a": signed, "b": unsigned].mapValues { text throws in
      try LogFeed(path: folder.write(text, to: "log.csv"), options: options).load().samples
    }
    #expect(read["a"] == read["b"] && read["a"]?.isEmpty == false)
  }

  @Test("a string that is not a unit is refused", arguments: ["0/g", "-5/g", "/g", "16384", "16384/s", "1/2/g"])
  func noUnit(text: String) { #expect(LogOptions.AccelerationUnit(text) == nil) }

  // MARK: Without a header

  /// A table of numbers without names, with its columns in a seeded random order.
  private struct NumberTable {
    var text: String
    var names: String
    var timeUnit: String

    init(seed: UInt64, calm: Bool = false) {
      var random = SeededGenerator(seed: seed)
      let table = SimulatedTable(rate: 50, seed: seed, speed: calm ? 0.02 : 1)
      let (unit, ticks) = [("s", 1.0), ("ms", 1e3), ("us", 1e6)].randomElement(using: &random)!
      let separator = [",", ";", "\t", " "].randomElement(using: &random)!
      var vectors: [(name: String, row: (Int) -> [String])] = [
        ("acc", { SimulatedTable.words(table.acceleration[$0], 3) }),
        ("gyr", { SimulatedTable.words(180 / .pi * table.rates[$0], 3) }),
        ("mag", { SimulatedTable.words(table.field[$0], 2) }),
      ]
      vectors.shuffle(using: &random)
      if Bool.random(using: &random) { vectors.removeAll { $0.name == "mag" } }
      let hasCounter = Bool.random(using: &random)
      names =
        ((hasCounter ? ["-"] : []) + ["time"]
        + vectors.flatMap { vector in ["x", "y", "z"].map { vector.name + "_" + $0 } }).joined(separator: ",")
      timeUnit = unit
      let rows = table.times.indices.filter { !calm || $0 < 600 }.map { row in
        ((hasCounter ? ["\(row)"] : []) + [String(format: "%.3f", ticks * table.times[row])]
          + vectors.flatMap { $0.row(row) }).joined(separator: separator)
      }
      text = rows.joined(separator: "\n") + "\n"
    }
  }

  private func guess(_ text: String, _ options: LogOptions = LogOptions(), name: String = "log.csv") throws -> LogGuess
  {
    let folder = TemporaryFolder()
    return try #require(try LogGuess.decide(path: folder.write(text, to: name), options: options).guess)
  }

  @Test("gravity and its rotation rates identify columns without names, in any order", arguments: 1...12)
  func columns(seed: Int) throws {
    let table = NumberTable(seed: UInt64(seed))
    let error = try #require(throws: LogError.self) { try summary(table.text) }
    #expect(error.remedy.contains("--columns \(table.names) "), "\(error)")
    #expect(error.remedy.contains("--time-unit \(table.timeUnit) ") == (table.timeUnit != "s"), "\(error)")
    #expect(error.remedy.contains("--acceleration-unit m/s2 --rotation-unit deg/s"), "\(error)")
    let guess = try guess(table.text)
    #expect(guess.command.hasSuffix(try #require(error.remedy.firstMatch(of: /--columns [^(]*/)).output.dropLast()))
    #expect(guess.parts[0].certainty == .certain)
  }

  @Test(
    "a gyroscope's signs and axes do not affect the columns, and the command contains the axes",
    arguments: ["-x,-y,-z", "-y,x,z", "y,x,-z"])
  func turnedColumns(axes: String) throws {
    let table = SimulatedTable(rate: 50, repeats: 2)
    let mapping = try #require(SignedAxes(axes))
    let text = table.times.indices.map { row in
      ([String(format: "%.3f", table.times[row])] + SimulatedTable.words(table.acceleration[row], 3)
        + SimulatedTable.words(180 / .pi * mapping(table.rates[row]), 3)
        + SimulatedTable.words(table.field[row], 2)).joined(separator: ",")
    }.joined(separator: "\n")
    let guess = try guess(text)
    #expect(
      guess.command.contains(
        " --columns time,acc_x,acc_y,acc_z,gyr_x,gyr_y,gyr_z,mag_x,mag_y,mag_z --acceleration-unit m/s2 "
          + "--rotation-unit deg/s "), "\(guess.command)")
    #expect(guess.command.contains("--axes gyroscope="), "\(guess.command)")
  }

  @Test("flags and a log's own gravity are not mistaken for the acceleration", arguments: [true, false])
  func otherColumns(hasGravity: Bool) throws {
    let table = SimulatedTable(rate: 50, repeats: 2)
    let rows = table.times.indices.map { row in
      let down = table.acceleration[row]
      let other = hasGravity ? SimulatedTable.words(1 / down.norm * down, 6) : ["1", row % 90 < 30 ? "0" : "1", "0"]
      return
        ([String(format: "%.3f", table.times[row])] + other + SimulatedTable.words(table.acceleration[row], 3)
        + SimulatedTable.words(table.rates[row], 4)).joined(separator: ",")
    }
    let lines = ["", "recorded by hand"] + rows
    let guess = try guess(lines.joined(separator: "\n"))
    #expect(guess.command.contains(" --columns time,-,-,-,acc_x,acc_y,acc_z,gyr_x,gyr_y,gyr_z "), "\(guess.command)")
  }

  @Test("a log that the data do not determine is refused with the reason")
  func reasons() throws {
    let table = SimulatedTable(rate: 50)
    func text(_ count: Int, hasTime: Bool) -> String {
      table.times.indices.prefix(count).map { row in
        ((hasTime ? ["\(table.times[row])"] : []) + SimulatedTable.words(table.acceleration[row], 3)
          + SimulatedTable.words(table.rates[row], 4)).joined(separator: ",")
      }.joined(separator: "\n")
    }
    for (text, words) in [
      (text(150, hasTime: true), "200 rows are needed, and there are 150"),
      (text(900, hasTime: false), "without a clock, the units must be stated"), ("1,2,3\n4,5,6\n", "there are 3"),
    ] {
      let error = try #require(throws: LogError.self) { try guess(text) }
      #expect(error.remedy.hasSuffix("(no guess: \(words))") || error.remedy.contains(words), "\(error)")
    }
  }

  /// Returns a log with the device's own gravity, times a sign.
  private func textWithGravity(_ table: SimulatedTable, sign: Double) -> String {
    table.text(
      "time (s),acc_x (g),acc_y (g),acc_z (g),gyr_x (rad/s),gyr_y (rad/s),gyr_z (rad/s),gravityX,gravityY,gravityZ"
    ) { row in
      let g = 1 / standardGravity * table.acceleration[row]
      return ["\(table.times[row])"] + SimulatedTable.words(g, 4) + SimulatedTable.words(table.rates[row], 4)
        + SimulatedTable.words(sign * g, 4)
    }
  }

  @Test("a body's axes also rotate the device's own gravity and attitude", arguments: BodyFrame.allCases)
  func body(frame: BodyFrame) throws {
    let text = textWithGravity(SimulatedTable(repeats: 2), sign: 1)
    let options = with(LogOptions()) { $0.axes = [.body(frame)] }
    #expect(try faults(text, options: options) == [])
    let attitude = Quaternion(x: 0.1, y: 0.2, z: 0.3, w: 0.4).normalized!
    var samples = [
      SensorSample(time: 0, channel: .deviceAttitude, x: attitude.x, y: attitude.y, z: attitude.z, w: attitude.w),
      SensorSample(time: 0, channel: .accelerometer, attitude.rotateInverse(Vector3(0.1, 0.2, -1))),
    ]
    options.axes[0].apply(to: &samples)
    // The same vector in the earth frame.
    #expect((samples[0].quaternion.rotate(samples[1].vector) - Vector3(0.1, 0.2, -1)).norm < 1e-12)
    #expect(LogAnswer.axes(options.axes[0]).text == "--body \(frame.letters)")
  }

  @Test("columns of a log with little rotation are ambiguous")
  func calmColumns() throws {
    let guess = try guess(NumberTable(seed: 5, calm: true).text)
    #expect(guess.parts[0].certainty == .open && guess.parts[0].test.contains("may be"))
  }

  @Test("a table of numbers without gravity is refused with the original error")
  func noGravity() throws {
    let text = (0..<400).map { "\(0.01 * Double($0)),\($0 % 7),3,\($0 % 5),300.5,\($0 % 3),2\n" }.joined()
    let error = try #require(throws: LogError.self) { try summary(text) }
    #expect(error.remedy.hasPrefix("name the columns with --columns"))
  }

  // MARK: Contradictory options

  @Test(
    "the rate of sentences without a clock is that at which gravity rotates with the rates", arguments: [20, 40, 100])
  func rate(rate: Int) throws {
    let table = SimulatedTable(rate: Double(rate))
    let text = table.times.indices.map { row in
      let values =
        SimulatedTable.words(Vector3(0.2, 0.1, 0.4), 4) + SimulatedTable.words(-1 * table.acceleration[row], 3)
        + SimulatedTable.words(table.rates[row], 5)
      return FlightTextTests.sentence("VNIMU," + values.joined(separator: ",") + ",+24.6,+101.325")
    }.joined()
    let part = try #require(try guess(text, name: "log.txt").parts.first)
    guard case .sampleRate(let found) = part.answer else {
      Issue.record("\(part)")
      return
    }
    #expect(abs(log(found / Double(rate))) < 0.25 && part.certainty != .certain)
  }

  @Test("a sign that contradicts the log's own gravity is refused with the command that reads the log")
  func sign() throws {
    let text = textWithGravity(SimulatedTable(), sign: -1)
    let error = try #require(throws: LogError.self) { try summary(text) }
    #expect(error.remedy.hasSuffix("--axes accelerometer=-x,-y,-z"), "\(error)")
    let guess = try guess(text)
    #expect(guess.command.hasSuffix("log.csv --axes accelerometer=-x,-y,-z"))
    #expect(guess.parts.map(\.certainty) == [.certain])
    let options = try with(LogOptions()) { $0.axes = [try #require(SensorAxes("accelerometer=-x,-y,-z"))] }
    #expect(try faults(text, options: options) == [])
  }

  @Test("an unambiguous log needs no options")
  func nothing() throws {
    let guess = try guess(SimulatedTable().text())
    #expect(guess.parts.isEmpty && guess.command.hasSuffix("log.csv"))
  }

  @Test("the command preserves the given options and is valid in a shell")
  func command() throws {
    let options = with(LogOptions()) { $0.columns = ["time", "acc_x", "acc_y", "acc_z", "gyr_x", "gyr_y", "gyr_z"] }
    let table = SimulatedTable()
    let text = table.text("1,2,3") { row in
      [String(format: "%.3f", table.times[row])] + SimulatedTable.words(table.acceleration[row], 3)
        + SimulatedTable.words(table.rates[row], 4)
    }.split(separator: "\n").dropFirst().joined(separator: "\n")
    let guess = try guess(text, options, name: "my $walk.csv")
    #expect(
      guess.command.hasSuffix(
        "/my $walk.csv' --columns time,acc_x,acc_y,acc_z,gyr_x,gyr_y,gyr_z --acceleration-unit m/s2 "
          + "--rotation-unit rad/s"), "\(guess.command)")
    #expect(throws: LogError.self) { try LogGuess.decide(path: "-", options: options) }
  }
}
