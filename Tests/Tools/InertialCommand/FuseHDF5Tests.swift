import TestSupport
import Testing

@Suite("fuse to HDF5", .needs(.hdf5)) struct FuseHDF5Tests {
  private let runner = try! CommandRunner()

  @Test(
    "an HDF5 dataset has the numbers and names of a CSV with all digits", arguments: [nil, "time,heading,status"])
  func sameAsCSV(columns chosen: String?) throws {
    try runner.simulate("walk", "--duration", "10")
    let arguments =
      ["fuse", "sim/log.csv", "--frame", "xMagneticNorthZVertical"] + (chosen.map { ["--columns-out", $0] } ?? [])
    try runner.check(arguments + ["-o", "a.csv", "--digits", "17"])
    try runner.check(arguments + ["-o", "a.h5"], output: "wrote   a.h5")
    let table = try HDF5Table(path: runner.path("a.h5"), group: "log")
    let expected = try runner.columns("a.csv")
    #expect(expected.header.count == (chosen == nil ? FusedColumn.standard.count : 3))
    for name in expected.header {
      #expect(try table.column(name).map(\.bitPattern) == expected[name].map(\.bitPattern), "\(name)")
    }
  }

  @Test("the format is the requested one, else the format of the output's name")
  func format() throws {
    try runner.write(CanonicalLog.text(), to: "log.csv")
    try runner.check("fuse", "log.csv", "--format", "hdf5")
    try runner.check("fuse", "log.csv", "-o", "b.HDF5")
    try runner.check("fuse", "log.csv", "-o", "c.h5", "--format", "csv")
    #expect(try runner.files() == ["b.HDF5", "c.h5", "log.csv", "log.csv.fused.h5"])
    #expect(try runner.read("c.h5").hasPrefix("time,"))
    for name in ["b.HDF5", "log.csv.fused.h5"] {
      #expect(try HDF5Table(path: runner.path(name), group: "log").column("time").count == 500)
    }
    try runner.check("fuse", "log.csv", "--format", "xls", status: 2)
  }

  @Test("standard output, digits and an existing file are rejected in one line, without output")
  func refusals() throws {
    try runner.write(CanonicalLog.text(), to: "log.csv")
    try runner.write("mine", to: "old.h5")
    let cases = [
      (["-o", "-", "--format", "hdf5"], "standard output"), (["-o", "a.h5", "--digits", "6"], "--digits"),
      (["-o", "old.h5"], "--force"),
    ]
    for (arguments, word) in cases {
      try runner.check(["fuse", "log.csv"] + arguments, status: 2, errors: word, lines: 1)
    }
    #expect(try runner.read("old.h5") == "mine")
    // Out of order at the end: started, and rejected.
    try runner.write(CanonicalLog.text { row, values in if row > 300 { values[1] = 1e9 } }, to: "bad.csv")
    try runner.check("fuse", "bad.csv", "-o", "bad.h5", status: 1)
    #expect(try runner.files() == ["bad.csv", "log.csv", "old.h5"])
    try runner.check("fuse", "log.csv", "-o", "old.h5", "--force")
  }

  @Test("unsorted rows, which are read twice, and several logs give complete datasets")
  func startsAgain() throws {
    let lines = CanonicalLog.text().split(separator: "\n").map(String.init)
    let late = [lines[0]] + lines[1...50] + lines[250...] + lines[51..<250]
    try runner.write(late.joined(separator: "\n") + "\n", to: "a.csv")
    try runner.write(CanonicalLog.text(300), to: "b.csv")
    try runner.makeFolder("out")
    try runner.check("fuse", "a.csv", "b.csv", "-o", "out", "--format", "hdf5")
    for (name, count) in [("a", 500), ("b", 300)] {
      let path = runner.path("out/\(name).csv.fused.h5")
      #expect(try HDF5Table(path: path, group: name).column("time") == (0..<count).map { Double($0) / 100 })
    }
  }
}
