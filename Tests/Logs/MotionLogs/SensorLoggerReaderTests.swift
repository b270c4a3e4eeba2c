import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

@Suite struct SensorLoggerReaderTests {
  private let folder = TemporaryFolder()
  private static let header = "time,seconds_elapsed,z,y,x\n"
  private static let start = 1_700_000_000_000_000_000

  /// Writes rows 10 ms apart from `milliseconds` on, all with the same x, y, z.
  private func write(_ name: String, _ x: Double, _ y: Double, _ z: Double, rows: Int = 3, from milliseconds: Int = 0) {
    let lines = (0..<rows).map { row in
      "\(Self.start + (milliseconds + 10 * row) * 1_000_000),\(Double(row) / 100),\(z),\(y),\(x)\n"
    }
    folder.write(Self.header + lines.joined(), to: name)
  }

  private func writeMetadata(_ platform: String, standardisation: String) {
    folder.write(
      "version,device name,platform,standardisation\n3,\"Ann's phone, old\",\(platform),\(standardisation)\n",
      to: "Metadata.csv")
  }

  private func read(_ options: LogOptions = LogOptions()) throws(LogError) -> [SensorSample] {
    try readAll(LogFormat.sensorLogger.reader(of: folder.path, options: options))
  }

  @Test("on iOS without standardisation, raw acceleration is already in g with Core Motion's sign")
  func apple() throws {
    writeMetadata("ios", standardisation: "false")
    write("AccelerometerUncalibrated.csv", 0.1, 0.2, -0.9, from: 4)
    write("Gravity.csv", 0, 0, -9.80665)
    write("Accelerometer.csv", 0.980665, 0, 0)
    let samples = try read()
    #expect(samples[.accelerometer].map(\.vector) == Array(repeating: Vector3(0.1, 0.2, -0.9), count: 3))
    #expect(samples[.deviceGravity][0].vector == Vector3(0, 0, -1))
    #expect(isNear(samples[.deviceUserAcceleration][0].vector, Vector3(0.1, 0, 0), within: 1e-15))
    // Time 0 is the earliest time of all files.
    #expect(samples[.accelerometer].map(\.time) == [0.004, 0.014, 0.024])
    #expect(samples[.deviceGravity].map(\.time) == [0, 0.01, 0.02])
    #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.time <= $1.time })
  }

  @Test(
    "on Android, and on iOS with standardisation, accelerations are specific force in m/s²",
    arguments: [("android", "false"), ("android", "true"), ("ios", "true"), ("iOS", "TRUE")])
  func specificForce(platform: String, standardisation: String) throws {
    writeMetadata(platform, standardisation: standardisation)
    write("TotalAcceleration.csv", 0, 0, 9.80665)
    write("Gravity.csv", 0, 0, 9.80665)
    write("Accelerometer.csv", 0.980665, 0, 0)
    let samples = try read()
    #expect(samples[.accelerometer][0].vector == Vector3(0, 0, -1))
    #expect(samples[.deviceGravity][0].vector == Vector3(0, 0, -1))
    #expect(isNear(samples[.deviceUserAcceleration][0].vector, Vector3(-0.1, 0, 0), within: 1e-15))
  }

  @Test("AccelerometerUncalibrated precedes TotalAcceleration, and gravity + user acceleration is the last resort")
  func choiceOfAcceleration() throws {
    writeMetadata("android", standardisation: "false")
    write("Gravity.csv", 0, 0, 9.80665)
    write("Accelerometer.csv", 9.80665, 0, 0, rows: 2, from: 10)
    let sum = try LogFormat.sensorLogger.reader(of: folder.path)
    #expect(sum.description.notes.contains { $0.contains("sum of Gravity and Accelerometer") })
    #expect(try read()[.accelerometer].map(\.time) == [0.01, 0.02])
    #expect(try read()[.accelerometer].map(\.vector) == [Vector3(-1, 0, -1), Vector3(-1, 0, -1)])
    write("TotalAcceleration.csv", 0, 9.80665, 0)
    #expect(try read()[.accelerometer][0].vector == Vector3(0, -1, 0))
    write("AccelerometerUncalibrated.csv", 9.80665, 0, 0)
    #expect(try read()[.accelerometer][0].vector == Vector3(-1, 0, 0))
  }

