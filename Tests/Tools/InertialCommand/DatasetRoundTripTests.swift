import Foundation
import Inertial
import TestSupport
import Testing

/// Datasets of every format can be read as logs, with the same samples as a CSV dataset.
@Suite("Datasets read back", .needs(.hdf5))
struct DatasetRoundTripTests {
  private func simulated() throws -> CommandRunner {
    let runner = try CommandRunner()
    let result = try runner.run("simulate", "walk", "-o", "sim", "--duration", "10")
    try #require(result.status == 0, "\(result.errors)")
    return runner
  }

  @Test(
    "the output of convert as HDF5, NPZ, Parquet or BIDS has the samples of the log, with each channel's clock",
    arguments: ["h5", "npz", "parquet", "bids"])
  func samples(form: String) throws {
    let runner = try simulated()
    #expect(try runner.run("convert", "sim/log.csv", "-o", "plain.csv").status == 0)
    #expect(try runner.run("convert", "sim/log.csv", "-o", "set.\(form)").status == 0)
    let log = form == "bids" ? try motionTable(runner) : "set.\(form)"
    let back = try runner.run("convert", log, "-o", "back.csv")
    #expect(back.status == 0, "\(back.errors)")
    let (plain, read) = (try rows(runner, "plain.csv"), try rows(runner, "back.csv"))
    #expect(plain.count == 2500 && plain.count == read.count)
    for (one, other) in zip(plain, read) {
      #expect(one.dropFirst() == other.dropFirst())
      // LATENCY counts from the first sample.
      let shift = form == "bids" ? Double(plain[0][0])! : 0
      #expect(abs(Double(one[0])! - shift - Double(other[0])!) <= (form == "bids" ? 1e-12 : 0))
    }
  }

  private func rows(_ runner: CommandRunner, _ name: String) throws -> [[String]] {
    try runner.read(name).split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test(
    "the output of fuse as HDF5, NPZ, Parquet or BIDS has the device motion of its CSV",
    arguments: ["h5", "npz", "parquet", "lists.parquet", "bids"])
  func motion(form: String) throws {
    let runner = try simulated()
    let fuse = ["fuse", "sim/log.csv", "--frame", "xMagneticNorthZVertical", "--field", "calibrated"]
    #expect(try runner.run(fuse + ["-o", "set.csv"]).status == 0)
    let lists = form.hasPrefix("lists") ? ["--lists"] : []
    #expect(try runner.run(fuse + ["-o", "set.\(form)"] + lists).status == 0)
    let log = form == "bids" ? try motionTable(runner) : "set.\(form)"
    for (name, input) in [("a", "set.csv"), ("b", log)] {
      // All channels of device motion: attitude, gravity, user acceleration, rate, field, heading.
      let result = try runner.run("convert", input, "-o", "\(name).h5")
      #expect(result.status == 0, "\(result.errors)")
    }
    let tables = try ["a", "b"].map { name in
      let path = runner.folder.appendingPathComponent("\(name).h5").path
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
    let again = try runner.run("fuse", log, "-o", "again.csv")
    #expect(again.status == 0, "\(again.errors)")
  }

  @Test("the UNIX time of time 0 is preserved", arguments: ["h5", "npz", "parquet"])
  func epoch(form: String) throws {
    let runner = try CommandRunner()
    let rows = (0..<300).map { "\(1_700_000_000_000_000_000 + $0 * 10_000_000),0,0,-1,0.01,0,0.02\n" }
    try runner.write(
      "time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ\n" + rows.joined(),
      to: "log.csv")
    for command in ["fuse", "convert"] {
      #expect(try runner.run(command, "log.csv", "-o", "set.\(form)", "--force").status == 0)
      let result = try runner.run("inspect", "set.\(form)", "--json")
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output.contains("\"epoch\" : 1700000000"), "\(command): \(result.output.prefix(2000))")
    }
  }

  @Test("a BIDS folder with one recording is fused into the requested file")
  func folder() throws {
    let runner = try simulated()
    #expect(try runner.run("fuse", "sim/log.csv", "-o", "set.bids").status == 0)
    let result = try runner.run("fuse", "set.bids", "-o", "again.csv")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try runner.read("again.csv").hasPrefix("time,quaternionX"))
  }

  /// The table of the only recording in the folder `set.bids`.
  private func motionTable(_ runner: CommandRunner) throws -> String {
    let folder = runner.folder.appendingPathComponent("set.bids/sub-01/motion").path
    let name = try FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix("_motion.tsv") }
    return try "set.bids/sub-01/motion/" + #require(name)
  }
}
