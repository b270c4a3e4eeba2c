import Foundation
import InertialSensors
import TestSupport

@testable import InertialLogs

// Seeds of the formats that have their own files; recognition reaches all of their readers.
extension FuzzTests.Subject {
  static var dialects: [Self] {
    [xsens, xsensPackets, rosTopic, wearable, xIMU3, browserMotion, channelClocks, floatRows] + tables + namedTables
  }

  private static var tables: [Self] {
    func rows(_ row: (Int) -> String) -> String { (0..<5).map(row).joined() }
    let sensor = rows { "\($0),0.1,-1e-3,-1\n" }
    let record = MotionRecordsTests.record("1663583411.5")
    return [
      text(
        "MotionSense", ["sub_1.csv": MotionSenseTests.header + rows { "\($0),0,0,0.5,0,0,-1,0.1,0.2,0.3,0,0,0.5\n" }],
        format: "motionsense", options: with(LogOptions()) { $0.sampleRate = 50 }, open: LogFormat.motionSense.open),
      text(
        "SensorPlay",
        [
          "raw.csv": SensorPlayTests.header + rows { "150000000\($0).5,0,0,0.5,0.1,0.2,0.3,0,0,-1,0,0,0.5,20,-5,-40\n" }
        ],
        format: "sensorplay", open: LogFormat.sensorPlay.open),
      text(
        "device motion without a header",
        ["imu1.csv": rows { "\($0).5,0,0,0.5,0.1,0.2,0.3,0,0,-1,0,0,0.5,20,-5,-40\n" }], format: "device-motion-rows",
        open: LogFormat.headerlessMotion.open),
      text(
        "EuRoC",
        [
          "data.csv": EuRoCReaderTests.header + rows { "140363657\($0)758555392,1,2,3,9.8,0,0\n" },
          "sensor.yaml": "rate_hz: 200\ngyroscope_noise_density: 1e-4\n",
        ], format: "euroc", open: LogFormat.euroc.open),
      text(
        "folder of CSV files",
        [
          "accelerometer.csv": "time (s),x (g),y (g),z (g)\n" + sensor,
          "gyroscope.csv": "time (s),x (deg/s),y (deg/s),z (deg/s)\n" + sensor,
        ], format: "csv-folder", open: LogFormat.csvFolder.open),
      text(
        "motion records", ["clip.json": MotionRecordsTests.clip([record, record])], format: "motion-records-json",
        open: MotionRecordsReader.init(path:options:)),
      text(
        "TUM", ["mocap.tum": "# timestamp tx ty tz\n" + rows { "170000000\($0).5 0 0 0.5 0.6 0 0 0.8\n" }],
        format: "tum", open: LogFormat.tum.open),
    ]
  }

  private static func text(
    _ name: String, _ files: [String: String], format: String, mutationCount: Int = 10_000,
    options: LogOptions = LogOptions(), open: @escaping @Sendable (String, LogOptions) throws(LogError) -> any LogReader
  ) -> Self {
    Self(testDescription: name, files: files.mapValues { Array($0.utf8) }, format: format, mutationCount: mutationCount)
    { (path, name) throws(LogError) in
      // A folder's reader finds its files itself.
      try readAll(open(files.count == 1 ? path + "/" + name : path, options)).count
    }
  }

  private static var xsens: Self {
    let rows = (0..<4).map { "\($0),\(4_294_950_000 + $0 * 10_000),1,0,0,0,0,0,9.8,90,0,0,0.5,0,-0.8,0,\n" }.joined()
    let head = "sep=,\nDeviceTag:,1,,,\nOutputRate:,100Hz\n\nPacketCounter,SampleTimeFine,Quat_W,Quat_X,Quat_Y,Quat_Z,"
    return text(
      "Xsens DOT", ["a.csv": head + "Acc_X,Acc_Y,Acc_Z,Gyr_X,Gyr_Y,Gyr_Z,Mag_X,Mag_Y,Mag_Z,Status,\n" + rows],
      format: "xsens", open: LogFormat.xsens.open)
  }

  private static var xsensPackets: Self {
    let rows = (0..<4).map { "\(65_534 + $0)\t\t0\t0\t9.8\t1\t0\t0\t0\t0\t90\n" }.joined()
    let head = "// Update Rate: 100.0Hz\nPacketCounter\tSampleTimeFine\tAcc_X\tAcc_Y\tAcc_Z\tGyr_X\tGyr_Y\tGyr_Z\t"
    return text(
      "Xsens MT", ["a.txt": head + "Roll\tPitch\tYaw\n" + rows], format: "xsens", mutationCount: 3_000,
      open: LogFormat.xsens.open)
  }

  private static var rosTopic: Self {
    let names = ["orientation.x", "orientation.y", "orientation.z", "orientation.w", "orientation_covariance0"]
    let more = ["angular_velocity", "linear_acceleration"].flatMap { name in ["x", "y", "z"].map { "\(name).\($0)" } }
    let header = "%time,field.header.stamp," + (names + more).map { "field." + $0 }.joined(separator: ",") + "\n"
    let rows = (0..<4).map { "150000000\($0)000000000,150000000\($0)000000000,0,0,0,1,0,1,2,3,0,0,9.8\n" }.joined()
    return text("ROS topic", ["imu.csv": header + rows], format: "ros-topic-csv", open: LogFormat.rosTopic.open)
  }

