import TestSupport
import Testing

@Suite("Auxiliary channels on the command line") struct ChannelCommandTests {
  private let runner = try! CommandRunner()

  /// A canonical log with pressure, light and annotations in its rows.
  private static let log: String = {
    var text = CanonicalLog.header.dropLast() + ",pressure (hPa),lux,annotation\n"
    for (index, line) in CanonicalLog.text(300).split(separator: "\n").dropFirst().enumerated() {
      text += line + (index % 100 == 50 ? ",\(1000 + index),\(index),mark \(index)\n" : ",,,\n")
    }
    return String(text)
  }()

  @Test("--with-channels appends columns, and events go to a separate file next to the dataset")
  func fuse() throws {
    try runner.write(Self.log, to: "log.csv")
    let fuse = ["fuse", "log.csv", "-o", "a.csv", "--with-channels", "all"]
    try runner.check(fuse, output: "barometer", "a.events.csv: 3 events", lines: 0)
    let lines = try runner.table("a.csv")
    #expect(lines[0].suffix(5) == ["relativeAltitude", "pressure", "barometerAge", "illuminance", "lightAge"])
    // Midway between the samples at 0.5 and 1.5 s.
    #expect(lines[101].suffix(5) == ["", "110", "0.5", "50", "0.5"])
    #expect(
      try runner.read("a.events.csv")
        == "time,channel,pressDuration,annotation\n0.5,annotation,,mark 50\n1.5,annotation,,mark 150\n2.5,annotation,,mark 250\n"
    )
    let document = try runner.document(
      "fuse", "log.csv", "-o", "b.csv", "--columns-out", "time", "--with-channels", "light")
    #expect(document["columns"] as? [String] == ["time", "illuminance", "lightAge"])
    #expect(document["events"] == nil && (document["auxiliary"] as? [Any])?.count == 1)
    #expect(try runner.files() == ["a.csv", "a.events.csv", "b.csv", "log.csv"])
  }

  @Test("standard output has the columns, and a warning reports the omitted events")
  func standardOutput() throws {
    try runner.write(Self.log, to: "log.csv")
    let result = try runner.check(
      "fuse", "log.csv", "-o", "-", "--columns-out", "time", "--with-channels", "all",
      errors: "events (annotation) are omitted")
    #expect(result.output.hasPrefix("time,relativeAltitude,pressure,barometerAge,illuminance,lightAge\n"))
    #expect(try result.output.split(separator: "\n").count == 301 && runner.files() == ["log.csv"])
    // From a pipe the rows are the same.
    let piped = try runner.run(
      ["fuse", "-", "-o", "-", "--columns-out", "time", "--with-channels", "all"], input: Self.log)
    #expect(piped.output == result.output)
  }

  @Test("unknown channels and invalid sound files are one-line usage or data errors")
  func refusals() throws {
    try runner.write(Self.log, to: "log.csv")
    let cases: [([String], Int32, String)] = [
      (["--with-channels", "barometers"], 2, "no channel 'barometers'"),
      (["--sound", "none.wav"], 1, "no such file"), (["--sound", "log.csv"], 1, "is not a WAV file"),
      (["log.csv", "--sound", "log.csv"], 2, "one log"), (["--sound-weighting", "q"], 2, "sound-weighting"),
    ]
    for (arguments, status, word) in cases {
      try runner.check(["fuse", "log.csv", "-o", "out"] + arguments, status: status, errors: word)
    }
    #expect(try runner.files() == ["log.csv"])
  }

  @Test("events written by fuse are read with the dataset, and written again unchanged")
  func eventsReadBack() throws {
    let header = CanonicalLog.header.dropLast() + ",annotation,wifiSSID,wifiRSSI,bluetoothState,nfcContent,proximity\n"
    var text = String(header)
    for (index, line) in CanonicalLog.text(300).split(separator: "\n").dropFirst().enumerated() {
      let more =
        switch index {
        case 40: "\"a \"\"b\"\", c\",home,-50,poweredOn,,Closing."
        case 120: ",guest,-61,,Room 3,Leaving."
        default: ",,,,,"
        }
      text += line + "," + more + "\n"
    }
    try runner.write(text, to: "log.csv")
    try runner.check("fuse", "log.csv", "-o", "a.csv", "--with-channels", "all", lines: 0)
    let events = try runner.read("a.events.csv")
    #expect(events.contains("Closing.") && events.contains("Leaving.") && events.contains("Room 3"), "\(events)")
    try runner.check("fuse", "a.csv", "-o", "b.csv", "--with-channels", "all")
    #expect(try runner.read("b.events.csv") == events)
    // The events file next to the input is also an input.
    try runner.check(
      "fuse", "a.csv", "-o", "a.h5", "--with-channels", "all", "--force", status: 2,
      errors: "a.events.csv: the output would replace the input")
    #expect(try runner.read("a.events.csv") == events)
    let inspected = try runner.run("inspect", "a.csv").output
    for channel in ["annotation", "wifi", "bluetooth", "nfc", "proximityChange"] {
      #expect(inspected.contains(channel), "\(channel): \(inspected)")
    }
  }

  @Test("a channel without a readable cell is reported with file, line, column and cell, not as missing")
  func unreadable() throws {
    var text = String(CanonicalLog.header.dropLast() + ",proximity\n")
    for line in CanonicalLog.text(50).split(separator: "\n").dropFirst() { text += line + ",half way\n" }
    try runner.write(text, to: "log.csv")
    let result = try runner.run("fuse", "log.csv", "-o", "a.csv", "--with-channels", "proximity")
    #expect(result.status == 0 && !result.errors.contains("has no proximity"))
    let column = CanonicalLog.header.split(separator: ",").count + 1
    #expect(
      result.errors.contains(
        "log.csv:2:\(column): \"half way\" is not a value of proximity, which takes a number or one of")
        && result.errors.contains("; 50 such cells of the channel are left out"), "\(result.errors)")
    let none = try runner.run("fuse", "log.csv", "-o", "b.csv", "--with-channels", "light")
    #expect(none.errors.contains("the log has no light: empty in the dataset"))
  }

  @Test("inspect reports the channels with counts, rates, units and ranges")
  func inspect() throws {
    try runner.write(Self.log, to: "log.csv")
    let text = try runner.run("inspect", "log.csv").output
    #expect(text.contains("barometer                           3       1.00"), "\(text)")
    #expect(text.contains("105 to 125 kPa") && text.contains("illuminance") && text.contains("50 to 250 lx"), "\(text)")
    let channels = try #require(try runner.document("inspect", "log.csv")["auxiliary"] as? [[String: Any]])
    #expect(channels.map { $0["name"] as? String } == ["barometer", "light", "annotation"])
    // A log with only motion has no entry for other channels.
    try runner.write(CanonicalLog.text(), to: "plain.csv")
    #expect(try !runner.run("inspect", "plain.csv", "--json").output.contains("auxiliary"))
  }

  @Test("HDF5 also contains the columns, with their units", .needs(.hdf5))
  func hdf5() throws {
    try runner.write(Self.log, to: "log.csv")
    try runner.check("fuse", "log.csv", "-o", "a.h5", "--with-channels", "all")
    let pressure = try HDF5Table(path: runner.path("a.h5"), group: "log").column("pressure")
    #expect(pressure.count == 300 && pressure[100] == 110 && pressure[0].isNaN)
    #expect(try runner.files() == ["a.events.csv", "a.h5", "log.csv"])
  }
}
