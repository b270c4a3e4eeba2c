/// A batch of readings as the app Sensor Logger pushes it over HTTP: an object with messageId, sessionId, deviceId and payload.
///
/// Sources of other kinds are put into such messages too (`PushMessageWriter`), so that there is one way from what comes to
/// what is recorded and fused.
package struct PushMessage: Sendable, Equatable {
  /// Values of one sensor at one time.
  package struct Reading: Sendable, Equatable {
    package struct Value: Sendable, Equatable {
      package var key: String
      /// As it came, escapes resolved; empty of null.
      package var text: [UInt8]
      /// NaN of what is no number.
      package var number: Double
    }

    /// As the app writes it, "accelerometeruncalibrated" or "wrist motion".
    package var name: String
    /// UNIX time in nanoseconds, which a double does not hold.
    package var time: Int64
    package var values: [Value]

    package init(name: String, time: Int64, values: [Value]) {
      (self.name, self.time, self.values) = (name, time, values)
    }

    /// The number of a key; NaN where there is none.
    func number(_ key: String) -> Double { values.first { $0.key == key }?.number ?? .nan }
  }

  /// The place of the message among those of its session; nil where the sender counts none.
  package var number: Int?
  package var session = ""
  package var device = ""
  package var readings: [Reading] = []
  /// What the accelerations are in, where the sender says so; Sensor Logger does not.
  package var accelerationUnit: LogOptions.AccelerationUnit?
  package var accelerationSign: LogOptions.AccelerationSign?

  package init() {}

  /// Bytes of the names that a sender may give.
  private static let longestName = 200

  /// - Parameter name: of the sender, for messages.
  /// - Throws: where the body is no such object. A reading of another shape is an error too: nothing is left out silently.
  package init(body: [UInt8], name: String) throws(LogError) {
    do throws(LogError) {
      try read(JSONScanner(bytes: body, name: name))
    } catch {
      var error = error
      error.remedy = "send what Sensor Logger pushes: {\"messageId\", \"sessionId\", \"deviceId\", \"payload\": [...]}"
      throw error
    }
  }

  private mutating func read(_ scanner: JSONScanner) throws(LogError) {
    guard try scanner.advance() == .beginObject else { throw scanner.failure("is no JSON object") }
    var hasPayload = false
    while let kind = try scanner.advance(), kind == .key {
      let key = String(decoding: scanner.text, as: UTF8.self)
      guard let value = try scanner.advance() else { break }
      switch (key, value) {
      case ("payload", .beginArray):
        hasPayload = true
        while let kind = try scanner.advance(), kind != .endArray {
          guard kind == .beginObject, let reading = try Reading(scanner) else {
            throw scanner.failure("a reading is no whole object")
          }
          readings.append(reading)
        }
      case (_, .beginObject), (_, .beginArray): _ = try scanner.skipNested()
      case ("messageId", .number): number = Int(String(decoding: scanner.text, as: UTF8.self))
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

  /// The problem with the times of the readings; nil if each can be UNIX time in nanoseconds.
  package var timeProblem: String? {
    guard let reading = readings.first(where: { !UNIXNanoseconds.plausible.contains($0.time) }) else { return nil }
    let problem =
      UNIXNanoseconds.otherUnit(of: reading.time).map { "is in \($0)" } ?? "is outside the years 2001 to 2103"
    return "the time \(reading.time) of \"\(reading.name)\" \(problem); send UNIX time in whole nanoseconds"
  }

  private static func name(_ scanner: JSONScanner) -> String {
    String(decoding: scanner.text.prefix(longestName), as: UTF8.self)
  }

  /// A sensor's name in small letters, without the marks and blanks in it: "Wrist Motion" and "wristmotion" are one.
  package static func plainName(_ name: String) -> String {
    String(name.lowercased().filter { $0.isLetter || $0.isNumber })
  }
}

extension PushMessage.Reading {
  private static let mostValues = 100

  /// Reads the rest of an object that has begun; nil where the text ends within it.
  ///
  /// - Throws: where it has no name or no whole time in nanoseconds.
  init?(_ scanner: JSONScanner) throws(LogError) {
    (name, values) = ("", [])
    var stamp: Int64?
    let outside = scanner.depth - 1
    while let kind = try scanner.advance(), kind == .key {
      let key = String(decoding: scanner.text, as: UTF8.self)
      guard let value = try scanner.advance() else { return nil }
      switch (key, value) {
      case ("name", .string): name = String(decoding: scanner.text.prefix(64), as: UTF8.self)
      // A double is no exact stamp, but Python may write one.
      case ("time", .number), ("time", .string):
        stamp =
          Int64(String(decoding: scanner.text, as: UTF8.self))
          ?? (value == .number ? Int64(exactly: scanner.number.rounded()) : nil)
      case ("values", .beginObject):
        while let kind = try scanner.advance(), kind == .key {
          let key = String(decoding: scanner.text.prefix(64), as: UTF8.self)
          guard let kind = try scanner.advance() else { return nil }
          guard values.count < Self.mostValues else { throw scanner.failure("a reading of too many values") }
          switch kind {
          case .beginObject, .beginArray: guard try scanner.skipNested() else { return nil }
          case .null: values.append(Value(key: key, text: [], number: .nan))
          case .number: values.append(Value(key: key, text: scanner.text, number: scanner.number))
          default: values.append(Value(key: key, text: scanner.text, number: .nan))
          }
        }
        guard scanner.depth == outside + 1 else { return nil }
      case (_, .beginObject), (_, .beginArray): guard try scanner.skipNested() else { return nil }
      // The accuracy is a value like others where the app writes it beside them.
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

/// Writes messages as the app Sensor Logger does, for sources that are none.
package struct PushMessageWriter {
  /// The body of the message at hand.
  private var body = ""
  private var count = 0

  package init() {}

  /// Whether nothing was added since the last message.
  package var isEmpty: Bool { count == 0 }

  /// Adds a reading of a sensor with three numbers.
  package mutating func add(_ name: String, time: Int64, x: Double, y: Double, z: Double) {
    guard x.isFinite, y.isFinite, z.isFinite else { return }
    begin(name, time)
    body += "{\"x\":\(x),\"y\":\(y),\"z\":\(z)}}"
  }

  /// Adds a reading of numbers by their names.
  package mutating func add(_ name: String, time: Int64, _ values: [(key: String, number: Double)]) {
    let known = values.filter(\.number.isFinite)
    guard !known.isEmpty else { return }
    begin(name, time)
    body += "{" + known.map { "\"\($0.key)\":\($0.number)" }.joined(separator: ",") + "}}"
  }

  /// Adds a mark that a person made.
  package mutating func add(mark text: String, time: Int64) {
    begin("annotation", time)
    body += "{\"text\":\(Self.quoted(text))}}"
  }

  /// The message of marks alone, which says nothing of accelerations.
  package mutating func mark(session: String, device: String) -> [UInt8] {
    defer { (body, count) = ("", 0) }
    let head = "{\"sessionId\":\(Self.quoted(session)),\"deviceId\":\(Self.quoted(device)),"
    return Array((head + "\"payload\":[\(body)]}").utf8)
  }

  private mutating func begin(_ name: String, _ time: Int64) {
    body += (count > 0 ? "," : "") + "{\"name\":\(Self.quoted(name)),\"time\":\(time),\"values\":"
    count += 1
  }

  /// The message of what was added, without a line end; accelerations are in g with Core Motion's sign.
  package mutating func message(number: Int, session: String, device: String) -> [UInt8] {
    defer { (body, count) = ("", 0) }
    let names = "\"sessionId\":\(Self.quoted(session)),\"deviceId\":\(Self.quoted(device)),"
    let head = "{\"messageId\":\(number)," + names
    return Array(
      (head + "\"accelerationUnit\":\"g\",\"accelerationSign\":\"gravity\",\"payload\":[" + body + "]}").utf8)
  }

  /// A text as JSON; nothing in it ends an element of HTML or a line.
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
