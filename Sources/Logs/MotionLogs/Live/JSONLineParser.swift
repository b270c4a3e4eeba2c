internal import InertialSensors

/// Parses samples from JSON objects, one per line, whose members have the names of the canonical CSV's columns.
///
/// `{"time":12.34,"accelerationX":0,"accelerationY":0,"accelerationZ":-1}`: time in s (or UNIX nanoseconds, as whole
/// numbers), acceleration in g with Core Motion's sign, rotationRate in rad/s, magneticField in µT. A sensor has a
/// sample if all three of its numbers are present; null is no sample. Members of the requested auxiliary channels have
/// the names and units of their fields and texts. Other members are skipped.
struct JSONLineParser {
  /// The name of the stream in messages.
  let name: String
  private var clock: RowClock?
  /// The index of each of the channels' numbers, by name.
  private static let places: [String: Int] = {
    var places: [String: Int] = [:]
    for (sensor, name) in ["rotationRate", "acceleration", "magneticField"].enumerated() {
      for (axis, letter) in ["X", "Y", "Z"].enumerated() { places[name + letter] = 3 * sensor + axis }
    }
    return places
  }()
  private static let channels: [SensorChannel] = [.gyroscope, .accelerometer, .magnetometer]

  /// The channel of each auxiliary member, and its position among the channel's fields or texts, by name.
  private let cells: [String: (channel: AuxiliaryChannel, position: Int, isText: Bool)]

  init(name: String, auxiliary: Set<AuxiliaryChannel>) {
    self.name = name
    var cells: [String: (channel: AuxiliaryChannel, position: Int, isText: Bool)] = [:]
    for channel in auxiliary.sorted() where channel.motion == nil {
      for (position, field) in channel.fields.enumerated() { cells[field.name] = (channel, position, false) }
      for (position, text) in channel.textFields.enumerated() { cells[text] = (channel, position, true) }
    }
    self.cells = cells
  }

  /// Appends the samples of an object.
  mutating func parse(
    _ line: UnsafeRawBufferPointer, number: Int, into motion: inout [SensorSample],
    auxiliary: inout [AuxiliarySample]
  ) throws(LogError) {
    do throws(LogError) {
      try read(JSONScanner(bytes: Array(line), name: name), number, &motion, &auxiliary)
    } catch {
      var error = error
      error.line = number
      error.remedy = "send one JSON object per line, with time and numbers such as accelerationX"
      throw error
    }
  }

  private mutating func read(
    _ scanner: JSONScanner, _ number: Int, _ motion: inout [SensorSample], _ auxiliary: inout [AuxiliarySample]
  ) throws(LogError) {
    var values = [Double](repeating: .nan, count: 3 * Self.channels.count)
    var isThere = [Bool](repeating: false, count: values.count)
    var others: [AuxiliaryChannel: AuxiliarySample] = [:]
    var stamp = FieldScanner.Integer.empty
    guard try scanner.advance() == .beginObject else { throw scanner.failure("is not a JSON object") }
    while try scanner.advance() == .key {
      let key = scanner.string
      guard let kind = try scanner.advance() else { break }
      if kind == .beginObject || kind == .beginArray {
        guard try scanner.skipNested() else { break }
      } else if key == "time" {
        guard kind == .number else { throw scanner.failure("time is not a number") }
        stamp = Self.stamp(scanner)
      } else if let position = Self.places[key] {
        guard kind == .number || kind == .null else { throw scanner.failure("\(key) is not a number") }
        if kind == .number { (values[position], isThere[position]) = (scanner.number, true) }
      } else if let (channel, position, isText) = cells[key] {
        var sample = others[channel] ?? AuxiliarySample(time: 0, channel: channel)
        switch (isText, kind) {
        case (false, .number): sample.set(position, scanner.number)
        case (false, .yes): sample.set(position, 1)
        case (false, .no): sample.set(position, 0)
        case (true, .string) where channel == .activity: sample.setActivity(scanner.string)
        case (true, .string): sample.set(text: position, scanner.string)
        // Other kinds of values are ignored: an invalid auxiliary value does not invalidate the motion sample.
        default: break
        }
        others[channel] = sample
      }
    }
    guard scanner.isComplete else { throw scanner.failure("the object is cut off") }
    guard try scanner.advance() == nil else { return }
    let time = try seconds(stamp, scanner)
    for (index, channel) in Self.channels.enumerated() where isThere[(3 * index)..<(3 * index + 3)].allSatisfy(\.self) {
      let v = values[(3 * index)..<(3 * index + 3)]
      var sample = SensorSample(
        time: time, channel: channel, x: v[3 * index], y: v[3 * index + 1], z: v[3 * index + 2])
      sample.line = UInt32(truncatingIfNeeded: number)
      motion.append(sample)
    }
    for var sample in others.sorted(by: { $0.key < $1.key }).map(\.value) where !sample.isEmpty {
      sample.time = time
      sample.line = UInt32(truncatingIfNeeded: number)
      auxiliary.append(sample)
    }
  }

  /// Returns the unrounded timestamp: a double cannot represent nanoseconds since 1970.
  private static func stamp(_ scanner: JSONScanner) -> FieldScanner.Integer {
    scanner.text.withUnsafeBytes { bytes in
      var field = FieldScanner(bytes, separator: .comma)
      return field.nextInteger()
    }
  }

  private mutating func seconds(_ stamp: FieldScanner.Integer, _ scanner: JSONScanner) throws(LogError) -> Double {
    guard stamp != .empty else { throw scanner.failure("the object has no time") }
    if clock == nil {
      clock = try RowClock(.secondsOrUNIXNanoseconds, firstStamp: stamp, path: name)
    }
    return clock?.seconds(stamp) ?? .nan
  }
}
