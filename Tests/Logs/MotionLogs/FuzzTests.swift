import Foundation
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

/// Damaged logs: for any damage, a reader returns samples or throws one `LogError`, and ends.
///
/// A crash or an endless loop fails the run. All seeds are fixed.
@Suite struct FuzzTests {
  /// A log of one file or a small folder, and its reader.
  struct Subject: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// The files by name; a single-file log has one.
    var files: [String: [UInt8]]
    var isText = true
    /// The recognized format, or `nil` for further layouts of a format, and for inputs that are not motion logs.
    var format: String?
    /// The number of mutations: ten thousand per reader, fewer for further layouts of the same reader.
    var mutationCount = 10_000
    /// The minimum fraction of the mutations that are read, and of those that are refused.
    var minimumFraction = 0.05
    var read: @Sendable (_ path: String, _ name: String) throws(LogError) -> Int

    var names: [String] { files.keys.sorted() }

    /// The number of mutations per run: a tenth unless the long tests are enabled.
    var runCount: Int { TestData.isLong ? mutationCount : mutationCount / 10 }

    /// Returns the number of samples of the log with one file replaced, or 0 for a `LogError`.
    func outcome(with bytes: [UInt8], as name: String, in folder: TemporaryFolder) -> Int {
      folder.write(bytes, to: name)
      do throws(LogError) {
        let count = try read(folder.path, name)
        // A sample has at least a digit and a delimiter; HDF5 may expand within the limits that its reader checks.
        let size = files.reduce(bytes.count) { $0 + ($1.key == name ? 0 : $1.value.count) }
        #expect(count <= (isText ? size : 100 * size))
        return count
      } catch {
        #expect(!error.problem.isEmpty && !error.remedy.isEmpty)
        #expect(!(error.problem + error.remedy).contains { $0.isNewline }, "not one line: \(error)")
        return 0
      }
    }
  }

  @Test("thousands of mutations of each log are read or refused", arguments: Subject.all)
  func mutations(subject: Subject) {
    let folder = TemporaryFolder()
    for (name, bytes) in subject.files { folder.write(bytes, to: name) }
    var mutator = LogMutator(seed: 20_260_101)
    var readCount = 0
    let count = subject.runCount
    for (index, name) in subject.names.enumerated() {
      let fraction = count * (index + 1) / subject.names.count - count * index / subject.names.count
      for _ in 0..<fraction {
        let bytes = mutator.mutate(subject.files[name]!, isText: subject.isText)
        if subject.outcome(with: bytes, as: name, in: folder) > 0 { readCount += 1 }
      }
      folder.write(subject.files[name]!, to: name)
    }
    // Both outcomes must occur, or the mutations test nothing.
    let minimum = Int(subject.minimumFraction * Double(count))
    #expect((minimum..<count - minimum).contains(readCount), "\(readCount) of \(count) were read")
  }

  @Test("every format has a recognized log with ten thousand mutations in the long tests")
  func everyFormat() throws {
    var counts: [String: Int] = [:]
    for subject in Subject.all {
      guard let format = subject.format else { continue }
      counts[format, default: 0] += subject.mutationCount
      let folder = TemporaryFolder()
      for (name, bytes) in subject.files { folder.write(bytes, to: name) }
      let isFolder = try #require(LogFormat(id: format)).isFolder
      // Of a file and its companion files, exactly one is the log.
      let recognised = try (isFolder ? [""] : subject.names).map { name in
        let candidate = try LogCandidate(path: folder.path + (isFolder ? "" : "/" + name))
        return LogFormat.all.first { $0.recognizes(candidate) }?.id
      }
      #expect(recognised.contains(format), "\(subject) is taken for \(recognised)")
    }
    // Without the trait, HDF5 files are refused by their first bytes and not read further.
    #if HDF5
      var unread: Set<String> = []
    #else
      var unread: Set = ["broad-hdf5", "inertial-hdf5"]
    #endif
    if !SQLiteDatabase.isAvailable { unread.formUnion(["ros2-db3", "ros2-bag"]) }
    for format in LogFormat.all where !unread.contains(format.id) {
      #expect(counts[format.id] ?? 0 >= 10_000, "\(format.id)")
    }
  }

  @Test("a log cut at any byte of any of its files is read or refused", arguments: Subject.all)
  func truncations(subject: Subject) {
    let folder = TemporaryFolder()
    for (name, bytes) in subject.files { folder.write(bytes, to: name) }
    for name in subject.names {
      let bytes = subject.files[name]!
      let whole = subject.outcome(with: bytes, as: name, in: folder)
      #expect(whole > 0)
      // Text logs have a few hundred bytes; for HDF5 files every seventh length is tested, for speed.
      for length in stride(from: 0, to: bytes.count, by: subject.isText ? 1 : 7) {
        #expect(subject.outcome(with: Array(bytes.prefix(length)), as: name, in: folder) <= whole)
      }
      folder.write(bytes, to: name)
    }
  }
}

