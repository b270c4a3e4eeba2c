import Foundation
import InertialNumerics
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

@Suite("Messages pushed by Sensor Logger") struct PushMessageTests {
  private let folder = TemporaryFolder()

  static func reading(_ name: String, _ milliseconds: Int, _ x: String, _ y: String, _ z: String) -> String {
    #"{"name":"\#(name)","time":\#(1_700_000_000_000_000_000 + milliseconds * 1_000_000),"values":{"z":\#(z),"y":\#(y),"x":\#(x)},"accuracy":3}"#
  }

  static func body(_ number: Int, _ readings: [String]) -> String {
    #"{"messageId":\#(number),"sessionId":"s","deviceId":"d","payload":[\#(readings.joined(separator: ","))]}"#
  }

  private func message(_ text: String) throws(LogError) -> PushMessage {
    try PushMessage(body: Array(text.utf8), name: "push")
  }

  private func take(
    _ messages: [PushMessage], _ options: LogOptions = LogOptions()
  ) -> (motion: [SensorSample], auxiliary: [AuxiliarySample], sampler: PushSampler) {
    var sampler = PushSampler(options: options)
    var (motion, auxiliary): ([SensorSample], [AuxiliarySample]) = ([], [])
    for message in messages { sampler.append(message, into: &motion, auxiliary: &auxiliary) }
    return (motion, auxiliary, sampler)
  }

  @Test("times are whole nanoseconds, beyond a double's precision; names and values are the app's")
  func values() throws {
    let values = #"{"x":1.5,"y":null,"on":true,"t":"te\"xt"}"#
    let reading0 = #"{"name":"accelerometer","time":1700000000123456789,"values":\#(values),"more":[{}]}"#
    let text = #"{"messageId":7,"sessionId":"a","deviceId":"b","payload":[\#(reading0)],"x":{}}"#
    let message = try message(text)
    #expect(message.number == 7 && message.session == "a" && message.device == "b")
    let reading = try #require(message.readings.first)
    #expect(reading.time == 1_700_000_000_123_456_789 && reading.name == "accelerometer")
    #expect(reading.number("x") == 1.5 && reading.number("y").isNaN && reading.number("none").isNaN)
    #expect(reading.values.map(\.key) == ["x", "y", "on", "t"])
    #expect(reading.values.last.map { String(decoding: $0.text, as: UTF8.self) } == "te\"xt")
  }

