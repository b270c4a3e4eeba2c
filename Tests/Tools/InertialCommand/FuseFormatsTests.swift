import TestSupport
import Testing

@Suite("fuse to several formats") struct FuseFormatsTests {
  private let runner = try! CommandRunner()

  private static let formats = "csv,npz,parquet,mcap,bids,tum,euroc" + (HDF5TableWriter.isAvailable ? ",hdf5" : "")

  private func simulated() throws { try runner.simulate("walk", "--duration", "5") }

  /// The text files of a folder by their paths.
  private func texts(_ folder: String) throws -> [String: String] {
    let named = try runner.tree(folder).map { name in (name, try? runner.read("\(folder)/\(name)")) }
    return Dictionary(uniqueKeysWithValues: named).compactMapValues { $0 }
  }

  @Test("all formats of one pass have the same numbers as separate passes")
  func onePass() throws {
    try simulated()
    let arguments = ["fuse", "sim/log.csv", "--frame", "xMagneticNorthZVertical", "--digits", "17"]
    try runner.check(
      arguments + ["-o", "all.csv", "--format", Self.formats],
      output: "wrote   all.csv, all.npz, all.parquet, all.mcap, all.bids, all.tum, all.euroc")
    for format in ["csv", "bids", "tum", "euroc"] {
      try runner.check(arguments + ["-o", "one." + format])
      let path = runner.path("one." + format)
      if let text = try? runner.read("one." + format) {
        #expect(try text == runner.read("all." + format))
      } else {
        #expect(try texts("one." + format) == texts("all." + format), "\(path)")
      }
    }
    let csv = try runner.table("all.csv")
    let names = csv[0]
    func column(_ name: String) -> [Double] {
      let index = names.firstIndex(of: name)!
      return csv.dropFirst().map { Double($0[index]) ?? .nan }
    }
    let (arrays, texts) = try StoredArchive.arrays(at: runner.path("all.npz"))
    #expect(arrays["time"] == column("time"))
    for (array, parts) in [
      "quaternion": ["quaternionX", "quaternionY", "quaternionZ", "quaternionW"], "euler": ["roll", "pitch", "yaw"],
      "magneticField": ["magneticFieldX", "magneticFieldY", "magneticFieldZ"], "heading": ["heading"],
    ] {
      let columns = parts.map(column)
      let expected = columns[0].indices.flatMap { row in columns.map { $0[row].bitPattern } }
      #expect(arrays[array]?.map(\.bitPattern) == expected, "\(array)")
    }
    #expect(
      arrays.keys.sorted() == [
        "euler", "gravity", "heading", "magneticField", "magneticFieldAccuracy", "quaternion", "rotationRate", "time",
        "userAcceleration",
      ])
    // The metadata have the same names and values in every format.
    let inside = try #require(
      JSONSerialization.jsonObject(with: Data((texts["metadata"] ?? "").utf8)) as? [String: Any])
    #expect(inside["frame"] as? String == "xMagneticNorthZVertical" && inside["filter"] as? String == "kalman")
    #expect(
      inside["parameter.gyroscopeNoise"] as? Double != nil
        && inside["generator"] as? String == "inertial \(ToolVersion.current)")
    #expect(try NSDictionary(dictionary: inside) == NSDictionary(dictionary: runner.json("all.euroc/metadata.json")))
    let motion = try runner.json("all.bids/sub-01/motion/sub-01_task-log_tracksys-inertial_motion.json")
    #expect(
      try NSDictionary(dictionary: inside)
        == NSDictionary(dictionary: #require(motion["InertialMetadata"] as? [String: Any])))

    // A trajectory: time, no position, quaternion.
    let tum = try runner.table("all.tum", " ").filter { $0[0] != "#" }
    #expect(tum.count == csv.count - 1 && tum.allSatisfy { $0.count == 8 && $0[1...3] == ["0", "0", "0"] })
    #expect(tum.map { Double($0[4]) } == column("quaternionX") && tum.map { Double($0[7]) } == column("quaternionW"))
    #expect(tum.map { Double($0[0]) } == column("time"))
    #expect(
      try runner.read("all.tum").contains("# orientation of the device in a frame with Z up; position is not estimated")
    )
    // The same for an ASL estimate, with w first and nanoseconds.
    let estimate = try runner.table("all.euroc/mav0/state_groundtruth_estimate0/data.csv").dropFirst()
    #expect(
      estimate.map { Double($0[4]) } == column("quaternionW") && estimate.map { Double($0[7]) } == column("quaternionZ")
    )
    #expect(estimate.map { Double($0[0]) } == column("time").map { ($0 * 1e9).rounded() })
    if HDF5TableWriter.isAvailable {
      let table = try HDF5Table(path: runner.path("all.h5"), group: "log")
      #expect(try table.column("quaternionX") == column("quaternionX"))
    }
  }

  @Test(
    "text has nine digits, or those of --digits; times, latitudes and longitudes always have all",
    arguments: ["csv", "bids"])
  func digits(form: String) throws {
    var log = String(CanonicalLog.header.dropLast()) + ",latitude,longitude\n"
    for (index, line) in CanonicalLog.text(300).split(separator: "\n").dropFirst().enumerated() {
      log += String(line) + (index % 50 == 25 ? ",48.1371541234\(index),11.5753822345\(index)\n" : ",,\n")
    }
    try runner.write(log, to: "log.csv")
    func table(_ name: String, _ options: [String]) throws -> TextTable {
      try runner.check(["fuse", "log.csv", "-o", "\(name).\(form)", "--with-channels", "location"] + options)
      guard form == "bids" else { return try runner.columns("\(name).csv") }
      let stem = "\(name).bids/sub-01/motion/sub-01_task-log_tracksys-inertial"
      let names = try runner.table(stem + "_channels.tsv", "\t").dropFirst().map { $0[0] }
      return TextTable(names.joined(separator: "\t") + "\n" + (try runner.read(stem + "_motion.tsv")), separator: "\t")
    }
    func digitCount(_ field: String) -> Int {
      let digits = field.split(separator: "e")[...].first?.drop { "-0.".contains($0) }.filter(\.isNumber) ?? ""
      return digits.reversed().drop { $0 == "0" }.count
    }
    let (usual, few) = (try table("usual", []), try table("few", ["--digits", "4"]))
    let all = try table("all", ["--digits", "17"])
    var longest = 0
    for (column, name) in all.header.enumerated() {
      func fields(_ table: TextTable) -> [String] { table.fields.map { $0[column] } }
      if ["time", "latitude", "longitude"].contains(name) {
        #expect(fields(usual) == fields(all) && fields(few) == fields(all), "\(name)")
        #expect(name == "time" || fields(usual).map(digitCount).max()! > 11)
      } else {
        #expect(fields(usual).allSatisfy { digitCount($0) <= 9 } && fields(few).allSatisfy { digitCount($0) <= 4 })
        #expect(
          zip(usual[name], all[name]).allSatisfy { abs($0 - $1) <= 5.000001e-9 * abs($1) || $0.isNaN && $1.isNaN })
        longest = max(longest, fields(all).map(digitCount).max()!)
      }
    }
    #expect(longest >= 16 && all.fields.count > 250 && all.header.contains("latitude"))
  }

  @Test("a BIDS dataset satisfies the specification, and is read with its original content")
  func bids() throws {
    try simulated()
    let arguments = [
      "--frame", "xMagneticNorthZVertical", "--columns-out",
      "heading,time,quaternionX,quaternionY,quaternionZ,quaternionW,roll,pitch,yaw,gravityX,gravityY,gravityZ,userAccelerationX,userAccelerationY,userAccelerationZ,rotationRateX,rotationRateY,rotationRateZ,magneticFieldX,magneticFieldY,magneticFieldZ",
    ]
    try runner.check(
      ["fuse", "sim/log.csv", "-o", "ds.bids", "--bids-subject", "03", "--bids-task", "walk"] + arguments)
    #expect(try runner.files() == ["ds.bids", "sim"])
    let stem = "sub-03/motion/sub-03_task-walk_tracksys-inertial"
    #expect(
      try texts("ds.bids").keys.sorted()
        == [
          "README", "dataset_description.json", "participants.json", "participants.tsv", stem + "_channels.json",
          stem + "_channels.tsv", stem + "_motion.json", stem + "_motion.tsv", "sub-03/sub-03_scans.json",
          "sub-03/sub-03_scans.tsv",
        ].sorted())
    for table in ["participants", "sub-03/sub-03_scans", stem + "_channels", stem + "_motion"] {
      let description = try runner.json("ds.bids/\(table).json")["Description"] as? String
      #expect(description?.isEmpty == false, "\(table)")
    }
    let description = try runner.json("ds.bids/dataset_description.json")
    #expect(description["BIDSVersion"] as? String == "1.9.0" && description["Name"] as? String == "log")
    #expect(
      description["DatasetType"] as? String == "derivative"
        && (description["GeneratedBy"] as? [[String: Any]])?.count == 1)
    #expect(try runner.table("ds.bids/participants.tsv", "\t") == [["participant_id"], ["sub-03"]])
    let scans = try runner.table("ds.bids/sub-03/sub-03_scans.tsv", "\t")
    #expect(scans == [["filename", "acq_time"], ["motion/sub-03_task-walk_tracksys-inertial_motion.tsv", "n/a"]])

    let channels = try runner.table("ds.bids/\(stem)_channels.tsv", "\t")
    #expect(channels[0].prefix(5) == ["name", "component", "type", "tracked_point", "units"])
    let components = ["x", "y", "z", "quat_x", "quat_y", "quat_z", "quat_w", "n/a"]
    let types = ["ACCEL", "GYRO", "MAGN", "ORNT", "LATENCY", "MISC"]
    let rows = try runner.table("ds.bids/\(stem)_motion.tsv", "\t")
    #expect(rows.allSatisfy { $0.count == channels.count - 1 })
    for channel in channels.dropFirst() {
      #expect(channel.count == channels[0].count && components.contains(channel[1]) && types.contains(channel[2]))
    }
    #expect(
      channels[2].prefix(3) == ["latency", "n/a", "LATENCY"]
        && channels[6].prefix(3) == ["quaternionW", "quat_w", "ORNT"])
    #expect(channels[7].prefix(3) == ["roll", "y", "ORNT"])
    #expect(rows[0][1] == "0" && rows.allSatisfy { !$0[1].contains("e") })
    #expect(rows.joined().allSatisfy { $0 == "n/a" || Double($0)?.isFinite == true })

    let facts = try runner.json("ds.bids/\(stem)_motion.json")
    #expect(facts["TaskName"] as? String == "walk" && facts["TrackingSystemName"] as? String == "inertial")
    #expect((facts["SamplingFrequency"] as? Double).map { abs($0 - 100) < 5 } == true)
    #expect(facts["MotionChannelCount"] as? Int == channels.count - 1)
    for type in types { #expect(facts[type + "ChannelCount"] as? Int == channels.count { $0[2] == type }, "\(type)") }
    let levels = try #require(
      (runner.json("ds.bids/\(stem)_channels.json")["reference_frame"] as? [String: Any])?["Levels"]
        as? [String: [String: String]])
    #expect(levels["xMagneticNorthZVertical"]?["RotationOrder"] == "YXZ")
    #expect(Set(levels.keys).isSuperset(of: Set(channels.dropFirst().map { $0[5] }).subtracting(["n/a"])))

    // Read again, the attitude and the acceleration components match the table.
    try runner.check("convert", "ds.bids/\(stem)_motion.tsv", "-o", "back.npz")
    let arrays = try StoredArchive.arrays(at: runner.path("back.npz")).numbers
    for (array, places) in [
      "deviceQuaternion": [2, 3, 4, 5], "deviceGravity": [9, 10, 11], "rotationRate": [15, 16, 17],
      "deviceUserAcceleration": [12, 13, 14],
    ] {
      let expected = rows.filter { $0[places[0]] != "n/a" }.flatMap { row in places.map { Double(row[$0]) } }
      #expect(arrays[array]?.map(Optional.init) == expected, "\(array)")
    }
  }

  @Test("names of several outputs come from the first name or from a common prefix")
  func names() throws {
    try runner.write(CanonicalLog.text(60), to: "väg 🚶.v2.csv")
    try runner.check("fuse", "väg 🚶.v2.csv", "--format", "csv,npz")
    try runner.check("fuse", "väg 🚶.v2.csv", "--format", "tum,bids", "-o", "a.v1", "--bids-tracksys", "imu")
    try runner.check(
      "fuse", "väg 🚶.v2.csv", "--format", "csv,npz", "-o", "b.NPZ", "--json", output: "\"b.csv\"", "\"b.NPZ\"")
    #expect(
      try Set(runner.files()) == [
        "väg 🚶.v2.csv", "väg 🚶.v2.csv.fused.csv", "väg 🚶.v2.csv.fused.npz", "a.v1.tum", "a.v1.bids", "b.csv", "b.NPZ",
      ])
    let names = try texts("a.v1.bids").keys
    #expect(names.contains("sub-01/motion/sub-01_task-vgv2_tracksys-imu_motion.tsv"), "\(names)")
  }

  @Test("--metadata writes a separate file for formats without metadata")
  func sidecar() throws {
    try runner.write(CanonicalLog.text(60), to: "log.csv")
    try runner.check("fuse", "log.csv", "--format", "csv,npz,tum", "-o", "a", "--metadata", "--rate", "50")
    #expect(try runner.files() == ["a.csv", "a.csv.json", "a.npz", "a.tum", "a.tum.json", "log.csv"])
    let facts = try runner.json("a.csv.json")
    #expect(facts["outputRate"] as? Double == 50 && facts["input"] as? String == "log.csv")
    #expect((facts["inputCRC32"] as? [String])?.first?.hasPrefix("log.csv ") == true)
    #expect(try runner.read("a.csv.json") == runner.read("a.tum.json"))
    #expect(try StoredArchive.arrays(at: runner.path("a.npz")).texts["metadata"] == runner.read("a.csv.json"))
    try runner.check("fuse", "log.csv", "-o", "a.csv", "--metadata", status: 2)
  }

  @Test("a dataset with one row is valid in every format")
  func oneRow() throws {
    try runner.write(CanonicalLog.text(2), to: "log.csv")
    try runner.check("fuse", "log.csv", "--format", Self.formats, "-o", "a", "--rate", "1")
    #expect(try runner.table("a.csv").count == 2)
    #expect(try StoredArchive.arrays(at: runner.path("a.npz")).numbers["quaternion"]?.count == 4)
    #expect(try runner.table("a.tum", " ").count { $0[0] != "#" } == 1)
  }

  @Test("an impossible output prevents all outputs, and a faulty log leaves no output")
  func refusals() throws {
    try runner.write(CanonicalLog.text(), to: "log.csv")
    for name in ["d.csv", "a.npz", "b.bids/notes.txt"] { try runner.write("mine", to: name) }
    try runner.write(CanonicalLog.text { row, values in if row > 300 { values[1] = 1e9 } }, to: "bad.csv")
    let before = try runner.files()
    let cases: [([String], Int32, String)] = [
      (["log.csv", "-o", "a", "--format", "csv,npz,bids"], 2, "a.npz: exists already"),
      (["log.csv", "-o", "b", "--format", "csv,bids"], 2, "b.bids: exists already"),
      (["log.csv", "-o", "d.csv"], 2, "d.csv: exists already"),
      (["log.csv", "-o", "b.bids", "--force"], 2, "notes.txt"),
      (["log.csv", "-o", "-", "--format", "csv,tum"], 2, "one format"),
      (["log.csv", "-o", "-", "--format", "bids"], 2, "standard output"),
      (["log.csv", "--format", "csv,csv"], 2, "twice"), (["log.csv", "--format", "csv,xls"], 2, "no format 'xls'"),
      (["log.csv", "-o", "c.npz", "--digits", "5"], 2, "--digits"),
      (["log.csv", "-o", "c.bids", "--columns-out", "heading"], 2, "time"),
      (["bad.csv", "-o", "c", "--format", Self.formats], 1, "bad.csv"),
    ]
    for (arguments, status, word) in cases {
      try runner.check(["fuse"] + arguments, status: status, errors: word)
      #expect(try runner.files() == before, "\(arguments)")
    }
    for name in ["d.csv", "a.npz", "b.bids/notes.txt"] { #expect(try runner.read(name) == "mine") }
    try runner.check("fuse", "log.csv", "-o", "d.csv", "--force")
    #expect(try runner.read("d.csv").hasPrefix("time,quaternionX,") && runner.files() == before)
    #expect(try runner.run("fuse", "log.csv", "-o", "-", "--format", "tum").output.hasPrefix("# made by inertial"))
  }

  @Test("a batch in several formats is kept if all files exist, and made again if one is missing")
  func resumed() throws {
    for name in ["a", "b", "c"] { try runner.write(CanonicalLog.text(60), to: "logs/\(name).csv") }
    let arguments = ["fuse", "logs", "-o", "out", "--format", "bids,npz,csv", "--jobs", "2"]
    try runner.check(arguments)
    let whole = try texts("out")
    #expect(whole.count == 3 * 11 + 1, "\(whole.keys.sorted())")
    try runner.remove("out/b.csv.fused.npz")
    try runner.remove("out/c.csv.fused.bids/README")
    try runner.check(arguments + ["--resume"], output: "kept    1 dataset of")
    #expect(try texts("out") == whole)
    // Datasets are not read as logs: neither files nor folders.
    try runner.write(CanonicalLog.text(60), to: "out/new.csv")
    try runner.check("fuse", "out", "-o", "again")
    #expect(try runner.files(in: "again") == ["inertial-manifest.json", "new.csv.fused.csv"])
  }

  @Test("a log with UNIX timestamps keeps them in formats that support them")
  func epoch() throws {
    var text = CanonicalLog.header
    for row in 0..<50 { text += "\(1_700_000_000_250_000_000 + row * 10_000_000),0,0,-1,0,0,0.5,20,5,-40\n" }
    try runner.write(text, to: "log.csv")
    try runner.check("fuse", "log.csv", "-o", "a", "--format", "tum,euroc,bids,npz")
    let tum = try runner.table("a.tum", " ").filter { $0[0] != "#" }
    #expect(tum.prefix(2).map { $0[0] } == ["1700000000.25", "1700000000.26"])
    #expect(try runner.read("a.tum").contains("# timestamp: UNIX time, seconds, to a microsecond"))
    let estimate = try runner.table("a.euroc/mav0/state_groundtruth_estimate0/data.csv")
    #expect(estimate[1][0] == "1700000000250000000" && estimate[50][0] == "1700000000740000000")
    #expect(try runner.table("a.bids/sub-01/sub-01_scans.tsv", "\t")[1][1] == "2023-11-14T22:13:20.250000Z")
    let facts = try StoredArchive.arrays(at: runner.path("a.npz")).texts["metadata"]
    #expect(facts?.contains("\"epoch\" : 1700000000.2") == true)
    try runner.check("convert", "log.csv", "-o", "b.euroc")
    #expect(try runner.table("b.euroc/mav0/imu0/data.csv")[50][0] == "1700000000740000000")
  }

  @Test(
    "a full disk is reported in one line, without output",
    arguments: ["npz", "bids", "euroc", "tum", "csv,npz,bids"] + (HDF5TableWriter.isAvailable ? ["hdf5"] : []))
  func fullDisk(format: String) throws {
    try simulated()
    // A limit on the file size fails in the same calls as a full disk.
    let end = try runner.shell(
      "trap '' XFSZ; ulimit -f 8; exec \"$@\"", ["fuse", "sim/log.csv", "-o", "a", "--format", format])
    #expect(end.status == 1)
    #expect(end.errors.split(separator: "\n").count == 1 && end.errors.contains("cannot be written"), "\(end.errors)")
    #expect(try runner.files() == ["sim"])
  }

  @Test("partitions follow the folders of their logs, can be resumed, and no other file has a name that readers accept")
  func partitions() throws {
    for person in ["ann", "bob"] {
      for walk in 1...2 { try runner.write(CanonicalLog.text(300), to: "logs/\(person)/walk\(walk).csv") }
    }
    let arguments = ["fuse", "logs", "-o", "out", "--format", "parquet", "--partition", "person", "--filter", "mahony"]
    try runner.check(arguments)
    let names = try FileManager.default.subpathsOfDirectory(atPath: runner.path("out"))
    let tables = ["ann", "bob"].flatMap { person in (1...2).map { "person=\(person)/recording=walk\($0)/data.parquet" }
    }
    #expect(names.filter { $0.hasSuffix(".parquet") }.sorted() == tables)
    #expect(names.filter { !$0.hasPrefix("person=") }.sorted() == ["_croissant.json", "_inertial-manifest.json"])
    try runner.check(arguments + ["--resume"], output: "kept    4 datasets")
    try runner.check(
      "fuse", "logs", "-o", "b", "--format", "parquet", "--partition", "person,day", status: 2,
      errors: "lies in 1 folder")
    try runner.check("fuse", "logs", "--partition", "person", status: 2)
  }
}
