import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

@Suite("CSV with quantities and units in its header") struct CSVHeaderTests {
  @Test("Fusion's sensor_data.csv has deg/s, g of specific force and µT")
  func fusion() throws {
    let text = """
      Time (s),Gyroscope X (deg/s),Gyroscope Y (deg/s),Gyroscope Z (deg/s),Accelerometer X (g),\
      Accelerometer Y (g),Accelerometer Z (g),Magnetometer X (uT),Magnetometer Y (uT),Magnetometer Z (uT)
      0.01,180,90,-45,0.25,-0.5,1,20,-5,-40
      """
    let reader = try csv(text)
    #expect(reader.description.format == "header-csv")
    #expect(
      reader.description.notes == [
        "acceleration: interpreted as specific force (+1 g up at rest), as from all makers except Apple, sign inverted; "
          + "--acceleration-sign gravity if not", "acceleration: in g, from the header",
        "rotation rate: in deg/s, from the header", "magnetic field: in uT, from the header",
      ])
    let samples = try readAll(reader)
    #expect(samples[.gyroscope][0] == SensorSample(time: 0.01, channel: .gyroscope, x: .pi, y: .pi / 2, z: -.pi / 4))
    #expect(samples[.accelerometer][0] == SensorSample(time: 0.01, channel: .accelerometer, x: -0.25, y: 0.5, z: -1))
    #expect(samples[.magnetometer][0] == SensorSample(time: 0.01, channel: .magnetometer, x: 20, y: -5, z: -40))
  }

  @Test("phyphox has quoted names, m/s², tabs and decimal commas")
  func phyphox() throws {
    let text =
      "\"Time (s)\"\t\"Acceleration x (m/s^2)\"\t\"Acceleration y (m/s^2)\"\t\"Acceleration z (m/s^2)\"\t"
      + "\"Absolute acceleration (m/s^2)\"\n1,5E-1\t0,00E0\t0,00E0\t9,80665E0\t9,80665E0\n"
    let samples = try readAll(csv(text))
    #expect(samples == [SensorSample(time: 0.15, channel: .accelerometer, x: 0, y: 0, z: -1)])
  }

  @Test("EuRoC has nanoseconds after a number sign, and units in brackets with powers")
  func euroc() throws {
    let values = "-0.25,0.5,0.125,9.80665,0,-9.80665"
    let reader = try csv(EuRoCReaderTests.header + "1403636579763555584,\(values)\n1403636579768555584,\(values)\n")
    #expect(reader.description.epoch == 1_403_636_579.763555584)
    let samples = try readAll(reader)
    #expect(samples[.gyroscope].map(\.time) == [0, 0.005] && samples[.gyroscope][0].x == -0.25)
    #expect(samples[.accelerometer][0] == SensorSample(time: 0, channel: .accelerometer, x: -1, y: 0, z: 1))
  }

  @Test("SensorPlay's names and units, which are Core Motion's, imply Core Motion's sign")
  func sensorPlay() throws {
    let text = SensorPlayTests.header + "1700000000.5,0,0,0,0.1,0.2,0.3,0,0,-1,0.5,0,0.25,10,20,30\n"
    let reader = try csv(text)
    #expect(reader.description.notes.contains { $0.hasPrefix("acceleration: Core Motion's sign, as") })
    let samples = try readAll(reader)
    #expect(samples[.accelerometer].map(\.vector) == [.init(0.5, 0, -0.75)] && samples[.deviceAttitude].map(\.w) == [1])
    #expect(samples[.magnetometer].map(\.z) == [30])
  }

  @Test(
    "words, capitals and punctuation of names do not matter",
    arguments: [
      "timestamp_ms,acc_x [m/s²],acc_y [m/s²],acc_z [m/s²],gyro_x(rad/s),gyro_y(rad/s),gyro_z(rad/s)",
      "t [ms];ax [m/s^2];ay [m/s^2];az [m/s^2];gx [rad/s];gy [rad/s];gz [rad/s]",
      "TimeMillis,AccX_mps2,AccY_mps2,AccZ_mps2,GyrX_rads,GyrY_rads,GyrZ_rads",
      "time (ms),Accelerometer X (m/s2),Accelerometer Y (m/s2),Accelerometer Z (m/s2),"
        + "Angular velocity X (rad/s),Angular velocity Y (rad/s),Angular velocity Z (rad/s)",
      "milliseconds accel_x_m_s2 accel_y_m_s2 accel_z_m_s2 omega_x_rad_s omega_y_rad_s omega_z_rad_s",
    ])
  func manyNames(header: String) throws {
    let separator = header.contains(";") ? ";" : header.contains(",") ? "," : " "
    let row = ["1500", "0", "9.80665", "0", "1", "2", "3"].joined(separator: separator)
    let samples = try readAll(csv(header + "\n" + row))
    #expect(samples[.gyroscope] == [SensorSample(time: 1.5, channel: .gyroscope, x: 1, y: 2, z: 3)])
    #expect(samples[.accelerometer] == [SensorSample(time: 1.5, channel: .accelerometer, x: 0, y: -1, z: 0)])
  }

  @Test("comments before the header are skipped, and other columns are noted")
  func preamble() throws {
    let text = """
      sep=,
      DeviceTag:,D422CD00
      FirmwareVersion:,2.0.0
      // made by hand

      PacketCounter,SampleTimeFine (us),Acc_X (m/s^2),Acc_Y (m/s^2),Acc_Z (m/s^2),Status
      1,1000000,0,0,9.80665,ok
      2,1016667,0,0,9.80665,"not, ok"
      """
    let reader = try csv(text)
    #expect(reader.description.notes.last == "columns not read: PacketCounter, Status")
    let samples = try readAll(reader)
    #expect(samples.map(\.time) == [1, 1.016667] && samples.map(\.line) == [7, 8])
  }

  @Test("calibrated and raw field are distinguished, and so are acceleration and linear acceleration")
  func channels() throws {
    let text = """
      time,Calibrated magnetic field X (uT),Calibrated magnetic field Y (uT),Calibrated magnetic field Z (uT),\
      Uncalibrated magnetic field X (uT),Uncalibrated magnetic field Y (uT),Uncalibrated magnetic field Z (uT),\
      Linear Acceleration x (m/s^2),Linear Acceleration y (m/s^2),Linear Acceleration z (m/s^2),\
      Gravity x (m/s^2),Gravity y (m/s^2),Gravity z (m/s^2)
      1,1,2,3,101,102,103,9.80665,0,0,0,0,9.80665
      """
    let samples = try readAll(csv(text))
    #expect(samples[.calibratedMagneticField].map(\.x) == [1] && samples[.calibratedMagneticField][0].w.isNaN)
    #expect(samples[.magnetometer].map(\.x) == [101] && samples[.deviceUserAcceleration].map(\.x) == [-1])
    #expect(samples[.accelerometer].map(\.vector) == [.init(-1, 0, -1)])
  }

  @Test("options specify properties that are missing in the header")
  func unitOptions() throws {
    let text = "timestamp,acc_x,acc_y,acc_z,gyr_x,gyr_y,gyr_z,mag_x,mag_y,mag_z\n20,0,0,9.80665,180,0,0,500,0,0"
    let samples = try readAll(
      csv(
        text,
        with(LogOptions()) {
          ($0.timeUnit, $0.accelerationUnit) = (.milliseconds, .metersPerSecondSquared)
          ($0.rotationUnit, $0.fieldUnit) = (.degreesPerSecond, .nanotesla)
        }))
    #expect(samples[.gyroscope] == [SensorSample(time: 0.02, channel: .gyroscope, x: .pi)])
    #expect(samples[.accelerometer].map(\.z) == [-1] && samples[.magnetometer].map(\.x) == [0.5])
  }

  @Test("an option specifies the sign, for canonical names too")
  func signOption() throws {
    let described = "time,Acc X (g),Acc Y (g),Acc Z (g)\n0,0,0,-1"
    let canonical = "time,accelerationX,accelerationY,accelerationZ\n0,0,0,1"
    let gravity = with(LogOptions()) { $0.accelerationSign = .gravity }
    let force = with(LogOptions()) { $0.accelerationSign = .specificForce }
    #expect(try readAll(csv(described)).map(\.z) == [1] && readAll(csv(described, gravity)).map(\.z) == [-1])
    #expect(try readAll(csv(canonical)).map(\.z) == [1] && readAll(csv(canonical, force)).map(\.z) == [-1])
    #expect(
      try csv(canonical, force).description.notes
        == ["acceleration: specific force (+1 g up at rest), by --acceleration-sign; sign inverted"])
  }

  @Test("accelerations in m/s² are specific forces, as Core Motion's are in g", arguments: [true, false])
  func metersPerSecondSquared(isByOption: Bool) throws {
    let options = with(LogOptions()) { if isByOption { $0.accelerationUnit = .metersPerSecondSquared } }
    let unit = isByOption ? "" : " (m/s^2)"
    let rate = "gyro x (rad/s),gyro y (rad/s),gyro z (rad/s)"
    func names(_ name: String) -> String { ["x", "y", "z"].map { "\(name)_\($0)\(unit)" }.joined(separator: ",") }
    let text = "time (s),\(names("accelerometer")),\(names("userAccelerometer")),\(rate)\n0,0,0,9.80665,0,0,0,0,0,0\n"
    let reader = try csv(text, options)
    #expect(reader.description.notes.contains { $0.hasPrefix("acceleration: interpreted as specific force") })
    #expect(try readAll(reader)[.accelerometer][0].z == -1)
    guard isByOption else { return }
    let canonical = "time,accelerationX,accelerationY,accelerationZ\n0,0,0,9.80665\n"
    #expect(try readAll(csv(canonical, options))[.accelerometer][0].z == -1)
    #expect(try readAll(csv(canonical.replacing("9.80665", with: "-1")))[.accelerometer][0].z == -1)
  }

  @Test("an axis in brackets is not a unit, and a unit can follow the axis")
  func axesAndUnits() throws {
    let gyroscope = ["z", "x", "y"].map { "Gyroscope (\($0)) [rad/s]" }.joined(separator: ",")
    let text = "time (s),\(gyroscope),mx_gauss,my_gauss,mz_gauss\n0,3,1,2,0.2,0,-0.4\n"
    let samples = try readAll(csv(text))
    #expect(samples[.gyroscope][0].vector == Vector3(1, 2, 3))
    #expect(isNear(samples[.magnetometer][0].vector, Vector3(20, 0, -40), within: 1e-12))
  }

  @Test("rows that end with a semicolon are read, with names by option")
  func terminators() throws {
    let text = "33,Jogging,49105962326000,-0.5,0.25,9.80665;\n33,Jogging,49106062271000,5,10,1;\n"
    let options = with(LogOptions()) {
      ($0.columns, $0.accelerationUnit) = (["-", "-", "timestamp", "ax", "ay", "az"], .metersPerSecondSquared)
      $0.timeUnit = .nanoseconds
    }
    let reader = try csv(text, options)
    #expect(reader.description.notes.contains("rows: each ends with a semicolon"))
    #expect(try readAll(reader).map(\.z) == [-1, -1 / standardGravity])
  }

  @Test("with names by option, lines above the rows may contain names of sensors and numbers")
  func remarks() throws {
    let text = "Sensor type,MEMS accelerometer x-axis\nRange,-8 to 8\n\n0,0,0,1,12\n0.01,0,0,1,12\n"
    let options = with(LogOptions()) { ($0.columns, $0.accelerationUnit) = (["time", "ax", "ay", "az", "-"], .g) }
    #expect(try readAll(csv(text, options)).map(\.time) == [0, 0.01])
  }

  @Test("the unit of a column time is determined by the rate, unless the table is canonical")
  func timeOfOtherTables() throws {
    let names = "ax (g),ay (g),az (g)"
    func times(_ names: String, _ stamps: [String]) throws -> [Double] {
      try readAll(csv("time,\(names)\n" + stamps.map { "\($0),0,0,1\n" }.joined())).map(\.time)
    }
    #expect(try times(names, (0..<9).map { "\(1000 + 10 * $0).5" }).prefix(2).map { $0.rounded() } == [1, 1])
    #expect(try times(names, (0..<9).map { "\(Double($0) / 100)" })[8] == 0.08)
    #expect(try times(names, (0..<9).map { "\(1_700_000_000_000_000_000 + 10_000_000 * $0)" })[8] == 0.08)
    let canonical = "accelerationX,accelerationY,accelerationZ"
    #expect(try times(canonical, (0..<9).map { "\(10 * $0)" })[8] == 80)
  }

  @Test("names can be given for a file without names, or instead of its own")
  func columns() throws {
    let given = with(LogOptions()) { $0.columns = ["time", "-", "accelerationX", "accelerationY", "accelerationZ"] }
    let expected = [SensorSample(time: 0.5, channel: .accelerometer, x: 0, y: 0, z: -1)]
    #expect(try readAll(csv("0.5,walk,0,0,-1", given)) == expected && readAll(csv("0.5 7 0 0 -1", given)) == expected)
    #expect(try readAll(csv("a,b,c,d,e\n0.5,walk,0,0,-1\n", given)) == expected)
    #expect(try readAll(csv("0,5;7;0;0;-1", given)) == expected)
  }

  @Test("rows without a clock get times from the sample rate")
  func sampleRate() throws {
    let text = "accelerationX,accelerationY,accelerationZ\n" + String(repeating: "0,0,-1\n", count: 2000)
    let reader = try csv(text, with(LogOptions()) { $0.sampleRate = 50 })
    #expect(reader.description.declaredRate == 50)
    #expect(reader.description.notes == ["time: row number / 50.0 Hz, by --sample-rate"])
    #expect(try readAll(reader).map(\.time) == (0..<2000).map { Double($0) / 50 })
    let clocked = try csv(
      "time,accelerationX,accelerationY,accelerationZ\n3,0,0,-1", with(LogOptions()) { $0.sampleRate = 50 })
    #expect(clocked.description.notes == ["--sample-rate not used: the log has times in \"time\""])
    #expect(try readAll(clocked).map(\.time) == [3])
  }
}
