import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

/// Handmade ULog files.
struct ULogBytes {
  private(set) var bytes = ULogFile.magic + [1] + ROSBagBytes.number(UInt64(5))

  mutating func add(_ kind: Character, _ content: [UInt8]) {
    bytes += ROSBagBytes.number(UInt16(content.count)) + [kind.asciiValue!] + content
  }

  mutating func addFormat(_ text: String) { add("F", Array(text.utf8)) }

  mutating func addTopic(_ id: UInt16, _ name: String, instance: UInt8 = 0) {
    add("A", [instance] + ROSBagBytes.number(id) + Array(name.utf8))
  }

  mutating func addData(_ id: UInt16, _ content: [UInt8]) { add("D", ROSBagBytes.number(id) + content) }

  static func floats(_ numbers: [Float]) -> [UInt8] { numbers.flatMap { ROSBagBytes.number($0.bitPattern) } }

  static let combined =
    "sensor_combined:uint64_t timestamp;float[3] gyro_rad;uint32_t gyro_integral_dt;"
    + "int32_t accelerometer_timestamp_relative;float[3] accelerometer_m_s2;uint8_t[2] _padding0;"

  static func combinedRow(_ microseconds: UInt64, delay: Int32 = 0, rate: [Float] = [0.1, 0.2, 0.3]) -> [UInt8] {
    ROSBagBytes.number(microseconds) + floats(rate) + ROSBagBytes.number(UInt32(5000)) + ROSBagBytes.number(delay)
      + floats([0, 0, -9.80665])
  }

  /// Returns a log with sensor_combined only.
  static func plain(rows: Int) -> [UInt8] {
    var log = ULogBytes()
    log.add("B", Array(repeating: 0, count: 40))
    log.addFormat(combined)
    log.add("I", [16] + Array("char[8] sys_namePX4_TEST".utf8))
    log.addTopic(3, "sensor_combined")
    for row in 0..<rows { log.addData(3, combinedRow(1_000_000 + UInt64(row) * 5000)) }
    return log.bytes
  }
}

@Suite("Flight logs of PX4") struct ULogTests {
  private let folder = TemporaryFolder()

  private func open(_ bytes: [UInt8]) throws(LogError) -> any LogReader {
    try openLog(path: folder.write(bytes, to: "flight.txt"))
  }

  @Test("sensor_combined, the first magnetometer and the attitude are read in the vehicle's axes")
  func topics() throws {
    var log = ULogBytes()
    log.addFormat("inner:uint8_t[3] a;bool b;")
    log.addFormat(ULogBytes.combined)
    log.addFormat("vehicle_magnetometer:inner[2] before;uint64_t timestamp;float[3] magnetometer_ga;")
    log.addFormat("vehicle_attitude:uint64_t timestamp;float[4] q;")
    log.addTopic(3, "sensor_combined")
    log.addTopic(4, "vehicle_magnetometer")
    log.addTopic(5, "vehicle_magnetometer", instance: 1)
    log.addTopic(6, "vehicle_attitude")
    log.addData(3, ULogBytes.combinedRow(1_000_000, delay: 2_000))
    // The relative timestamp of an absent sample.
    log.addData(3, ULogBytes.combinedRow(1_005_000, delay: .max, rate: [1, 2, 3]))
    for id in [4, 5] as [UInt16] {
      log.addData(
        id,
        Array(repeating: 9, count: 8) + ROSBagBytes.number(UInt64(1_006_000)) + ULogBytes.floats([0.25, 0, Float(id)]))
    }
    log.addData(6, ROSBagBytes.number(UInt64(1_007_000)) + ULogBytes.floats([1, 0, 0, 0]))
    var reader = try open(log.bytes)
    #expect(reader.description.format == "ulog" && reader.description.clock?.origin == .deviceStart)
    let samples = try readAll(&reader)
    #expect(samples[.gyroscope].map(\.time) == [1, 1.005] && samples[.gyroscope][1].vector == Vector3(1, 2, 3))
    // At rest the specific force points up, which is −z of forward, right, down.
    #expect(samples[.accelerometer].map { ($0.z * 1e6).rounded() } == [1e6])
    #expect(samples[.accelerometer].map(\.time) == [1.002])
    #expect(samples[.magnetometer].map(\.vector) == [Vector3(25, 0, 400)])
    #expect(reader.emptyCounts == [.accelerometer: 1])
    // Upright in north, east, down is upside down in north, west, up.
    #expect(samples[.deviceAttitude].map { abs($0.x) } == [1])
  }

  @Test("without sensor_combined the raw sensors of the first instance are read")
  func separate() throws {
    var log = ULogBytes()
    for name in ["sensor_accel", "sensor_gyro"] { log.addFormat("\(name):uint64_t timestamp;float x;float y;float z;") }
    log.addTopic(0, "sensor_accel")
    log.addTopic(1, "sensor_gyro")
    log.addTopic(2, "sensor_gyro", instance: 1)
    for id in 0..<3 as Range<UInt16> {
      log.addData(id, ROSBagBytes.number(UInt64(2_000_000)) + ULogBytes.floats([0, 0, Float(id)]))
    }
    let samples = try readAll(open(log.bytes))
    #expect(samples[.gyroscope].map(\.z) == [1] && samples[.accelerometer].count == 1)
  }

  @Test("a log cut off by a loss of power is read up to its last complete message, with a note")
  func cutOff() throws {
    var reader = try open(Array(ULogBytes.plain(rows: 4).dropLast(3)))
    let samples = try readAll(&reader)
    #expect(samples[.gyroscope].count == 3)
    #expect(reader.description.notes.contains("the last message is cut off and was left out"))
  }

  @Test("endless, too large and undefined formats are damage, and other topics are reported by name")
  func damage() throws {
    for format in [
      "sensor_combined:sensor_combined a;", "sensor_combined:uint64_t[65535] a;", "sensor_combined:float[0] a;",
      "sensor_combined:float[99999999999999999999] a;", "sensor_combined:nothing x;", "sensor_combined:float;",
    ] {
      var log = ULogBytes()
      log.addFormat(format)
      log.addTopic(0, "sensor_combined")
      log.addData(0, [1])
      let problem = logError(of: try open(log.bytes))?.problem
      #expect(problem?.hasPrefix("this ULog file is truncated or damaged") == true, "\(format)")
    }
    var other = ULogBytes()
    other.addFormat("battery_status:uint64_t timestamp;")
    other.addTopic(0, "battery_status")
    other.addData(0, ROSBagBytes.number(UInt64(1)))
    #expect(logError(of: try open(other.bytes))?.problem.contains("battery_status") == true)
  }

  @Test("the column names of a ulog2csv table imply the units")
  func table() throws {
    let header =
      "timestamp,gyro_rad[0],gyro_rad[1],gyro_rad[2],gyro_integral_dt,accelerometer_timestamp_relative,"
      + "accelerometer_m_s2[0],accelerometer_m_s2[1],accelerometer_m_s2[2]\n"
    let text = header + "1000000,0.1,0.2,0.3,5000,0,0,0,-9.80665\n1005000,1,2,3,5000,0,0,0,-9.80665\n"
    let reader = try open(Array(text.utf8))
    #expect(reader.description.format == "px4-csv")
    let samples = try readAll(reader)
    #expect(samples[.gyroscope].map(\.time) == [1, 1.005])
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(0, 0, 1), Vector3(0, 0, 1)])
  }
}
