import Foundation
import Inertial

// The writers of each format, with the names, units, signs, clocks and digits of its makers.
extension FormatLog {
  static let kinds: [String: Kind] = [
    "broad-hdf5": Kind(rate: 286, tables: [], main: "trial.hdf5"),
    "inertial-hdf5": Kind(rate: 100, tables: [canonical], main: "log.h5"),
    "inertial-npz": Kind(rate: 100, tables: [canonical], main: "log.npz"),
    "parquet": Kind(rate: 100, tables: [canonical], main: "log.parquet"),
    "mcap": Kind(rate: 100, tables: [canonical], main: "log.mcap"),
    "ros-bag": Kind(rate: 100, tables: [], main: "walk.bag"),
    "ros2-db3": Kind(rate: 100, tables: [], main: "walk_0.db3"),
    "ros2-bag": Kind(rate: 100, tables: []),
    "ulog": Kind(rate: 200, tables: [], main: "flight.ulg"),
    "mat": Kind(rate: 286, tables: [], main: "trial.mat"),
    "zip": Kind(rate: 100, tables: sensorLogger, main: "log.zip"),
    "sensor-logger-json": Kind(rate: 100, tables: [sensorLoggerJSON], main: "log.json"),
    "sensor-logger-push": Kind(rate: 100, tables: [sensorLoggerPush], main: "walk.push.jsonl"),
    "sensor-logger-wearable": Kind(rate: 50, tables: wearable, main: "WristMotion.csv"),
    "phyphox-csv": Kind(
      rate: 100,
      tables: [phyphox("Raw Data.csv", "Acceleration", "m/s^2") { $0.force }], main: "Raw Data.csv"),
    "sensorlog": Kind(rate: 100, tables: [sensorLog], main: "log.csv"),
    "sensor-logger": Kind(rate: 100, tables: sensorLogger),
    "iphone-text": Kind(rate: 100, tables: iPhoneText),
    "tyrex": Kind(rate: 100, tables: tyrex),
    "phyphox": Kind(
      rate: 100,
      tables: [
        phyphox("Accelerometer.csv", "Acceleration", "m/s^2") { $0.force },
        phyphox("Gyroscope.csv", "Gyroscope", "rad/s") { $0.rate },
        phyphox("Magnetometer.csv", "Magnetic field", "µT") { $0.field },
      ]),
    "euroc": Kind(rate: 200, tables: euroc),
    "x-imu3": Kind(rate: 400, tables: xIMU3),
    "csv-folder": Kind(rate: 100, tables: csvFolder),
    "indoor-walk": Kind(rate: 50, tables: [indoorWalk], main: "log.txt"),
    "gnss-logger": Kind(rate: 100, tables: [gnssLogger], main: "log.txt"),
    "get-sensor-data": Kind(rate: 100, tables: [getSensorData], main: "log.txt"),
    "ardupilot": Kind(rate: 25, tables: [arduPilot], main: "flight.log"),
    "vectornav": Kind(rate: 40, tables: [vectorNav], main: "walk.txt", needsRate: true),
    "blackbox-csv": Kind(rate: 500, tables: [blackbox], main: "flight.csv"),
    "dji-csv": Kind(rate: 200, tables: [dji], main: "flight.csv"),
    "browser-motion-csv": Kind(rate: 60, tables: [browserTable], main: "events.csv"),
    "browser-motion-json": Kind(rate: 60, tables: [browserEvents], main: "events.json"),
    "px4-csv": Kind(rate: 200, tables: [px4Table], main: "sensor_combined.csv"),
    "channel-clocks": Kind(rate: 148, tables: [channelClocks], main: "emg.csv"),
    "tum": Kind(rate: 100, tables: [trajectory], main: "mocap.tum"),
    "bids-motion": Kind(rate: 200, tables: bids, main: "sub-1_tracksys-imu_motion.tsv"),
    "motion-records-json": Kind(rate: 50, tables: [motionRecords], main: "clip.json"),
    "motionsense": Kind(rate: 50, tables: [motionSense], main: "sub_1.csv", needsRate: true),
    "sensorplay": Kind(rate: 100, tables: [sensorPlay], main: "imu1.csv"),
    "xsens": Kind(rate: 60, tables: [xsens], main: "log.csv"),
    "ros-topic-csv": Kind(rate: 200, tables: [rosTopic], main: "imu.csv"),
    "canonical-csv": Kind(rate: 100, tables: [canonical], main: "log.csv"),
    "device-motion-csv": Kind(rate: 100, tables: [deviceMotion], main: "log.csv"),
    "reference-csv": Kind(rate: 100, tables: [reference], main: "log.csv"),
    "header-csv": Kind(rate: 100, tables: [described], main: "log.csv"),
    "device-motion-rows": Kind(rate: 100, tables: [deviceMotionRows], main: "imu1.csv"),
    "float32-rows": Kind(
      rate: 100, tables: [], main: "log.bin",
      columns: ["acceleration", "rotationRate", "magneticField"].flatMap { name in ["X", "Y", "Z"].map { name + $0 } },
      needsRate: true),
  ]

