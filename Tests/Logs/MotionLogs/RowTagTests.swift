import Foundation
import InertialNumerics
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

/// Tables with rows of several devices or several sensors.
struct RowTagTests {
  private static let names = ["x", "y", "z"].map { "acc_\($0) (m/s^2)" } + ["x", "y", "z"].map { "gyr_\($0) (rad/s)" }

  /// Returns a table of two devices in alternating rows, with the same timestamps or separate ones.
  private func two(_ column: String, _ values: [String], offset: Double = 0) -> String {
    let tables = [SimulatedTable(seed: 1), SimulatedTable(seed: 2)]
    let rows = tables[0].times.indices.map { row in
      zip(tables, values).enumerated().map { index, pair in
        ([String(format: "%.4f", pair.0.times[row] + Double(index) * offset), pair.1]
          + SimulatedTable.words(pair.0.acceleration[row], 3) + SimulatedTable.words(pair.0.rates[row], 4))
          .joined(separator: ",") + "\n"
      }.joined()
    }
    return "time (s),\(column)," + Self.names.joined(separator: ",") + "\n" + rows.joined()
  }

  @Test(
    "two devices in one table are refused with the option that selects one",
    arguments: [("device", 0), ("device", 0.011), ("worn at", 0), ("sensor_id", 0.02)])
  func devices(column: String, offset: Double) throws {
    let text = two(column, ["LeftWrist", "RightWrist"], offset: offset)
    let error = try #require(throws: LogError.self) { try summary(text) }
    #expect(error.problem.contains("several devices") && error.problem.contains("\"LeftWrist\", \"RightWrist\""))
    #expect(error.remedy.contains("--where") && error.remedy.contains("\(column)=LeftWrist"))
  }

  @Test("the age of a carried value, as in a dataset with locations, is no device")
  func ages() throws {
    let text = two("locationAge", ["0.02", "0.04"], offset: 0.01)
    #expect(try summary(text).reports[.gyroscope]?.used == 2 * SimulatedTable().times.count)
    #expect(RowTag.isDevice("location") && RowTag.isDevice("sensor_id"))
    #expect(!RowTag.isDevice("locationAge") && !RowTag.isDevice("locationAge [s]"))
  }

  @Test("--where reads one device as from a separate table", arguments: [0, 0.011])
  func choice(offset: Double) throws {
    let options = with(LogOptions()) { $0.conditions = [RowCondition("device=2")!] }
    let found = try summary(two("device", ["1", "2"], offset: offset), options: options)
    #expect(found.reports[.gyroscope]?.used == SimulatedTable().times.count)
    #expect(found.reports[.gyroscope]?.retimedCount == 0 && found.faults == [])
  }

  @Test("--where with an absent column or value is refused with the log's columns or values")
  func wrongChoice() throws {
    var options = LogOptions()
    options.conditions = [RowCondition("device=3")!]
    let text = two("device", ["1", "2"])
    #expect(throws: LogError.self) { try summary(text, options: options) }
    let value = try #require(throws: LogError.self) { try summary(text, options: options) }
    #expect(value.problem.contains("found: \"1\", \"2\""))
    options.conditions = [RowCondition("wrist=1")!]
    let column = try #require(throws: LogError.self) { try summary(text, options: options) }
    #expect(column.problem.contains("wrist") && column.problem.contains("device"))
  }

  @Test("a label that changes over time is not a device")
  func label() throws {
    let table = SimulatedTable()
    let text = table.text("time (s),activity,user," + Self.names.joined(separator: ",")) { row in
      [String(format: "%.4f", table.times[row]), (row / 40) % 2 == 0 ? "rest" : "turn", "7"]
        + SimulatedTable.words(table.acceleration[row], 3) + SimulatedTable.words(table.rates[row], 4)
    }
    #expect(try faults(text) == [])
  }

  @Test("a table in long form is read, with separate times for each sensor")
  func longForm() throws {
    let table = SimulatedTable()
    let text =
      "timestamp_ms,sensor,x,y,z\n"
      + table.times.indices.map { row in
        let time = Int((table.times[row] * 1000).rounded())
        return (["\(time)", "accelerometer"] + SimulatedTable.words(table.acceleration[row], 4)).joined(separator: ",")
          + "\n"
          + (["\(time + 11)", "gyroscope"] + SimulatedTable.words(table.rates[row], 4)).joined(separator: ",") + "\n"
      }.joined()
    let error = try #require(throws: LogError.self) { try summary(text) }
    #expect(error.remedy.contains("--acceleration-unit m/s2 --rotation-unit rad/s"))
    var options = LogOptions()
    (options.accelerationUnit, options.rotationUnit) = (.metersPerSecondSquared, .radiansPerSecond)
    let found = try summary(text, options: options)
    #expect(
      found.reports[.accelerometer]?.used == table.times.count && found.reports[.gyroscope]?.used == table.times.count)
    #expect(found.reports[.gyroscope].map { abs($0.firstTime - 0.011) < 1e-9 } == true && found.faults == [])
  }
}

/// Zeros that represent missing values.
struct NoValueTests {
  @Test("rows of zeros between a sensor's rows are not samples")
  func zeroRows() throws {
    let table = SimulatedTable()
    let zeros = ["0.000", "0.000", "0.000", "0.0000", "0.0000", "0.0000"]
    let text =
      "time (s),acc_x (m/s^2),acc_y (m/s^2),acc_z (m/s^2),gyr_x (rad/s),gyr_y (rad/s),gyr_z (rad/s)\n"
      + table.times.indices.map { row in
        let values = SimulatedTable.words(table.acceleration[row], 3) + SimulatedTable.words(table.rates[row], 4)
        return ([String(format: "%.3f", table.times[row])] + values).joined(separator: ",") + "\n"
          + ([String(format: "%.3f", table.times[row] + 0.02)] + zeros).joined(separator: ",") + "\n"
      }.joined()
    let found = try summary(text)
    #expect(found.reports[.gyroscope]?.count == table.times.count && found.faults == [])
    #expect(
      found.description.unreadableWarnings.contains { $0.contains("\(table.times.count) rows have zeros for missing") })
  }

  @Test("Core Motion's field before calibration is a missing field")
  func uncalibratedField() throws {
    let table = SimulatedTable()
    let names = ["gravity", "userAcceleration", "rotationRate", "magneticField"].flatMap { name in
      ["X", "Y", "Z"].map { name + $0 }
    }
    let text = table.text("time," + names.joined(separator: ",") + ",magneticFieldAccuracy") { row in
      [String(format: "%.3f", table.times[row])]
        + SimulatedTable.words(-1 / standardGravity * table.acceleration[row], 4)
        + ["0.001", "0.002", "-0.001"] + SimulatedTable.words(table.rates[row], 4) + ["0", "0", "0", "-1"]
    }
    let found = try summary(text)
    #expect(found.reports[.calibratedMagneticField] == nil && found.faults == [])
  }
}