  @Test("the uncalibrated gyroscope precedes the calibrated one, which is read additionally")
  func gyroscopes() throws {
    writeMetadata("ios", standardisation: "false")
    write("AccelerometerUncalibrated.csv", 0, 0, -1)
    write("Gyroscope.csv", 1, 2, 3)
    #expect(try read()[.gyroscope][0].vector == Vector3(1, 2, 3))
    let notes = try LogFormat.sensorLogger.reader(of: folder.path).description.notes
    #expect(notes.contains { $0.contains("bias removed") })
    write("GyroscopeUncalibrated.csv", 4, 5, 6)
    #expect(try read()[.gyroscope][0].vector == Vector3(4, 5, 6))
    #expect(try read()[.deviceRotationRate][0].vector == Vector3(1, 2, 3))
    let options = with(LogOptions()) { $0.rotationUnit = .degreesPerSecond }
    #expect(isNear(try read(options)[.gyroscope][0].x, 4 * .pi / 180, within: 1e-15))
  }

  @Test("fields and the attitude are found by column name, in any order")
  func fieldsAndAttitude() throws {
    writeMetadata("ios", standardisation: "false")
    write("AccelerometerUncalibrated.csv", 0, 0, -1)
    write("Magnetometer.csv", 1, 2, 3)
    write("MagnetometerUncalibrated.csv", 101, 2, 3)
    folder.write(
      "time,seconds_elapsed,yaw,qx,qz,roll,qw,qy,pitch\n\(Self.start),0,9,0.1,0.3,9,0.9,0.2,9\n", to: "Orientation.csv")
    let samples = try read()
    #expect(samples[.magnetometer][0].vector == Vector3(101, 2, 3))
    #expect(samples[.calibratedMagneticField][0].vector == Vector3(1, 2, 3))
    // A missing accuracy is not the accuracy 0.
    #expect(samples[.calibratedMagneticField][0].w.isNaN)
    #expect(samples[.deviceAttitude][0].quaternion == Quaternion(x: 0.1, y: 0.2, z: 0.3, w: 0.9))
  }

  @Test("Android's attitude, in east, north, up, is rotated; iOS's is unchanged")
  func attitudeFrame() throws {
    write("AccelerometerUncalibrated.csv", 0, 0, 1)
    // Flat with the top to the north: for Android the identity; for iOS x points east, 90° to the right of north.
    let header = "time,seconds_elapsed,qz,qy,qx,qw\n"
    folder.write(header + "\(Self.start),0,0,0,0,1\n", to: "Orientation.csv")
    writeMetadata("android", standardisation: "false")
    let turned = try read()[.deviceAttitude][0].quaternion
    #expect(isNear(turned.rotate(Vector3(0, 1, 0)), Vector3(1, 0, 0), within: 1e-15))
    #expect(isNear(turned.rotate(Vector3(1, 0, 0)), Vector3(0, -1, 0), within: 1e-15))
    writeMetadata("ios", standardisation: "false")
    #expect(try read()[.deviceAttitude][0].quaternion == Quaternion(x: 0, y: 0, z: 0, w: 1))
  }

  @Test("without Metadata.csv the size of the values determines units and signs, and the description notes it")
  func inference() throws {
    write("AccelerometerUncalibrated.csv", 0, 0, -1.01)
    #expect(try read()[.accelerometer][0].z == -1.01)
    let reader = try LogFormat.sensorLogger.reader(of: folder.path)
    #expect(reader.description.notes.contains("acceleration: g, inferred from a median of 1.01"))
    #expect(reader.description.notes.contains("acceleration: Core Motion's sign, inferred from the unit"))
    write("AccelerometerUncalibrated.csv", 0, 0, 9.80665)
    #expect(try read()[.accelerometer][0].z == -1)
  }