  // MARK: Numbers

  /// Formats a number with six decimals, so that fields are as long as a logger's.
  private static func text(_ value: Double) -> String { "\((value * 1e6).rounded() / 1e6)" }

  private static func text(_ vector: Vector3, _ separator: String = ",") -> String {
    text(vector.x) + separator + text(vector.y) + separator + text(vector.z)
  }

  private static func axes(_ name: String, _ unit: String = "", _ axes: [String] = ["X", "Y", "Z"]) -> String {
    axes.map { name + $0 + unit }.joined(separator: ",")
  }

  private static func degrees(_ radians: Vector3) -> Vector3 { 180 / .pi * radians }

  /// Returns roll, pitch and yaw, in radians.
  private static func angles(_ moment: Moment) -> Vector3 {
    Vector3(moment.angles.roll, moment.angles.pitch, moment.angles.yaw)
  }

  private static func vector(_ q: Quaternion) -> Vector3 { Vector3(q.x, q.y, q.z) }

  private static let unixStart: Int64 = 1_700_000_000_000_000_000

  // MARK: Apps of iOS

  private static let sensorLoggerMetadata = Table(
    name: "Metadata.csv", head: "version,device name,platform,standardisation\n3,simulated,ios,false\n")

  private static let wearable: [Table] = {
    let names = ["rotationRate", "gravity", "acceleration"].map { axes($0) }.joined(separator: ",")
    return [
      Table(
        name: "WristMotion.csv",
        head: "time,seconds_elapsed,\(names),quaternionW,quaternionX,quaternionY,quaternionZ\n"
      ) { moment in
        let parts = [moment.rate, moment.gravity, moment.userAcceleration].map { text($0) }.joined(separator: ",")
        let q = text(moment.attitude.w) + "," + text(vector(moment.attitude))
        return "\(unixStart + moment.nanoseconds),\(moment.time),\(parts),\(q)\n"
      },
      sensorLoggerMetadata,
    ]
  }()

  private static let sensorLogger: [Table] = {
    let header = "time,seconds_elapsed,z,y,x\n"
    func table(_ name: String, _ vector: @escaping @Sendable (Moment) -> Vector3) -> Table {
      Table(name: name, head: header) { moment in
        let v = vector(moment)
        return "\(unixStart + moment.nanoseconds),\(moment.time),\(text(Vector3(v.z, v.y, v.x)))\n"
      }
    }
    return [
      table("AccelerometerUncalibrated.csv") { $0.acceleration }, table("GyroscopeUncalibrated.csv") { $0.rate },
      table("MagnetometerUncalibrated.csv") { $0.field },
      sensorLoggerMetadata,
    ]
  }()

  private static let sensorLoggerJSON = Table(
    name: "log.json", head: #"[{"sensor":"Metadata","platform":"ios","standardisation":"false"}"#, foot: "]"
  ) { moment in
    let sensors = [
      ("AccelerometerUncalibrated", moment.acceleration), ("GyroscopeUncalibrated", moment.rate),
      ("MagnetometerUncalibrated", moment.field),
    ]
    return sensors.map { name, v in
      ",{\"sensor\":\"\(name)\",\"time\":\"\(unixStart + moment.nanoseconds)\",\"seconds_elapsed\":\"\(moment.time)\","
        + "\"z\":\"\(text(v.z))\",\"y\":\"\(text(v.y))\",\"x\":\"\(text(v.x))\"}"
    }.joined()
  }