  /// The declared tables: a time, three rates and three accelerations, with the leading columns of some tables.
  private static var namedTables: [Self] {
    func axes(_ name: String, _ axes: [String] = ["[0]", "[1]", "[2]"]) -> String {
      axes.map { name + $0 }.joined(separator: ",")
    }
    let heads = [
      "px4-csv": "timestamp," + axes("gyro_rad") + "," + axes("accelerometer_m_s2"),
      "blackbox-csv": "\"acc_1G\",\"2048\"\nloopIteration,time," + axes("gyroADC") + "," + axes("accSmooth"),
      "dji-csv": "Clock:offsetTime," + axes("IMU_ATTI(0):gyro", ["X", "Y", "Z"]) + ","
        + axes("IMU_ATTI(0):accel", ["X", "Y", "Z"]),
      "browser-motion-csv": "timeStamp," + axes("rotationRate", [".alpha", ".beta", ".gamma"]) + ","
        + axes("accelerationIncludingGravity", [".x", ".y", ".z"]),
    ]
    return NamedTable.all.map { table in
      let rows = (0..<4).map { (table.id == "blackbox-csv" ? "\($0)," : "") + "10\($0)0000,0.1,0.2,0.3,0,0,-9.8\n" }
      return text("table of \(table.id)", ["log.csv": heads[table.id]! + "\n" + rows.joined()], format: table.id) {
        (path, options) throws(LogError) in try table.format.reader(of: path, options: options)
      }
    }
  }

  private static var browserMotion: Self {
    let events = (0..<4).map {
      "{\"accelerationIncludingGravity\":{\"x\":0,\"y\":0.5,\"z\":9.8},\"rotationRate\":{\"alpha\":1,\"beta\":2,\"gamma\":3},"
        + "\"acceleration\":null,\"timeStamp\":\($0)0}"
    }
    return text(
      "browser's events", ["log.json": "[" + events.joined(separator: ",") + "]"], format: "browser-motion-json",
      open: BrowserMotionReader.init(path:options:))
  }

  private static var channelClocks: Self {
    let names = ["ACC", "GYRO"].flatMap { sensor in
      ["X", "Y", "Z"].map { "X[s],\(sensor).\($0) [\(sensor == "ACC" ? "g" : "deg/s")]" }
    }
    let rows = (0..<6).map { row in
      (0..<6).map { "0.\(row * ($0 < 3 ? 1 : 2)),\($0 == 2 ? 1 : 0)" }.joined(separator: ",") + "\n"
    }
    return text(
      "clocks of channels", ["emg.csv": names.joined(separator: ",") + "\n" + rows.joined()], format: "channel-clocks",
      open: LogFormat.channelClocks.open)
  }

  private static var wearable: Self {
    let header =
      "time,seconds_elapsed,rotationRateX,rotationRateY,rotationRateZ,gravityX,gravityY,gravityZ,accelerationX,"
      + "accelerationY,accelerationZ,quaternionW,quaternionX,quaternionY,quaternionZ\n"
    let rows = (0..<4).map { "17000000000\($0)0000000,0.0\($0),0.1,0.2,0.3,0,0,-1,0,0,0.5,1,0,0,0\n" }.joined()
    return text(
      "Sensor Logger, a watch",
      ["WristMotion.csv": header + rows, "Metadata.csv": "platform,standardisation\nios,false\n"],
      format: "sensor-logger-wearable"
    ) { (path, options) throws(LogError) in
      try LogFormat.sensorLoggerWearable.reader(of: path + "/WristMotion.csv", options: options)
    }
  }

  private static var xIMU3: Self {
    let header = "Timestamp (us),Gyroscope X (deg/s),Gyroscope Y (deg/s),Gyroscope Z (deg/s),Accelerometer X (g),"
    func rows(_ values: String) -> String { (0..<4).map { "1981055\($0),\(values)\n" }.joined() }
    return text(
      "x-IMU3",
      [
        "Inertial.csv": header + "Accelerometer Y (g),Accelerometer Z (g)\n" + rows("1.5,0,0,0,0,1"),
        "Quaternion.csv": "Timestamp (us),W,X,Y,Z\n" + rows("1,0,0,0"),
        "Magnetometer.csv": "Timestamp (us),X (a.u.),Y (a.u.),Z (a.u.)\n" + rows("0.5,0,-0.8"),
      ], format: "x-imu3", open: LogFormat.xIMU3.open)
  }

  private static var floatRows: Self {
    let bytes = (0..<100).flatMap { index in
      (0..<4).map { UInt8(truncatingIfNeeded: (Float(index) / 16).bitPattern >> (8 * UInt32($0))) }
    }
    return Self(testDescription: "rows of floats", files: ["static.bin": bytes], isText: false, format: "float32-rows")
    { (path, name) throws(LogError) in
      let options = with(LogOptions()) {
        ($0.sampleRate, $0.columns) = (100, ["gyroX (deg/s)", "gyroY (deg/s)", "gyroZ (deg/s)"])
      }
      // The reader depends on the file's size, not on its content, so the damage must be handled by recognition.
      let candidate = try LogCandidate(path: path + "/" + name)
      guard FloatRowsReader.recognizes(candidate) else { return 0 }
      return try readAll(FloatRowsReader(path: path + "/" + name, options: options)).count
    }
  }
}