  @Test("an ambiguous property is an error that names the option, which takes precedence")
  func ambiguity() throws {
    write("AccelerometerUncalibrated.csv", 0, 0, 3)
    let unit = logError(of: try read())
    #expect(unit?.path == folder.path("AccelerometerUncalibrated.csv"))
    #expect(unit?.remedy == "give --acceleration-unit g or m/s2")
    var options = LogOptions()
    options.accelerationUnit = .g
    #expect(try read(options)[.accelerometer][0].z == 3)
    options.accelerationSign = .specificForce
    #expect(try read(options)[.accelerometer][0].z == -3)

    try FileManager.default.removeItem(atPath: folder.path("AccelerometerUncalibrated.csv"))
    write("Accelerometer.csv", 0, 0, 0)
    write("Gravity.csv", 0, 0, -9.80665)
    let sign = logError(of: try read())
    #expect(sign?.remedy.hasPrefix("give --acceleration-sign gravity") == true)
    options = LogOptions()
    options.accelerationSign = .gravity
    #expect(try read(options)[.accelerometer][0].z == -1)
  }

  @Test("Metadata.csv without a platform or with an unknown switch is an error; a missing switch is an old app")
  func badMetadata() throws {
    write("AccelerometerUncalibrated.csv", 0, 0, -1)
    for (platform, standardisation) in [("symbian", "false"), ("", ""), ("ios", "maybe")] {
      writeMetadata(platform, standardisation: standardisation)
      #expect(logError(of: try read())?.path == folder.path("Metadata.csv"))
    }
    folder.write("platform\nios\n", to: "Metadata.csv")
    #expect(try read()[.accelerometer][0].z == -1)
  }

  @Test("empty and missing files are noted, and rows out of order are passed on")
  func tolerance() throws {
    writeMetadata("ios", standardisation: "false")
    folder.write(
      Self.header
        + "\(Self.start + 10_000_000),0.01,-1,0,0\n\(Self.start),0,-1,0,1\n\(Self.start + 20_000_000),0.02,,0,2\r\n",
      to: "AccelerometerUncalibrated.csv")
    folder.write("", to: "Gyroscope.csv")
    folder.write(Self.header, to: "Magnetometer.csv")
    var reader = try LogFormat.sensorLogger.reader(of: folder.path)
    #expect(reader.description.notes.contains("Gyroscope.csv is empty"))
    #expect(reader.description.notes.contains("Magnetometer.csv has no rows"))
    let samples = try readAll(&reader)
    #expect(samples.map(\.time) == [0, -0.01])
    #expect(reader.emptyCounts == [.accelerometer: 1] && reader.description.epoch == 1_700_000_000.01)
  }

  @Test("damage is reported with the file, the line and the column")
  func damage() throws {
    writeMetadata("ios", standardisation: "false")
    func error(_ rows: String) -> String? {
      folder.write(Self.header + rows, to: "AccelerometerUncalibrated.csv")
      return logError(of: try read())?.description
    }
    let path = folder.path("AccelerometerUncalibrated.csv")
    #expect(error("1,0,a,0,0\n") == "\(path):2:3: \"a\" is not a number; repair or remove the line")
    #expect(error("1,0,0,0,0\n2,0,0,0\n") == "\(path):3: 4 fields instead of 5; repair or remove the line")
    #expect(error("1,0,0,0,0\n2,0,0,0,0,0") == "\(path):3: 6 fields instead of 5; repair or remove the line")
    #expect(error("")?.hasPrefix("\(folder.path): the files of acceleration have no rows") == true)
    // A last line that is cut off is not damage: the log is read up to that line.
    #expect(error("1,0,0,0,0\n2,0,0") == nil)
    folder.write("time,z,y\n1,2,3\n", to: "AccelerometerUncalibrated.csv")
    #expect(logError(of: try read())?.problem == "no column x (found: time, z, y)")
  }

