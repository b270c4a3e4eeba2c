import Foundation
import InertialNumerics
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

/// Every set of recordings: the recognized format, the options, rates and units.
@Suite("Formats, rates and units of every set", .serialized) struct RecordingsFormatsTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var path: String
    /// The options on the command line; empty if the log specifies everything.
    var requiredArguments: String
    var format: String
    /// The rates in Hz, from the first sample to the last.
    var rates: [SensorChannel: Double]
    /// The median norm of the raw acceleration in g; participants stand or walk most of the time.
    var acceleration: ClosedRange<Double>
    var options = LogOptions()
    var testDescription: String { path }

    /// - Parameter columns: The columns' names, separated by commas.
    init(
      _ path: String, _ format: String, _ rates: [SensorChannel: Double],
      _ acceleration: ClosedRange<Double> = 0.95...1.05, columns: String? = nil,
      accelerationUnit: LogOptions.AccelerationUnit? = nil, rotationUnit: LogOptions.RotationUnit? = nil,
      timeUnit: LogOptions.TimeUnit? = nil, rate: Double? = nil
    ) {
      (self.path, self.format, self.rates, self.acceleration) = (path, format, rates, acceleration)
      options.columns = columns?.split(separator: ",").map(String.init)
      options.accelerationUnit = accelerationUnit
      options.rotationUnit = rotationUnit
      options.timeUnit = timeUnit
      options.sampleRate = rate
      let arguments: [(String, String?)] = [
        ("columns", columns.map { "\"\($0)\"" }), ("acceleration-unit", accelerationUnit?.text),
        ("rotation-unit", rotationUnit?.text), ("time-unit", timeUnit?.rawValue), ("sample-rate", rate.map { "\($0)" }),
      ]
      requiredArguments = arguments.compactMap { name, value in value.map { "--\(name) \($0)" } }.joined(separator: " ")
    }
  }

  static let rows: [Row] = [
    Row("broad/02_undisturbed_slow_rotation_B.hdf5", "broad-hdf5", [.gyroscope: 285.7, .accelerometer: 285.7]),
    Row(
      "tyrex/personB_iPhone5_Dist_Texting", "tyrex",
      [.accelerometer: 101, .gyroscope: 94.3, .magnetometer: 24.7, .referenceAttitude: 60]),
    Row("calibration/calib_acc_iPhone5_d4", "tyrex", [.accelerometer: 101, .gyroscope: 94.3]),
    Row(
      "iphone-xs/rec_2019-06-10_200312a", "iphone-text",
      [.accelerometer: 99.9, .gyroscope: 99.9, .deviceAttitude: 99.9]),
    Row("sensor-logger/iphone12promax-ski", "sensor-logger", [.accelerometer: 100.5, .gyroscope: 100.5]),
    Row("sensor-logger/galaxys25-ski", "sensor-logger", [.accelerometer: 58.9, .gyroscope: 58.9]),
    Row(
      "sensor-logger/iphone-rotation", "sensor-logger", [.accelerometer: 99.8, .gyroscope: 99.8, .magnetometer: 103.3]),
    Row(
      "activity/phyphox/2023-06-09_12-44-05-round1-subj1", "phyphox",
      [.accelerometer: 100.1, .gyroscope: 100, .calibratedMagneticField: 100, .deviceUserAcceleration: 100]),
    Row(
      "indoor-walks/5ddb6f179191710006b57605.txt", "indoor-walk",
      [
        .accelerometer: 50.3, .gyroscope: 50.3, .magnetometer: 50.3, .calibratedMagneticField: 50.3,
        .deviceAttitude: 50.3,
      ]),
    Row(
      "evaluation-only/cycling/smooth-10", "sensor-logger",
      [.accelerometer: 100, .gyroscope: 100, .magnetometer: 99.2, .calibratedMagneticField: 100]),
    Row("evaluation-only/driving", "sensor-logger", [.accelerometer: 59.4, .gyroscope: 59.4]),
    Row(
      "evaluation-only/floors", "motion-records-json", [.gyroscope: 50.5, .accelerometer: 50.5, .deviceAttitude: 50.5]),
    Row(
      "shake/u_03-shake-it-data.csv", "device-motion-rows", [.gyroscope: 25, .accelerometer: 25, .deviceAttitude: 25],
      0.9...3, rate: 25),
    Row(
      "steps/counted/user1_bag_1506423095164.csv", "header-csv", [.accelerometer: 100.1], 0.95...1.1,
      columns: "time,accX,accY,accZ,-,-,-", accelerationUnit: .metersPerSecondSquared, timeUnit: .nanoseconds),
    Row(
      "steps/footswitch/Samsung_personC_Hard_Purse_1/accelerometer.csv", "header-csv", [.accelerometer: 221.9],
      0.95...1.1, columns: "time,-,accX,accY,accZ", accelerationUnit: .metersPerSecondSquared, timeUnit: .nanoseconds),
    Row(
      "activity/spsw-har/s01/s01_01_sp.csv", "header-csv", [.accelerometer: 102.5, .gyroscope: 102.5],
      accelerationUnit: .metersPerSecondSquared, rotationUnit: .radiansPerSecond, timeUnit: .milliseconds),
    Row(
      "static/adis_16405_imu1_f32le_rowmajor_1000000x6.bin", "float32-rows", [.accelerometer: 100, .gyroscope: 100],
      columns: "gyroX (deg/s),gyroY (deg/s),gyroZ (deg/s),accX (g),accY (g),accZ (g)", rate: 100),
    // These headers contain "specific force" after the unit.
    Row("position-foot/corridor/41.csv", "header-csv", [.accelerometer: 200, .gyroscope: 200], 0.9...1.1),
    Row("position-phone/1_forward/accelerometer.csv", "header-csv", [.accelerometer: 209]),
    Row("position-vehicle/drive_imu.csv", "header-csv", [.accelerometer: 100, .gyroscope: 100]),
    Row("calibration-imu/mpu9150-0.csv", "header-csv", [.accelerometer: 100, .gyroscope: 100]),
    Row("clocks/jointly/physilog.csv", "header-csv", [.accelerometer: 32, .gyroscope: 32]),
    Row(
      "joints/1D_02.csv", "header-csv", [.accelerometer: 50, .gyroscope: 50], 0.9...1.1,
      columns: "time,accX,accY,accZ,gyroX,gyroY,gyroZ,-,-,-,-,-,-", accelerationUnit: .metersPerSecondSquared,
      rotationUnit: .radiansPerSecond),
    Row("rides/standing_v1_1/Accelerometer.csv", "header-csv", [.accelerometer: 50]),
    // 20 Hz in each activity; the activities are not in chronological order.
    Row(
      "wisdm/1612_watch_accel.csv", "header-csv", [:], 0.9...1.1,
      accelerationUnit: .metersPerSecondSquared),
    Row(
      "gait/01-4_rf.csv", "header-csv", [.accelerometer: 100, .gyroscope: 100], 0.9...1.1,
      columns: "-,accX,accY,accZ,gyroX,gyroY,gyroZ,-,-,-", accelerationUnit: .metersPerSecondSquared,
      rotationUnit: .radiansPerSecond, rate: 100),
    Row(
      "phone-optical/basic_motions/accelerometer.csv", "header-csv", [.accelerometer: 99.9],
      accelerationUnit: .metersPerSecondSquared, timeUnit: .seconds),
    Row(
      "body/robot-arm/circle-150_radius.csv", "header-csv", [.accelerometer: 125, .gyroscope: 125],
      accelerationUnit: .metersPerSecondSquared, rotationUnit: .radiansPerSecond, timeUnit: .seconds),
    Row(
      "watch-arm/02_abd_right.csv", "header-csv", [.accelerometer: 50, .gyroscope: 50], 0.9...1.2,
      columns: "accX,accY,accZ,gyroX,gyroY,gyroZ", accelerationUnit: .g, rotationUnit: .radiansPerSecond, rate: 50),
    Row(
      "motionsense/12_sit_5.csv", "device-motion-csv", [.gyroscope: 50, .accelerometer: 50, .deviceAttitude: 50],
      columns: "roll,pitch,yaw,gravityX,gravityY,gravityZ,rotationRateX,rotationRateY,rotationRateZ,"
        + "userAccelerationX,userAccelerationY,userAccelerationZ", rate: 50),
    Row(
      "tum-vi/calib_imu1/imu.csv", "header-csv", [.accelerometer: 199.4, .gyroscope: 199.4],
      accelerationUnit: .metersPerSecondSquared, rotationUnit: .radiansPerSecond, timeUnit: .seconds),
  ]

  @Test("every set has a row", .needs(.data))
  func completeness() throws {
    let root = TestData.url("").path
    let sets = try FileManager.default.contentsOfDirectory(atPath: root).filter { !$0.hasPrefix(".") }
    let parts = sets.flatMap { set -> [String] in
      guard ["activity", "evaluation-only"].contains(set) else { return [set] }
      return ((try? FileManager.default.contentsOfDirectory(atPath: root + "/" + set)) ?? []).map { set + "/" + $0 }
    }
    let missing = parts.filter { part in !Self.rows.contains { ($0.path + "/").hasPrefix(part + "/") } }
    #expect(missing == [])
  }

  @Test("format, rates and units match the row", .needs(.data), arguments: rows)
  func row(_ row: Row) throws {
    #if !HDF5
      guard row.format != "broad-hdf5" else {
        let error = logError(of: try readLog(TestData.url(row.path).path).samples)
        #expect(error?.problem.contains("cannot read HDF5") == true, "\(error?.description ?? "no error")")
        return
      }
    #endif
    let path = try LogFeed.logs(at: TestData.url(row.path).path)[0]
    let (samples, description, _) = try readLog(path, row.options)
    #expect(description.format == row.format)
    let norms = samples[.accelerometer].map(\.vector.norm).sorted()
    let median = norms.isEmpty ? Double.nan : norms[norms.count / 2]
    #expect(row.acceleration.contains(median), "a median acceleration of \(median) g")
    // A rotation rate in deg/s would far exceed that of a hand.
    let rates = samples[.gyroscope].map(\.vector.norm).sorted()
    if !rates.isEmpty { #expect(rates[rates.count / 2] < 8) }
    var text = ""
    for channel in SensorChannel.allCases {
      let own = samples[channel]
      guard own.count > 1 else { continue }
      text += " \(channel.name) \((own.rate * 100).rounded() / 100) Hz (\(channel.unit)),"
      if let expected = row.rates[channel] {
        #expect(isNear(own.rate, expected, within: 0.02 * expected), "\(channel.name) at \(own.rate) Hz")
      }
    }
    for channel in row.rates.keys { #expect(!samples[channel].isEmpty, "no \(channel.name)") }
    if !row.requiredArguments.isEmpty {
      // Without the option, the log is refused, and the error names the missing option.
      let error = logError(of: try readLog(path).samples)
      let option = row.requiredArguments.split(separator: " ")[0]
      #expect(error?.remedy.contains(option) == true, "\(error?.description ?? "no error")")
    }
    print(
      "\(row.path): \(row.format), \(row.requiredArguments.isEmpty ? "no option" : row.requiredArguments):\(text.dropLast()); \(median) g"
    )
  }
}
