import Testing

@testable import InertialJobs

@Suite("Channels carried into the dataset") struct CarriedChannelsTests {
  private let log = Log()

  /// A Sensor Logger recording of a device at rest for 20 s, to whose folder other files can be added.
  private struct Log {
    let folder = TemporaryFolder()
    private static let start = 1_700_000_000_000_000_000

    init() {
      write("AccelerometerUncalibrated.csv", "z,y,x", (0...2000).map { (Double($0) / 100, "-1,0.01,0") })
      write("GyroscopeUncalibrated.csv", "z,y,x", (0...2000).map { (Double($0) / 100, "0.001,0,0.002") })
      folder.write("platform\nios\n", to: "log/Metadata.csv")
    }

    /// The path of the recording.
    var path: String { folder.path("log") }

    func write(_ name: String, _ header: String, _ rows: [(Double, String)]) {
      let lines = rows.map { "\(Self.start + Int(($0.0 * 1e9).rounded())),\($0.0),\($0.1)\n" }
      folder.write("time,seconds_elapsed,\(header)\n" + lines.joined(), to: "log/\(name)")
    }

    func fuse(
      _ channels: ChannelSelection, overlapped: Bool = false, change: (inout FusionOptions) -> Void = { _ in }
    ) throws -> (columns: TextTable, text: String, report: FusionJob.Report) {
      var options = FusionOptions()
      (options.force, options.channels, options.digits) = (true, channels, 17)
      change(&options)
      var job = FusionJob(input: path, output: folder.path("out.csv"), options: options)
      job.isOverlapped = overlapped
      let report = try job.run()
      return (folder.table("out.csv"), folder.text("out.csv"), report)
    }

    /// Writes a barometer at about 1 Hz, steps, and sound levels at 4 Hz.
    func writeSlowSensors() {
      write(
        "Barometer.csv", "relativeAltitude,pressure", (0..<19).map { (Double($0) * 1.05 - 0.3, "\($0),\(1000 + $0)") })
      write("Pedometer.csv", "steps", [(3, "4"), (9.5, "11"), (9.505, "12")])
      write("Microphone.csv", "dBFS", (0..<60).map { (Double($0) / 4 + 0.1, "\(-$0)") })
    }
  }

  @Test(
    "each row has the channel values at its time, with and without overlapped stages",
    arguments: [nil, 37.0] as [Double?], ["complementary", "kalman"])
  func values(rate: Double?, filter: String) throws {
    log.writeSlowSensors()
    let change = { (options: inout FusionOptions) in
      (options.filter, options.rate, options.smooths) = (filter, rate, filter == "kalman")
    }
    let channels = ChannelSelection.only([.barometer, .pedometer, .microphone])
    let (columns, text, report) = try log.fuse(channels, change: change)
    #expect(try log.fuse(channels, overlapped: true, change: change).text == text)
    let times = columns["time"]
    #expect(times.count > 700 && report.columns.count == FusedColumn.standard.count + 3 + 8 + 3)
    func expect(_ name: String, _ index: Int, _ value: Double?, _ tolerance: Double = 1e-9) {
      let found = columns[name][index]
      let isAsExpected = value.map { abs(found - $0) < tolerance } ?? found.isNaN
      #expect(isAsExpected, "\(name) at \(times[index]): \(found), not \(value ?? .nan)")
    }
    for (index, time) in times.enumerated() {
      let position = (time + 0.3) / 1.05
      let before = min(position.rounded(.down), 18)
      // Near a sample, rounding determines which sample is the previous one.
      if abs(position - position.rounded()) > 1e-6 {
        expect("barometerAge", index, time - (before * 1.05 - 0.3))
        expect("pressure", index, before < 18 ? (1000 + position) / 10 : nil)
        expect("relativeAltitude", index, before < 18 ? position : nil)
      }
      if abs(time - 3) > 1e-6, abs(time - 9.5) > 1e-6 {
        expect("numberOfSteps", index, time < 3 ? nil : time < 9.5 ? 4 : time < 9.505 ? 11 : 12)
        expect("pedometerAge", index, time < 3 ? nil : time < 9.5 ? time - 3 : time < 9.505 ? time - 9.5 : time - 9.505)
      }
      let nearest = min(((time - 0.1) * 4).rounded(), 59)
      if abs(abs((time - 0.1) * 4 - nearest) - 0.5) > 1e-6 {
        let age = time - (nearest / 4 + 0.1)
        if abs(abs(age) - 1) > 1e-6 {
          expect("soundLevel", index, abs(age) <= 1 ? -max(nearest, 0) : nil)
          expect("microphoneAge", index, abs(age) <= 1 ? time - (max(nearest, 0) / 4 + 0.1) : nil)
        }
      }
    }
    #expect(Set(columns["currentPace"].map(\.isNaN)) == [true])
    #expect(report.log.auxiliary[.barometer]?.used == 19 && report.log.warnings.isEmpty)
  }

