internal import InertialSensors

/// The JSON export of the app Sensor Logger: one array of flat objects,
/// `{"sensor":"Gyroscope","time":"...","seconds_elapsed":"...","z":"...","y":"...","x":"..."}`, in any order.
///
/// The export may contain all data of one sensor before the next, but samples must be sorted by time. So the objects
/// are first written to tables like those of the app's other export, in a private folder that is removed before the
/// first sample is returned. `LogFormat.sensorLogger` reads the tables.
struct SensorLoggerJSON {
  /// The table of a sensor, its columns, and the rows that are not yet written.
  private typealias Table = (file: ScratchFile, keys: [[UInt8]], buffer: [UInt8])

  /// The maximum number of columns of a table.
  private static let maximumKeyCount = 128
  private static let bufferSize = 1 << 16
  private static let word = (sensor: Array("sensor".utf8), null: Array("null".utf8))

  /// The names of the sensors whose tables are read.
  static let known: Set<String> = {
    let names =
      LogFormat.sensorLoggerMotion + AuxiliaryFile.sensorLogger(isStandardised: false).flatMap { $0.map(\.name) }
    return Set(names.map { String($0.dropLast(4)) })
  }()

  private let path: String
  private let scratch: ScratchFolder
  private var tables: [[UInt8]: Table] = [:]
  private var unknown: [String] = []
  var isCutOff = false
  var objectCount = 0
  /// The names and values of the last object; the sensor's name is not written to a table.
  var keys: [[UInt8]] = []
  var values: [[UInt8]] = []

  /// Whether a file begins like such an export.
  static func recognizes(_ candidate: LogCandidate) -> Bool {
    guard candidate.folder == nil else { return false }
    let head = candidate.head.starts(with: [0xEF, 0xBB, 0xBF]) ? candidate.head.dropFirst(3) : candidate.head[...]
    let marks = head.lazy.filter { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }.prefix(2)
    guard marks.elementsEqual([0x5B, 0x7B]) else { return false }
    let text = String(decoding: head, as: UTF8.self)
    return text.contains("\"sensor\"") && (text.contains("\"seconds_elapsed\"") || text.contains("\"platform\""))
  }

  static func open(path: String, options: LogOptions) throws(LogError) -> any LogReader {
    var export = try SensorLoggerJSON(path: path)
    try export.spread()
    return try export.reader(options: options, format: "sensor-logger-json", title: "Sensor Logger JSON")
  }

  /// Returns a reader of the tables.
  func reader(options: LogOptions, format: String, title: String) throws(LogError) -> any LogReader {
    let notes = notes
    let root = scratch.path
    return try ExtractedLogReader(
      in: scratch, open: { () throws(LogError) in try LogFormat.sensorLogger.reader(of: root, options: options) },
      describe: { description in
        description.path = path
        description.format = format
        description.summary = description.summary.replacing("Sensor Logger folder", with: title)
        description.notes += notes
      },
      rename: { error in
        // A line of a table is a sample of its sensor, except for the header line.
        let name = error.path.hasPrefix(root) ? error.path.dropFirst(root.count + 1).prefix { $0 != "." } : ""
        let sample = error.line.map { $0 > 1 ? " sample \($0 - 1)" : "" } ?? ""
        let position = name.isEmpty ? "" : "\(name)\(sample): "
        error = LogError(
          path: path, problem: position + error.problem.replacing(root + "/", with: ""), remedy: error.remedy)
      })
  }

  init(path: String) throws(LogError) {
    self.path = path
    scratch = try ScratchFolder(for: path)
  }

  private var notes: [String] {
    var notes: [String] = []
    if isCutOff { notes.append("the file ends early: read up to object \(objectCount)") }
    if !unknown.isEmpty { notes.append("sensors not read: \(unknown.sorted().prefix(12).joined(separator: ", "))") }
    return notes
  }

  /// Writes the objects to tables.
  private mutating func spread() throws(LogError) {
    let scanner = try JSONScanner(path: path)
    _ = try scanner.advance()
    while try scan(scanner) {
      try keep()
      objectCount += 1
    }
    if !scanner.isComplete {
      guard objectCount > 0 else { throw damage(scanner.failure("the text ends early")) }
      isCutOff = true
    }
    try finish()
  }

  /// Writes the buffered rest of the tables.
  mutating func finish() throws(LogError) {
    for name in tables.keys { try flush(name) }
    tables = [:]
  }

  /// Same as `readObject`, but errors name the object.
  private mutating func scan(_ scanner: JSONScanner) throws(LogError) -> Bool {
    do throws(LogError) {
      return try readObject(scanner)
    } catch {
      throw damage(error)
    }
  }

