/// A batch of readings that the app Sensor Logger pushes over HTTP: an object with messageId, sessionId, deviceId and
/// payload.
///
/// `PushMessageWriter` converts other sources to such messages, so that all sources are recorded and fused in the same
/// way.
package struct PushMessage: Sendable, Equatable {
  /// The values of one sensor at one time.
  package struct Reading: Sendable, Equatable {
    package struct Value: Sendable, Equatable {
      package var key: String
      /// The text with escapes resolved; empty for null.
      package var text: [UInt8]
      /// The number, or NaN if the value is not a number.
      package var number: Double
    }

    /// The sensor's name as written by the app, such as "accelerometeruncalibrated" or "wrist motion".
    package var name: String
    /// The UNIX time in nanoseconds, which a double cannot represent.
    package var time: Int64
    package var values: [Value]

    package init(name: String, time: Int64, values: [Value]) {
      (self.name, self.time, self.values) = (name, time, values)
    }

    /// Returns the number of a key, or NaN if the key is missing.
    func number(_ key: String) -> Double { values.first { $0.key == key }?.number ?? .nan }
  }

  /// The number of the message in its session, or `nil` if the sender does not count its messages.
  package var number: Int?
  package var session = ""
  package var device = ""
  package var readings: [Reading] = []
  /// The unit of the accelerations, if the sender specifies it; Sensor Logger does not.
  package var accelerationUnit: LogOptions.AccelerationUnit?
  package var accelerationSign: LogOptions.AccelerationSign?

  package init() {}

  /// The maximum length of a sender's names, in bytes.
  private static let maximumNameLength = 200

  /// - Parameter name: The name of the sender in messages.
  /// - Throws: ``LogError`` if the body is not such an object or a reading is malformed: no reading is silently
  ///   dropped.
  package init(body: [UInt8], name: String) throws(LogError) {
    do throws(LogError) {
      try read(JSONScanner(bytes: body, name: name))
    } catch {
      var error = error
      error.remedy =
        "send Sensor Logger's push messages: {\"messageId\", \"sessionId\", \"deviceId\", \"payload\": [...]}"
      throw error
    }
  }

  private mutating func read(_ scanner: JSONScanner) throws(LogError) {
    guard try scanner.advance() == .beginObject else { throw scanner.failure("is not a JSON object") }
    var hasPayload = false
    while let kind = try scanner.advance(), kind == .key {
      let key = String(decoding: scanner.text, as: UTF8.self)
      guard let value = try scanner.advance() else { break }
      switch (key, value) {
      case ("payload", .beginArray):
        hasPayload = true
        while let kind = try scanner.advance(), kind != .endArray {
          guard kind == .beginObject, let reading = try Reading(scanner) else {
            throw scanner.failure("a reading is not a complete object")
          }
          readings.append(reading)
        }
      case (_, .beginObject), (_, .beginArray): _ = try scanner.skipNested()
      // Some senders write it as text, or as a decimal number.
      case ("messageId", .number), ("messageId", .string):
        let text = String(decoding: scanner.text, as: UTF8.self)
        number = Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
      case ("sessionId", .string), ("sessionId", .number): session = Self.name(scanner)
      case ("accelerationUnit", .string): accelerationUnit = .init(Self.name(scanner))
      case ("accelerationSign", .string): accelerationSign = .init(rawValue: Self.name(scanner))
      case ("deviceId", .string), ("deviceId", .number): device = Self.name(scanner)
      default: break
      }
    }
    guard scanner.isComplete else { throw scanner.failure("the object is cut off") }
    guard try scanner.advance() == nil else { return }
    guard hasPayload else { throw scanner.failure("the object has no payload") }
  }

  /// The problem with the times of the readings, or `nil` if all are valid UNIX times in nanoseconds.
  package var timeProblem: String? {
    guard let reading = readings.first(where: { !plausibleUNIXNanoseconds.contains($0.time) }) else { return nil }
    let units: [(name: String, perSecond: Double)] = [("seconds", 1), ("milliseconds", 1e3), ("microseconds", 1e6)]
    let unit = units.first { RowClock.unixSeconds.contains(Double(reading.time) / $0.perSecond) }
    let problem = unit.map { "is in \($0.name)" } ?? "is outside the years 2001 to 2103"
    return "the time \(reading.time) of \"\(reading.name)\" \(problem); send UNIX time in whole nanoseconds"
  }

  private static func name(_ scanner: JSONScanner) -> String {
    String(decoding: scanner.text.prefix(maximumNameLength), as: UTF8.self)
  }

  /// Returns a sensor's name in lower case, letters and digits only: "Wrist Motion" and "wristmotion" are equal.
  package static func plainName(_ name: String) -> String {
    String(name.lowercased().filter { $0.isLetter || $0.isNumber })
  }
}