  private static let sensorLoggerPush = Table(
    name: "walk.push.jsonl", head: #"{"inertial":"recording","version":1}"# + "\n"
  ) { moment in
    let readings = [("AccelerometerUncalibrated", moment.acceleration), ("Gyroscope", moment.rate)].map { name, v in
      "{\"name\":\"\(name)\",\"time\":\(unixStart + moment.nanoseconds),\"values\":{\"z\":\(text(v.z)),\"y\":\(text(v.y)),"
        + "\"x\":\(text(v.x))},\"accuracy\":3}"
    }
    return "{\"messageId\":\(moment.index),\"sessionId\":\"s\",\"deviceId\":\"d\",\"payload\":["
      + readings.joined(separator: ",") + "]}\n"
  }

  private static func phyphox(
    _ file: String, _ name: String, _ unit: String, _ vector: @escaping @Sendable (Moment) -> Vector3
  ) -> Table {
    let names = ["\"Time (s)\""] + ["x", "y", "z"].map { "\"\(name) \($0) (\(unit))\"" }
    return Table(name: file, head: names.joined(separator: ",") + "\n") { moment in
      let v = vector(moment)
      return [moment.time, v.x, v.y, v.z].map { String(format: "%.9E", $0) }.joined(separator: ",") + "\n"
    }
  }

  private static let sensorLog: Table = {
    let sensors = [
      ("accelerometer", axes("accelerometerAcceleration", "(G)")), ("gyro", axes("gyroRotation", "(rad/s)")),
      ("magnetometer", axes("magnetometer", "(µT)")),
    ]
    let names = sensors.map { "\($0.0)Timestamp_sinceReboot(s)," + $0.1 }
    return Table(name: "log.csv", head: "loggingTime(txt)," + names.joined(separator: ",") + "\n") { moment in
      let stamp = text(100_000 + moment.time)
      let parts = [moment.acceleration, moment.rate, moment.field].map { stamp + "," + text($0) }
      return "2024-08-22T14:12:07.750+02:00," + parts.joined(separator: ",") + "\n"
    }
  }()

  private static let iPhoneText: [Table] = {
    func table(_ name: String, _ vector: @escaping @Sendable (Moment) -> Vector3) -> Table {
      Table(name: name) { "\(1_000_000_000 + $0.nanoseconds) \(text(vector($0), " "))\n" }
    }
    return [
      table("acce.txt") { 9.81 * $0.acceleration }, table("gyro.txt") { $0.rate }, table("magnet.txt") { $0.field },
    ]
  }()

  private static let motionRecords = Table(
    name: "clip.json", head: "{\"motionRecords\":[", foot: "],\"sampleRate\":50}"
  ) { moment in
    func object(_ name: String, _ keys: [String], _ v: Vector3) -> String {
      let members = zip(keys, [v.x, v.y, v.z]).map { "\"\($0)\":\(text($1))" }
      return "\"\(name)\":{" + members.joined(separator: ",") + "}"
    }
    let axes = ["x", "y", "z"]
    let parts = [
      "\"recordTimestamp\":\(1_663_583_411 + moment.time)",
      object("attitude", ["roll", "pitch", "yaw"], angles(moment)), object("rotationRate", axes, moment.rate),
      object("accelerationWithOutGravity", axes, moment.userAcceleration),
    ]
    return (moment.index == 0 ? "" : ",") + "{" + parts.joined(separator: ",") + "}"
  }

  // MARK: Apps of Android

  private static let indoorWalk = Table(name: "log.txt", head: "#\tstartTime:1574240240107\n") { moment in
    let stamp = "\(1_574_240_240_107 + moment.nanoseconds / 1_000_000)\tTYPE_"
    return stamp + "ACCELEROMETER\t" + text(moment.force, "\t") + "\t3\n" + stamp + "GYROSCOPE\t"
      + text(moment.rate, "\t") + "\t3\n" + stamp + "MAGNETIC_FIELD\t" + text(moment.field, "\t") + "\t3\n"
  }

  private static let gnssLogger: Table = {
    let kinds = [("UncalAccel", "Mps2"), ("UncalGyro", "RadPerSec"), ("UncalMag", "MicroT")]
    let head = kinds.map { name, unit in
      "# \(name),utcTimeMillis,elapsedRealtimeNanos," + axes(name, unit) + "\n"
    }
    return Table(name: "log.txt", head: head.joined()) { moment in
      let stamps = "\(1_663_164_669_190 + moment.nanoseconds / 1_000_000),\(65_972_050_000_000 + moment.nanoseconds),"
      return zip(kinds, [moment.force, moment.rate, moment.field])
        .map { "\($0.0),\(stamps)\(text($1))\n" }.joined()
    }
  }()

