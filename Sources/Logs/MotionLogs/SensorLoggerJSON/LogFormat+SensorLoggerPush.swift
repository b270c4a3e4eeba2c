internal import InertialSensors

extension LogFormat {
  /// Files of messages pushed by the app Sensor Logger, as recorded by `inertial serve`: one per line, after a line that
  /// describes the recording.
  ///
  /// The readings are written to tables like those of the app's other export, regardless of the order of the messages. A
  /// repeated message yields its samples once, as samples are sorted and duplicates are removed. If the end of the
  /// process cut off the last line, its complete readings are used, and a note is added.
  static var sensorLoggerPush: LogFormat {
    LogFormat(
      id: "sensor-logger-push", title: "Sensor Logger push messages (inertial serve)",
      recognition: "lines of objects with \"payload\" and \"sessionId\" or \"messageId\"",
      units: "as for a Sensor Logger folder, from the size of the values unless the first line specifies them",
      recognizes: { candidate in
        guard candidate.folder == nil, candidate.head.first == 0x7B else { return false }
        let text = String(decoding: candidate.head, as: UTF8.self)
        return text.contains("\"payload\"") && (text.contains("\"sessionId\"") || text.contains("\"messageId\""))
      },
      open: { path, options throws(LogError) in try openMessages(path, options) })
  }

  /// The names of the tables by the lower-case names of the readings.
  private static let tables = Dictionary(
    uniqueKeysWithValues: SensorLoggerJSON.known.map { (PushMessage.plainName($0), Array($0.utf8)) })

  private static func openMessages(_ path: String, _ options: LogOptions) throws(LogError) -> any LogReader {
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
    // The depth is 0 after a complete last line.
    export.isCutOff = scanner.depth > 0
    try export.finish()
    return try export.reader(options: options, format: "sensor-logger-push", title: "Sensor Logger push")
  }

  /// Reads a line's object. If the file ends within it, the earlier readings are kept.
  private static func readLine(
    _ scanner: JSONScanner, _ export: inout SensorLoggerJSON, _ options: inout LogOptions
  ) throws(LogError) {
    guard let kind = try scanner.advance() else { return }
    guard kind == .beginObject else { throw scanner.failure("a line is not an object") }
    while let kind = try scanner.advance(), kind == .key {
      let key = String(decoding: scanner.text, as: UTF8.self)
      guard let value = try scanner.advance() else { return }
      switch (key, value) {
      case ("payload", .beginArray): guard try readPayload(scanner, &export) else { return }
      case (_, .beginObject), (_, .beginArray): guard try scanner.skipNested() else { return }
      // The recorded properties; the reader's own options take precedence.
      case ("accelerationUnit", .string) where options.accelerationUnit == nil:
        options.accelerationUnit = .init(String(decoding: scanner.text, as: UTF8.self))
      case ("accelerationSign", .string) where options.accelerationSign == nil:
        options.accelerationSign = .init(rawValue: String(decoding: scanner.text, as: UTF8.self))
      default: break
      }
    }
  }

  /// - Returns: `false` if the file ends within the payload.
  private static func readPayload(_ scanner: JSONScanner, _ export: inout SensorLoggerJSON) throws(LogError) -> Bool {
    while let kind = try scanner.advance() {
      if kind == .endArray { return true }
      guard kind == .beginObject else { throw scanner.failure("a reading is not an object") }
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
