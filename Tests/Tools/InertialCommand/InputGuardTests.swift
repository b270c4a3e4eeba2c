import Testing

@Suite("No output replaces an input") struct InputGuardTests {
  private let runner = try! CommandRunner()

  private func makeFolder() throws {
    let rows = (0..<300).map { "\(Double($0) / 100),0.01,0.02,1\n" }.joined()
    try runner.write("time (s),x (g),y (g),z (g)\n" + rows, to: "log/Accelerometer.csv")
    try runner.write("time (s),x (rad/s),y (rad/s),z (rad/s)\n" + rows, to: "log/Gyroscope.csv")
    try runner.write("note\n", to: "log/more/notes.txt")
    try runner.link("link.csv", to: runner.path("log/Gyroscope.csv"))
    try runner.link("linked", to: runner.path("log"))
    try FileManager.default.linkItem(atPath: runner.path("log/Gyroscope.csv"), toPath: runner.path("hard.csv"))
    try runner.write(CanonicalLog.text(300), to: "other.csv")
    try runner.link("other.link.csv", to: runner.path("other.csv"))
  }

  @Test(
    "an output never replaces a file of an input folder, a linked input or another log of the batch, even with --force",
    arguments: [
      ["fuse", "log", "-o", "log/Gyroscope.csv"], ["fuse", "log", "-o", "linked/Accelerometer.csv"],
      ["fuse", "log", "-o", "link.csv"], ["fuse", "log", "-o", "hard.csv"],
      ["fuse", "log", "-o", "log/more/notes.txt", "--format", "csv"], ["convert", "log", "-o", "log/Gyroscope.csv"],
      ["convert", "log", "-o", "link.csv"], ["fuse", "log", "-o", "log", "--format", "bids"],
      ["fuse", "log", "-o", "linked", "--format", "euroc"], ["convert", "log", "-o", "log", "--format", "euroc"],
      ["fuse", "other.csv", "-o", "other.csv", "--format", "csv"], ["fuse", "other.csv", "-o", "./other.csv"],
      ["fuse", "other.csv", "-o", "other.link.csv"],
    ])
  func refused(_ arguments: [String]) throws {
    try makeFolder()
    let names = ["log/Accelerometer.csv", "log/Gyroscope.csv", "log/more/notes.txt", "other.csv", "hard.csv"]
    let before = try names.map { try runner.read($0) }
    try runner.check(arguments + ["--force"], status: 2, errors: "would replace the input", lines: 1)
    #expect(try names.map { try runner.read($0) } == before)
  }

  @Test("a batch whose dataset would replace another input is rejected before any output is written")
  func batch() throws {
    try runner.write(CanonicalLog.text(300), to: "a.csv")
    try runner.write(CanonicalLog.text(200), to: "out/a.csv.fused.csv")
    let before = try runner.read("out/a.csv.fused.csv")
    try runner.check(
      "fuse", "a.csv", "out/a.csv.fused.csv", "-o", "out", "--force", status: 2, errors: "would replace the input")
    #expect(try runner.read("out/a.csv.fused.csv") == before && runner.files(in: "out") == ["a.csv.fused.csv"])
  }

  @Test("a log redirected to standard input is not replaced either")
  func standardInput() throws {
    try runner.write(CanonicalLog.text(300), to: "a.csv")
    for extra in [[], ["--follow"]] {
      let end = try runner.shell("exec \"$@\" <a.csv", ["fuse", "-", "-o", "a.csv", "--force"] + extra)
      #expect(end.status == 2 && end.errors.contains("would replace the input"), "\(end)")
      #expect(try runner.read("a.csv") == CanonicalLog.text(300))
    }
  }

  @Test("an output next to the files of the log, and a replaced output with --force, are accepted")
  func welcome() throws {
    try makeFolder()
    try runner.check("fuse", "log", "-o", "log/out.csv")
    try runner.check("fuse", "other.csv", "-o", "other.out.csv")
    try runner.check("fuse", "other.csv", "-o", "other.out.csv", "--force")
  }