  private static let getSensorData = Table(name: "log.txt") { moment in
    let stamps = ";\(text(moment.time + 0.005));\(text(17_287.3 + moment.time));"
    return zip(["ACCE", "GYRO", "MAGN"], [moment.force, moment.rate, moment.field])
      .map { "\($0)\(stamps)\(text($1, ";"));3\n" }.joined()
  }

  // MARK: Instruments and data sets

  private static let tyrex: [Table] = {
    func table(_ name: String, _ vector: @escaping @Sendable (Moment) -> Vector3) -> Table {
      Table(name: name) { "\($0.time) \(text(vector($0), " "))\n" }
    }
    return [
      table("accelerometer.txt") { $0.acceleration }, table("gyroscope.txt") { $0.rate },
      table("magnetometer.txt") { $0.field },
    ]
  }()

  private static let euroc: [Table] = [
    Table(
      name: "data.csv",
      head: "#timestamp [ns]," + axes("w_RS_S_", " [rad s^-1]", ["x", "y", "z"]) + ","
        + axes("a_RS_S_", " [m s^-2]", ["x", "y", "z"]) + "\n"
    ) { "\(unixStart + $0.nanoseconds),\(text($0.rate)),\(text($0.force))\n" },
    Table(name: "sensor.yaml", head: "rate_hz: 200\ngyroscope_noise_density: 1.7e-4\n"),
  ]

  private static let csvFolder: [Table] = {
    func table(_ name: String, _ unit: String, _ vector: @escaping @Sendable (Moment) -> Vector3) -> Table {
      Table(name: name, head: "time (s)," + axes("", " (\(unit))", ["x", "y", "z"]) + "\n") {
        "\($0.time),\(text(vector($0)))\n"
      }
    }
    return [
      table("accelerometer.csv", "m/s^2") { $0.force }, table("gyroscope.csv", "rad/s") { $0.rate },
      table("magnetometer.csv", "uT") { $0.field },
    ]
  }()

  private static let xIMU3: [Table] = [
    Table(
      name: "Inertial.csv",
      head: "Timestamp (us)," + axes("Gyroscope ", " (deg/s)") + "," + axes("Accelerometer ", " (g)") + "\n"
    ) { "\($0.nanoseconds / 1000),\(text(degrees($0.rate))),\(text(-1 * $0.acceleration))\n" },
    Table(name: "Quaternion.csv", head: "Timestamp (us),W,X,Y,Z\n") {
      "\($0.nanoseconds / 1000),\(text($0.attitude.w)),\(text(vector($0.attitude)))\n"
    },
  ]

  private static let bids: [Table] = {
    let stem = "sub-1_tracksys-imu"
    let kinds = [("ACCEL", "m/s^2"), ("GYRO", "rad/s"), ("MAGN", "uT")]
    let rows = kinds.flatMap { type, unit in
      ["x", "y", "z"].map { "\(type.lowercased())_\($0)\t\($0)\t\(type)\tfoot\t\(unit)\n" }
    }
    return [
      Table(
        name: stem + "_channels.tsv",
        head: "name\tcomponent\ttype\ttracked_point\tunits\nt\tn/a\tLATENCY\tn/a\ts\n" + rows.joined()),
      Table(name: stem + "_motion.tsv") {
        "\($0.time)\t\(text($0.force, "\t"))\t\(text($0.rate, "\t"))\t\(text($0.field, "\t"))\n"
      },
      Table(name: stem + "_motion.json", head: "{\"SamplingFrequency\": 200}"),
    ]
  }()

  private static let motionSense: Table = {
    let names = ["gravity.", "rotationRate.", "userAcceleration."].map { axes($0, "", ["x", "y", "z"]) }
    return Table(
      name: "sub_1.csv",
      head: ",attitude.roll,attitude.pitch,attitude.yaw," + names.joined(separator: ",") + "\n"
    ) { moment in
      let parts = [angles(moment), moment.gravity, moment.rate, moment.userAcceleration].map { text($0) }
      return "\(moment.index)," + parts.joined(separator: ",") + "\n"
    }
  }()