  func damage(_ error: LogError) -> LogError {
    var error = error
    error.problem = "in object \(objectCount + 1): \(error.problem)"
    error.remedy = "export it again, or as a zip of CSV files"
    return error
  }

  /// Reads an object into `keys` and `values`; returns `false` at the end of the array or the text.
  private mutating func readObject(_ scanner: JSONScanner) throws(LogError) -> Bool {
    guard let kind = try scanner.advance(), kind != .endArray else {
      _ = try scanner.advance()
      return false
    }
    guard kind == .beginObject else { throw scanner.failure("an object is missing") }
    var count = 0
    while let kind = try scanner.advance(), kind == .key {
      if count == keys.count {
        guard count < Self.maximumKeyCount else {
          throw scanner.failure("an object of more than \(Self.maximumKeyCount) values")
        }
        keys.append([])
        values.append([])
      }
      keys[count].removeAll(keepingCapacity: true)
      keys[count] += scanner.text
      switch try scanner.advance() {
      case nil: return false
      case .beginObject, .beginArray: guard try scanner.skipNested() else { return false }
      default:
        values[count].removeAll(keepingCapacity: true)
        values[count] += scanner.text
        count += 1
      }
    }
    keys.removeLast(keys.count - count)
    values.removeLast(values.count - count)
    return scanner.depth == 1
  }

  /// Adds the last object to its sensor's table.
  mutating func keep() throws(LogError) {
    guard let position = keys.firstIndex(of: Self.word.sensor) else { return }
    let sensor = values[position]
    if tables[sensor] == nil {
      let name = String(decoding: sensor.prefix(64), as: UTF8.self)
      guard Self.known.contains(name) else {
        let shown = String(name.map { $0.isLetter || $0.isNumber ? $0 : "?" })
        if unknown.count < 64, !unknown.contains(shown) { unknown.append(shown) }
        return
      }
      var table: Table = (try scratch.makeFile([name + ".csv"], for: path), keys, [])
      table.keys.remove(at: position)
      Self.append(table.keys, to: &table.buffer)
      tables[sensor] = table
    }
    Self.add(keys, values, sensorAt: position, to: &tables[sensor]!)
    if tables[sensor]!.buffer.count >= Self.bufferSize { try flush(sensor) }
  }

  private mutating func flush(_ sensor: [UInt8]) throws(LogError) {
    guard let table = tables[sensor] else { return }
    try table.buffer.withUnsafeBufferPointer { bytes throws(LogError) in
      try table.file.append(UnsafeRawBufferPointer(bytes))
    }
    tables[sensor]!.buffer.removeAll(keepingCapacity: true)
  }

  private static func append(_ fields: [[UInt8]], to line: inout [UInt8]) {
    for (index, field) in fields.enumerated() {
      if index > 0 { line.append(0x2C) }
      append(field, to: &line)
    }
    line.append(0x0A)
  }

  /// Appends a field, in quotes if required (RFC 4180).
  private static func append(_ field: [UInt8], to line: inout [UInt8]) {
    if field == word.null { return }
    guard field.contains(where: { $0 == 0x2C || $0 == 0x22 || $0 == 0x20 || $0 == 0 || $0 == 0x7F }) else {
      line += field
      return
    }
    line.append(0x22)
    for byte in field {
      if byte == 0x22 { line.append(0x22) }
      line.append(byte == 0 ? 0x3F : byte)
    }
    line.append(0x22)
  }

  /// Appends a row: the values in the order of the table's columns; columns that the object lacks are empty.
  private static func add(
    _ names: [[UInt8]], _ values: [[UInt8]], sensorAt position: Int, to table: inout Table
  ) {
    var next = 0
    for (index, key) in table.keys.enumerated() {
      if index > 0 { table.buffer.append(0x2C) }
      if next == position { next += 1 }
      // Usually the objects of a sensor have the same names in the same order.
      let found = next < names.count && names[next] == key ? next : names.firstIndex(of: key)
      if let found {
        append(values[found], to: &table.buffer)
        next = found + 1
      }
    }
    table.buffer.append(0x0A)
  }
}

extension LogFormat {
  static var sensorLoggerJSON: LogFormat {
    LogFormat(
      id: "sensor-logger-json", title: "Sensor Logger JSON",
      recognition: "an array of objects with \"sensor\" and \"seconds_elapsed\"",
      units: "as for a Sensor Logger folder; from the object of the sensor \"Metadata\"",
      recognizes: { SensorLoggerJSON.recognizes($0) },
      open: { path, options throws(LogError) in try SensorLoggerJSON.open(path: path, options: options) })
  }
}