  @Test(
    "no command replaces its log, its reference, its calibration or its noise with its output",
    arguments: [
      ["report", "log.csv", "-o", "log.csv"], ["report", "log.csv", "-o", "linked.csv"],
      ["report", "log.csv", "-o", "hard.csv"], ["plot", "log.csv", "--format", "svg", "-o", "log.csv"],
      ["plot", "log.csv", "--format", "pdf", "-o", "linked.csv"],
      ["plot", "log.csv", "--quantity", "error", "--reference", "truth.csv", "--format", "svg", "-o", "truth.csv"],
      ["report", "log.csv", "--reference", "truth.csv", "-o", "truth.csv"],
      ["fuse", "log.csv", "--noise", "noise.json", "--format", "csv", "-o", "noise.json"],
      ["track", "log.csv", "--noise", "noise.json", "--format", "csv", "-o", "noise.json"],
      ["plot", "log.csv", "--noise", "noise.json", "--format", "svg", "-o", "noise.json"],
      ["report", "log.csv", "--noise", "noise.json", "-o", "noise.json"],
      ["convert", "log.csv", "--format", "csv", "-o", "log.csv"],
      [
        "tune", "log.csv", "--reference", "truth.csv", "--reference-frame", "nwu", "--filter", "mahony", "-o",
        "truth.csv",
      ],
    ])
  func everyCommand(_ arguments: [String]) throws {
    try runner.simulate("walk", to: "sim", "--duration", "5")
    try runner.write(runner.read("sim/log.csv"), to: "log.csv")
    try runner.write(runner.read("sim/truth.csv"), to: "truth.csv")
    try runner.write("{\"sensors\":[]}", to: "noise.json")
    try runner.link("linked.csv", to: runner.path("log.csv"))
    try FileManager.default.linkItem(atPath: runner.path("log.csv"), toPath: runner.path("hard.csv"))
    let names = ["log.csv", "truth.csv", "noise.json", "hard.csv"]
    let before = try names.map { try runner.read($0) }
    let result = try runner.run(arguments + ["--force"])
    #expect(try result.status != 0 && names.map { try runner.read($0) } == before, "\(result.errors)")
  }

  @Test(
    "no command writes through a symbolic link, with or without --force",
    arguments: [
      ["fuse", "log.csv", "-o", "link.csv"], ["fuse", "log.csv", "-o", "link.npz"],
      ["fuse", "log.csv", "-o", "link.h5"], ["fuse", "log.csv", "-o", "link.parquet"],
      ["fuse", "log.csv", "-o", "link.mcap"], ["fuse", "log.csv", "--format", "tum", "-o", "link.tum"],
      ["fuse", "log.csv", "--format", "bids", "-o", "link.bids"], ["convert", "log.csv", "-o", "link.csv"],
      ["convert", "log.csv", "--format", "euroc", "-o", "link.euroc"], ["track", "log.csv", "-o", "link.csv"],
      ["report", "log.csv", "-o", "link.html"], ["plot", "log.csv", "-o", "link.svg"],
      ["allan", "log.csv", "-o", "link.csv"], ["allan", "log.csv", "--plot", "link.svg"],
    ])
  func links(_ arguments: [String]) throws {
    try runner.write(CanonicalLog.text(7000), to: "log.csv")
    try runner.write("precious", to: "precious.txt")
    let link = arguments.last!
    for force in [[], ["--force"]] {
      try runner.link(link, to: "precious.txt")
      let result = try runner.run(arguments + force)
      #expect(try runner.read("precious.txt") == "precious", "\(arguments) \(force)")
      if force.isEmpty {
        #expect(result.status == 2 && result.errors.contains("is a symbolic link"), "\(result.errors)")
      }
      try? FileManager.default.removeItem(atPath: runner.path(link))
    }
  }

  @Test("--resume replaces a symbolic link with the dataset, and leaves the link's target unchanged")
  func resumedLink() throws {
    for name in ["a", "b"] { try runner.write(CanonicalLog.text(300), to: "in/\(name).csv") }
    try runner.check("fuse", "in", "-o", "out")
    let whole = try runner.read("out/a.csv.fused.csv")
    try runner.remove("out/a.csv.fused.csv")
    try runner.write("precious", to: "precious.txt")
    try runner.link("out/a.csv.fused.csv", to: "../precious.txt")
    try runner.check("fuse", "in", "-o", "out", "--resume")
    #expect(try runner.read("precious.txt") == "precious" && runner.read("out/a.csv.fused.csv") == whole)
  }

  @Test("a run with one unwritable output leaves no output")
  func allOrNone() throws {
    try runner.write(CanonicalLog.text(7000), to: "log.csv")
    try runner.write("somebody's", to: "out.bids/notes.txt")
    try runner.check("fuse", "log.csv", "--format", "csv,npz,bids", "-o", "out", "--force", status: 2)
    // A path without position fixes has no geographic origin.
    try runner.simulate("walk", to: "sim", "--duration", "20")
    try runner.check("track", "sim/log.csv", "--on", "hand", "-o", "track.csv", "--map", "out.geojson", status: 2)
    try runner.check("allan", "log.csv", "-o", "curves.csv", "--plot", "none/allan.svg", status: 1)
    try runner.check("allan", "log.csv", "-o", "curves.csv", "-o", "curves.csv", status: 2)
    #expect(try runner.files() == ["log.csv", "out.bids", "sim"])
  }

  @Test("rows that a shell would append to their own log are rejected")
  func appended() throws {
    try runner.write(CanonicalLog.text(300), to: "log.csv")
    let end = try runner.shell("exec \"$@\" >>log.csv", ["fuse", "log.csv", "-o", "-"])
    #expect(end.status == 2 && end.errors.contains("standard output: is the input"), "\(end)")
    #expect(try runner.read("log.csv") == CanonicalLog.text(300))
  }
}
