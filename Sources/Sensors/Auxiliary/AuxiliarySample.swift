/// A record of one auxiliary channel: its own time, numbers in the units of the channel's fields, and texts.
public struct AuxiliarySample: Sendable, Hashable, Codable {
  /// The time, in seconds on the log's clock.
  public var time: Double
  /// The kind of record.
  public let channel: AuxiliaryChannel
  /// The line of the sample in its file, from 1, for messages; 0 if it has no line.
  public var line: UInt32 = 0
  /// The values of the channel's fields, in their order; `NaN` for missing values.
  public private(set) var values: [Double]
  /// The channel's texts, in their order; empty for missing texts.
  public private(set) var texts: [String]

  /// Creates a sample without values.
  public init(time: Double, channel: AuxiliaryChannel) {
    self.time = time
    self.channel = channel
    values = Array(repeating: .nan, count: channel.fields.count)
    texts = Array(repeating: "", count: channel.textFields.count)
  }

  /// Creates a copy of a motion sensor's sample for a channel that repeats the sensor.
  package init(_ sample: SensorSample, as channel: AuxiliaryChannel) {
    precondition(channel.motion == sample.channel, "a \(sample.channel.name) sample as \(channel.name)")
    self.init(time: sample.time, channel: channel)
    line = sample.line
    for (position, value) in [sample.x, sample.y, sample.z, sample.w].prefix(values.count).enumerated() {
      values[position] = value
    }
  }

  /// The value of the field with a name. The channel must have the field.
  public subscript(name: String) -> Double {
    get { values[position(name)] }
    set { values[position(name)] = newValue }
  }

  /// The text with a name. The channel must have the text.
  public subscript(text name: String) -> String {
    get { texts[textPlace(name)] }
    set { texts[textPlace(name)] = newValue }
  }

  /// Sets the value of the field at an index.
  public mutating func set(_ position: Int, _ value: Double) { values[position] = value }

  /// Sets the text at an index.
  public mutating func set(text position: Int, _ text: String) { texts[position] = text }

  /// Fills missing values and texts from another sample, and returns whether the samples could be merged.
  /// Samples of another channel, or with values for the same fields, are not merged.
  package mutating func fill(from other: AuxiliarySample) -> Bool {
    guard other.channel == channel,
      zip(values, other.values).allSatisfy({ $0.isNaN || $1.isNaN }),
      zip(texts, other.texts).allSatisfy({ $0.isEmpty || $1.isEmpty })
    else { return false }
    for position in values.indices where values[position].isNaN { values[position] = other.values[position] }
    for position in texts.indices where texts[position].isEmpty { texts[position] = other.texts[position] }
    return true
  }

  /// Returns whether another sample of the channel has the same numbers and texts, regardless of its time.
  package func hasSameValues(as other: AuxiliarySample) -> Bool {
    texts == other.texts && zip(values, other.values).allSatisfy { $0 == $1 || $0.isNaN && $1.isNaN }
  }

  /// Whether the sample has neither numbers nor texts.
  package var isEmpty: Bool { values.allSatisfy(\.isNaN) && texts.allSatisfy(\.isEmpty) }

  /// Sets the activity to a word. A word that is unknown to Core Motion sets `unknown`, and is kept as the text.
  package mutating func setActivity(_ word: String) {
    let labels = ["stationary", "walking", "running", "automotive", "cycling", "unknown"]
    let lowered = word.lowercased()
    let kind = labels.firstIndex(of: Self.activitySynonyms[lowered] ?? lowered) ?? labels.count - 1
    for index in labels.indices { set(index, index == kind ? 1 : 0) }
    self[text: "activity"] = word
  }

  private static let activitySynonyms = [
    "still": "stationary", "on_foot": "walking", "on foot": "walking", "in_vehicle": "automotive",
    "driving": "automotive", "on_bicycle": "cycling", "biking": "cycling",
  ]

  private func position(_ name: String) -> Int {
    guard let position = channel.fieldIndex(name) else { preconditionFailure("\(channel.name) has no field \(name)") }
    return position
  }

  private func textPlace(_ name: String) -> Int {
    guard let position = channel.textIndex(name) else { preconditionFailure("\(channel.name) has no text \(name)") }
    return position
  }

  /// Returns whether time, channel and all values are equal, regardless of the source; missing values are equal.
  public static func == (a: AuxiliarySample, b: AuxiliarySample) -> Bool {
    a.time == b.time && a.channel == b.channel && a.hasSameValues(as: b)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(time)
    hasher.combine(channel)
    hasher.combine(texts)
    for value in values where !value.isNaN { hasher.combine(value) }
  }
}
