import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

/// A real recording of Core Motion's streams, rewritten in the formats of other apps: each reader must restore the same
/// samples. The writers here only use the apps' documented units, signs and clocks.
@Suite("The same seconds in every app's format", .needs(.data)) struct CrossFormatRecordingsTests {
  static let recording = "iphone-xs/rec_2019-06-11_master"
  private static let standardGravity = 9.80665

  private let folder = TemporaryFolder()
  private let truth: [SensorChannel: [SensorSample]]
  private let start: Double

  init() throws {
    let samples = try readLog(TestData.url(Self.recording).path).samples
    truth = Dictionary(grouping: samples, by: \.channel)
    start = samples.map(\.time).min()!
  }

  private subscript(channel: SensorChannel) -> [SensorSample] { truth[channel] ?? [] }

  /// Checks that a log has these streams of the recording: every sample, its value, and its time up to a common offset.
  private func expectSame(
    _ path: String, _ channels: [SensorChannel: SensorChannel], timeWithin: Double = 1e-6, valueWithin: Double = 1e-9
  ) throws {
    let samples = try readLog(path).samples
    var offset: Double?
    for (channel, source) in channels.sorted(by: { $0.key < $1.key }) {
      let (own, other) = (samples[channel], self[source])
      #expect(own.count == other.count && !own.isEmpty, "\(channel.name): \(own.count) of \(other.count)")
      guard own.count == other.count, let first = own.first else { continue }
      let shift = offset ?? first.time - other[0].time
      offset = shift
      var (worstTime, worstValue) = (0.0, 0.0)
      for (sample, expected) in zip(own, other) {
        worstTime = max(worstTime, abs(sample.time - expected.time - shift))
        let difference =
          channel == .deviceAttitude
          ? (sample.quaternion.conjugate * expected.quaternion).rotationVector.norm
          : (sample.vector - expected.vector).norm / max(1, expected.vector.norm)
        worstValue = max(worstValue, difference)
      }
      #expect(worstTime <= timeWithin, "\(channel.name): time differs by \(worstTime) s")
      #expect(worstValue <= valueWithin, "\(channel.name): values differ by \(worstValue)")
    }
  }

  // MARK: Sensor Logger

  private static let everything: [SensorChannel: SensorChannel] = Dictionary(
    uniqueKeysWithValues: [
      SensorChannel.accelerometer, .gyroscope, .magnetometer, .calibratedMagneticField, .deviceAttitude,
      .deviceGravity, .deviceUserAcceleration, .deviceRotationRate,
    ].map { ($0, $0) })

  /// Returns the tables of a Sensor Logger export by their names without ".csv": names of columns, and rows of text.
  private func sensorLogger(
    isAndroid: Bool, isStandardised: Bool
  ) -> [(name: String, columns: [String], rows: [[String]])] {
    let isApple = !isAndroid && !isStandardised
    let fused = isApple ? Self.standardGravity : -Self.standardGravity
    let raw = isApple ? 1 : -Self.standardGravity
    func vectors(_ channel: SensorChannel, _ scale: Double) -> [[String]] {
      self[channel].map { stamps($0) + ["\($0.z * scale)", "\($0.y * scale)", "\($0.x * scale)"] }
    }
    func stamps(_ sample: SensorSample) -> [String] {
      let elapsed = sample.time - start
      return ["\(1_700_000_000_000_000_000 + Int((elapsed * 1e9).rounded()))", "\(elapsed)"]
    }
    let axes = ["time", "seconds_elapsed", "z", "y", "x"]
    return [
      ("AccelerometerUncalibrated", axes, vectors(.accelerometer, raw)),
      ("GyroscopeUncalibrated", axes, vectors(.gyroscope, 1)),
      ("MagnetometerUncalibrated", axes, vectors(.magnetometer, 1)),
      ("Accelerometer", axes, vectors(.deviceUserAcceleration, fused)),
      ("Gravity", axes, vectors(.deviceGravity, fused)), ("Gyroscope", axes, vectors(.deviceRotationRate, 1)),
      ("Magnetometer", axes, vectors(.calibratedMagneticField, 1)),
      (
        "Orientation", ["time", "seconds_elapsed", "qz", "qy", "qx", "qw"],
        self[.deviceAttitude].map { sample -> [String] in
          // A rotation by 90° about the vertical: Android's reference is east, north, up.
          let turn = Quaternion(rotationVector: Vector3(0, 0, isAndroid ? .pi / 2 : 0))
          let attitude = turn * sample.quaternion
          return stamps(sample) + ["\(attitude.z)", "\(attitude.y)", "\(attitude.x)", "\(attitude.w)"]
        }
      ),
      (
        "Metadata", ["version", "platform", "standardisation"],
        [["3", isAndroid ? "android" : "ios", "\(isStandardised)"]]
      ),
    ]
  }

  private static let conventions = [(false, false), (false, true), (true, false), (true, true)]

  @Test(
    "Sensor Logger writes CSV files in a folder or an archive on each platform, standardised or not",
    arguments: conventions)
  func sensorLoggerTables(isAndroid: Bool, isStandardised: Bool) throws {
    var files: [String: String] = [:]
    for table in sensorLogger(isAndroid: isAndroid, isStandardised: isStandardised) {
      let lines = ([table.columns] + table.rows).map { $0.joined(separator: ",") }
      files[table.name + ".csv"] = lines.joined(separator: "\n") + "\n"
      folder.write(files[table.name + ".csv"]!, to: "log/\(table.name).csv")
    }
    try expectSame(folder.path("log"), Self.everything)
    ZipTestFile.write(files, to: folder.path("a.zip"))
    try expectSame(folder.path("a.zip"), Self.everything)
  }

  @Test("Sensor Logger writes JSON", arguments: conventions)
  func sensorLoggerJSON(isAndroid: Bool, isStandardised: Bool) throws {
    let objects = sensorLogger(isAndroid: isAndroid, isStandardised: isStandardised).reversed().flatMap { table in
      table.rows.map { row in
        let members = zip(table.columns, row).map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",")
        return "{\"sensor\":\"\(table.name)\",\(members)}"
      }
    }
    folder.write("[" + objects.joined(separator: ",\n") + "]", to: "a.json")
    try expectSame(folder.path("a.json"), Self.everything)
  }

  // MARK: SensorLog

  @Test("SensorLog writes one wide table in Core Motion's units, with each sensor's boot timestamp")
  func sensorLog() throws {
    func axes(_ stem: String, _ unit: String) -> [String] { ["X", "Y", "Z"].map { stem + $0 + unit } }
    let raw: [(SensorChannel, [String])] = [
      (.accelerometer, ["accelerometerTimestamp_sinceReboot(s)"] + axes("accelerometerAcceleration", "(G)")),
      (.gyroscope, ["gyroTimestamp_sinceReboot(s)"] + axes("gyroRotation", "(rad/s)")),
      (.magnetometer, ["magnetometerTimestamp_sinceReboot(s)"] + axes("magnetometer", "(µT)")),
    ]
    let motion: [(SensorChannel, [String])] = [
      (.deviceRotationRate, axes("motionRotationRate", "(rad/s)")),
      (.deviceUserAcceleration, axes("motionUserAcceleration", "(G)")),
      (.deviceAttitude, ["X", "Y", "Z", "W"].map { "motionQuaternion\($0)(R)" }),
      (.deviceGravity, axes("motionGravity", "(G)")), (.calibratedMagneticField, axes("motionMagneticField", "(µT)")),
    ]
    let header = ["loggingTime(txt)"] + raw.flatMap(\.1) + ["motionTimestamp_sinceReboot(s)"] + motion.flatMap(\.1)
    let count = truth.values.map(\.count).max()!
    let rows = (0..<count).map { row -> String in
      var fields = ["2019-06-11T12:00:00.000+02:00"]
      func sample(_ channel: SensorChannel) -> SensorSample? { row < self[channel].count ? self[channel][row] : nil }
      func append(_ channel: SensorChannel, _ sample: SensorSample?) {
        let values = sample.map { channel == .deviceAttitude ? [$0.x, $0.y, $0.z, $0.w] : [$0.x, $0.y, $0.z] }
        fields += values.map { $0.map { "\($0)" } } ?? Array(repeating: "", count: channel == .deviceAttitude ? 4 : 3)
      }
      for (channel, _) in raw {
        fields.append(sample(channel).map { "\($0.time)" } ?? "")
        append(channel, sample(channel))
      }
      fields.append(sample(.deviceAttitude).map { "\($0.time)" } ?? "")
      for (channel, _) in motion { append(channel, sample(channel)) }
      return fields.joined(separator: ",")
    }
    let path = folder.write(
      ([header.joined(separator: ",")] + rows).joined(separator: "\n") + "\n", to: "2019-06-11_12_00_00_iPhone.csv")
    try expectSame(path, Self.everything)
  }

  // MARK: phyphox

  /// The app multiplies iOS's g by −9.81, and takes the rotation rate from the device motion.
  @Test("phyphox writes each pair of field separator and decimal mark", arguments: [",.", ";.", "\t.", ";,", "\t,"])
  func phyphox(marks: String) throws {
    let export = PhyphoxExport(separator: String(marks.first!), decimal: String(marks.last!))
    func write(_ name: String, _ header: [String], _ channel: SensorChannel, _ scale: Double) {
      let rows = self[channel].map { [$0.time - start, $0.x * scale, $0.y * scale, $0.z * scale] }
      let names = (["Time (s)"] + header).map { "\"\($0)\"" }.joined(separator: export.separator)
      let lines = rows.map { row in
        row.map { String(format: "%.17E", $0).replacing(".", with: export.decimal) }.joined(separator: export.separator)
      }
      folder.write(([names] + lines).joined(separator: "\n") + "\n", to: name)
    }
    try FileManager.default.createDirectory(atPath: folder.path("meta"), withIntermediateDirectories: true)
    folder.write(PhyphoxExport.device, to: "meta/device.csv")
    write("Accelerometer.csv", PhyphoxExport.axes("Acceleration", "m/s^2"), .accelerometer, -9.81)
    write(
      "Linear Accelerometer.csv", PhyphoxExport.axes("Linear Acceleration", "m/s^2"), .deviceUserAcceleration, -9.81)
    write("Gyroscope.csv", PhyphoxExport.axes("Gyroscope", "rad/s"), .deviceRotationRate, 1)
    write("Magnetometer.csv", PhyphoxExport.axes("Magnetic field", "µT"), .calibratedMagneticField, 1)
    try expectSame(
      folder.path,
      [
        .accelerometer: .accelerometer, .gyroscope: .deviceRotationRate,
        .deviceUserAcceleration: .deviceUserAcceleration, .calibratedMagneticField: .calibratedMagneticField,
      ])
  }

  // MARK: Core Motion's text

  @Test("the logger writes its own text with UNIX timestamps")
  func coreMotionText() throws {
    func write(_ name: String, _ channel: SensorChannel, _ scale: Double = 1) {
      let lines = self[channel].map { sample -> String in
        let stamp = 1_560_249_000_000_000_000 + Int(((sample.time - start) * 1e9).rounded())
        var values = [sample.x, sample.y, sample.z].map { "\($0 * scale)" }
        if channel == .deviceAttitude { values.append("\(sample.w)") }
        return ([String(stamp)] + values).joined(separator: " ")
      }
      folder.write(lines.joined(separator: "\n") + "\n", to: name)
    }
    write("acce.txt", .accelerometer, 9.81)
    write("gyro_uncalib.txt", .gyroscope)
    write("magnet_uncalib.txt", .magnetometer)
    write("magnet.txt", .calibratedMagneticField)
    write("game_rv.txt", .deviceAttitude)
    write("gravity.txt", .deviceGravity, 9.81)
    write("linacce.txt", .deviceUserAcceleration, 9.81)
    write("gyro.txt", .deviceRotationRate)
    try expectSame(folder.path, Self.everything)
  }

  // MARK: Physics

  /// The relations of the streams of any phone log, for all apps: gravity by the device's attitude, the raw
  /// acceleration, the rotation rate and the field must agree in sign, unit and axes.
  @Test(
    "in real files, attitude, acceleration, rotation rate and field agree in sign and unit",
    arguments: [
      "iphone-xs/rec_2019-06-11_master", "iphone-xs/rec_2019-06-10_200312a", "iphone-xs/rec_2019-06-21_arkit",
      "sensor-logger/galaxys25-ski", "evaluation-only/cycling/smooth-10", "evaluation-only/driving",
      "tyrex/personB_iPhone5_Dist_Texting", "indoor-walks/5ddb6f179191710006b57605.txt",
    ])
  func physics(_ log: String) throws {
    let samples = try readLog(TestData.url(log).path).samples
    let (attitudes, accelerations, rates) = (samples[.deviceAttitude], samples[.accelerometer], samples[.gyroscope])
    try #require(attitudes.count > 500 && accelerations.count > 500 && rates.count > 500)

    // The mean acceleration in the attitude's frame is gravity: one g down.
    var (position, sum) = (0, Vector3.zero)
    for sample in accelerations {
      while position + 1 < attitudes.count, attitudes[position + 1].time <= sample.time { position += 1 }
      sum += attitudes[position].quaternion.rotate(sample.vector)
    }
    let mean = sum / Double(accelerations.count)
    #expect(isNear(mean, Vector3(0, 0, -1), within: 0.12), "mean acceleration \(mean) g in the attitude's frame")

    // The attitude changes at the rotation rate: the regression coefficient of each axis is 1.
    var (products, squares) = (Vector3.zero, Vector3.zero)
    position = 0
    let step = 5
    for index in stride(from: step, to: attitudes.count, by: step) {
      let (before, after) = (attitudes[index - step], attitudes[index])
      let duration = after.time - before.time
      guard duration > 0, duration < 0.5 else { continue }
      let turned = (before.quaternion.conjugate * after.quaternion).rotationVector / duration
      var (rate, count) = (Vector3.zero, 0.0)
      while position < rates.count, rates[position].time <= before.time { position += 1 }
      var next = position
      while next < rates.count, rates[next].time <= after.time {
        (rate, count, next) = (rate + rates[next].vector, count + 1, next + 1)
      }
      guard count > 0 else { continue }
      rate /= count
      products += Vector3(rate.x * turned.x, rate.y * turned.y, rate.z * turned.z)
      squares += Vector3(rate.x * rate.x, rate.y * rate.y, rate.z * rate.z)
    }
    for (product, square) in [(products.x, squares.x), (products.y, squares.y), (products.z, squares.z)] {
      // A wrong sign yields −1, a wrong unit 57, wrong axes about 0; Android's own lag reduces it to 0.7 on a slow
      // axis.
      #expect(abs(product / square - 1) < 0.5, "the attitude turns by \(product / square) of the rotation rate")
    }
  }
}
