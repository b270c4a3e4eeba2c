import InertialSensors

@testable import InertialLogs

/// The inputs other than motion logs: events, sound, and the records of NFC tags.
extension FuzzTests.Subject {
  static var beside: [Self] {
    let frames = (0..<40).map { [Double($0 % 8) / 8, -0.5] }
    let tag: [UInt8] = [
      0x91, 0x01, 0x05, 0x54, 0x02, 0x65, 0x6E, 0x61, 0x62, 0x11, 0x01, 0x03, 0x55, 0x01, 0x61, 0x62,
      0x12, 0x0A, 0x02, 0x74, 0x65, 0x78, 0x74, 0x2F, 0x70, 0x6C, 0x61, 0x69, 0x6E, 0x61, 0x62,
      0x11, 0x02, 0x08, 0x53, 0x70, 0xD1, 0x01, 0x04, 0x55, 0x01, 0x61, 0x62, 0x63, 0x51, 0x01, 0x02, 0x54, 0x00, 0x61,
    ]
    let events = [
      "time,channel,pressDuration,annotation,wifiRSSI,wifiSSID", "0.5,annotation,0.2,\"a \"\"b\"\", c\",,",
      "1.5,wifi,,,-60,home", "2.5,annotation,,\"two", "lines\",,", "3.5,annotation,,,,",
    ].joined(separator: "\n")
    return [
      Self(testDescription: "events", files: ["log.events.csv": Array(events.utf8)], isText: true) {
        (path, name) throws(LogError) in
        try CSVLogReader.events(of: path + "/" + name, wanted: AuxiliaryChannel.ofLogs, epoch: nil)?.events.count ?? 0
      },
      Self(testDescription: "WAV", files: ["sound.wav": WAVBytes.bytes(frames, rate: 50)], isText: false) {
        (path, name) throws(LogError) in try soundLevels(path + "/" + name).count
      },
      Self(testDescription: "NDEF", files: ["tag": tag], isText: false) { (path, name) throws(LogError) in
        let bytes = try InputFile(path: path + "/" + name).readBytes(upTo: 1 << 16)
        guard let message = try? [NDEFRecord](message: bytes) else { return 0 }
        return message.samples(at: 0).count
      },
    ]
  }
}
