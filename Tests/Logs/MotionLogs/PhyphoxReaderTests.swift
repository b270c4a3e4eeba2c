import Foundation
import InertialNumerics
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

/// The files of a phyphox export, as the app writes them.
struct PhyphoxExport {
  var separator = ","
  var decimal = "."
  var lineEnd = "\n"

  func number(_ value: Double) -> String { value.isNaN ? "NaN" : "\(value)E0".replacing(".", with: decimal) }

  func table(_ header: [String], _ rows: [[Double]]) -> String {
    let names = header.map { "\"\($0)\"" }.joined(separator: separator)
    let lines = rows.map { $0.map(number).joined(separator: separator) }
    return ([names] + lines).joined(separator: lineEnd) + lineEnd
  }

  static func axes(_ name: String, _ unit: String) -> [String] { ["x", "y", "z"].map { "\(name) \($0) (\(unit))" } }

  static let acceleration = axes("Acceleration", "m/s^2")
  static let device =
    "\"property\",\"value\"\n\"version\",\"1.1.11\"\n\"deviceModel\",\"iPhone14,5\"\n" + "\"deviceBrand\",\"Apple\"\n"
  static let marks = """
    "event","experiment time","system time","system time text"
    "START",0.000000000000000E0,1.686306555649250E9,"2023-06-09 12:29:15.649 UTC+02:00"
    "PAUSE",2.5E0,1.686306558149250E9,"2023-06-09 12:29:18.149 UTC+02:00"
    "START",2.5E0,1.686306568649250E9,"2023-06-09 12:29:28.649 UTC+02:00"
    "NOTE",2.6E0,0,""
    "PAUSE",4E0,1.686306570149250E9,"2023-06-09 12:29:30.149 UTC+02:00"

    """
}

@Suite struct PhyphoxReaderTests {
  private let folder = TemporaryFolder()

  private func writeMeta(_ device: String? = PhyphoxExport.device, _ marks: String? = PhyphoxExport.marks) throws {
    try FileManager.default.createDirectory(atPath: folder.path("meta"), withIntermediateDirectories: true)
    if let device { folder.write(device, to: "meta/device.csv") }
    if let marks { folder.write(marks, to: "meta/time.csv") }
  }

  private func write(_ name: String, _ header: [String], _ rows: [[Double]], _ export: PhyphoxExport = PhyphoxExport())
  { folder.write(export.table(["Time (s)"] + header, rows), to: name) }

  private func read(_ options: LogOptions = LogOptions()) throws(LogError) -> [SensorSample] {
    try readAll(LogFormat.phyphox.reader(of: folder.path, options: options))
  }