  private static let sensorPlay: Table = {
    let axesOf = { (name: String, unit: String) in axes(name, unit, ["x", "y", "z"]) }
    let names = [
      "timestamp(unix)", "attitude_roll(radians)", "attitude_pitch(radians)", "attitude_yaw(radians)",
      axesOf("rotation_rate_", "(radians/s)"), axesOf("gravity_", "(G)"), axesOf("user_acc_", "(G)"),
      axesOf("magnetic_field_", "(microteslas)"),
    ]
    return Table(name: "imu1.csv", head: names.joined(separator: ",") + "\n") { moment in
      "\(1_500_000_000 + moment.time)," + deviceMotionFields(moment) + "\n"
    }
  }()

  /// Returns angles, rate, gravity, user acceleration and field, in the order of OxIOD.
  private static func deviceMotionFields(_ moment: Moment) -> String {
    [angles(moment), moment.rate, moment.gravity, moment.userAcceleration, moment.field].map { text($0) }
      .joined(separator: ",")
  }

  private static let deviceMotionRows = Table(name: "imu1.csv") { "\($0.time)," + deviceMotionFields($0) + "\n" }

  private static let xsens: Table = {
    let names = ["Acc_", "Gyr_", "Mag_"].map { axes($0) }.joined(separator: ",")
    return Table(
      name: "log.csv",
      head: "sep=,\nDeviceTag:,1,,,\nOutputRate:,60Hz\n\nPacketCounter,SampleTimeFine,Quat_W,Quat_X,Quat_Y,Quat_Z,"
        + names + "\n"
    ) { moment in
      let (w, xyz) = (text(moment.attitude.w), text(vector(moment.attitude)))
      let parts = [text(moment.force), text(degrees(moment.rate)), text(0.02 * moment.field)]
      return "\(moment.index),\(moment.nanoseconds / 1000),\(w),\(xyz)," + parts.joined(separator: ",") + "\n"
    }
  }()

  private static let rosTopic: Table = {
    let axesOf = { (name: String) in axes("field." + name + ".", "", ["x", "y", "z"]) }
    let head =
      "%time,field.header.seq,field.header.stamp," + axesOf("orientation") + ",field.orientation.w,"
      + axesOf("angular_velocity") + "," + axesOf("linear_acceleration") + "\n"
    return Table(name: "imu.csv", head: head) { moment in
      let stamp = unixStart + moment.nanoseconds
      return "\(stamp + 1000),\(moment.index),\(stamp),\(text(vector(moment.attitude))),\(text(moment.attitude.w)),"
        + "\(text(moment.rate)),\(text(moment.force))\n"
    }
  }()

  private static let px4Table = Table(
    name: "sensor_combined.csv",
    head:
      "timestamp,gyro_rad[0],gyro_rad[1],gyro_rad[2],accelerometer_m_s2[0],accelerometer_m_s2[1],accelerometer_m_s2[2]\n"
  ) { "\($0.nanoseconds / 1000),\(text($0.rate)),\(text($0.force))\n" }

  private static let channelClocks = Table(
    name: "emg.csv",
    head: (["ACC", "GYRO"].flatMap { sensor in
      ["X", "Y", "Z"].map { "X[s],Unit 1: \(sensor).\($0) [\(sensor == "ACC" ? "m/s^2" : "rad/s")]" }
    }).joined(separator: ",") + "\n"
  ) { moment in
    func channels(_ vector: Vector3, _ delay: Double) -> String {
      let time = text(Double(moment.nanoseconds) / 1e9 + delay)
      return [vector.x, vector.y, vector.z].map { "\(time),\(text($0))" }.joined(separator: ",")
    }
    return channels(moment.force, 0) + "," + channels(moment.rate, 1e-4) + "\n"
  }

  private static let blackbox = Table(
    name: "flight.csv",
    head: "\"Product\",\"Blackbox flight data recorder by Nicholas Sherlock\"\n\"acc_1G\",\"2048\"\nloopIteration,time,"
      + axes("gyroADC", "", ["[0]", "[1]", "[2]"]) + "," + axes("accSmooth", "", ["[0]", "[1]", "[2]"]) + "\n"
  ) { moment in
    let counts = -2048 * moment.acceleration
    return "\(moment.index),\(moment.nanoseconds / 1000),\(text(180 / .pi * moment.rate)),\(text(counts))\n"
  }

