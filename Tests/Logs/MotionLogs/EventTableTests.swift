import Foundation
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

@Suite("Events in words and lists, written and read back") struct EventTableTests {
  private let folder = TemporaryFolder()
  private static let motion = "time,accelerationX,accelerationY,accelerationZ"

  private func options(_ channels: Set<AuxiliaryChannel> = AuxiliaryChannel.ofLogs) -> LogOptions {
    with(LogOptions()) { $0.auxiliary = channels }
  }

  private func read(
    _ text: String, _ channels: Set<AuxiliaryChannel> = AuxiliaryChannel.ofLogs
  ) throws(LogError) -> AuxiliaryLog {
    let path = folder.write(text, to: "log.csv")
    return try readAuxiliary(openLog(path: path, options: options(channels)))
  }

  /// The events of every event channel, with every number and text, and one event without any.
  private var events: [AuxiliarySample] {
    var events: [AuxiliarySample] = []
    for (index, channel) in AuxiliaryChannel.allCases.filter({ $0.isEvent }).enumerated() {
      var event = AuxiliarySample(time: Double(index), channel: channel)
      for (position, field) in channel.fields.enumerated() {
        event.set(position, min(max(0.1 * Double(position + 1), field.range.lowerBound), field.range.upperBound))
      }
      for position in channel.textFields.indices {
        event.set(text: position, ["plain", " a \"b\", c ", "two\nlines;|\ttab"][position % 3])
      }
      events += [event, AuxiliarySample(time: Double(index) + 0.5, channel: channel)]
    }
    return events
  }

  private func write(_ events: [AuxiliarySample], to name: String) throws {
    let writer = try EventTableWriter(path: folder.path(name), channels: Set(events.map(\.channel)))
    for event in events { writer.append(event) }
    try writer.close()
  }

  private func expectSame(_ read: [AuxiliarySample], _ written: [AuxiliarySample]) {
    #expect(read.count == written.count)
    for (a, b) in zip(read, written) {
      #expect(a.time == b.time && a.channel == b.channel && a.hasSameValues(as: b), "\(a) \(b)")
    }
  }

  @Test("all written events are read back, from the log's companion file or alone, with line ends and quotes")
  func roundTrip() throws {
    let events = events
    try write(events, to: "log.events.csv")
    let beside = try read("\(Self.motion)\n0,0,0,-1\n3.2,0,0,-1\n100,0,0,-1\n")
    expectSame(beside.samples, events)
    #expect(beside.motion == 3 && beside.description.notes.contains("events: \(events.count) from log.events.csv"))
    #expect(beside.description.auxiliaryChannels == Set(events.map(\.channel)))
    let alone = try readAuxiliary(openLog(path: folder.path("log.events.csv"), options: options()))
    expectSame(alone.samples, events)
    // A log whose name contains a dot.
    try FileManager.default.copyItem(atPath: folder.path("log.events.csv"), toPath: folder.path("walk.v2.events.csv"))
    folder.write("\(Self.motion)\n0,0,0,-1\n", to: "walk.v2")
    #expect(LogFeed.events(beside: folder.path("walk.v2")) == folder.path("walk.v2.events.csv"))
    #expect(LogFeed.events(beside: folder.path("walk.v3")) == nil && LogFeed.events(beside: "-") == nil)
    expectSame(try readAuxiliary(openLog(path: folder.path("walk.v2"), options: options())).samples, events)
    // Equal consecutive events are two events.
    let twice = [events[0], events[0]]
    try FileManager.default.removeItem(atPath: folder.path("log.events.csv"))
    try write(twice, to: "log.events.csv")
    #expect(try read("\(Self.motion)\n0,0,0,-1\n").samples.count == 2)
  }