extension FuzzTests.Subject {
  static var all: [Self] {
    var subjects =
      csv + sensorLoggers + [
        csvAuxiliary, sensorLoggerAuxiliary, iPhoneText, iPhoneTextEarly, tyrex, phyphox, phyphoxFile, sensorLog,
        sensorLoggerJSON, sensorLoggerPush, zip, npz, npzSamples, parquet,
        container("bag of ROS 1", "walk.bag", ROSBagBytes.plain(messages: 6), format: "ros-bag"),
        container("ULog", "flight.ulg", ULogBytes.plain(rows: 12), format: "ulog"),
      ] + mcap + dialects
    subjects += mixedLines + beside + matFiles + furtherLayouts + databases
    #if HDF5
      subjects += [
        hdf5("HDF5, contiguous", .contiguous, isLatestFormat: false),
        hdf5("HDF5, chunked and compressed", .chunkedDeflate, isLatestFormat: false),
        hdf5("HDF5, newer format", .chunkedDeflate, isLatestFormat: true), hdf5Dataset,
      ]
    #endif
    return subjects
  }

  private init(
    _ name: String, _ files: [String: String], format: String? = nil, mutationCount: Int = 10_000,
    read: @escaping @Sendable (_ path: String, _ name: String) throws(LogError) -> Int = {
      (path, name) throws(LogError) in try readAll(openLog(path: path + "/" + name)).count
    }
  ) {
    self.init(
      testDescription: name, files: files.mapValues { Array($0.utf8) }, format: format, mutationCount: mutationCount,
      read: read)
  }

  /// The kinds of CSV that are recognized by their header: canonical, device motion, and others with units.
  private static var csv: [Self] {
    func rows(_ values: String) -> String { (0..<5).map { "\(10 + $0).\($0)5,\(values)\n" }.joined() }
    let axes = ["X", "Y", "Z"]
    func names(_ name: String, _ unit: String = "") -> String { axes.map { name + $0 + unit }.joined(separator: ",") }
    let canonical =
      "time," + [names("acceleration"), names("rotationRate"), names("magneticField")].joined(separator: ",")
    let motion =
      "time,quaternionX,quaternionY,quaternionZ,quaternionW,"
      + [names("gravity"), names("userAcceleration"), names("rotationRate")].joined(separator: ",")
    let described = "Time (s)," + names("Gyroscope ", " (deg/s)") + "," + names("Accelerometer ", " (g)")
    let logs: [(String, String?, String)] = [
      ("CSV, canonical", "canonical-csv", canonical + "\n" + rows("0,0.1,-1,0.25,-1e-3,0,,,")),
      ("CSV, device motion", "device-motion-csv", motion + "\n" + rows("0,0,0,1,0,0,-1,0.1,0,0,1,2,3")),
      ("CSV, described", "header-csv", "\u{FEFF}" + described + "\r\n" + rows("1,2,3,0,0,1")),
      (
        "CSV, reference", "reference-csv",
        "time,quaternionX,quaternionY,quaternionZ,quaternionW,movement\n" + rows("0.5,0.5,-0.5,0.5,1")
      ),
      (
        "CSV, decimal commas", nil,
        "Time (s);Gyroscope X (deg/s);Gyroscope Y (deg/s);Gyroscope Z (deg/s);\"Accelerometer X (g)\";"
          + "Accelerometer Y (g);Accelerometer Z (g)\r\n0,01;1,5;2;3;0;null;1\r\n0,02;1,5;2;-3e1;nan;0;1\r\n"
          + "1700000000000000000;;;;\"1\";\"0\";\"1\""
      ),
      (
        "CSV, angles", nil,
        "time,roll,pitch,yaw," + names("userAcceleration") + "," + names("magneticField")
          + ",magneticFieldAccuracy,heading\n0,0,0.1,0.2,0,0,0,,,,-1,-1\n0.01,0,0.1,0.2,0,0,0,1,2,3,2,359.5\n"
      ),
    ]
    let read = logs.map { name, format, text in
      Self(name, ["log.csv": text], format: format, mutationCount: format == nil ? 3_000 : 10_000) {
        (path, name) throws(LogError) in
        try readAll(CSVLogReader(path: path + "/" + name)).count
      }
    }
    return read + [Self("CSV, recognized", ["log.csv": logs[0].2], mutationCount: 1_000)]
  }