  @Test(
    "the app's five pairs of field separator and decimal mark yield the same samples",
    arguments: [(",", "."), ("\t", "."), (";", "."), ("\t", ","), (";", ",")])
  func variants(separator: String, decimal: String) throws {
    let export = PhyphoxExport(separator: separator, decimal: decimal, lineEnd: "\r\n")
    try writeMeta()
    let header = PhyphoxExport.acceleration + ["Absolute acceleration (m/s^2)"]
    write("Raw Data.csv", header, [[0.25, 0, 0, 9.81, 9.81], [0.5, 19.62, -9.81, 0, 1]], export)
    write("Gyroscope.csv", PhyphoxExport.axes("Gyroscope", "rad/s"), [[0.5, 1.5, 2.5, -3.5]], export)
    let reader = try openLog(path: folder.path)
    #expect(reader.description.format == "phyphox" && reader.description.summary == "phyphox folder (iOS)")
    let samples = try read()
    // On iOS the app multiplies every value of Core Motion by −9.81.
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(0, 0, -1), Vector3(-2, 1, 0)])
    #expect(samples[.accelerometer].map(\.time) == [0.25, 0.5])
    #expect(samples[.gyroscope].map(\.vector) == [Vector3(1.5, 2.5, -3.5)])
    // At equal timestamps the rate comes first.
    #expect(samples.map(\.channel) == [.accelerometer, .gyroscope, .accelerometer])
  }

  @Test("on Android, and by default if the system is unknown, acceleration is in m/s²")
  func android() throws {
    try writeMeta("\"property\",\"value\"\n\"deviceModel\",\"Pixel 6a\"\n\"deviceBrand\",\"google\"\n", nil)
    write("Accelerometer.csv", PhyphoxExport.acceleration, [[0, 0, 9.80665, 0]])
    #expect(try read()[.accelerometer].map(\.vector) == [Vector3(0, -1, 0)])
    #expect(try LogFormat.phyphox.reader(of: folder.path).description.summary == "phyphox folder (Android)")
    try FileManager.default.removeItem(atPath: folder.path("meta"))
    #expect(try openLog(path: folder.path).description.summary == "phyphox folder (system unknown)")
    #expect(try read()[.accelerometer].map(\.vector) == [Vector3(0, -1, 0)])
    let options = with(LogOptions()) { ($0.accelerationSign, $0.accelerationUnit) = (.gravity, .g) }
    #expect(try read(options)[.accelerometer].map(\.vector) == [Vector3(0, 9.80665, 0)])
  }

  @Test("columns with only an axis and a unit are identified by the unit, linear acceleration by the file name")
  func simpleExperiment() throws {
    try writeMeta()
    func axes(_ unit: String) -> [String] { ["X (\(unit))", "Y (\(unit))", "Z (\(unit))"] }
    write("Accelerometer.csv", axes("m/s^2"), [[0, 0, 0, 9.81]])
    write("LinearAccelerometer.csv", axes("m/s^2"), [[0, 9.81, 0, 0]])
    write("Gyroscope.csv", axes("rad/s"), [[0, 1, 2, 3]])
    write("Magnetometer.csv", axes("µT"), [[0, -20, 5, -40]])
    let samples = try read()
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(0, 0, -1)])
    #expect(samples[.deviceUserAcceleration].map(\.vector) == [Vector3(-1, 0, 0)])
    #expect(samples[.gyroscope].map(\.vector) == [Vector3(1, 2, 3)])
    #expect(samples[.calibratedMagneticField].map(\.vector) == [Vector3(-20, 5, -40)])
    // A missing accuracy is not the accuracy 0.
    #expect(samples[.calibratedMagneticField][0].w.isNaN)
  }

  @Test("sensors in one file have their own times, and shorter columns end earlier")
  func oneFile() throws {
    try writeMeta()
    let header =
      PhyphoxExport.axes("Linear Acceleration", "m/s^2") + ["Time gyroscope (s)"]
      + PhyphoxExport.axes("Gyroscope", "rad/s")
    let export = PhyphoxExport()
    folder.write(
      export.table(["Time (s)"] + header, [[0, 9.81, 0, 0, 0.125, 1, 0, 0], [1, 0, 9.81, 0, 1.125, 2, 0, 0]])
        + ",,,,2.125E0,3E0,0E0,0E0\n", to: "Raw Data.csv")
    let samples = try read()
    #expect(samples[.gyroscope].map(\.time) == [0.125, 1.125, 2.125] && samples[.gyroscope].map(\.x) == [1, 2, 3])
    #expect(samples[.deviceUserAcceleration].map(\.time) == [0, 1])
    #expect(samples[.deviceUserAcceleration].map(\.x) == [-1, 0])
  }

  @Test("a pause delays all sensors' later samples by its length on the phone's clock; requested marks are annotations")
  func pauses() throws {
    try writeMeta()
    write("Accelerometer.csv", PhyphoxExport.acceleration, [2, 2.25, 2.5, 2.75, 4].map { [$0, 0, 0, 9.81] })
    write("Gyroscope.csv", PhyphoxExport.axes("Gyroscope", "rad/s"), [[2.375, 0, 0, 0], [2.625, 0, 0, 0]])
    write("Barometer.csv", ["X (hPa)"], [[1, 1013], [3, 1013]])
    #expect(try read()[.accelerometer].map(\.time) == [2, 2.25, 13, 13.25, 14.5])
    #expect(try read()[.gyroscope].map(\.time) == [2.375, 13.125])
    let options = with(LogOptions()) { $0.auxiliary = [.barometer, .annotation] }
    let (samples, motion, description) = try readAuxiliary(LogFormat.phyphox.reader(of: folder.path, options: options))
    #expect(motion == 7 && description.epoch == 1_686_306_555.64925)
    #expect(
      description.notes.contains(
        "time: the experiment's clock stands still in pauses, which meta/time.csv inserts as gaps: 1 pause of 10.5 s "
          + "in all, the first at 2.5 s"))
    #expect(samples.of(.barometer).map(\.time) == [1, 13.5])
    let marks = samples.of(.annotation)
    #expect(marks.map(\.time) == [0, 2.5, 13, 14.5])
    #expect(marks.map { $0[text: "annotation"] } == ["START", "PAUSE", "START", "PAUSE"])
  }

  @Test("several pauses add up, and one in which the phone's clock was set back counts as a second and is noted")
  func severalPauses() {
    let time = PhyphoxTime(
      text: """
        "event","experiment time","system time"
        "START",0E0,1000E0
        "PAUSE",2E0,1002E0
        "START",2E0,1005E0
        "PAUSE",6E0,1009E0
        "START",6E0,900E0
        "PAUSE",7E0,901E0
        """)
    #expect([0, 1.9, 2, 5.9, 6, 7].map { time.seconds($0) } == [0, 1.9, 5, 8.9, 10, 11])
    #expect([2, 6, 7].map { time.seconds(before: $0) } == [2, 9, 11])
    #expect(time.annotations.map(\.time) == [0, 2, 5, 9, 10, 11])
    #expect(
      time.note?.hasSuffix(
        "2 pauses of 4.0 s in all, the first at 2.0 s; 1 of unknown length, as the phone's clock "
          + "was set back, assumed to be 1.0 s") == true)
    #expect(PhyphoxTime(text: "\"event\"\n\"START\",0E0,1000E0\n\"PAUSE\",2E0,1002E0\n").pauses.isEmpty)
  }

  @Test("pressure, light, distance and position are in the channels' units")
  func otherSensors() throws {
    try writeMeta()
    let export = PhyphoxExport(separator: ";", decimal: ",")
    write("Accelerometer.csv", PhyphoxExport.acceleration, [[0, 0, 0, 9.81], [2, 0, 0, 9.81]], export)
    write("Barometer.csv", ["X (hPa)"], [[-0.5, 1013.25], [0.5, 1013]], export)
    write("Light.csv", ["Illuminance (lx)"], [[0.5, 120]], export)
    write("Proximity.csv", ["Distance (cm)"], [[0.5, 5]], export)
    write(
      "Location.csv",
      [
        "Latitude (°)", "Longitude (°)", "Height (m)", "Velocity (m/s)", "Direction (°)", "Horizontal Accuracy (m)",
        "Vertical Accuracy (m)",
      ], [[1, 47.5, 8.25, 410, 1.5, 270, 4, 6]], export)
    let options = with(LogOptions()) { $0.auxiliary = AuxiliaryChannel.ofLogs }
    let (samples, _, description) = try readAuxiliary(LogFormat.phyphox.reader(of: folder.path, options: options))
    #expect(description.auxiliaryChannels == [.barometer, .light, .proximity, .location, .annotation])
    let barometer = samples.of(.barometer)
    #expect(barometer.map(\.time) == [-0.5, 0.5])
    #expect(barometer.map { ($0["pressure"] * 1e6).rounded() } == [101_325_000, 101_300_000])
    #expect(samples.of(.light).map { $0["illuminance"] } == [120])
    #expect(samples.of(.proximity).map { $0["proximityDistance"] } == [0.05])
    let place = samples.of(.location)[0]
    #expect([place["latitude"], place["longitude"], place["locationAltitude"]] == [47.5, 8.25, 410])
    #expect([place["speed"], place["course"], place["horizontalAccuracy"]] == [1.5, 270, 4])
  }

  @Test("a single file is recognized by its quoted names and exponents; another CSV is not")
  func singleFile() throws {
    let header = PhyphoxExport.acceleration
    write("anything.txt", header, [[0, 0, 0, 9.80665]])
    let path = folder.path("anything.txt")
    #expect(try openLog(path: path).description.format == "phyphox-csv")
    #expect(try readAll(LogFormat.phyphox.reader(of: path))[.accelerometer][0].vector == Vector3(0, 0, -1))
    folder.write("\u{FEFF}" + PhyphoxExport().table(["Time (s)"] + header, [[0, 0, 0, 9.80665]]), to: "bom.csv")
    #expect(try openLog(path: folder.path("bom.csv")).description.format == "phyphox-csv")
    folder.write(
      "\"Time (s)\",\"Acceleration x (m/s^2)\",\"Acceleration y (m/s^2)\",\"Acceleration z (m/s^2)\"\n0,0,0,9.8\n",
      to: "other.csv")
    #expect(try openLog(path: folder.path("other.csv")).description.format == "header-csv")
    // Column names in the options select another reader.
    let options = with(LogOptions()) { $0.columns = ["time", "accelerationX", "accelerationY", "accelerationZ"] }
    #expect(try openLog(path: path, options: options).description.format == "canonical-csv")
  }

  @Test("unordered, repeated and NaN rows are passed on; empty fields are counted; an incomplete last line is noted")
  func tolerance() throws {
    try writeMeta()
    let rows: [[Double]] = [[0.5, 0, 0, 9.81], [0.25, 0, 0, 9.81], [0.25, 0, 0, 9.81], [0.75, 0, .nan, 9.81]]
    let text = PhyphoxExport().table(["Time (s)"] + PhyphoxExport.acceleration, rows)
    folder.write(text + "1E0,,0E0,0E0\n1.25E0,0E0", to: "Raw Data.csv")
    folder.write("", to: "Empty.csv")
    write("Gyroscope.csv", PhyphoxExport.axes("Gyroscope", "rad/s"), [])
    var reader = try LogFormat.phyphox.reader(of: folder.path)
    let samples = try readAll(&reader)
    #expect(samples.map(\.time) == [0.5, 0.25, 0.25, 0.75] && samples[3].y.isNaN)
    #expect(reader.emptyCounts == [.accelerometer: 1] && reader.description.notes.contains("Empty.csv is empty"))
    #expect(reader.description.notes.contains("Gyroscope.csv has no rows"))
    #expect(reader.description.notes.contains { $0.contains("the last line is cut off") })
  }

  @Test("damage is reported with file, line and column; the error of an export without motion explains the export")
  func errors() throws {
    try writeMeta()
    let text = PhyphoxExport().table(["Time (s)"] + PhyphoxExport.acceleration, [[0, 0, 0, 9.81]])
    let path = folder.write(text + "1E0,a,0E0,0E0\n", to: "Raw Data.csv")
    #expect(logError(of: try read())?.description == "\(path):3:2: \"a\" is not a number; repair or remove the line")
    folder.write("\"Time (s)\",\"X (hPa)\"\n0E0,1013E0\n", to: "Raw Data.csv")
    #expect(logError(of: try read())?.problem == "no samples of motion in this phyphox export")
  }
}

