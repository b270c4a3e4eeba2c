import Foundation
import InertialNumerics
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

@Suite struct SensorLoggerJSONTests {
  private let folder = TemporaryFolder()

  private static let metadata =
    #"{"sensor":"Metadata","version":"3","device name":"Ann's \"phone\", old","platform":"ios","standardisation":"false"}"#

  static func object(_ sensor: String, _ milliseconds: Int, _ values: [(String, String)]) -> String {
    let time = 1_700_000_000_000_000_000 + milliseconds * 1_000_000
    let pairs =
      [("sensor", sensor), ("time", "\(time)"), ("seconds_elapsed", "\(Double(milliseconds) / 1000)")] + values
    return "{" + pairs.map { "\"\($0.0)\":\"\($0.1)\"" }.joined(separator: ",") + "}"
  }

  private static func axes(_ x: String, _ y: String, _ z: String) -> [(String, String)] {
    [("z", z), ("y", y), ("x", x)]
  }

  @discardableResult private func write(_ objects: [String], end: String = "]") -> String {
    folder.write("[" + objects.joined(separator: ",\n ") + end, to: "export.json")
  }

  private var path: String { folder.path("export.json") }

  private func error() -> LogError? { logError(of: try readAll(openLog(path: path))) }

  @Test("objects in any order are read like the app's folder: sorted by time, with its units and signs")
  func likeTheFolder() throws {
    write([
      Self.metadata,
      Self.object("Gyroscope", 5, Self.axes("1", "2", "3")), Self.object("Gyroscope", 15, Self.axes("4", "5", "6")),
      Self.object("AccelerometerUncalibrated", 0, Self.axes("0.5", "0.25", "-1")),
      Self.object("AccelerometerUncalibrated", 10, Self.axes("0", "0", "-1")),
      // An additional key, another order, numbers without quotes.
      #"{"x":0,"y":-1,"z":0,"more":[1,{"a":"]"}],"time":"1700000000020000000","sensor":"AccelerometerUncalibrated"}"#,
      Self.object("Barometer", 0, [("relativeAltitude", "0"), ("pressure", "1013.25")]),
      Self.object("Gps Thing", 0, [("a", "1")]),
      Self.object("Annotation", 12, [("text", #"a, \"b\"\nc \u00b0 \ud83d\ude00"#)]),
    ])
    var reader = try openLog(path: path, options: with(LogOptions()) { $0.auxiliary = [.barometer, .annotation] })
    #expect(reader.description.format == "sensor-logger-json")
    #expect(reader.description.summary == "Sensor Logger JSON (iOS, not standardised)")
    #expect(reader.description.path == path && reader.description.notes.contains("sensors not read: Gps?Thing"))
    var (samples, other): ([SensorSample], [AuxiliarySample]) = ([], [])
    while try reader.read(into: &samples) { reader.takeAuxiliary(into: &other) }
    reader.takeAuxiliary(into: &other)
    #expect(samples.map(\.time) == [0, 0.005, 0.01, 0.015, 0.02])
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(0.5, 0.25, -1), Vector3(0, 0, -1), Vector3(0, -1, 0)])
    #expect(samples[.gyroscope].map(\.vector) == [Vector3(1, 2, 3), Vector3(4, 5, 6)])
    #expect(other.of(.barometer).map { $0["pressure"] } == [101.325])
    #expect(other.of(.annotation).map { $0[text: "annotation"] } == ["a, \"b\" c ° 😀"])
  }

  @Test("null and missing values are not samples; blanks and a byte order mark do not matter")
  func missing() throws {
    folder.write(
      "\u{FEFF} [\r\n" + Self.metadata + " , "
        + #"{ "sensor" : "AccelerometerUncalibrated", "time": "1700000000000000000", "seconds_elapsed":"0", "z":null, "y":0, "x":0 } ,"#
        + Self.object("AccelerometerUncalibrated", 10, [("z", "-1"), ("y", "0")]) + ","
        + Self.object("AccelerometerUncalibrated", 20, Self.axes("0", "nan", "-1")) + "\n]\n", to: "export.json")
    var reader = try openLog(path: path)
    let samples = try readAll(&reader)
    #expect(samples.map(\.time) == [0.02] && samples[0].y.isNaN)
    #expect(reader.emptyCounts == [.accelerometer: 2])
  }

  @Test("an export that ends early is read up to its end, with a note")
  func cutOff() throws {
    let objects =
      [Self.metadata] + (0..<3).map { Self.object("AccelerometerUncalibrated", $0, Self.axes("0", "0", "-1")) }
    write(objects, end: "")
    #expect(try openLog(path: path).description.notes.contains("the file ends early: read up to object 4"))
    let text = "[" + objects.joined(separator: ",")
    folder.write(String(text.dropLast(5)), to: "export.json")
    let reader = try openLog(path: path)
    #expect(reader.description.notes.contains("the file ends early: read up to object 3"))
    #expect(try readAll(reader).count == 2)
  }

  @Test("damage is reported with its line and object, and a bad value with its sensor and sample")
  func damage() {
    let good = Self.object("AccelerometerUncalibrated", 0, Self.axes("0", "0", "-1"))
    write([Self.metadata, good, "{\"sensor\" \"x\"}"])
    #expect(error()?.problem == "in object 3: a colon is missing" && error()?.line == 3)
    write([Self.metadata, good, Self.object("AccelerometerUncalibrated", 1, Self.axes("0", "0", "a"))])
    #expect(
      error()?.description
        == "\(path): AccelerometerUncalibrated sample 2: \"a\" is not a number; repair or remove the line")
    write([Self.metadata, good, "[[[[" + String(repeating: "[", count: 100)])
    #expect(error()?.problem == "in object 3: an object is missing")
    // A sensor's name cannot create a file outside of the folder.
    write([Self.metadata, good, Self.object("../../evil", 0, Self.axes("0", "0", "0"))])
    #expect(error() == nil)
    write([Self.object("Location", 0, [("latitude", "1")])])
    #expect(error()?.problem.hasPrefix("no acceleration") == true && error()?.path == path)
  }

  @Test("an export in a zip archive is read like the file")
  func inAnArchive() throws {
    let text = "[" + Self.metadata + "," + Self.object("AccelerometerUncalibrated", 0, Self.axes("0", "0", "-1")) + "]"
    ZipTestFile.write(["export.json": text], to: folder.path("export.zip"))
    let reader = try openLog(path: folder.path("export.zip"))
    #expect(reader.description.summary == "Sensor Logger JSON (iOS, not standardised), in a zip archive")
    #expect(try readAll(reader).count == 1)
  }
}