  private static let dji = Table(
    name: "flight.csv",
    head: "Clock:Tick#,Clock:offsetTime," + axes("IMU_ATTI(0):accel", "", ["X", "Y", "Z"]) + ","
      + axes("IMU_ATTI(0):gyro", "", ["X", "Y", "Z"]) + "\n"
  ) { moment in
    "\(moment.nanoseconds / 222),\(moment.time),\(text(-1 * moment.acceleration)),\(text(180 / .pi * moment.rate))\n"
  }

  private static let browserTable = Table(
    name: "events.csv",
    head: "timeStamp," + axes("accelerationIncludingGravity", "", [".x", ".y", ".z"]) + ","
      + axes("rotationRate", "", [".alpha", ".beta", ".gamma"]) + "\n"
  ) { "\($0.nanoseconds / 1_000_000),\(text($0.force)),\(text(180 / .pi * $0.rate))\n" }

  private static let browserEvents = Table(name: "events.json", head: "[", foot: "]") { moment in
    let (a, w) = (moment.force, 180 / .pi * moment.rate)
    return (moment.index == 0 ? "" : ",\n")
      + "{\"accelerationIncludingGravity\":{\"x\":\(text(a.x)),\"y\":\(text(a.y)),\"z\":\(text(a.z))},\"rotationRate\":{"
      + "\"alpha\":\(text(w.x)),\"beta\":\(text(w.y)),\"gamma\":\(text(w.z))},\"timeStamp\":\(moment.nanoseconds / 1_000_000)}"
  }

  private static let arduPilot = Table(
    name: "flight.log",
    head: "FMT, 128, 89, FMT, BBnNZ, Type,Length,Name,Format,Columns\n"
      + "FMT, 172, 40, IMU, QBffffff, TimeUS,I,GyrX,GyrY,GyrZ,AccX,AccY,AccZ\n"
      + "FMT, 173, 40, MAG, QBhhh, TimeUS,I,MagX,MagY,MagZ\n"
  ) { moment in
    let stamp = ", \(moment.nanoseconds / 1000), 0, "
    return
      "IMU\(stamp)\(text(moment.rate, ", ")), \(text(moment.force, ", "))\nMAG\(stamp)\(text(10 * moment.field, ", "))\n"
  }

  private static let vectorNav = Table(name: "walk.txt") { moment in
    let body =
      "VNIMU," + [0.01 * moment.field, moment.force, moment.rate].map { text($0) }.joined(separator: ",")
      + ",24.6,101.3"
    return "$" + body + String(format: "*%02X\r\n", body.utf8.reduce(0, ^))
  }

  private static let trajectory = Table(name: "mocap.tum") { moment in
    let q = [moment.attitude.x, moment.attitude.y, moment.attitude.z, moment.attitude.w].map { text($0) }
    return "\(moment.time) 0 0 0 " + q.joined(separator: " ") + "\n"
  }

  // MARK: Inertial's formats

  private static let canonical = Table(
    name: "log.csv",
    head: "time," + [axes("acceleration"), axes("rotationRate"), axes("magneticField")].joined(separator: ",") + "\n"
  ) { "\($0.time),\(text($0.acceleration)),\(text($0.rate)),\(text($0.field))\n" }

  private static let deviceMotion = Table(
    name: "log.csv",
    head: "time,quaternionX,quaternionY,quaternionZ,quaternionW,"
      + [axes("gravity"), axes("userAcceleration"), axes("rotationRate")].joined(separator: ",") + "\n"
  ) { moment in
    let q = text(vector(moment.attitude)) + "," + text(moment.attitude.w)
    return "\(moment.time),\(q),\(text(moment.gravity)),\(text(moment.userAcceleration)),\(text(moment.rate))\n"
  }

  private static let reference = Table(
    name: "log.csv", head: "time,quaternionX,quaternionY,quaternionZ,quaternionW\n"
  ) { "\($0.time),\(text(vector($0.attitude))),\(text($0.attitude.w))\n" }

  private static let described = Table(
    name: "log.csv",
    head: "Time (s)," + axes("Accelerometer ", " (m/s^2)") + "," + axes("Gyroscope ", " (deg/s)") + ","
      + axes("Magnetometer ", " (uT)") + "\n"
  ) { "\($0.time),\(text($0.force)),\(text(degrees($0.rate))),\(text($0.field))\n" }
}