  @Test("the fused columns are byte for byte the same with and without other channels")
  func sameMotion() throws {
    log.writeSlowSensors()
    let plain = try log.fuse(.none).text.split(separator: "\n")
    let carried = try log.fuse(.all).text.split(separator: "\n")
    #expect(plain.count == carried.count && plain.count > 1900)
    #expect(zip(plain, carried).allSatisfy { $1.hasPrefix($0 + ",") })
    #expect(carried[0].hasSuffix(",soundLevel,soundPeak,microphoneAge"))
    // A log without other channels has the plain dataset.
    let bare = Log()
    #expect(try bare.fuse(.all).text == bare.fuse(.none).text)
  }

  @Test("an unsorted file results in the rows of the sorted one, with a second reading")
  func disorder() throws {
    // Longer than a block of the reader.
    for name in ["AccelerometerUncalibrated.csv", "GyroscopeUncalibrated.csv"] {
      log.write(name, "z,y,x", (0...6000).map { (Double($0) / 100, name.hasPrefix("A") ? "-1,0,0" : "0.001,0,0") })
    }
    let rows = (0..<59).map { (Double($0) + 0.5, "\($0 % 2)") }
    log.write("Light.csv", "lux", rows)
    let sorted = try log.fuse(.only([.light]))
    #expect(!sorted.report.log.wasSorted)
    log.write("Light.csv", "lux", rows.reversed())
    let reversed = try log.fuse(.only([.light]))
    #expect(reversed.report.log.wasSorted && reversed.text == sorted.text)
    // The last sample is read first, so all others are late.
    let light = reversed.report.log.auxiliary[.light]
    #expect(light?.outOfOrder == 58 && light?.used == 59)
  }

  @Test("the device's own values are columns next to the fused ones on request")
  func repeated() throws {
    log.write("Gravity.csv", "z,y,x", (0..<20).map { (Double($0) / 2 + 0.01, "-9.80665,0,0") })
    let (columns, _, report) = try log.fuse(.only([.rawRotationRate, .deviceGravity]))
    #expect(Set(columns["rawRotationRateX"]) == [0.002] && Set(columns["rawRotationRateAge"]) == [0])
    for (index, time) in columns["time"].enumerated() where time > 0.02 && time < 9.5 {
      #expect(abs(columns["deviceGravityZ"][index] + 1) < 1e-12)
    }
    #expect(columns["deviceGravityZ"].last!.isNaN && columns["deviceGravityAge"].last! > 10)
    #expect(report.log.auxiliary[.deviceGravity]?.used == 20)
    // They are not part of the selection of all channels.
    #expect(try !log.fuse(.all).text.contains("deviceGravity"))
  }