  private static let sensorLoggerFiles: [String: String] = {
    func rows(_ values: String, step: Int) -> String {
      (0..<4).map { "1700000000\(10 + $0 * step)0000000,0.\($0),\(values)\n" }.joined()
    }
    let header = "time,seconds_elapsed,z,y,x\n"
    return [
      "AccelerometerUncalibrated.csv": header + rows("-0.98,0.01,0.02", step: 1),
      "Gravity.csv": header + rows("-9.8,0,0", step: 2), "Accelerometer.csv": header + rows("0.1,0,0", step: 2),
      "GyroscopeUncalibrated.csv": header + rows("0.1,1e-3,-0.2", step: 1),
      "Magnetometer.csv": header + rows("-40,20,1", step: 3),
      "Orientation.csv": "time,seconds_elapsed,qz,qy,qx,qw,yaw\n" + rows("0,0,0,1,0", step: 2),
      "Metadata.csv": "version,device name,platform,standardisation\n3,\"A, B\",ios,false\n",
    ]
  }()

  private static let readSensorLogger: @Sendable (String, String) throws(LogError) -> Int = {
    (path, _) throws(LogError) in try readAll(LogFormat.sensorLogger.reader(of: path)).count
  }

  /// Reads all auxiliary channels, too, and counts the samples of both kinds.
  static func readWithAuxiliary(_ reader: some LogReader) throws(LogError) -> Int {
    let (samples, motion, _) = try readAuxiliary(reader)
    return samples.count + motion
  }

  private static var csvAuxiliary: Self {
    let header = "time,accelerationX,accelerationY,accelerationZ,pressure (hPa),activity,lat (deg),lux,lowPowerMode\n"
    let rows = (0..<5).map { "\($0).5,0,0,-1,1013.\($0),walking,47.5,,true\n" }.joined()
    return Self("CSV with other channels", ["log.csv": header + rows], mutationCount: 3_000) {
      (path, name) throws(LogError) in try readWithAuxiliary(CSVLogReader(path: path + "/" + name, options: everything))
    }
  }

  private static var sensorLoggerAuxiliary: Self {
    func rows(_ values: String) -> String { (0..<4).map { "1700000000\(10 + $0)0000000,0.\($0),\(values)\n" }.joined() }
    var files = sensorLoggerFiles.filter { ["AccelerometerUncalibrated.csv", "Metadata.csv"].contains($0.key) }
    files["Location.csv"] = "time,seconds_elapsed,bearing,speed,longitude,latitude\n" + rows("-1,1.5,8,47")
    files["Battery.csv"] = "time,seconds_elapsed,batteryState,batteryLevel\n" + rows("charging,0.5")
    files["Activity.csv"] = "time,seconds_elapsed,activity,confidence\n" + rows("walking,high")
    files["Annotation.csv"] = "time,seconds_elapsed,text\n" + rows("\"a, \"\"b\"\"\"")
    return Self("Sensor Logger, other channels", files, mutationCount: 4_000) { (path, _) throws(LogError) in
      try readWithAuxiliary(LogFormat.sensorLogger.reader(of: path, options: everything))
    }
  }

