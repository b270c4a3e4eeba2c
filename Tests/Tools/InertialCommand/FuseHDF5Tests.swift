import Foundation
import Inertial
import TestSupport
import Testing

@Suite("fuse to HDF5", .needs(.hdf5))
struct FuseHDF5Tests {
  private func simulated(_ runner: CommandRunner) throws {
    let result = try runner.run("simulate", "walk", "-o", "sim", "--duration", "10")
    try #require(result.status == 0, "\(result.errors)")
  }

  /// The numbers of a CSV by column name; NaN if a field is empty.
  private func columns(ofCSV text: String) throws -> [String: [Double]] {
    let lines = text.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    var columns: [String: [Double]] = [:]
    for (index, name) in lines[0].enumerated() {
      columns[String(name)] = try lines.dropFirst().map {
        $0[index].isEmpty ? .nan : try #require(Double($0[index]))
      }
    }
    return columns
  }

  @Test(
    "an HDF5 dataset has exactly the numbers of the CSV, with the same names",
    arguments: [nil, "time,heading,status"])
  func sameAsCSV(columns chosen: String?) throws {
    let runner = try CommandRunner()
    try simulated(runner)
    let arguments =
      ["fuse", "sim/log.csv", "--frame", "xMagneticNorthZVertical"] + (chosen.map { ["--columns-out", $0] } ?? [])
    #expect(try runner.run(arguments + ["-o", "a.csv"]).status == 0)
    let result = try runner.run(arguments + ["-o", "a.h5"])
    #expect(result.status == 0 && result.output.contains("wrote   a.h5"), "\(result.errors)")
    let table = try HDF5Table(path: runner.folder.appendingPathComponent("a.h5").path, group: "log")
    let expected = try columns(ofCSV: runner.read("a.csv"))
    #expect(expected.count == (chosen == nil ? FusedColumn.standard.count : 3))
    for (name, values) in expected {
      #expect(try table.column(name).map(\.bitPattern) == values.map(\.bitPattern), "\(name)")
    }
  }

  @Test("the format is the requested one, else the format of the output's name")
  func format() throws {
    let runner = try CommandRunner()
    try runner.write(CanonicalLog.text(), to: "log.csv")
    #expect(try runner.run("fuse", "log.csv", "--format", "hdf5").status == 0)
    #expect(try runner.run("fuse", "log.csv", "-o", "b.HDF5").status == 0)
    #expect(try runner.run("fuse", "log.csv", "-o", "c.h5", "--format", "csv").status == 0)
    #expect(try runner.files() == ["b.HDF5", "c.h5", "log.csv", "log.csv.fused.h5"])
    #expect(try runner.read("c.h5").hasPrefix("time,"))
    for name in ["b.HDF5", "log.csv.fused.h5"] {
      let table = try HDF5Table(path: runner.folder.appendingPathComponent(name).path, group: "log")
      #expect(try table.column("time").count == 500)
    }
    #expect(try runner.run("fuse", "log.csv", "--format", "xls").status == 2)
  }

  @Test("standard output, digits and an existing file are rejected in one line, without output")
  func refusals() throws {
    let runner = try CommandRunner()
    try runner.write(CanonicalLog.text(), to: "log.csv")
    try runner.write("mine", to: "old.h5")
    let cases = [
      (["-o", "-", "--format", "hdf5"], "standard output"), (["-o", "a.h5", "--digits", "6"], "--digits"),
      (["-o", "old.h5"], "--force"),
    ]
    for (arguments, word) in cases {
      let result = try runner.run(["fuse", "log.csv"] + arguments)
      #expect(result.status == 2 && result.errorLines.count == 1 && result.errors.contains(word), "\(result.errors)")
    }
    #expect(try runner.read("old.h5") == "mine")
    // Out of order at the end: started, and rejected.
    try runner.write(CanonicalLog.text { row, values in if row > 300 { values[1] = 1e9 } }, to: "bad.csv")
    #expect(try runner.run("fuse", "bad.csv", "-o", "bad.h5").status == 1)
    #expect(try runner.files() == ["bad.csv", "log.csv", "old.h5"])
    #expect(try runner.run("fuse", "log.csv", "-o", "old.h5", "--force").status == 0)
  }

  @Test("a full disk is reported in one line, without output")
  func fullDisk() throws {
    let runner = try CommandRunner()
    try simulated(runner)
    // A limit on the file size fails in the same calls as a full disk.
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = [
      "-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" fuse sim/log.csv -o a.h5 2> told", CommandRunner.executable.path,
    ]
    shell.currentDirectoryURL = runner.folder
    shell.standardOutput = FileHandle.nullDevice
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 1)
    let reported = try runner.read("told")
    #expect(reported.split(separator: "\n").count == 1 && reported.contains("a.h5: cannot be written"), "\(reported)")
    #expect(try runner.files() == ["sim", "told"])
  }

  @Test("unsorted rows, which are read twice, and several logs give complete datasets")
  func startsAgain() throws {
    let runner = try CommandRunner()
    let lines = CanonicalLog.text().split(separator: "\n").map(String.init)
    let late = [lines[0]] + lines[1...50] + lines[250...] + lines[51..<250]
    try runner.write(late.joined(separator: "\n") + "\n", to: "a.csv")
    try runner.write(CanonicalLog.text(300), to: "b.csv")
    try FileManager.default.createDirectory(
      at: runner.folder.appendingPathComponent("out"), withIntermediateDirectories: false)
    let result = try runner.run("fuse", "a.csv", "b.csv", "-o", "out", "--format", "hdf5")
    #expect(result.status == 0, "\(result.errors)")
    for (name, count) in [("a", 500), ("b", 300)] {
      let path = runner.folder.appendingPathComponent("out/\(name).csv.fused.h5").path
      #expect(try HDF5Table(path: path, group: name).column("time") == (0..<count).map { Double($0) / 100 })
    }
  }
}
