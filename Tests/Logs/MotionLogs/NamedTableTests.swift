import Foundation
import InertialNumerics
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

/// Tables of flights and browsers from one simulated motion, which their samples must reproduce.
@Suite("Tables with fixed column names") struct NamedTableTests {
  private let folder = TemporaryFolder()
  private let table = SimulatedTable()

  private func text(
    _ columns: [String], time: (Double) -> String = { "\(Int(($0 * 1e6).rounded()))" }, _ row: (Int) -> [Vector3]
  ) -> String {
    columns.joined(separator: ",") + "\n"
      + table.times.indices.map { index in
        time(table.times[index]) + "," + row(index).flatMap { SimulatedTable.words($0, 5) }.joined(separator: ",")
          + "\n"
      }.joined()
  }

  private func expectMotion(_ text: String, _ format: String, isFlipped: Bool = false) throws {
    let log = try LogFeed(path: folder.write(text, to: "log.csv")).load()
    #expect(log.summary.description.format == format)
    let (rates, forces) = (log.samples[.gyroscope], log.samples[.accelerometer])
    try #require(rates.count == table.times.count && forces.count == table.times.count)
    // Forward, right, down is forward, left, up rotated by 180° about x.
    func turned(_ v: Vector3) -> Vector3 { isFlipped ? Vector3(v.x, -v.y, -v.z) : v }
    #expect(zip(rates, table.times).allSatisfy { abs($0.time - rates[0].time - $1) < 1e-6 })
    #expect(zip(rates, table.rates).allSatisfy { ($0.vector - turned($1)).norm < 1e-3 })
    #expect(zip(forces, table.acceleration).allSatisfy { ($0.vector + turned((1 / standardGravity) * $1)).norm < 1e-3 })
    #expect(log.summary.faults == [])
  }

  private let degrees = 180 / Double.pi

  @Test("Blackbox's columns are deg/s and counts of the settings' acc_1G, or have the units in the header")
  func betaflight() throws {
    let names = (0..<3).map { "gyroADC[\($0)]" } + (0..<3).map { "accSmooth[\($0)]" }
    let settings =
      "\"Product\",\"Blackbox flight data recorder by Nicholas Sherlock\"\n\"acc_1G\",\"4096\"\n"
      + (0..<150).map { "\"setting_\($0)\",\"\($0),0\"\n" }.joined()
    let counts = text(["loopIteration", "time"] + names, time: { "\(Int($0 * 25)),\(Int(($0 * 1e6).rounded()))" }) {
      [degrees * table.rates[$0], (4096 / standardGravity) * table.acceleration[$0]]
    }
    try expectMotion(settings + counts, "blackbox-csv")
    let units = names.map { $0 + ($0.hasPrefix("g") ? " (rad/s)" : " (m/s/s)") }
    try expectMotion(
      text(["loopIteration", "time (us)"] + units, time: { "\(Int($0 * 25)),\(Int(($0 * 1e6).rounded()))" }) {
        [table.rates[$0], table.acceleration[$0]]
      }, "blackbox-csv")
  }

  @Test("DatCon's columns are deg/s and g of specific force, with the axes forward, right, down")
  func dji() throws {
    let axes = ["X", "Y", "Z"]
    let names = ["accel", "gyro"].flatMap { name in axes.map { "IMU_ATTI(0):\(name)\($0)" } }
    func flipped(_ v: Vector3) -> Vector3 { Vector3(v.x, -v.y, -v.z) }
    let text = text(["Clock:Tick#", "Clock:offsetTime"] + names, time: { "\(Int($0 * 4_500_000)),\($0)" }) {
      [flipped((1 / standardGravity) * table.acceleration[$0]), flipped(degrees * table.rates[$0])]
    }
    try expectMotion(text, "dji-csv", isFlipped: true)
  }

  @Test("motion events of a browser are m/s² of specific force and deg/s, as CSV and as JSON")
  func browser() throws {
    let axes = ["x", "y", "z"]
    let names =
      axes.map { "accelerationIncludingGravity.\($0)" } + ["alpha", "beta", "gamma"].map { "rotationRate.\($0)" }
    func milliseconds(_ time: Double) -> String { "\(1_700_000_000_000 + Int((time * 1e3).rounded()))" }
    let csv = text(["timeStamp"] + names, time: milliseconds) { [table.acceleration[$0], degrees * table.rates[$0]] }
    try expectMotion(csv, "browser-motion-csv")
    try expectMotion(csv.replacing("rotationRate.", with: "rotation_rate_"), "browser-motion-csv")
    let events = table.times.indices.map { index in
      let (a, w) = (table.acceleration[index], degrees * table.rates[index])
      return "{\"type\":\"devicemotion\",\"acceleration\":null,\"accelerationIncludingGravity\":"
        + "{\"x\":\(a.x),\"y\":\(a.y),\"z\":\(a.z)},\"rotationRate\":{\"alpha\":\(w.x),\"beta\":\(w.y),\"gamma\":\(w.z)},"
        + "\"interval\":40,\"timeStamp\":\(milliseconds(table.times[index]))}"
    }
    let array = "[" + events.joined(separator: ",\n") + "]"
    try expectMotion(array, "browser-motion-json")
    try expectMotion("{\"userAgent\":\"x\",\"events\":" + array + ",\"end\":[1]}", "browser-motion-json")
    // An event without rates, and a file that ends within an event.
    let cut = "[" + events[0].replacing("\"alpha\"", with: "\"a\"") + "," + events[1] + "," + events[2].prefix(80)
    let samples = try readAll(openLog(path: folder.write(cut, to: "cut.json")))
    #expect(samples[.gyroscope].count == 1 && samples[.accelerometer].count == 2)
    let options = with(LogOptions()) { $0.accelerationSign = .gravity }
    let apple = try readAll(openLog(path: folder.write(array, to: "a.json"), options: options))
    #expect(abs(apple[.accelerometer][0].z - 1) < 0.05)
  }
}
