import TestSupport
import Testing

/// Datasets of every format can be read as logs, with the same samples as a CSV dataset.
@Suite("Datasets read back", .needs(.hdf5)) struct DatasetRoundTripTests {
  private let runner = try! CommandRunner()

  private func simulated() throws { try runner.simulate("walk", "--duration", "10") }

  @Test(
    "the output of convert as HDF5, NPZ, Parquet or BIDS has the samples of the log, with each channel's clock",
    arguments: ["h5", "npz", "parquet", "bids"])
  func samples(form: String) throws {
    try simulated()
    try runner.check("convert", "sim/log.csv", "-o", "plain.csv")
    try runner.check("convert", "sim/log.csv", "-o", "set.\(form)")
    let log = form == "bids" ? try motionTable() : "set.\(form)"
    try runner.check("convert", log, "-o", "back.csv")
    let (plain, read) = (try rows("plain.csv"), try rows("back.csv"))
    #expect(plain.count == 2500 && plain.count == read.count)
    for (one, other) in zip(plain, read) {
      #expect(one.dropFirst() == other.dropFirst())
      // LATENCY counts from the first sample.
      let shift = form == "bids" ? Double(plain[0][0])! : 0
      #expect(abs(Double(one[0])! - shift - Double(other[0])!) <= (form == "bids" ? 1e-12 : 0))
    }
  }

  private func rows(_ name: String) throws -> [[String]] {
    Array(try runner.table(name).dropFirst())
  }

  @Test(
    "the output of fuse as HDF5, NPZ, Parquet or BIDS has the device motion of its CSV",
    arguments: ["h5", "npz", "parquet", "lists.parquet", "bids"])
  func motion(form: String) throws {
    try simulated()
    let fuse = [
      "fuse", "sim/log.csv", "--frame", "xMagneticNorthZVertical", "--field", "calibrated", "--digits", "17",
    ]
    try runner.check(fuse + ["-o", "set.csv"])
    let lists = form.hasPrefix("lists") ? ["--lists"] : []
    try runner.check(fuse + ["-o", "set.\(form)"] + lists)
    let log = form == "bids" ? try motionTable() : "set.\(form)"
    for (name, input) in [("a", "set.csv"), ("b", log)] {
      // All channels of device motion: attitude, gravity, user acceleration, rate, field, heading.
      try runner.check("convert", input, "-o", "\(name).h5")
    }
    let tables = try ["a", "b"].map { name in
      let path = runner.path("\(name).h5")
      let input = name == "a" ? "set" : form == "lists.parquet" ? "set.lists" : "set"
      let groups = name == "b" && form == "bids" ? String(log.split(separator: "/").last!.dropLast(4)) : input
      return try HDF5Table(path: path, group: groups)
    }
    let columns =
      ["time"] + SensorChannel.accelerometer.columnNames + SensorChannel.gyroscope.columnNames
      + SensorChannel.calibratedMagneticField.columnNames + SensorChannel.deviceAttitude.columnNames
      + SensorChannel.deviceGravity.columnNames + SensorChannel.deviceUserAcceleration.columnNames
      + SensorChannel.deviceRotationRate.columnNames + SensorChannel.deviceHeading.columnNames
    for column in columns {
      let (plain, back) = (try tables[0].column(column), try tables[1].column(column))
      #expect(plain.count > 900 && plain.count == back.count)
      if column == "time", form == "bids" {
        // LATENCY counts from the first sample.
        #expect(zip(plain, back).allSatisfy { abs($0 - plain[0] - $1) < 1e-12 })
      } else {
        #expect(plain.map(\.bitPattern) == back.map(\.bitPattern), "\(column)")
      }
    }
    try runner.check("fuse", log, "-o", "again.csv")
  }

  @Test("the UNIX time of time 0 is preserved", arguments: ["h5", "npz", "parquet"])
  func epoch(form: String) throws {
    let rows = (0..<300).map { "\(1_700_000_000_000_000_000 + $0 * 10_000_000),0,0,-1,0.01,0,0.02\n" }
    try runner.write(CanonicalLog.motionHeader + rows.joined(), to: "log.csv")
    for command in ["fuse", "convert"] {
      try runner.check(command, "log.csv", "-o", "set.\(form)", "--force")
      try runner.check("inspect", "set.\(form)", "--json", output: "\"epoch\" : 1700000000")
    }
  }

  @Test("a BIDS folder with one recording is fused into the requested file")
  func folder() throws {
    try simulated()
    try runner.check("fuse", "sim/log.csv", "-o", "set.bids")
    try runner.check("fuse", "set.bids", "-o", "again.csv")
    #expect(try runner.read("again.csv").hasPrefix("time,quaternionX"))
  }

  /// The table of the only recording in the folder `set.bids`.
  private func motionTable() throws -> String {
    let name = try runner.files(in: "set.bids/sub-01/motion").first { $0.hasSuffix("_motion.tsv") }
    return try "set.bids/sub-01/motion/" + #require(name)
  }
}