  private static var sensorLoggers: [Self] {
    let names = ["AccelerometerUncalibrated.csv", "GyroscopeUncalibrated.csv"]
    return [
      Self("Sensor Logger", sensorLoggerFiles, format: "sensor-logger", read: readSensorLogger),
      Self(
        "Sensor Logger without metadata", sensorLoggerFiles.filter { names.contains($0.key) }, mutationCount: 3_000,
        read: readSensorLogger),
    ]
  }

  private static let readIPhoneText: @Sendable (String, String) throws(LogError) -> Int = {
    (path, _) throws(LogError) in try readAll(LogFormat.iPhoneText.reader(of: path)).count
  }

  private static var iPhoneText: Self {
    func rows(_ values: String) -> String {
      "# Created at noon\n" + (0..<4).map { "27139\($0)2799542 \(values) \n" }.joined()
    }
    return Self(
      "iPhone text",
      [
        "acce.txt": rows("0.01 -0.03 -9.72"), "gyro_uncalib.txt": rows("0 0 0.02"), "gyro.txt": rows("0 0 1e-3"),
        "game_rv.txt": rows("0 0 0 1"), "heading.txt": rows("270.5"),
      ], format: "iphone-text", read: readIPhoneText)
  }

  private static var iPhoneTextEarly: Self {
    func rows(_ values: String) -> String { (0..<4).map { "155952436\($0)946668032 \(values) \n" }.joined() }
    return Self(
      "iPhone text, early format",
      ["raw-acceleration.txt": rows("0.01 -0.03 -9.72"), "raw-rotation-rate.txt": rows("0 0 0.02")],
      mutationCount: 3_000, read: readIPhoneText)
  }

  private static var tyrex: Self {
    func rows(_ values: String) -> String { (0..<4).map { "5820\($0).2837 \(values)\n" }.joined() }
    return Self(
      "Tyrex",
      [
        "accelerometer.txt": rows("0.0319 -0.0948 -1.0025"), "gyroscope.txt": rows("0.45 -0.01 0.77"),
        "magnetometer-calibrated.txt": rows("28.2522 23.1305 -25.7312 2"), "attitude.txt": rows("1 0 0 0"),
        "description.txt": "[Time]\nBootTime = 58202.2274", "timeAlignment.txt": "  -3.0400000e+00\n",
        "ground-truth.csv": "t_s,qw,qx,qy,qz\n0.0000,1,0,0,0\n0.0167,,,,\n0.0333,1,0,0,0\n",
      ], format: "tyrex"
    ) { (path, _) throws(LogError) in try readAll(LogFormat.tyrex.reader(of: path)).count }
  }

  private static var phyphox: Self {
    let export = PhyphoxExport(separator: ";", decimal: ",")
    func table(_ header: [String], _ row: [Double]) -> String {
      export.table(["Time (s)"] + header, (0..<4).map { [Double($0) / 8] + row })
    }
    return Self(
      "phyphox",
      [
        "Raw Data.csv": table(PhyphoxExport.axes("Acceleration", "m/s^2"), [0, 0.5, 9.75]),
        "Gyroscope.csv": table(PhyphoxExport.axes("Gyroscope", "rad/s"), [1, 2, 3]),
        "Pressure.csv": table(["Pressure (hPa)"], [1013.25]),
      ], format: "phyphox"
    ) { (path, _) throws(LogError) in try readWithAuxiliary(LogFormat.phyphox.reader(of: path, options: everything)) }
  }