  @Test("the error of a folder without acceleration lists its files; a folder in place of a file is an error")
  func wrongFolders() throws {
    folder.write("x", to: "Location.csv")
    let none = logError(of: try read())
    #expect(none?.problem == "no acceleration in this folder (found: Location.csv)")
    #expect(none?.remedy.hasPrefix("looked for AccelerometerUncalibrated.csv, TotalAcceleration.csv") == true)
    try FileManager.default.createDirectory(
      atPath: folder.path("AccelerometerUncalibrated.csv"), withIntermediateDirectories: false)
    #expect(logError(of: try read())?.problem == "is not a regular file")
    let missing = logError(of: try LogFormat.sensorLogger.reader(of: folder.path("none")))
    #expect(missing?.problem == "the folder cannot be read: no such file or directory")
  }

  @Test("the iPhone's recording has the expected counts, 100 Hz, and raw = gravity + user acceleration", .needs(.data))
  func realIPhone() throws {
    let reader = try LogFormat.sensorLogger.reader(of: TestData.url("sensor-logger/iphone12promax-ski").path)
    #expect(reader.description.summary == "Sensor Logger folder (iOS, not standardised)")
    let samples = try readAll(reader)
    #expect(samples[.accelerometer].count == 36457 && samples[.gyroscope].count == 36456)
    #expect(samples[.deviceGravity].count == 36454 && isNear(samples[.accelerometer].rate, 100.5, within: 0.1))
    for gravity in samples[.deviceGravity] { #expect(abs(gravity.vector.norm - 1) < 1e-5) }
    // The raw clock is 6 ms off (SOURCE.txt), so the sums over the whole recording are compared.
    let sum = (samples[.deviceGravity] + samples[.deviceUserAcceleration]).reduce(Vector3.zero) { $0 + $1.vector }
    let raw = samples[.accelerometer].reduce(Vector3.zero) { $0 + $1.vector }
    #expect(isNear(raw / 36457, sum / 36454, within: 1e-3))
  }

  @Test(
    "the Galaxy's recording has the expected counts, and gravity of its attitude with Core Motion's sign",
    .needs(.data))
  func realGalaxy() throws {
    let reader = try LogFormat.sensorLogger.reader(of: TestData.url("sensor-logger/galaxys25-ski").path)
    #expect(reader.description.summary == "Sensor Logger folder (Android, not standardised)")
    let samples = try readAll(reader)
    #expect(samples[.accelerometer].count == 9334 && isNear(samples[.accelerometer].rate, 59, within: 0.5))
    #expect(isNear(samples[.deviceAttitude].rate, 100, within: 1))
    let gravity = Dictionary(samples[.deviceGravity].map { ($0.time, $0.vector) }, uniquingKeysWith: { a, _ in a })
    let errors = samples[.deviceAttitude].compactMap { attitude in
      gravity[attitude.time].map { $0.angle(to: attitude.quaternion.rotateInverse(-Vector3.unitZ)) }
    }
    #expect(errors.count > 15_000 && errors.sorted()[errors.count / 2] < 0.01)
  }

  @Test(
    "the rotated iPhone's g and sign are inferred without Metadata.csv, and its raw field is hundreds of µT",
    .needs(.data))
  func realRotation() throws {
    let reader = try LogFormat.sensorLogger.reader(of: TestData.url("sensor-logger/iphone-rotation").path)
    #expect(reader.description.notes.contains { $0.contains("inferred") })
    let samples = try readAll(reader)
    #expect(samples[.accelerometer].count == 2714 && isNear(samples[.accelerometer].rate, 99.9, within: 0.5))
    #expect(isNear(samples[.magnetometer].rate, 103.4, within: 0.5))
    let norms = samples[.accelerometer].map(\.vector.norm)
    #expect(isNear(norms.reduce(0, +) / Double(norms.count), 1.004, within: 1e-3))
    // According to SOURCE.txt, the hard-iron field is (218, 64, −539).
    for sample in samples[.magnetometer] {
      #expect(isNear((sample.vector - Vector3(218, 64, -539)).norm, 44.9, within: 10))
    }
  }
}

@Suite("Watch and earphones of Sensor Logger") struct SensorLoggerWearableTests {
  private let folder = TemporaryFolder()