  @Test("a log with all of a phone's channels is read back completely, including its companion events")
  func wholeLog() throws {
    func sample(_ time: Double, _ channel: AuxiliaryChannel, _ name: String, _ value: Double) -> AuxiliarySample {
      var sample = AuxiliarySample(time: time, channel: channel)
      sample[name] = value
      return sample
    }
    let motion = (0..<4).flatMap { index -> [SensorSample] in
      let time = Double(index) / 2
      return [
        SensorSample(time: time, channel: .gyroscope, x: 0.1, y: 0.2, z: 0.3),
        SensorSample(time: time, channel: .accelerometer, x: 0, y: 0, z: -1),
        SensorSample(time: time, channel: .calibratedMagneticField, x: 20, y: 0, z: -40, w: 2),
      ]
    }
    let reported = [
      sample(0.5, .barometer, "pressure", 101.3), sample(0.7, .light, "illuminance", 5),
      sample(0.7, .light, "illuminance", 6), sample(0.7, .proximity, "proximityNear", 1),
      sample(9, .location, "latitude", 47.5),
    ]
    try RawLogWriter.write(motion, auxiliary: reported + events, to: folder.path("phone.csv"))
    var wanted = options()
    wanted.auxiliary.remove(.proximityChange)
    let (read, found, _) = try readBoth(openLog(path: folder.path("phone.csv"), options: wanted))
    for channel in [SensorChannel.gyroscope, .accelerometer, .calibratedMagneticField] {
      let (a, b) = (read.filter { $0.channel == channel }, motion.filter { $0.channel == channel })
      #expect(a.map { [$0.time, $0.x, $0.y, $0.z] } == b.map { [$0.time, $0.x, $0.y, $0.z] }, "\(channel)")
    }
    expectSame(
      found.filter { !$0.channel.isEvent }.sorted { ($0.time, $0.channel) < ($1.time, $1.channel) },
      reported.sorted { ($0.time, $0.channel) < ($1.time, $1.channel) })
    expectSame(found.filter(\.channel.isEvent), events.filter { $0.channel != .proximityChange })
  }

  @Test("only requested channels are read, the log's own channel takes precedence, and an empty table has no events")
  func selection() throws {
    try write(events, to: "log.events.csv")
    let log = "\(Self.motion)\n0,0,0,-1\n1,0,0,-1\n"
    #expect(Set(try read(log, [.wifi, .barometer]).samples.map(\.channel)) == [.wifi])
    #expect(try read(log, [.barometer]).samples.isEmpty && read(log, []).samples.isEmpty)
    let own = try read("\(Self.motion),annotation\n0,0,0,-1,mine\n1,0,0,-1,\n", [.annotation, .nfc])
    #expect(own.samples.of(.annotation).map { $0[text: "annotation"] } == ["mine"] && own.samples.of(.nfc).count == 2)
    folder.write("time,channel,pressDuration,annotation\n", to: "log.events.csv")
    let empty = try read(log)
    #expect(empty.samples.isEmpty && empty.motion == 2)
  }

  @Test("events are sorted by time, not later than motion of their time, and on the log's clock")
  func order() throws {
    folder.write(
      "time,channel,annotation\n1700000002500000000,annotation,late\n1700000001000000000,annotation,early\n",
      to: "log.events.csv")
    let rows = (0..<5000).map { "\(1_700_000_000_000_000_000 + $0 * 1_000_000),0,0,-1\n" }.joined()
    let path = folder.write("\(Self.motion)\n" + rows, to: "log.csv")
    var reader = try openLog(path: path, options: options())
    var (motion, found): ([SensorSample], [AuxiliarySample]) = ([], [])
    while try reader.read(into: &motion) {
      reader.takeAuxiliary(into: &found)
      let newest = motion.last!.time
      #expect(found.count { $0.time <= newest } == [1, 2.5].count { $0 <= newest })
    }
    reader.takeAuxiliary(into: &found)
    #expect(found.map { ($0.time * 1e6).rounded() / 1e6 } == [1, 2.5])
    #expect(found.map { $0[text: "annotation"] } == ["early", "late"])
  }