  private static var phyphoxFile: Self {
    let rows = (0..<4).map { [Double($0) / 8, 0, 0.5, 9.75] }
    let text = PhyphoxExport().table(["Time (s)"] + PhyphoxExport.axes("Acceleration", "m/s^2"), rows)
    return Self("phyphox, one file", ["Raw Data.csv": text], format: "phyphox-csv") { (path, name) throws(LogError) in
      try readAll(LogFormat.phyphox.reader(of: path + "/" + name)).count
    }
  }

  private static var sensorLog: Self {
    let header =
      "loggingTime(txt),accelerometerTimestamp_sinceReboot(s),accelerometerAccelerationX(G),"
      + "accelerometerAccelerationY(G),accelerometerAccelerationZ(G),altimeterTimestamp_sinceReboot(s),"
      + "altimeterPressure(kPa),activity(txt),label(N)\n"
    let rows = (0..<5).map {
      "2024-08-22T14:12:07.75\($0)+02:00,10\($0).5,0.1,-1e-3,-1,100.\($0),101.3,walking,\($0)\n"
    }
    return Self("SensorLog", ["log.csv": header + rows.joined()], format: "sensorlog") {
      (path, name) throws(LogError) in
      try readWithAuxiliary(SensorLogReader(path: path + "/" + name, options: everything))
    }
  }

  private static var sensorLoggerJSON: Self {
    let metadata = #"[{"sensor":"Metadata","platform":"ios","standardisation":"false"}"#
    let objects = (0..<4).flatMap { step in
      ["AccelerometerUncalibrated", "Gyroscope"].map { sensor in
        SensorLoggerJSONTests.object(sensor, 10 * step, [("z", "-0.9"), ("y", "1e-3"), ("x", "0")])
      }
    }
    let text = ([metadata] + objects).joined(separator: ",") + "]"
    return Self("Sensor Logger JSON", ["export.json": text], format: "sensor-logger-json")
  }

  private static var sensorLoggerPush: Self {
    let messages = (0..<4).map { step in
      PushMessageTests.body(
        step,
        ["AccelerometerUncalibrated", "gyroscope"].map { PushMessageTests.reading($0, 10 * step, "0", "1e-3", "-0.9") })
    }
    let header = #"{"inertial":"recording","version":1}"#
    return Self(
      "Sensor Logger push", ["push.jsonl": ([header] + messages).joined(separator: "\n") + "\n"],
      format: "sensor-logger-push")
  }

  /// All bytes except the entries' dates are covered by a checksum or stored twice in the archive.
  private static var zip: Self {
    let bytes = bytes(of: "log.zip") { ZipTestFile.write(ZipLogTests.sensorLogger, to: $0) }
    return container("zip", "log.zip", bytes, format: "zip", open: ZipArchive.openLog)
  }

  private static func bytes(of name: String, _ write: (String) throws -> Void) -> [UInt8] {
    let folder = TemporaryFolder()
    try! write(folder.path(name))
    return [UInt8](FileManager.default.contents(atPath: folder.path(name))!)
  }

  /// The columns of a dataset of fused motion.
  private static let motion =
    ["time"] + ["gravity", "userAcceleration", "rotationRate"].flatMap { name in ["X", "Y", "Z"].map { name + $0 } }

  private static func fill(_ writer: some TableWriter) throws {
    for row in 0..<20 { try writer.append([Double(row) / 50, 0, 0, -1, 0.1, 0, 0, 0, Double(row), 0]) }
    try writer.close()
  }

  /// The zip library verifies the bytes of an array by a checksum.
  private static var npz: Self {
    let bytes = bytes(of: "set.npz") { try fill(NPZTableWriter(path: $0, columns: motion)) }
    return container("NPZ, fused", "set.npz", bytes, format: "inertial-npz", open: LogFormat.inertialNPZ.open)
  }

