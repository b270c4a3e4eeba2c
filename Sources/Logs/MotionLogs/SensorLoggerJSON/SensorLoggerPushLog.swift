internal import InertialSensors

/// A file of the messages that the app Sensor Logger pushes, as `inertial serve` records them: one a line, after a line that
/// says what the recording is.
///
/// The readings are spread to the tables of the app's other export, whatever the order of the messages; a message that came
/// twice gives its samples once, as those are put in order and equal ones collapse. A last line that was cut off by the end
/// of the process is read as far as it goes, and noted.
enum SensorLoggerPushLog {
  /// Names of tables by the names of readings, in small letters.
  private static let tables = Dictionary(
    uniqueKeysWithValues: SensorLoggerJSON.known.map { (PushMessage.plainName($0), Array($0.utf8)) })

  static func recognizes(_ candidate: LogCandidate) -> Bool {
    guard candidate.folder == nil, candidate.head.first == 0x7B else { return false }
    let text = String(decoding: candidate.head, as: UTF8.self)
    return text.contains("\"payload\"") && (text.contains("\"sessionId\"") || text.contains("\"messageId\""))
  }

  static func open(path: String, options: LogOptions) throws(LogError) -> any LogReader {
    var (export, options) = (try SensorLoggerJSON(path: path), options)
    let scanner = try JSONScanner(path: path)
    repeat {
      scanner.beginNext()
      do throws(LogError) {
        try readLine(scanner, &export, &options)
      } catch {
        throw export.damage(error)
      }
    } while scanner.isComplete
    // Behind the last line there is nothing; within one there is.
    export.isCutOff = scanner.depth > 0
    try export.finish()
    return try export.reader(options: options, format: "sensor-logger-push", title: "Sensor Logger push")
  }

  /// Reads a line's object. Where the file ends within it, the readings before are kept.
  private static func readLine(
    _ scanner: JSONScanner, _ export: inout SensorLoggerJSON, _ options: inout LogOptions
  ) throws(LogError) {
    guard let kind = try scanner.advance() else { return }
    guard kind == .beginObject else { throw scanner.failure("a line is no object") }
    while let kind = try scanner.advance(), kind == .key {
      let key = String(decoding: scanner.text, as: UTF8.self)
      guard let value = try scanner.advance() else { return }
      switch (key, value) {
      case ("payload", .beginArray): guard try readPayload(scanner, &export) else { return }
      case (_, .beginObject), (_, .beginArray): guard try scanner.skipNested() else { return }
      // What whoever recorded it said; the reader's own options go before.
      case ("accelerationUnit", .string) where options.accelerationUnit == nil:
        options.accelerationUnit = .init(String(decoding: scanner.text, as: UTF8.self))
      case ("accelerationSign", .string) where options.accelerationSign == nil:
        options.accelerationSign = .init(rawValue: String(decoding: scanner.text, as: UTF8.self))
      default: break
      }
    }
  }

  /// - Returns: false where the file ends within it.
  private static func readPayload(_ scanner: JSONScanner, _ export: inout SensorLoggerJSON) throws(LogError) -> Bool {
    while let kind = try scanner.advance() {
      if kind == .endArray { return true }
      guard kind == .beginObject else { throw scanner.failure("a reading is no object") }
      guard let reading = try PushMessage.Reading(scanner) else { return false }
      let name = tables[PushMessage.plainName(reading.name)] ?? Array(reading.name.utf8)
      export.keys = [Array("sensor".utf8), Array("time".utf8)] + reading.values.map { Array($0.key.utf8) }
      export.values = [name, Array(String(reading.time).utf8)] + reading.values.map(\.text)
      try export.keep()
      export.objectCount += 1
    }
    return false
  }
}

extension LogFormat {
  static var sensorLoggerPush: LogFormat {
    LogFormat(
      id: "sensor-logger-push", title: "Sensor Logger push messages (inertial serve)",
      recognition: "lines of objects with \"payload\" and \"sessionId\" or \"messageId\"",
      units: "as those of a Sensor Logger folder, by the size of the values unless the first line tells them",
      isFolder: false,
      recognizes: { SensorLoggerPushLog.recognizes($0) },
      open: { path, options throws(LogError) in try SensorLoggerPushLog.open(path: path, options: options) })
  }
}