  private func write(
    _ name: String, gravity: Double, acceleration: Double, isEarphone: Bool = false, rows: Int = 3
  ) -> String {
    let header =
      "time,seconds_elapsed,rotationRateX,rotationRateY,rotationRateZ,gravityX,gravityY,gravityZ,accelerationX,"
      + "accelerationY,accelerationZ,quaternionW,quaternionX,quaternionY,quaternionZ"
      + (isEarphone ? ",devicelocation" : "")
    let lines = (0..<rows).map { row in
      "\(1_700_000_000_000_000_000 + row * 20_000_000),\(Double(row) / 50),1,2,3,0,0,\(gravity),\(acceleration),0,0,0.8,"
        + "0,0,0.6" + (isEarphone ? ",left" : "")
    }
    return folder.write(([header] + lines).joined(separator: "\n") + "\n", to: name)
  }

  private func writeMetadata(standardisation: Bool) {
    folder.write("version,platform,standardisation\n3,ios,\(standardisation)\n", to: "Metadata.csv")
  }

  private func expectMotion(_ path: String, location: SourceLocation = #_sourceLocation) throws {
    let (samples, description, _) = try readLog(path)
    #expect(description.format == "sensor-logger-wearable", sourceLocation: location)
    let (rates, forces) = (samples[.gyroscope], samples[.accelerometer])
    #expect(rates.map(\.time) == [0, 0.02, 0.04] && rates[0].vector == Vector3(1, 2, 3), sourceLocation: location)
    #expect(isNear(forces[0].vector, Vector3(0.5, 0, -1), within: 1e-12) && forces.count == 3, sourceLocation: location)
    #expect(isNear(samples[.deviceGravity][0].vector, Vector3(0, 0, -1), within: 1e-12), sourceLocation: location)
    let attitude = samples[.deviceAttitude][0].quaternion
    #expect(attitude == Quaternion(x: 0, y: 0, z: 0.6, w: 0.8), sourceLocation: location)
  }

  @Test("the watch's motion is in g with Core Motion's sign, or standardised in m/s² of specific force")
  func watch() throws {
    try expectMotion(write("WristMotion.csv", gravity: -1, acceleration: 0.5))
    // The same in a folder without a phone's recording.
    try expectMotion(folder.path)
    writeMetadata(standardisation: false)
    try expectMotion(folder.path)
    writeMetadata(standardisation: true)
    try expectMotion(write("WristMotion.csv", gravity: 9.80665, acceleration: -4.903325))
  }

  @Test("the earphone's gravity is in m/s², standardised or not")
  func earphone() throws {
    let path = write("Headphone.csv", gravity: -9.80665, acceleration: 0.5, isEarphone: true)
    try expectMotion(path)
    writeMetadata(standardisation: false)
    try expectMotion(path)
    writeMetadata(standardisation: true)
    try expectMotion(write("Headphone.csv", gravity: 9.80665, acceleration: -4.903325, isEarphone: true))
  }

  @Test("a wearable's motion is left out, with a note, if the phone's own motion exists")
  func besideThePhone() throws {
    _ = write("WristMotion.csv", gravity: -1, acceleration: 0.5)
    writeMetadata(standardisation: false)
    folder.write("time,seconds_elapsed,z,y,x\n1700000000000000000,0,-1,0,0\n", to: "AccelerometerUncalibrated.csv")
    let (samples, description, _) = try readLog(folder.path)
    #expect(description.format == "sensor-logger")
    #expect(description.notes.contains { $0.hasPrefix("WristMotion.csv not read") })
    #expect(samples.count == 1)
  }

  @Test("an empty table is refused")
  func empty() {
    let path = write("WristMotion.csv", gravity: -1, acceleration: 0.5, rows: 0)
    #expect(logError(of: try openLog(path: path))?.problem == "has no rows")
  }
}
