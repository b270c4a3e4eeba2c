import InertialSensors
import TestSupport

@testable import InertialLogs

/// Logs with several kinds of lines.
extension FuzzTests.Subject {
  /// MAT files, uncompressed and compressed.
  static var matFiles: [Self] {
    [false, true].map { isCompressed in
      var file = MATTestFile(isCompressed: isCompressed)
      file.add("imu_acc", rows: 20, columns: 3) { row, column in Double(row) * 0.1 + Double(column) }
      file.add("imu_gyr", rows: 20, columns: 3) { row, column in Double(row * column) }
      file.add("sampling_rate", rows: 1, columns: 1) { _, _ in 50 }
      return Self(
        testDescription: isCompressed ? "MAT, compressed" : "MAT", files: ["a.mat": file.bytes], isText: false,
        format: isCompressed ? nil : "mat", minimumFraction: isCompressed ? 0.02 : 0.05,
        read: { (path, name) throws(LogError) in try readAll(MatrixLogReader(mat: path + "/" + name)).count })
    }
  }

  /// Tables and matrices that require content analysis or options: a MATLAB structure, a camera's columns, a long form
  /// and dates.
  static var furtherLayouts: [Self] {
    let given = with(LogOptions()) {
      ($0.accelerationUnit, $0.rotationUnit, $0.fieldUnit) = (.metersPerSecondSquared, .named("131/dps"), .microtesla)
    }
    var file = MATTestFile()
    let column = (0..<12).map(Double.init)
    file.add(
      structure: "IMU", [("Acc", [column, column, column]), ("Gyr", [column, column, column]), ("fs", [[20]])])
    func rows(_ row: (Int) -> String) -> String { (0..<4).map(row).joined() }
    let texts = [
      "camera": "\"cts\",\"date\",\"Accelerometer [m/s2]\",\"1\",\"2\"\n" + rows { "\(50 * $0),x,9.8,0.5,\($0)\n" },
      "long form": "time (s),sensor,x,y,z\n" + rows { "0.\($0),acc,0,1,9.8\n0.\($0)5,gyro,1,\($0),3\n" },
      "dates": "date,time,acc_x (g),acc_y (g),acc_z (g)\n" + rows { "2024-03-05,23:59:5\($0 + 6).25,0,0,1\n" },
    ]
    return [
      Self(
        testDescription: "MAT, structure", files: ["a.mat": file.bytes], isText: false, mutationCount: 4_000,
        read: { (path, name) throws(LogError) in
          try readAll(MatrixLogReader(mat: path + "/" + name, options: given)).count
        })
    ]
      + texts.sorted { $0.key < $1.key }.map { name, text in
        Self(
          testDescription: "CSV, \(name)", files: ["log.csv": Array(text.utf8)], mutationCount: 4_000,
          read: { (path, name) throws(LogError) in try readAll(openLog(path: path + "/" + name, options: given)).count }
        )
      }
  }