  @Test("damage in the table is reported with its own location")
  func damage() {
    let log = "\(Self.motion)\n0,0,0,-1\n1,0,0,-1\n"
    func error(_ table: String) -> LogError? {
      folder.write(table, to: "log.events.csv")
      return logError { () throws(LogError) in try read(log) }
    }
    let open = error("time,channel,annotation\n0,annotation,\"never closed\n1,annotation,x\n")
    #expect(open?.line == 2 && open?.path.hasSuffix("log.events.csv") == true)
    #expect(error("time,channel,annotation\n0,annotation\n1,annotation,x\n")?.line == 2)
    #expect(error("time,channel,annotation\nsoon,annotation,x\n")?.column == 1)
  }

  @Test(
    "proximity is specified in words, switches, numbers and centimetres",
    arguments: [
      ("proximity", ["Closing.", "Leaving."]), ("proximity", ["near", "FAR"]), ("proximityState", ["true", "false"]),
      ("Proximity", ["1", "0"]), ("isProximityNear", ["Yes", "No"]),
    ])
  func proximity(header: String, words: [String]) throws {
    let text =
      "\(Self.motion),\(header)\n0,0,0,-1,\(words[1])\n1,0,0,-1,\(words[0])\n2,0,0,-1,\(words[0])\n3,0,0,-1,\(words[1])\n"
    let samples = try read(text).samples
    #expect(samples.of(.proximity).map { $0["proximityNear"] } == [0, 1, 1, 0])
    #expect(samples.of(.proximityChange).map(\.time) == [1, 3])
    #expect(samples.of(.proximityChange).map { $0["proximityChange"] } == [1, 0])
    #expect(samples.of(.proximityChange).map { $0[text: "proximityWord"] } == ["Closing.", "Leaving."])
    // Only the changes.
    #expect(Set(try read(text, [.proximityChange]).samples.map(\.channel)) == [.proximityChange])
    #expect(try read(text, [.proximity]).samples.of(.proximityChange).isEmpty)
  }

  @Test("a proximity in a unit of length is a distance, without change events")
  func distance() throws {
    let samples = try read("\(Self.motion),Proximity (cm)\n0,0,0,-1,5\n1,0,0,-1,0\n").samples
    #expect(samples.of(.proximity).map { $0["proximityDistance"] } == [0.05, 0])
    #expect(samples.of(.proximityChange).isEmpty)
  }

