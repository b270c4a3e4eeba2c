import TestSupport
import Testing

@Suite("convert") struct ConvertCommandTests {
  private let runner = try! CommandRunner()

  /// Three streams with separate times, from 0.
  private func manyRates(_ count: Int = 400) -> String {
    var text = CanonicalLog.header
    for index in 0..<count {
      let time = Double(index) / 400
      let acceleration = index % 4 == 1 ? "0.1,\(Double(index) / 3e6),-1" : ",,"
      let rate = index % 2 == 0 ? "\(1e-7 * Double(index)),0.25,-0.125" : ",,"
      let field = index % 40 == 3 ? "20.5,-3,\(-40 - Double(index) / 7)" : ",,"
      if acceleration != ",," || rate != ",," || field != ",," { text += "\(time),\(acceleration),\(rate),\(field)\n" }
    }
    return text.replacing("\n0.0,", with: "\n0,")
  }

  /// The numbers in a string, for comparisons independent of their notation.
  private func numbers(_ text: String) -> [[Double?]] {
    text.split(separator: "\n").dropFirst().map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    }
  }

  @Test("a canonical log is written unchanged, byte for byte, from a file and from standard input")
  func canonical() throws {
    try runner.simulate("walk", "--duration", "5")
    let log = try runner.read("sim/log.csv")
    try runner.check("convert", "sim/log.csv", "-o", "a.csv", output: "wrote   a.csv: csv")
    #expect(try runner.read("a.csv") == log)
    #expect(try runner.run("convert", "-", "-o", "-", input: log).output == log)
    #expect(try runner.files() == ["a.csv", "sim"])
  }

  @Test("a conversion to BIDS and back to CSV keeps the times and numbers of every stream")
  func bids() throws {
    try runner.write(manyRates(), to: "sub-07_task-reach.csv")
    try runner.check("convert", "sub-07_task-reach.csv", "-o", "data.bids")
    let motion = "data.bids/sub-07/motion/sub-07_task-reach_tracksys-inertial"
    try runner.check("convert", motion + "_motion.tsv", "-o", "back.csv")
    #expect(try numbers(runner.read("back.csv")) == numbers(manyRates()))
    let rates = try runner.table(motion + "_channels.tsv", "\t")
    #expect(rates[0][6] == "sampling_frequency" && rates[1][6] == "n/a")
    #expect(Double(rates[2][6]).map { abs($0 - 100) < 1e-9 } == true, "\(rates[2])")
    #expect(Double(rates[5][6]).map { abs($0 - 200) < 1e-9 } == true, "\(rates[5])")
    #expect(try runner.json("data.bids/dataset_description.json")["DatasetType"] as? String == "raw")
    #expect(try runner.read("data.bids/sub-07/motion/sub-07_task-reach_events.tsv") == "onset\tduration\n")
  }

  @Test("descriptive metadata goes into the description of a BIDS dataset; unknown keys are rejected")
  func about() throws {
    try runner.write(manyRates(), to: "log.csv")
    try runner.write("{\"authors\": [\"A\", \"B\"], \"license\": \"CC0-1.0\"}", to: "about.json")
    let words = ["convert", "log.csv", "--format", "bids", "--about"]
    try runner.check(words + ["about.json", "-o", "data"])
    let description = try runner.json("data/dataset_description.json")
    #expect(description["Authors"] as? [String] == ["A", "B"] && description["License"] as? String == "CC0-1.0")
    #expect(description["SourceDatasets"] == nil)
    try runner.write("{\"licence\": \"CC0-1.0\"}", to: "wrong.json")
    try runner.check(words + ["wrong.json", "-o", "other"], status: 1, errors: "wrong.json: unknown member 'licence'")
    #expect(try runner.run(words + ["none.json", "-o", "other"]).errors.contains("none.json: the file cannot be read"))
  }

  @Test("a conversion to EuRoC and back to CSV has one clock and specific force in m/s², and the given noise")
  func euroc() throws {
    let log = CanonicalLog.text(200) { row, values in
      values[1] = Double(row) / 700
      values[4] = -Double(row) / 3000
    }
    try runner.write(log, to: "log.csv")
    try runner.write(
      "gyroscope_noise_density: 0.5\ngyroscope_random_walk: 0.25\naccelerometer_noise_density: 1\n"
        + "accelerometer_random_walk: 2\n", to: "mine.yaml")
    let result = try runner.check("convert", "log.csv", "-o", "rec", "--format", "euroc", "--noise", "mine.yaml")
    #expect(result.errorLines == ["warning: log.csv: euroc cannot store: magnetometer"])
    let rows = try runner.table("rec/mav0/imu0/data.csv")
    #expect(rows[0][0] == "#timestamp [ns]" && rows[1][0] == "0" && rows[2][0] == "10000000" && rows.count == 201)
    #expect(rows[1][6] == "9.80665")
    for name in ["rec/imu.yaml", "rec/mav0/imu0/sensor.yaml"] {
      let text = try runner.read(name)
      #expect(text.contains("gyroscope_noise_density: 0.5 ") && text.contains("accelerometer_random_walk: 2.0 "))
    }
    try runner.check("convert", "rec", "-o", "back.csv")
    for (back, original) in zip(numbers(try runner.read("back.csv")), numbers(log)) {
      for (a, b) in zip(back, original.prefix(7)) { #expect(abs((a ?? 9e9) - (b ?? 0)) <= 1e-15 * max(1, abs(b ?? 0))) }
    }

    // Separate clocks are interpolated and reported; a rate without surrounding accelerations is omitted.
    try runner.write(manyRates(), to: "many.csv")
    let many = try runner.run("convert", "many.csv", "-o", "many.euroc")
    #expect(many.errors.contains("acceleration was interpolated to 198 timestamps"), "\(many.errors)")
    #expect(many.errors.contains("2 rates were omitted"), "\(many.errors)")
    let interpolated = try runner.table("many.euroc/mav0/imu0/data.csv")
    #expect(interpolated.count == 199)
    // At 0.005 s, a quarter of the interval from the sample at 0.0025 s to the sample at 0.0125 s.
    #expect(interpolated[1][0] == "5000000")
    #expect(abs((Double(interpolated[1][5]) ?? 0) + 9.80665 * (0.75 * 1 + 0.25 * 5) / 3e6) < 1e-15)
  }

  @Test("NPZ contains each stream with its times")
  func arrays() throws {
    try runner.write(manyRates(), to: "log.csv")
    try runner.check("convert", "log.csv", "-o", "a.npz")
    let (arrays, texts) = try StoredArchive.arrays(at: runner.path("a.npz"))
    #expect(arrays["rotationRateTime"] == stride(from: 0, to: 400, by: 2).map { Double($0) / 400 })
    #expect(arrays["accelerationTime"] == stride(from: 1, to: 400, by: 4).map { Double($0) / 400 })
    #expect(arrays["magneticField"]?.count == 30)
    #expect(arrays["rotationRate"]?.prefix(6) == [0, 0.25, -0.125, 2e-7, 0.25, -0.125])
    #expect(texts["metadata"]?.contains("\"inputFormat\" : \"canonical-csv\"") == true)
  }

  @Test("HDF5 has a row per time", .needs(.hdf5))
  func table() throws {
    try runner.write(manyRates(), to: "log.csv")
    try runner.check("convert", "log.csv", "-o", "a.h5")
    let table = try HDF5Table(path: runner.path("a.h5"), group: "log")
    let expected = numbers(manyRates())
    for (column, name) in ["time", "accelerationX", "accelerationY"].enumerated() {
      let column = expected.map { $0[column] ?? .nan }
      #expect(try table.column(name).map(\.bitPattern) == column.map(\.bitPattern), "\(name)")
    }
  }

  @Test("a calibrated field stays a calibrated field")
  func calibrated() throws {
    let log: String = CanonicalLog.header.dropLast() + ",magneticFieldAccuracy\n"
    let rows = (0..<50).map { "\(Double($0) / 100),0,0,-1,0,0,0.5,20,-3,\($0),\($0 == 7 ? "" : "2")\n" }.joined()
    try runner.write(log + rows, to: "log.csv")
    try runner.check("convert", "log.csv", "-o", "a.csv")
    #expect(try runner.read("a.csv").contains("calibratedMagneticFieldZ (uT),magneticFieldAccuracy\n"))
    for format in ["npz", "csv"] { try runner.check("convert", "a.csv", "-o", "b." + format) }
    #expect(try runner.read("b.csv") == runner.read("a.csv") && numbers(runner.read("b.csv")) == numbers(log + rows))
    let arrays = try StoredArchive.arrays(at: runner.path("b.npz")).numbers
    #expect(arrays["calibratedMagneticField"]?.count == 150 && arrays["magneticField"] == nil)
  }

  @Test("a log with one sample is converted, with metadata on request and one JSON document as a result")
  func small() throws {
    try runner.write(CanonicalLog.text(1), to: "één 🧭.csv")
    for format in DatasetFormat.ofSamples where format != .hdf5 || HDF5TableWriter.isAvailable {
      let output = "out." + format.rawValue
      let document = try runner.check(
        "convert", "één 🧭.csv", "-o", output, "--format", format.rawValue, "--json", "--metadata"
      ).json()
      #expect(document["outputFormat"] as? String == format.rawValue && document["output"] as? String == output)
    }
    #expect(
      try runner.read("out.csv")
        == CanonicalLog.text(1).replacing("0.0,0.01,0.02,-1.0", with: "0,0.01,0.02,-1")
        .replacing("0.001,0.0,0.002,20.0,5.0,-40.0", with: "0.001,0,0.002,20,5,-40"))
    let facts = try runner.json("out.csv.json")
    #expect(facts["input"] as? String == "één 🧭.csv" && (facts["inputCRC32"] as? [String])?.count == 1)
    #expect((facts["units"] as? [String: String])?["magneticFieldX"] == "µT")
    #expect(try runner.table("out.euroc/mav0/imu0/data.csv").count == 2)
    let bids = "out.bids/sub-01/motion/sub-01_task-n_tracksys-inertial"
    #expect(try runner.table(bids + "_motion.tsv", "\t").count == 1)
    #expect(try runner.json(bids + "_motion.json")["SamplingFrequency"] as? String == "n/a")
  }

  @Test("an impossible conversion is reported in one line, without output")
  func refusals() throws {
    try runner.write(CanonicalLog.text(), to: "log.csv")
    try runner.write("mine", to: "old.npz")
    try runner.write("time,accelerationX,accelerationY,accelerationZ\n0,0,0,-1\n0.01,0,0,-1\n", to: "acc.csv")
    try runner.write(CanonicalLog.text { row, values in if row > 300 { values[1] = 1e9 } }, to: "bad.csv")
    try runner.write("time\n", to: "empty.csv")
    let cases: [([String], Int32, String)] = [
      (["log.csv", "-o", "old.npz"], 2, "--force"), (["log.csv", "-o", "log.csv", "--force"], 2, "replace the input"),
      (["log.csv", "-o", "-", "--format", "npz"], 2, "standard output"),
      (["log.csv", "-o", "b", "--format", "bids", "--bids-task", "a b"], 2, "letters and digits"),
      (["log.csv", "-o", "e", "--format", "euroc", "--noise", "acc.csv"], 1, "no number gyroscope_noise_density"),
      (["acc.csv", "-o", "a.euroc"], 1, "no gyroscope"), (["empty.csv", "-o", "a.csv"], 1, "empty.csv"),
      (["none.csv", "-o", "a.csv"], 1, "none.csv"), (["log.csv", "-o", "none/a.csv"], 1, "folder"),
      (["bad.csv", "-o", "a.csv"], 1, "bad.csv"), (["bad.csv", "-o", "a.bids"], 1, "bad.csv"),
      (["bad.csv", "-o", "a.npz"], 1, "bad.csv"), (["bad.csv", "-o", "a.euroc"], 1, "bad.csv"),
    ]
    for (arguments, status, word) in cases {
      try runner.check(["convert"] + arguments, status: status, errors: word, lines: 1)
    }
    #expect(try runner.read("old.npz") == "mine")
    #expect(try runner.files() == ["acc.csv", "bad.csv", "empty.csv", "log.csv", "old.npz"])
    try runner.check("convert", "acc.csv", "-o", "acc.npz")
    try runner.check("convert", "log.csv", "-o", "old.npz", "--force")
    try runner.check("convert", "log.csv", "-o", "-", "--json", status: 2)
  }

  @Test("--relative-time counts from the first sample, from a file and from standard input")
  func relativeTime() throws {
    let log = CanonicalLog.text(300) { $1[0] += 100 }
    try runner.write(log, to: "log.csv")
    try runner.check("convert", "log.csv", "--relative-time", "-o", "a.csv")
    try runner.check("convert", "-", "--relative-time", "-o", "b.csv", input: log)
    #expect(try runner.read("a.csv") == runner.read("b.csv") && numbers(runner.read("a.csv")).first?.first == 0)
  }
}