  static var mixedLines: [Self] {
    func rows(_ row: (Int) -> String) -> String { (0..<4).map(row).joined() }
    let indoor =
      "#\tstartTime:1574240240107\n"
      + rows { index in
        let stamp = "15742402402\(index)6\tTYPE_"
        return stamp + "ACCELEROMETER\t-2.34\t-0.13\t16.24\t2\n"
          + stamp + "GYROSCOPE_UNCALIBRATED\t0.98\t0.09\t0.13\t-2e-3\t0\t7E-4\t3\n"
          + stamp + "MAGNETIC_FIELD\t6.4\t32.3\t-28.2\t3\n" + stamp + "ROTATION_VECTOR\t0.01\t0.08\t0.02\t3\n"
          + stamp + "WIFI\tnet\t0e:74\t-43\t5805\t1574240240000\n"
      }
    let gnss =
      "# UncalAccel,utcTimeMillis,elapsedRealtimeNanos,UncalAccelXMps2,UncalAccelYMps2,UncalAccelZMps2,BiasXMps2\n"
      + "# UncalGyro,utcTimeMillis,elapsedRealtimeNanos,UncalGyroXRadPerSec,UncalGyroYRadPerSec,UncalGyroZRadPerSec\n"
      + "# Fix,Provider,LatitudeDegrees,LongitudeDegrees,UnixTimeMillis,elapsedRealtimeNanos\n"
      + rows { index in
        "UncalAccel,166316466919\(index),6597205\(index)000000,0.46,7.77,5.87,0.0\n"
          + "UncalGyro,166316466919\(index),6597205\(index)000000,0.5,-0.02,0.02\nRaw,1,2,3\n"
          + "Fix,GPS,28.1,-82.3,166316466919\(index),\n"
      }
    let lopsi =
      "% 'GYRO;AppTimestamp(s);SensorTimestamp(s);Gyr_X(rad/s);Gyr_Y(rad/s);Gyr_Z(rad/s);Accuracy(integer)'\n"
      + rows { index in
        "ACCE;0.0\(index)5;17287.3\(index)1;-2.6;8.7;2.8;3\nGYRO;0.0\(index)6;17287.3\(index)2;0.3;-1.1;-0.2;3\n"
          + "AHRS;0.0\(index)6;17287.3\(index)2;51;31;-54;0.48;0.03;-0.29;3\nPRES;0.0\(index)7;1;1013;3\n"
      }
    let stem = "sub-1_tracksys-imu"
    let axes = ["x", "y", "z"]
    let channels =
      "name\tcomponent\ttype\ttracked_point\tunits\nt\tn/a\tLATENCY\tn/a\ts\n"
      + axes.map { "a\t\($0)\tACCEL\tfoot\tm/s^2\n" }.joined() + axes.map { "g\t\($0)\tGYRO\tfoot\trad/s\n" }.joined()
    let motion = rows { "0.\($0)\t0\t0\t9.8\t1\t2\tn/a\n" }
    return [
      Self(
        testDescription: "BIDS-Motion",
        files: [
          stem + "_channels.tsv": Array(channels.utf8), stem + "_motion.tsv": Array(motion.utf8),
          stem + "_motion.json": Array("{\"SamplingFrequency\": 50}".utf8),
        ], format: "bids-motion",
        read: { (path, _) throws(LogError) in
          try readAll(BIDSMotionReader(path: path + "/" + stem + "_motion.tsv")).count
        }),
      subject("Indoor walk", indoor, format: "indoor-walk") { (path) throws(LogError) in
        try readWithAuxiliary(LogFormat.indoorWalk.reader(of: path, options: everything))
      },
      subject("GnssLogger", gnss, format: "gnss-logger") { (path) throws(LogError) in
        try readWithAuxiliary(LogFormat.gnssLogger.reader(of: path, options: everything))
      },
      subject("GetSensorData", lopsi, format: "get-sensor-data") { (path) throws(LogError) in
        try readWithAuxiliary(LogFormat.getSensorData.reader(of: path, options: everything))
      },
      subject("ArduPilot", FlightTextTests.arduPilot, format: "ardupilot") { (path) throws(LogError) in
        try readAll(LogFormat.arduPilot.reader(of: path, options: LogOptions())).count
      },
      subject(
        "VectorNav", String(repeating: FlightTextTests.sentence("VNYMR,1,2,3,\(FlightTextTests.values)"), count: 4),
        format: "vectornav"
      ) { (path) throws(LogError) in
        let options = with(LogOptions()) { $0.sampleRate = 40 }
        return try readAll(LogFormat.vectorNav.reader(of: path, options: options)).count
      },
      // Regardless of the damage to the beginning, a reader is found or an error is thrown.
      subject("Lines, recognized", indoor, mutationCount: 2_000) { (path) throws(LogError) in
        try readAll(openLog(path: path)).count
      },
    ]
  }

  private static func subject(
    _ name: String, _ text: String, format: String? = nil, mutationCount: Int = 10_000,
    read: @escaping @Sendable (_ path: String) throws(LogError) -> Int
  ) -> Self {
    Self(
      testDescription: name, files: ["log.txt": Array(text.utf8)], format: format, mutationCount: mutationCount,
      read: { (path, name) throws(LogError) in try read(path + "/" + name) })
  }
}