@Suite("Real recordings of phyphox", .needs(.data)) struct PhyphoxRecordingsTests {
  static let names = [
    "2023-06-09_12-44-05-round1-subj1", "2023-06-09_13-26-03-round2-subj1", "2023-06-09_13-48-25-round3-subj2",
    "deviceB_2023-06-09_13-25-56-round2-subj2",
  ]

  @Test(
    "every recording is read without options: 100 Hz, gravity of 1 g, on the same side as the field", arguments: names)
  func recording(name: String) throws {
    let options = with(LogOptions()) { $0.auxiliary = [.barometer, .annotation] }
    let reader = try openLog(path: TestData.url("activity/phyphox/\(name)").path, options: options)
    #expect(reader.description.summary == "phyphox folder (iOS)")
    #expect((reader.description.epoch ?? 0) > 1.6863e9)
    #expect(reader.description.notes.contains { $0.contains("pauses of") })
    let samples = try readAll(reader)
    // No samples were recorded in the pauses.
    for channel in [SensorChannel.accelerometer, .gyroscope] {
      let times = samples[channel].map(\.time)
      let intervals = zip(times.dropFirst(), times).map(-).sorted()
      #expect(isNear(1 / intervals[intervals.count / 2], 100, within: 0.6))
      #expect(intervals.count { $0 > 0.5 } >= 12)
    }
    // The raw acceleration minus the user acceleration is gravity: signs and units agree if its norm is 1.
    let raw = samples[.accelerometer]
    let fields = Dictionary(
      samples[.calibratedMagneticField].map { ($0.time, $0.vector) }, uniquingKeysWith: { a, _ in a })
    var (place, norms, cosines): (Int, [Double], [Double]) = (0, [], [])
    for sample in samples[.deviceUserAcceleration] {
      while place + 2 < raw.count, raw[place + 1].time <= sample.time { place += 1 }
      let (before, after) = (raw[place], raw[place + 1])
      guard let field = fields[sample.time], before.time <= sample.time, sample.time < after.time,
        after.time - before.time < 0.02
      else { continue }
      // The raw accelerometer has its own clock.
      let fraction = (sample.time - before.time) / (after.time - before.time)
      let gravity = before.vector * (1 - fraction) + after.vector * fraction - sample.vector
      norms.append(gravity.norm)
      cosines.append(gravity.dot(field) / gravity.norm / field.norm)
    }
    #expect(norms.count > 40_000 && isNear(norms.sorted()[norms.count / 2], 1, within: 2e-3))
    // Gravity points down; in Europe the magnetic field does, too.
    #expect(cosines.sorted()[cosines.count / 2] > 0.8)
    // A phone's barometer near sea level measures about 101.5 kPa.
    let (other, _, _) = try readAuxiliary(
      LogFormat.phyphox.reader(of: TestData.url("activity/phyphox/\(name)").path, options: options))
    let pressure = other.of(.barometer).map { $0["pressure"] }
    #expect(pressure.count > 400 && pressure.allSatisfy { (101...102).contains($0) })
    #expect(other.of(.annotation).count > 20)
  }

  @Test("a single file of the set is read without options, as specific force")
  func file() throws {
    let path = TestData.url("activity/phyphox/\(Self.names[0])/Accelerometer.csv").path
    let reader = try openLog(path: path)
    #expect(reader.description.format == "phyphox-csv")
    // The folder's metadata is in the same folder.
    #expect(reader.description.summary == "phyphox file (iOS)")
    #expect(try readAll(reader).count == 53_875)
  }
}