extension PushMessage.Reading {
  private static let maximumValueCount = 100

  /// Reads the rest of an object that has begun, or returns `nil` if the text ends within the object.
  ///
  /// - Throws: ``LogError`` if the name or a whole time in nanoseconds is missing.
  init?(_ scanner: JSONScanner) throws(LogError) {
    (name, values) = ("", [])
    var stamp: Int64?
    let outside = scanner.depth - 1
    while let kind = try scanner.advance(), kind == .key {
      let key = String(decoding: scanner.text, as: UTF8.self)
      guard let value = try scanner.advance() else { return nil }
      switch (key, value) {
      case ("name", .string): name = String(decoding: scanner.text.prefix(64), as: UTF8.self)
      // A double is not an exact timestamp, but Python may write one.
      case ("time", .number), ("time", .string):
        stamp =
          Int64(String(decoding: scanner.text, as: UTF8.self))
          ?? (value == .number ? Int64(exactly: scanner.number.rounded()) : nil)
      case ("values", .beginObject):
        while let kind = try scanner.advance(), kind == .key {
          let key = String(decoding: scanner.text.prefix(64), as: UTF8.self)
          guard let kind = try scanner.advance() else { return nil }
          guard values.count < Self.maximumValueCount else { throw scanner.failure("a reading of too many values") }
          switch kind {
          case .beginObject, .beginArray: guard try scanner.skipNested() else { return nil }
          case .null: values.append(Value(key: key, text: [], number: .nan))
          case .number: values.append(Value(key: key, text: scanner.text, number: scanner.number))
          default: values.append(Value(key: key, text: scanner.text, number: .nan))
          }
        }
        guard scanner.depth == outside + 1 else { return nil }
      case (_, .beginObject), (_, .beginArray): guard try scanner.skipNested() else { return nil }
      // An accuracy beside the values is a value, too.
      case ("accuracy", .number): values.append(Value(key: key, text: scanner.text, number: scanner.number))
      default: break
      }
    }
    guard scanner.depth == outside else { return nil }
    guard !name.isEmpty else { throw scanner.failure("a reading has no name") }
    guard let stamp else { throw scanner.failure("a reading has no time in whole nanoseconds") }
    time = stamp
  }
}

/// Writes messages in the format of the app Sensor Logger, for other sources.
package struct PushMessageWriter {
  /// The body of the current message.
  private var body = ""
  private var count = 0

  package init() {}

  /// Whether no reading was added since the last message.
  package var isEmpty: Bool { count == 0 }

  /// Adds a sensor reading of three numbers.
  package mutating func add(_ name: String, time: Int64, x: Double, y: Double, z: Double) {
    guard x.isFinite, y.isFinite, z.isFinite else { return }
    begin(name, time)
    body += "{\"x\":\(x),\"y\":\(y),\"z\":\(z)}}"
  }

  /// Adds a reading of named numbers.
  package mutating func add(_ name: String, time: Int64, _ values: [(key: String, number: Double)]) {
    let known = values.filter(\.number.isFinite)
    guard !known.isEmpty else { return }
    begin(name, time)
    body += "{" + known.map { "\"\($0.key)\":\($0.number)" }.joined(separator: ",") + "}}"
  }

  /// Adds a user's mark.
  package mutating func add(mark text: String, time: Int64) {
    begin("annotation", time)
    body += "{\"text\":\(Self.quoted(text))}}"
  }

  /// Returns a message of the marks alone, without acceleration unit and sign.
  package mutating func mark(session: String, device: String) -> [UInt8] {
    defer { (body, count) = ("", 0) }
    let head = "{\"sessionId\":\(Self.quoted(session)),\"deviceId\":\(Self.quoted(device)),"
    return Array((head + "\"payload\":[\(body)]}").utf8)
  }

  private mutating func begin(_ name: String, _ time: Int64) {
    body += (count > 0 ? "," : "") + "{\"name\":\(Self.quoted(name)),\"time\":\(time),\"values\":"
    count += 1
  }

  /// Returns a message of the added readings, without a line end; accelerations are in g with Core Motion's sign.
  package mutating func message(number: Int, session: String, device: String) -> [UInt8] {
    defer { (body, count) = ("", 0) }
    let names = "\"sessionId\":\(Self.quoted(session)),\"deviceId\":\(Self.quoted(device)),"
    let head = "{\"messageId\":\(number)," + names
    return Array(
      (head + "\"accelerationUnit\":\"g\",\"accelerationSign\":\"gravity\",\"payload\":[" + body + "]}").utf8)
  }

  /// Returns a JSON string. It contains no line end and no sequence that could end an HTML element.
  package static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "<", ">", "&", "\u{2028}", "\u{2029}", "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