  private static var npzSamples: Self {
    let bytes = bytes(of: "set.npz") { path in
      let acceleration = ["X", "Y", "Z"].map { "acceleration" + $0 }
      let writer = try NPZTableWriter(path: path, columns: ["time"] + acceleration, streams: [acceleration]) {
        [("metadata", "{\"epoch\" : 1.5}")]
      }
      for row in 0..<20 { try writer.append([Double(row) / 50, 0, 0, -1]) }
      try writer.close()
    }
    return container(
      "NPZ, samples", "set.npz", bytes, format: "inertial-npz", mutationCount: 3_000, open: LogFormat.inertialNPZ.open)
  }

  /// The numbers of the pages have no checksum.
  private static var parquet: Self {
    let columns = motion.map { TableColumn(name: $0) }
    let bytes = bytes(of: "set.parquet") {
      try fill(ParquetTableWriter(path: $0, columns: columns, generator: "tests"))
    }
    return container("Parquet, fused", "set.parquet", bytes, format: "parquet", open: LogFormat.parquet.open)
  }

  /// A checksum detects most changes.
  private static var mcap: [Self] {
    let bytes = bytes(of: "set.mcap") { path in
      let columns =
        ["time"] + ["acceleration", "rotationRate", "magneticField"].flatMap { [$0 + "X", $0 + "Y", $0 + "Z"] }
      let writer = try MCAPTableWriter(path: path, columns: columns, epoch: nil, generator: "tests")
      for row in 0..<20 { try writer.append([Double(row) / 50, 0, 0, -1, 0.1, 0, 0, 20, 0, -40]) }
      try writer.close()
    }
    return [
      container("MCAP", "set.mcap", bytes, format: "mcap", open: LogFormat.mcap.open),
      // A file of a recorder that writes neither compression nor checksums.
      container(
        "MCAP, plain", "plain.mcap", MCAPBytes.plain(messages: 20), format: "mcap", mutationCount: 3_000,
        minimumFraction: 0.05, open: LogFormat.mcap.open),
    ]
  }

  /// Files of records without checksums. Empty if SQLite's library is missing.
  private static var databases: [Self] {
    guard let bytes = SQLiteTestFile.plain(messages: 12) else { return [] }
    return [
      container("bag of ROS 2", "walk.db3", bytes, format: "ros2-db3"),
      Self(
        testDescription: "bag of ROS 2, folder",
        files: ["metadata.yaml": Array("rosbag2_bagfile_information:\n".utf8), "walk_0.db3": bytes], isText: false,
        format: "ros2-bag", minimumFraction: 0.01
      ) { (path, _) throws(LogError) in try readAll(openLog(path: path)).count },
    ]
  }

  private static func container(
    _ name: String, _ file: String, _ bytes: [UInt8], format: String, mutationCount: Int = 10_000,
    minimumFraction: Double = 0.01,
    open: @escaping @Sendable (String, LogOptions) throws(LogError) -> any LogReader = openLog
  ) -> Self {
    Self(
      testDescription: name, files: [file: bytes], isText: false, format: format, mutationCount: mutationCount,
      minimumFraction: minimumFraction
    ) { (path, name) throws(LogError) in try readAll(open(path + "/" + name, LogOptions())).count }
  }

  #if HDF5
    private static var hdf5Dataset: Self {
      let bytes = bytes(of: "set.h5") { path in
        try fill(HDF5TableWriter(path: path, group: "walk", columns: motion.map { TableColumn(name: $0) }))
      }
      return container("HDF5, fused", "set.h5", bytes, format: "inertial-hdf5", open: LogFormat.inertialHDF5.open)
    }

    private static func hdf5(_ name: String, _ storage: HDF5TestFile.Storage, isLatestFormat: Bool) -> Self {
      var file = HDF5TestFile.broad(rows: 10)
      (file.storage, file.isLatestFormat) = (storage, isLatestFormat)
      let bytes = bytes(of: "trial.hdf5") { file.write(to: URL(fileURLWithPath: $0)) }
      return Self(
        testDescription: name, files: ["trial.hdf5": bytes], isText: false, format: "broad-hdf5",
        mutationCount: isLatestFormat ? 3_000 : 10_000
      ) { (path, name) throws(LogError) in try readAll(MatrixLogReader(broad: path + "/" + name)).count }
    }
  #endif
}