  @Test("a missing channel is empty and reported, and impossible values are left out and reported")
  func absent() throws {
    log.write("Light.csv", "lux", [(1, "5"), (2, "-7"), (3, "6")])
    let (columns, _, report) = try log.fuse(.only([.light, .barometer]))
    for name in ["pressure", "barometerAge"] { #expect(Set(columns[name].map(\.isNaN)) == [true], "\(name)") }
    #expect(Set(columns["illuminance"].filter { !$0.isNaN }) == [5, 6])
    #expect(report.log.warnings.contains("the log has no barometer: empty in the dataset"))
    #expect(report.log.warnings.contains("light: 1 value infinite or impossible, left out"))
  }

  @Test("events are written to a file next to the dataset, sorted by time, if they are requested")
  func events() throws {
    log.write("Annotation.csv", "text", [(5, "b"), (2, "\"a, first\""), (50, "after the end")])
    log.write("WiFi.csv", "level,bssid", [(5, "-60,aa")])
    let report = try log.fuse(.only([.annotation, .wifi])).report
    #expect(report.eventCount == 4 && report.columns == FusedColumn.standard.map(\.name))
    let events = log.folder.text("out.events.csv").split(separator: "\n")
    let wifi = "wifiRSSI,wifiFrequency,wifiBSSID,wifiSSID,wifiCapabilities,wifiConnection"
    #expect(events[0] == "time,channel,\(wifi),pressDuration,annotation")
    #expect(events[1] == "2.0,annotation,,,,,,,,\"a, first\"" && events[2] == "5.0,wifi,-60.0,,aa,,,,,")
    #expect(events[3] == "5.0,annotation,,,,,,,,b" && events.count == 5)
    try FileManager.default.removeItem(atPath: log.folder.path("out.events.csv"))
    #expect(try log.fuse(.only([.light])).report.eventCount == nil && log.folder.contents == ["log", "out.csv"])
    // An existing events' file is not replaced without `force`, and then nothing is written.
    log.folder.write("mine", to: "new.events.csv")
    let job = FusionJob(
      input: log.path, output: log.folder.path("new.csv"), options: with(FusionOptions()) { $0.channels = .all })
    #expect(throws: FusionError.self) { try job.run() }
    #expect(log.folder.contents == ["log", "new.events.csv", "out.csv"])
  }

  @Test("a sound file provides the level, from the log's first sample or from a given time")
  func sound() throws {
    log.write("Microphone.csv", "dBFS", [(1, "-99")])
    // Full scale for a second, then silence, 8 bit at 1 kHz.
    let data = (0..<2000).map { $0 < 1000 ? UInt8($0 % 4 < 2 ? 255 : 1) : 128 }
    let format: [UInt8] = [16, 0, 0, 0, 1, 0, 1, 0, 0xE8, 3, 0, 0, 0xE8, 3, 0, 0, 1, 0, 8, 0]
    let path = log.folder.write(
      Array("RIFF....WAVEfmt ".utf8) + format + Array("data".utf8) + [0xD0, 7, 0, 0] + data, to: "sound.wav")
    let change = { (start: Double?) in
      { (options: inout FusionOptions) in options.sound = SoundSource(path: path, start: start) }
    }
    for (start, silence) in [(nil, 1.0), (4, 5)] as [(Double?, Double)] {
      let columns = try log.fuse(.only([.microphone]), change: change(start)).columns
      let levels = columns["soundLevel"]
      for (time, level) in zip(columns["time"], levels) where !level.isNaN && abs(time - silence) > 0.13 {
        #expect((level > 2) == (time < silence), "\(level) dB at \(time) s")
      }
      #expect(levels.count { !$0.isNaN } > 100 && !levels.contains(-99))
    }
    #expect(try log.fuse(.all, change: change(nil)).columns.header.contains("soundLevel"))
    let absent = SoundSource(path: log.folder.path("none.wav"))
    #expect(throws: FusionError.self) { try log.fuse(.all) { $0.sound = absent } }
  }

  @Test("a loaded log has sorted samples for each channel")
  func samples() throws {
    log.write("Light.csv", "lux", [(3, "30"), (1, "10"), (2, "20")])
    let loaded = try with(LogFeed(path: log.path)) { $0.options.auxiliary = [.light, .barometer] }.load()
    #expect(loaded.auxiliary.count == 3 && loaded[.light].map { $0["illuminance"] } == [10, 20, 30])
  }

  @Test("channel names are parsed, and unknown names are an error")
  func names() throws {
    #expect(try ChannelSelection(names: ["all"]) == .all)
    #expect(try ChannelSelection(names: ["barometer", "wifi"]) == .only([.barometer, .wifi]))
    for names in [["all", "barometer"], ["barometers"]] {
      #expect(throws: FusionError.self, "\(names)") { try ChannelSelection(names: names) }
    }
    for (output, events) in [
      ("a/b.CSV", "a/b.events.csv"), ("x", "x.events.csv"), ("w.csv.fused.h5", "w.csv.fused.events.csv"),
    ] {
      #expect(DatasetFormat.eventsPath(of: output) == events)
    }
  }
}
