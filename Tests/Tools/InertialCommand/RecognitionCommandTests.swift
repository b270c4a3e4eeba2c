import Testing

@Suite("fuse --with") struct RecognitionCommandTests {
  private let runner = try! CommandRunner()
  private static let columns = ["shakeStatus", "shakeCount", "shakeProbability"]

  /// Rest, two seconds of shaking at 4 Hz and 2.5 g from 3 s, and rest again; face up, 100 Hz, with pressure.
  private func writeLog(_ name: String = "log.csv") throws {
    var text: String = CanonicalLog.motionHeader.dropLast() + ",pressure\n"
    for index in 0..<700 {
      let time = Double(index) / 100
      let phase = 2 * Double.pi * 4 * (time - 3)
      let isMoving = time >= 3 && time < 5
      // A constant axis would be reported.
      let noise = 1e-4 * sin(Double(index))
      text += "\(time),\((isMoving ? 2.5 * sin(phase) : 0) + noise),\(noise),\(noise - 1),\(noise),\(noise),"
      text += "\((isMoving ? 3 * cos(phase) : 0) + noise),"
      text += index % 100 == 0 ? "101.3\n" : "\n"
    }
    try runner.write(text, to: name)
  }

  @Test("the help lists units, and the required and optional channels of each recogniser")
  func help() throws {
    // Compared as words, since the help is wrapped.
    let help = try runner.run("help", "columns").output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(help.contains("time (s), quaternionX (1)") && help.contains("heading (deg). The heading is in degrees"))
    for recognition in Recognition.allCases where !recognition.channels.isEmpty {
      let names = recognition.channels.sorted().map(\.name).joined(separator: " or ")
      let words = recognition.needsChannels ? "; needs \(names)" : "; uses \(names) if available"
      #expect(help.contains(recognition.meaning + words), "\(recognition.rawValue)")
    }
    #expect(!Recognition.steps.needsChannels && !Recognition.activity.needsChannels)
  }

  @Test("the columns follow the motion and precede the channels, and the summary shows the last row")
  func columns() throws {
    try writeLog()
    try runner.check(
      "fuse", "log.csv", "-o", "a.csv", "--with", "shake", "--with-channels", "barometer", "--metadata",
      output: "with    in the last row: shakeStatus 2, shakeCount 1, shakeProbability 0", lines: 0)
    let header = try runner.read("a.csv").prefix { $0 != "\n" }.split(separator: ",").map(String.init)
    #expect(
      header == FusedColumn.standard.map(\.name) + Self.columns + ["relativeAltitude", "pressure", "barometerAge"])
    let metadata = try runner.read("a.csv.json")
    #expect(metadata.contains("\"recognitions\" : \"shake\"") && metadata.contains("2 ShakeEnded"), "\(metadata)")
    let document = try runner.document(
      "fuse", "log.csv", "-o", "b.csv", "--with", "shake", "--columns-out", "time,shakeCount")
    #expect(document["columns"] as? [String] == ["time", "shakeCount"])
    #expect((document["recognised"] as? [String: Any])?["shakeCount"] as? Double == 1)
    #expect(try runner.read("b.csv").hasSuffix("\n6.99,1\n"))
  }

  @Test("a pipe and standard output give the rows of the file")
  func stream() throws {
    try writeLog()
    let arguments = ["-o", "-", "--with", "shake", "--rate", "40"]
    let file = try runner.run(["fuse", "log.csv"] + arguments)
    let pipe = try runner.run(["fuse", "-"] + arguments, input: runner.read("log.csv"))
    #expect(file.status == 0 && file.output.split(separator: "\n").count == 281 && pipe.output == file.output)
  }

  @Test("every format has the columns")
  func formats() throws {
    try writeLog()
    var formats = ["csv", "npz", "bids"]
    if HDF5TableWriter.isAvailable { formats.append("hdf5") }
    try runner.check("fuse", "log.csv", "-o", "a.csv", "--with", "shake", "--format", formats.joined(separator: ","))
    let npz = try Data(contentsOf: runner.folder.appendingPathComponent("a.npz"))
    #expect(npz.range(of: Data("shakeProbability.npy".utf8)) != nil)
    let bids = try FileManager.default.subpathsOfDirectory(atPath: runner.path("a.bids"))
    let channels = try #require(bids.first { $0.hasSuffix("_channels.tsv") })
    #expect(try runner.read("a.bids/" + channels).contains("shakeCount\tn/a\tMISC"))
    if HDF5TableWriter.isAvailable {
      #expect(try HDF5Table(path: runner.path("a.h5"), group: "log").column("shakeCount").last == 1)
    }
    // A format with fixed columns does not support them.
    try runner.check("fuse", "log.csv", "-o", "a.tum", "--with", "shake")
    #expect(try runner.read("a.tum").split(separator: "\n").last?.split(separator: " ").count == 8)
  }

  @Test("unknown recognisers, and columns of unused recognisers, are usage errors that list the alternatives")
  func refusals() throws {
    try writeLog()
    let cases = [
      (["--with", "shakes"], "use \(Recognition.allCases.map(\.rawValue).joined(separator: ", "))"),
      (["--with", "shake,shake"], "listed twice"), (["--with", ""], "'' cannot be recognised"),
      (["--columns-out", "time,shakeCount"], "--with shake"),
    ]
    for (arguments, word) in cases {
      try runner.check(["fuse", "log.csv", "-o", "out.csv"] + arguments, status: 2, errors: word)
    }
    #expect(try runner.files() == ["log.csv"])
    let help = try runner.run("help", "columns").output
    for recognition in Recognition.allCases {
      #expect(help.contains("  \(recognition.rawValue): \(recognition.meaning.prefix(20))"))
    }
  }

  @Test("a resumed batch keeps datasets made with the same recognisers, and makes the others again")
  func resume() throws {
    for name in ["logs/0.csv", "logs/1.csv"] {
      try writeLog(name)
    }
    let first = ["fuse", "logs", "-o", "out", "--with", "shake"]
    try runner.check(first)
    let manifest = try runner.read("out/inertial-manifest.json").filter { !$0.isWhitespace }
    #expect(manifest.contains("\"recognitions\":[\"shake\"]"))
    try runner.check(first + ["--resume"], output: "kept    2 datasets")
    let other = try runner.run("fuse", "logs", "-o", "out", "--resume")
    #expect(other.status == 0 && !other.output.contains("kept"), "\(other.output)\(other.errors)")
    #expect(try !runner.read("out/0.csv.fused.csv").contains("shakeStatus"))
  }
}