  @Test(
    "an invalid message is an error with its location and the required content",
    arguments: [
      ("", "is not a JSON object"), ("[]", "is not a JSON object"), ("{}", "the object has no payload"),
      (#"{"payload":[}"#, "is not a JSON value"), (#"{"payload":[1]}"#, "a reading is not a complete object"),
      (#"{"payload":[{"time":1,"values":{}}]}"#, "a reading has no name"),
      (#"{"payload":[{"name":"a","values":{}}]}"#, "a reading has no time in whole nanoseconds"),
      (#"{"payload":[{"name":"a","time":1e30,"values":{}}]}"#, "a reading has no time in whole nanoseconds"),
      (#"{"payload":[{"name":"a","time":1,"values":{"x":1"#, "a reading is not a complete object"),
      (#"{"payload":[]"#, "the object is cut off"), (#"{"payload":[]}{}"#, "there is text after"),
    ])
  func malformed(text: String, problem: String) {
    let error = logError(of: try message(text))
    #expect(error?.problem.contains(problem) == true, "\(String(describing: error))")
    #expect(error?.remedy.contains("payload") == true)
  }

  @Test("the number of a message may be text, or have a decimal point")
  func numbers() throws {
    let cases: [(String, Int?)] = [
      ("7", 7), ("\"7\"", 7), ("7.0", 7), ("\"-7\"", -7), ("1e3", 1000), ("7.5", nil), ("\"x\"", nil), ("null", nil),
      ("99999999999999999999", nil), ("1e300", nil), ("\"nan\"", nil), ("[7]", nil),
    ]
    for (text, number) in cases {
      #expect(try message(#"{"messageId":\#(text),"payload":[]}"#).number == number, "\(text)")
    }
  }

  @Test("messages whose units cannot be determined are queued up to a limit")
  func endlessObstacle() throws {
    let readings = (0..<1000).map { Self.reading("accelerometeruncalibrated", 10 * $0, "0", "0", "3") }
    let message = try message(Self.body(0, readings))
    var sampler = PushSampler(options: LogOptions())
    var (motion, auxiliary): ([SensorSample], [AuxiliarySample]) = ([], [])
    for _ in 0..<100 { sampler.append(message, into: &motion, auxiliary: &auxiliary) }
    #expect(motion.isEmpty && sampler.obstacle != nil)
    let pending = try #require(Mirror(reflecting: sampler).descendant("pending") as? [PushMessage])
    #expect(!pending.isEmpty && pending.reduce(0) { $0 + $1.readings.count } <= 50_000)
    let norms = try #require(Mirror(reflecting: sampler).descendant("norms") as? [Double])
    #expect(norms.count == 1000)
  }

  @Test("the first accelerations determine the units, as for a folder: g on iOS, inverted m/s² on Android")
  func inference() throws {
    for (z, scale) in [("-1", 1.0), ("9.80665", -1 / 9.80665)] {
      var sampler = PushSampler(options: LogOptions())
      var (motion, auxiliary): ([SensorSample], [AuxiliarySample]) = ([], [])
      for step in 0..<3 {
        let readings = (0..<10).flatMap { index in
          [
            Self.reading("gyroscope", 100 * step + 10 * index, "0", "0", "0.5"),
            Self.reading("accelerometeruncalibrated", 100 * step + 10 * index, "0", "0", z),
          ]
        }
        sampler.append(try message(Self.body(step, readings)), into: &motion, auxiliary: &auxiliary)
        // The messages are queued until the unit is determined; none is lost.
        #expect(motion.isEmpty == (step == 0))
      }
      #expect(motion.count == 60 && zip(motion, motion.dropFirst()).allSatisfy { $0.time <= $1.time })
      let value = try #require(Double(z))
      #expect(motion.filter { $0.channel == .accelerometer }.allSatisfy { $0.z == value * scale })
      #expect(motion.first?.time == 0 && motion.last?.time == 0.29 && sampler.obstacle == nil)
    }
  }

  @Test("an acceleration without a plausible unit is an error that names the option, which takes precedence")
  func obstacle() throws {
    let readings = (0..<30).map { Self.reading("accelerometeruncalibrated", 10 * $0, "0", "0", "3") }
    let messages = [try message(Self.body(0, readings))]
    let refused = take(messages)
    #expect(refused.motion.isEmpty && refused.sampler.obstacle?.remedy == "give --acceleration-unit g or m/s2")
    let motion = take(messages, with(LogOptions()) { $0.accelerationUnit = .g }).motion
    #expect(motion.count == 30 && motion[0].z == 3)
  }

  @Test("gravity and user acceleration alone require the sign; then their sum is the acceleration")
  func halves() throws {
    let readings = (0..<5).flatMap { step in
      [
        Self.reading("gravity", 10 * step, "0", "0", "-9.80665"),
        Self.reading("accelerometer", 10 * step, "0.980665", "0", "0"),
      ]
    }
    let messages = try (0..<4).map { try message(Self.body($0, readings)) }
    let refused = take(messages)
    #expect(refused.motion.isEmpty && refused.sampler.obstacle?.remedy.contains("--acceleration-sign") == true)
    let first = try #require(take(messages, with(LogOptions()) { $0.accelerationSign = .gravity }).motion.first)
    #expect(abs(first.x - 0.1) < 1e-12 && abs(first.z + 1) < 1e-12 && first.channel == .accelerometer)
  }

  @Test("a raw gyroscope that begins later replaces the calibrated one, and a calibrated field has an unknown accuracy")
  func lateGyroscope() throws {
    let messages = try (0..<4).map { step in
      let readings = (0..<10).flatMap { index -> [String] in
        let time = 100 * step + 10 * index
        return [
          Self.reading("gyroscope", time, "0", "0", "0.5"),
          Self.reading("accelerometeruncalibrated", time, "0", "0", "-1"),
        ] + (step >= 2 ? [Self.reading("gyroscopeuncalibrated", time + 3, "0", "0", "0.8")] : [])
          + (index == 0 ? [Self.reading("magnetometer", time, "20", "0", "-40")] : [])
      }
      return try message(Self.body(step, readings))
    }
    let motion = take(messages, with(LogOptions()) { $0.accelerationUnit = .g }).motion
    #expect(motion[.gyroscope].map(\.z) == Array(repeating: 0.5, count: 20) + Array(repeating: 0.8, count: 20))
    #expect(motion[.calibratedMagneticField].count == 4)
    #expect(motion[.calibratedMagneticField].allSatisfy { $0.w.isNaN })
  }

  @Test("pressure, battery and marks have their channels' units")
  func auxiliary() throws {
    let options = with(LogOptions()) { ($0.accelerationUnit, $0.auxiliary) = (.g, [.barometer, .annotation]) }
    let time = 1_700_000_000_000_000_000
    let text = #"""
      {"messageId":1,"payload":[{"name":"accelerometeruncalibrated","time":\#(time),"values":{"x":0,"y":0,"z":-1}},
      {"name":"barometer","time":\#(time),"values":{"relativeAltitude":1.5,"pressure":1013.25}},
      {"name":"battery","time":\#(time),"values":{"batteryLevel":0.75,"batteryState":"unplugged"}},
      {"name":"annotation","time":\#(time),"values":{"text":"door, left"}}]}
      """#
    let (_, auxiliary, sampler) = take([try message(text)], options)
    let pressure = try #require(auxiliary.first { $0.channel == .barometer })
    #expect(abs(pressure["pressure"] - 101.325) < 1e-9 && pressure["relativeAltitude"] == 1.5)
    #expect(auxiliary.first { $0.channel == .annotation }?[text: "annotation"] == "door, left")
    #expect(sampler.battery == 0.75)
  }

  @Test("a written message reads back unchanged, for any names")
  func writer() throws {
    var writer = PushMessageWriter()
    writer.add("accelerometeruncalibrated", time: 5, x: 0.1, y: -1e-7, z: 3)
    writer.add("gyroscope", time: 6, x: .nan, y: 0, z: 0)
    writer.add(mark: "a \"b\" </script>\n\u{2028}", time: 7)
    let body = writer.message(number: 3, session: "s\\", device: "<d>")
    #expect(!body.contains(0x0A) && !body.contains(UInt8(ascii: "<")))
    let message = try PushMessage(body: body, name: "")
    #expect(message.number == 3 && message.session == "s\\" && message.device == "<d>")
    #expect(message.accelerationUnit == .g && message.accelerationSign == .gravity && writer.isEmpty)
    #expect(message.readings.map(\.name) == ["accelerometeruncalibrated", "annotation"])
    #expect(message.readings[0].number("y") == -1e-7)
  }

  // MARK: Recordings

  private func recording(_ messages: [String], end: String = "\n") -> String {
    let header = #"{"inertial":"recording","version":1,"device":"d","accelerationUnit":"g"}"#
    return folder.write(([header] + messages).joined(separator: "\n") + end, to: "r.push.jsonl")
  }

  private func messages(_ count: Int) -> [String] {
    (0..<count).map { step in
      let readings = (0..<5).flatMap { index in
        ["AccelerometerUncalibrated", "gyroscope"].map {
          Self.reading($0, 50 * step + 10 * index, "0", "0.\(index)", "-1")
        }
      }
      return Self.body(step, readings)
    }
  }

  private func samples(_ path: String) throws -> [SensorSample] { try LogFeed(path: path).load().samples }

  @Test("a recording is read like the app's folder, also with unordered and repeated messages")
  func order() throws {
    let plain = try samples(recording(messages(40)))
    #expect(plain.count == 400 && plain[0].time == 0)
    var mixed = messages(40)
    mixed.swapAt(3, 4)
    mixed.swapAt(10, 35)
    mixed.insert(mixed[7], at: 20)
    #expect(try samples(recording(mixed)) == plain)
    #expect(try openLog(path: recording(mixed)).description.format == "sensor-logger-push")
  }

  @Test("an incomplete last message is read up to the cut, at any byte")
  func cutOff() throws {
    let all = messages(3)
    let last = Array(all[2].utf8)
    for count in stride(from: 1, to: last.count, by: 7) {
      let path = recording(Array(all.prefix(2)) + [String(decoding: last.prefix(count), as: UTF8.self)], end: "")
      let found = try samples(path).count
      #expect(found >= 20 && found <= 30, "\(count)")
      #expect(try openLog(path: path).description.notes.contains { $0.hasPrefix("the file ends early") })
    }
  }

  @Test("a line that is not a message is an error that names the preceding object")
  func damage() {
    let path = recording(messages(2) + ["{]"])
    let error = logError(of: try openLog(path: path))
    #expect(error?.problem.contains("in object 21") == true, "\(String(describing: error))")
  }
}
