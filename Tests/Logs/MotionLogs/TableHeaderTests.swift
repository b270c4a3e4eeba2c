import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

/// A table of 40 rows of acceleration in g and rates in deg/s, in the formats of various programs.
struct TableForm: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var bytes: [UInt8]

  init(_ name: String, _ text: String) { (testDescription, bytes) = (name, Array(text.utf8)) }
  init(_ name: String, bytes: [UInt8]) { (testDescription, self.bytes) = (name, bytes) }

  static let rowCount = 40
  static func numbers(_ row: Int) -> [Double] {
    let row = Double(row)
    return [0.05 * row, -0.01 * row, 0.25, 0.75, row - 20, -1.5, 0.125 * row]
  }

  static func rows(
    _ separator: String = ",", _ scales: [Double] = [1, 1, 1, 1, 1, 1, 1], decimal: String = ".",
    transform: (Int, String) -> String = { $1 }
  ) -> String {
    (0..<rowCount).map { row in
      let cells = zip(numbers(row), scales).map { value, scale in
        String(format: "%.4f", value * scale).replacing(".", with: decimal)
      }
      return transform(row, cells.joined(separator: separator)) + "\n"
    }.joined()
  }

  static let names = "time (s),acc_x (g),acc_y (g),acc_z (g),gyr_x (deg/s),gyr_y (deg/s),gyr_z (deg/s)"
  static let plain = names + "\n" + rows()
  static let gravity: [Double] = [1, 9.80665, 9.80665, 9.80665, 1, 1, 1]

  private static func wide(_ text: String, isBig: Bool, mark: [UInt8]) -> [UInt8] {
    mark + text.utf16.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  private static func western(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

  private static func stamped(_ text: String, _ stamp: (Int) -> String) -> String {
    text.split(separator: "\n").enumerated().map { stamp($0) + $1 + "\n" }.joined()
  }

  private static func time(_ row: Int) -> String {
    String(format: "14:07:%02d.%03d", 31 + max(0, row) / 20, max(0, row) % 20 * 50)
  }

  static let headers: [Self] = [
    Self(
      "names, then units",
      "sep=,\nTime,AccelX,AccelY,AccelZ,GyroX,GyroY,GyroZ,\nms,m/(s^2),m/(s^2),m/(s^2),deg/s,deg/s,deg/s,\n"
        + rows(",", [1000] + gravity[1...]) { $1 + "," }),
    Self(
      "names, then units in brackets",
      "Zeit;Acc X;Acc Y;Acc Z;Gyro X;Gyro Y;Gyro Z\n[s];[m/s²];[m/s²];[m/s²];[°/s];[°/s];[°/s]\n"
        + rows(";", gravity, decimal: ",")),
    Self(
      "sensor, then axis, then the clock",
      ",acc (g),acc (g),acc (g),gyr (deg/s),gyr (deg/s),gyr (deg/s)\n,x,y,z,x,y,z\ntime (s),,,,,,\n" + rows()),
    Self(
      "sensor above its first axis",
      "Time,Accelerometer,,,Gyroscope,,\n,X,Y,Z,X,Y,Z\ns,g,g,g,deg/s,deg/s,deg/s\n" + rows()),
    Self("300 lines before the header", (0..<300).map { "\"setting_\($0)\",\"\($0 * 37 % 100)\"\n" }.joined() + plain),
    Self("remarks with known names before the header", "Accelerometer x, gyroscope y: calibrated\n% rate 20\n" + plain),
    Self(
      "names of a maker",
      "Time(s),ax(g),ay(g),az(g),wx(deg/s),wy(deg/s),wz(deg/s),AngleX(deg),AngleY(deg),AngleZ(deg),T(°)\n"
        + rows { $1 + ",6.01,3.98,35.4,31.2" }),
    Self(
      "words beside the units",
      "Time [s],Acc X [g, raw],Acc Y [g, raw],Acc Z [g, raw],Gyr X [in deg/s],Gyr Y [in deg/s],Gyr Z [in deg/s]\n"
        + rows()),
    Self(
      "three angles of an orientation",
      names + ",orientation.x,orientation.y,orientation.z\n" + rows { $1 + ",324.58,3.98,6.01" }),
    Self("roll, pitch and yaw of a board", names + ",roll,pitch,yaw\n" + rows { $1 + ",324.58,3.98,6.01" }),
    Self(
      "with and without gravity",
      names.replacing("acc_", with: "acceleration with gravity ")
        + ",acceleration without gravity x (g),acceleration without gravity y (g),acceleration without gravity z (g)\n"
        + rows { $1 + ",0,0,0.1" }),
    Self(
      "a browser's names",
      names.replacing("acc_", with: "accelerationIncludingGravity.")
        + ",acceleration.x (g),acceleration.y (g),acceleration.z (g)\n" + rows { $1 + ",0,0,0.1" }),
    Self(
      "a linear acceleration with gravity in it", names.replacing("acc_", with: "linear_acceleration_") + "\n" + rows()),
    Self(
      "ROS's names without units",
      "time (s),linear_acceleration.x,linear_acceleration.y,linear_acceleration.z,angular_velocity.x,"
        + "angular_velocity.y,angular_velocity.z\n"
        + rows(",", Array(gravity[..<4]) + Array(repeating: .pi / 180, count: 3))),
    Self(
      "a header in a comment",
      "# recorded by hand\n# " + names.replacing(" (", with: "(").replacing(",", with: " ") + "\n" + rows("  ")),
    Self("a header behind two slashes", "// " + plain),
    Self(
      "a clock of another language",
      plain.replacing("time (s)", with: "horloge").split(separator: "\n").enumerated()
        .map { $0 == 0 ? $1 + "\n" : "2024-03-05 \(time($0 - 1))" + $1.drop { $0 != "," } + "\n" }.joined()),
  ]

  static let lines: [Self] = [
    Self("numbers in quotes with decimal commas", names + "\n" + rows("\",\"", decimal: ",") { "\"" + $1 + "\"" }),
    Self(
      "quotes around some of the numbers",
      names + "\n"
        + rows(",\"", decimal: ",") { $1.replacing(",\"", with: "\",\"") }
        .split(separator: "\n").map { "\"" + $0 + "\"\n" }.joined()),
    Self("a separator at each line's end", names.replacing(",", with: ";") + "\n" + rows(";") { $1 + ";" }),
    Self("commas for the fields and the decimals", names + "\n" + rows(decimal: ",")),
    Self("line ends of CR", plain.replacing("\n", with: "\r")),
    Self("line ends of CR CR LF", plain.replacing("\n", with: "\r\r\n")),
    Self("minus signs of a spreadsheet", plain.replacing("-", with: "\u{2212}")),
    Self("dashes for minus signs", plain.replacing("-", with: "\u{2013}")),
    Self("units in a code page", bytes: western(plain.replacing("deg/s", with: "°/s"))),
    Self("units encoded twice", String(decoding: western(plain), as: UTF8.self).replacing("deg/s", with: "Â°/s")),
    Self("UTF-16", bytes: wide(plain, isBig: false, mark: [0xFF, 0xFE])),
    Self("UTF-16 with the high byte first and no mark", bytes: wide(plain, isBig: true, mark: [])),
    Self(
      "UTF-32",
      bytes: [0xFF, 0xFE, 0, 0]
        + plain.unicodeScalars.flatMap { [UInt8($0.value & 0xFF), UInt8($0.value >> 8 & 0xFF), 0, 0] }),
    Self("a terminal's time and an arrow", stamped(plain) { "\(time($0 - 1)) -> " }),
    Self("a terminal's date in brackets", stamped(plain) { "[2024-03-05 \(time($0 - 1))] " }),
    Self(
      "a terminal's time as the only clock",
      stamped(plain.split(separator: "\n").map { $0.drop { $0 != "," }.dropFirst() + "\n" }.joined()) {
        "\(time($0 - 1)) -> "
      }),
    Self(
      "zero bytes between two rows",
      bytes: Array((names + "\n").utf8) + Array(rows().utf8.prefix(while: { _ in true }))
        + [UInt8](repeating: 0, count: 512)),
    Self(
      "notes and a comment among the rows",
      names + "\n"
        + rows { row, line in row == 20 ? line + "\n# a comment" : row == 30 ? line + "\nbegan to walk" : line }
        + "\nEnd of file\n"),
    Self("a header that comes again", names + "\n" + rows { $0 == 20 ? $1 + "\n" + names : $1 }),
  ]
}

@Suite("Headers and lines in the formats of various programs") struct TableHeaderTests {
  private let folder = TemporaryFolder()

  private func check(_ samples: [SensorSample]) {
    let (acceleration, rates) = (samples[.accelerometer], samples[.gyroscope])
    #expect(acceleration.count == TableForm.rowCount && rates.count == TableForm.rowCount)
    for (row, (a, w)) in zip(acceleration, rates).enumerated() {
      let numbers = TableForm.numbers(row)
      let first = acceleration[0].time
      #expect(abs(a.time - first - numbers[0]) < 1e-3)
      #expect((a.vector + Vector3(numbers[1], numbers[2], numbers[3])).norm < 1e-4)
      #expect((w.vector - .pi / 180 * Vector3(numbers[4], numbers[5], numbers[6])).norm < 1e-4)
    }
  }

  @Test("all forms of headers and of lines yield the same rows", arguments: TableForm.headers + TableForm.lines)
  func forms(form: TableForm) throws { check(try readAll(openLog(path: folder.write(form.bytes, to: "log.csv")))) }

  @Test("values preceded by their names are rows, whose units are requested")
  func labels() throws {
    for separator in [" ", ", "] {
      let names = ["t", "ax", "ay", "az", "gx", "gy", "gz"]
      let text = (0..<TableForm.rowCount).map { row in
        zip(names, TableForm.numbers(row)).map { "\($0):\($1)" }.joined(separator: separator) + "\n"
      }.joined()
      let path = folder.write(text, to: "log.txt")
      #expect(logError(of: try openLog(path: path))?.remedy.contains("--acceleration-unit") == true)
      var options = LogOptions()
      (options.accelerationUnit, options.rotationUnit) = (.g, .degreesPerSecond)
      options.timeUnit = .seconds
      check(try readAll(openLog(path: path, options: options)))
    }
  }

  private func warnings(_ text: String) throws -> (rows: Int, warnings: [String]) {
    var reader = try openLog(path: folder.write(text, to: "log.csv"))
    let samples = try readAll(&reader)
    return (samples[.accelerometer].count, reader.description.lineWarnings)
  }

  @Test("lines that are not rows are counted, and the first one is reported")
  func unread() throws {
    let notes = TableForm.rows { $0 == 20 || $0 == 25 ? $1 + "\nbegan to walk" : $1 }
    let found = try warnings(TableForm.names + "\n" + notes)
    #expect(found.rows == TableForm.rowCount)
    #expect(
      found.warnings == [
        "line 23, column 1: \"began to walk\" is not a number; 2 such lines are left out, as no row of the table"
      ])
    #expect(try warnings(TableForm.plain).warnings == [])
  }

  @Test("too many lines that are not rows are an error at the first one")
  func tooMany() throws {
    let text = TableForm.names + "\n" + TableForm.rows { $0 % 3 == 2 ? $1 + "\nnote" : $1 }
    let error = try #require(logError(of: try readAll(openLog(path: folder.write(text, to: "log.csv")))))
    #expect(error.line == 5 && error.problem == "\"note\" is not a number")
  }

  @Test("a second recording after a second header is reported with its line and its rows, and not read")
  func secondRecording() throws {
    let found = try warnings(TableForm.plain + TableForm.plain)
    #expect(found.rows == TableForm.rowCount)
    #expect(
      found.warnings.count == 1 && found.warnings[0].hasPrefix("line 42: the header again, and the time restarts"))
    #expect(found.warnings[0].contains("recording of 40 rows"))
  }

  @Test("a second recording is reported at any position within a batch", arguments: [1023, 1024, 1025])
  func secondRecordingAtBatch(rows: Int) throws {
    let recording = (0..<rows).map { "\(0.01 * Double($0)),0,0,1,0,0,\($0 % 3)\n" }.joined()
    let names = "time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ\n"
    let found = try warnings(names + recording + names + recording)
    #expect(found.rows == rows)
    #expect(found.warnings.count == 1 && found.warnings[0].contains("recording of \(rows) rows"), "\(found.warnings)")
  }

  @Test("a repeated header causes one warning")
  func manyHeaders() throws {
    let names = "time,accelerationX,accelerationY,accelerationZ\n"
    let text = (0..<100).map { "\(names)\(0.01 * Double($0)),0,0,1\n" }.joined()
    let found = try warnings(text)
    #expect(found.rows == 100)
    #expect(found.warnings.count == 1 && found.warnings[0].contains("99 such lines"), "\(found.warnings)")
  }

  @Test("a strict reader refuses a log with lines that would be left out")
  func strict() throws {
    var lines = SimulatedTable().text().split(separator: "\n")
    lines.insert("began to walk", at: 50)
    let text = lines.joined(separator: "\n")
    var feed = LogFeed(path: folder.write(text, to: "log.csv"))
    _ = try feed.load()
    feed.isStrict = true
    let error = try #require(throws: LogError.self) { try feed.load() }
    #expect(error.problem.contains("began to walk"))
  }

  @Test("a block of zero bytes only loses the row that it damaged")
  func zeroBytes() throws {
    var bytes = Array(TableForm.plain.utf8)
    bytes.replaceSubrange(600..<620, with: [UInt8](repeating: 0, count: 512))
    var reader = try openLog(path: folder.write(bytes, to: "log.csv"))
    let samples = try readAll(&reader)
    #expect((36...39).contains(samples[.accelerometer].count))
    #expect(reader.description.lineWarnings.count == 1)
  }

  @Test("three axes without a sensor's name are refused because a gyroscope is missing")
  func loneAxes() throws {
    let text = "time,x,y,z\n" + (0..<20).map { "0.\($0 + 10),0,0,1\n" }.joined()
    let error = try #require(logError(of: try openLog(path: folder.write(text, to: "log.csv"))))
    #expect(error.problem.contains("there is no gyroscope"))
  }

  @Test("commas as both field separator and decimal mark of some numbers are refused with the reason")
  func someCommas() throws {
    let text = TableForm.names + "\n0,-0,725,1,9,774,0,0034,-0,0041,0\n0,050,-0,651,1,082,9,0,0044,-0,0033,0,0050\n"
    let error = try #require(logError(of: try readAll(openLog(path: folder.write(text, to: "log.csv")))))
    #expect(error.problem.contains("commas are both the separators and the decimal signs"))
  }

  @Test("each sensor of a table with separate clocks has its own clock")
  func channelClocks() throws {
    let names = ["ACC", "GYRO"].flatMap { sensor in
      ["X", "Y", "Z"].map { "X[s],Unit 3: \(sensor).\($0) [\(sensor == "ACC" ? "g" : "deg/s")]" }
    }
    let rows = (0..<30).map { row in
      let acc = String(format: "%.4f", Double(row) / 24)
      let gyr = row < 20 ? String(format: "%.4f", Double(row) / 16) : ""
      return
        "\(acc),0,\(acc),0,\(acc),1,\(gyr),\(row < 20 ? "9" : ""),\(gyr),\(row < 20 ? "0" : ""),\(gyr),\(row < 20 ? "0" : "")\n"
    }
    let samples = try readAll(
      openLog(path: folder.write(names.joined(separator: ",") + "\n" + rows.joined(), to: "emg.csv")))
    #expect(samples[.accelerometer].count == 30 && samples[.gyroscope].count == 20)
    #expect(abs(samples[.accelerometer][24].time - 1) < 1e-3 && abs(samples[.gyroscope][16].time - 1) < 1e-3)
  }
}