  @Test("an unreadable cell is reported with file, line, column and accepted values; the rest is read")
  func unreadable() throws {
    let found = try read("\(Self.motion),proximity,lux\n0,0,0,-1,maybe,5\n1,0,0,-1,perhaps,dim\n2,0,0,-1,near,7\n")
    #expect(found.samples.of(.proximity).count == 1 && found.samples.of(.light).count == 2)
    let warnings = found.description.unreadableWarnings
    #expect(warnings.count == 2)
    let light = try #require(warnings.first { $0.contains("light") })
    #expect(light.hasSuffix("log.csv:3:6: \"dim\" is not a value of light, which takes a number"))
    let proximity = try #require(warnings.first { $0.contains("proximity") })
    #expect(
      proximity.contains("log.csv:2:5: \"maybe\" is not a value of proximity, which takes a number or one of away, "))
    #expect(proximity.hasSuffix("; 2 such cells of the channel are left out"))
    #expect(found.description.unreadable[.proximity]?.count == 2)
    // The same applies to a table of a folder.
    folder.write("time,seconds_elapsed,lux\n1700000000000000000,0,bright\n", to: "Light.csv")
    folder.write("time,seconds_elapsed,z,y,x\n1700000000000000000,0,-1,0,0\n", to: "AccelerometerUncalibrated.csv")
    folder.write("version,device name,platform,standardisation\n3,phone,ios,false\n", to: "Metadata.csv")
    let table = try readAuxiliary(LogFormat.sensorLogger.reader(of: folder.path, options: options())).description
    #expect(table.unreadableWarnings == ["Light.csv:2:3: \"bright\" is not a value of light, which takes a number"])
  }

  @Test("a camera's BrightnessValue implies the luminance: one foot-lambert at 0, twice as much at 1")
  func brightness() throws {
    let samples = try read("\(Self.motion),BrightnessValue\n0,0,0,-1,0\n1,0,0,-1,1\n2,0,0,-1,-2\n3,0,0,-1,\n").samples
    #expect(samples.of(.sceneLight).map { $0["brightnessValue"] } == [0, 1, -2])
    // A foot-lambert is 3.426 259 1 cd/m² (NIST SP 811, appendix B.8).
    for (sample, expected) in zip(samples, [3.4262591, 6.8525182, 0.8565648]) {
      #expect(abs(sample["luminance"] - expected) < 1e-6)
    }
  }

  @Test("radio states in Apple's words, and lists of devices, networks and records, are events at each change")
  func lists() throws {
    let header = "\(Self.motion);bluetoothState;bluetoothDevices;wifiNetworks;nfcRecords".replacing(",", with: ";")
    let rows = [
      "0;0;0;-1;poweredOn;[\"\"Watch\"\", \"\"Buds\"\"];home, guest;x",
      "1;0;0;-1;poweredOn;[\"\"Watch\"\", \"\"Buds\"\"];home, guest;", "2;0;0;-1;Powered Off;;;",
      "3;0;0;-1;poweredOff;\"a;b\";home|guest, upstairs;x",
    ].map { $0.replacing("[\"\"Watch\"\", \"\"Buds\"\"]", with: "\"[\"\"Watch\"\", \"\"Buds\"\"]\"") }
    let samples = try read(([header] + rows).joined(separator: "\n") + "\n").samples
    func reported(_ channel: AuxiliaryChannel, _ text: String) -> [String] {
      samples.of(channel).map { "\($0.time) \($0[text: text])" }
    }
    #expect(reported(.bluetooth, "bluetoothName") == ["0.0 Watch", "0.0 Buds", "2.0 ", "3.0 a", "3.0 b"])
    #expect(samples.of(.bluetooth).map { $0["bluetoothState"] } == [5, 5, 4, 4, 4])
    #expect(reported(.wifi, "wifiSSID") == ["0.0 home", "0.0 guest", "3.0 home", "3.0 guest, upstairs"])
    #expect(reported(.nfc, "nfcContent") == ["0.0 x", "3.0 x"])
  }

  @Test(
    "every word for a state of the radio is read, and its name is written",
    arguments: [
      ("unknown", 0), ("Resetting", 1), ("STATE_TURNING_ON", 1), ("unsupported", 2), ("Unauthorized", 3), ("denied", 3),
      ("PowerOff", 4), ("poweredOff", 4), ("disabled", 4), ("false", 4), ("PowerOn", 5), ("Powered On", 5), ("on", 5),
      ("STATE_ON", 5), ("true", 5), ("5", 5),
    ])
  func radioStates(word: String, state: Double) throws {
    let samples = try read("\(Self.motion),bluetoothState\n0,0,0,-1,\(word)\n").samples.of(.bluetooth)
    #expect(samples.map { $0["bluetoothState"] } == [state])
    let names = ["unknown", "resetting", "unsupported", "unauthorized", "poweredOff", "poweredOn"]
    #expect(samples.map { $0[text: "bluetoothStateWord"] } == [names[Int(state)]])
  }

  @Test("a number that is not a state has no word, and another word is reported")
  func otherStates() throws {
    let found = try read("\(Self.motion),bluetoothState\n0,0,0,-1,0.5\n1,0,0,-1,maybe\n")
    #expect(found.samples.of(.bluetooth).map { $0[text: "bluetoothStateWord"] } == [""])
    #expect(found.description.unreadableWarnings.first?.contains("a number or one of unknown, resetting") == true)
  }

  /// A log with one cell, quoted as in RFC 4180.
  private func cell(_ name: String, _ text: String) throws -> [AuxiliarySample] {
    let quoted = "\"" + text.replacing("\"", with: "\"\"") + "\""
    return try read("\(Self.motion),\(name)\n0,0,0,-1,\(quoted)\n").samples
  }

  @Test("a list of devices in JSON has one event per device, with identifier, strength and connection")
  func devices() throws {
    let list = """
      [{"name": "Buds, left", "identifier": "A1-B2", "rssi": -61, "state": 2}, \
      {"localName": "Watch", "uuid": "C3", "RSSI": "-70.5", "isConnected": false, "services": ["180D", "180F"], \
      "advertisement": {"txPowerLevel": -4}, "manufacturerData": "4c00"}, {"state": "connecting"}, {"other": 1}]
      """
    let devices = try cell("bluetoothDevices", list).of(.bluetooth)
    #expect(devices.map { $0[text: "bluetoothName"] } == ["Buds, left", "Watch", ""])
    #expect(devices.map { $0[text: "bluetoothIdentifier"] } == ["A1-B2", "C3", ""])
    #expect(devices.map { $0[text: "bluetoothConnection"] } == ["connected", "disconnected", "connecting"])
    #expect(devices.map { $0["bluetoothRSSI"] }.prefix(2) == [-61, -70.5] && devices[2]["bluetoothRSSI"].isNaN)
    #expect(devices[1]["bluetoothTransmitPower"] == -4 && devices[1][text: "bluetoothData"] == "4c00")
    let one = try cell("bluetoothDevices", "{\"name\": \"Solo\", \"connected\": true}").of(.bluetooth)
    #expect(one.map { $0[text: "bluetoothName"] } == ["Solo"] && one[0][text: "bluetoothConnection"] == "connected")
  }

  @Test("networks and records in JSON have their own members, and a tag's records have the tag's identifier")
  func networksAndRecords() throws {
    let networks = try cell(
      "wifiNetworks",
      "[{\"ssid\":\"home\",\"bssid\":\"aa:bb\",\"level\":-50,\"frequency\":2437,\"state\":\"connected\"}]"
    ).of(.wifi)
    #expect(networks.map { $0.values } == [[-50, 2437]] && networks[0].texts == ["aa:bb", "home", "", "connected"])
    let records = try cell(
      "nfcRecords",
      "[{\"identifier\":\"04A2\",\"records\":[{\"typeNameFormat\":1,\"type\":\"T\",\"payload\":\"hi\",\"locale\":\"en\"},"
        + "{\"tnf\":\"media\",\"type\":\"text/x\",\"payload\":\"yo\"}]},{\"content\":\"alone\",\"typeNameFormat\":6}]"
    ).of(.nfc)
    #expect(records.map { $0[text: "nfcContent"] } == ["hi", "yo", "alone"])
    #expect(records.map { $0[text: "nfcIdentifier"] } == ["04A2", "04A2", ""])
    #expect(records.map { $0[text: "nfcTypeNameFormat"] } == ["nfcWellKnown", "media", "unchanged"])
    #expect(records.map { $0[text: "nfcType"] } == ["T", "text/x", ""] && records[0][text: "nfcLanguage"] == "en")
  }

  @Test(
    "a list that only looks like JSON is a list of names",
    arguments: ["{a", "[{\"name\": \"x\"", "[\"x\", {\"name\": 1}]"])
  func noJSON(text: String) throws {
    #expect(try !cell("bluetoothDevices", text).of(.bluetooth).isEmpty)
  }

  @Test("the column of a dataset has the luminance, too, and the dataset's own luminance takes precedence")
  func ownBrightness() throws {
    let samples = try read("\(Self.motion),brightnessValue\n0,0,0,-1,1\n").samples.of(.sceneLight)
    #expect(samples.count == 1 && abs(samples[0]["luminance"] - 6.8525182) < 1e-6)
    let own = try read("\(Self.motion),brightnessValue,luminance\n0,0,0,-1,1,7\n").samples.of(.sceneLight)
    #expect(own.map { $0["luminance"] } == [7] && own.map { $0["brightnessValue"] } == [1])
  }

  @Test("the names of a list are split at separators, without blanks and quotes")
  func names() {
    let names = AuxiliaryCell.listedNames
    #expect(names("a; b ;c") == ["a", "b", "c"] && names("a, b") == ["a", "b"])
    #expect(names("x|y, z") == ["x", "y, z"] && names("one") == ["one"])
    #expect(names("[]").isEmpty && names(" ").isEmpty && names(";;").isEmpty)
    #expect(names("[\"a,b\", \"c\"]") == ["a,b", "c"])
  }
}
