/// A record of one auxiliary channel: its own time, numbers in the units of the channel's fields, and texts.
public struct AuxiliarySample: Sendable, Hashable {
  /// Seconds on the log's clock.
  public var time: Double
  /// What kind of record it is.
  public let channel: AuxiliaryChannel
  /// The line of the file that the sample came from, counted from 1, for messages; 0 where there is none.
  public var line: UInt32 = 0
  /// As many as the channel has fields, in their order; NaN where there is no value.
  public private(set) var values: [Double]
  /// As many as the channel has texts, in their order; empty where there is none.
  public private(set) var texts: [String]

  /// A sample without any value yet.
  public init(time: Double, channel: AuxiliaryChannel) {
    self.time = time
    self.channel = channel
    values = Array(repeating: .nan, count: channel.fields.count)
    texts = Array(repeating: "", count: channel.textFields.count)
  }

  /// A motion sensor's sample as one of the channel that repeats it, which must be one of that sensor's.
  package init(_ sample: SensorSample, as channel: AuxiliaryChannel) {
    precondition(channel.motion == sample.channel, "a \(sample.channel.name) sample as \(channel.name)")
    self.init(time: sample.time, channel: channel)
    line = sample.line
    for (place, value) in [sample.x, sample.y, sample.z, sample.w].prefix(values.count).enumerated() {
      values[place] = value
    }
  }

  /// A field's value by its name, which must be one of the channel's.
  public subscript(name: String) -> Double {
    get { values[place(name)] }
    set { values[place(name)] = newValue }
  }

  /// A text by its name, which must be one of the channel's.
  public subscript(text name: String) -> String {
    get { texts[textPlace(name)] }
    set { texts[textPlace(name)] = newValue }
  }

  /// Sets a value by the field's place.
  public mutating func set(_ place: Int, _ value: Double) { values[place] = value }

  /// Sets a text by its place.
  public mutating func set(text place: Int, _ text: String) { texts[place] = text }

  /// Takes what it lacks from another sample of its channel, and gives whether nothing of the other is lost by that.
  package mutating func fill(from other: AuxiliarySample) -> Bool {
    guard other.channel == channel,
      zip(values, other.values).allSatisfy({ $0.isNaN || $1.isNaN }),
      zip(texts, other.texts).allSatisfy({ $0.isEmpty || $1.isEmpty })
    else { return false }
    for place in values.indices where values[place].isNaN { values[place] = other.values[place] }
    for place in texts.indices where texts[place].isEmpty { texts[place] = other.texts[place] }
    return true
  }

  /// Whether another sample of the channel has the same numbers and texts, whatever its time.
  package func tellsTheSame(as other: AuxiliarySample) -> Bool {
    texts == other.texts && zip(values, other.values).allSatisfy { $0 == $1 || $0.isNaN && $1.isNaN }
  }

  /// Whether there is neither a number nor a text.
  package var isEmpty: Bool { values.allSatisfy(\.isNaN) && texts.allSatisfy(\.isEmpty) }

  /// Sets an activity by its word; one that Core Motion does not know is unknown, and kept as the text.
  package mutating func setActivity(_ word: String) {
    let words = ["stationary", "walking", "running", "automotive", "cycling", "unknown"]
    let lowered = word.lowercased()
    let kind = words.firstIndex(of: Self.activitySynonyms[lowered] ?? lowered) ?? words.count - 1
    for index in words.indices { set(index, index == kind ? 1 : 0) }
    self[text: "activity"] = word
  }

  private static let activitySynonyms = [
    "still": "stationary", "on_foot": "walking", "on foot": "walking", "in_vehicle": "automotive",
    "driving": "automotive", "on_bicycle": "cycling", "biking": "cycling",
  ]

  private func place(_ name: String) -> Int {
    guard let place = channel.fieldIndex(name) else { preconditionFailure("\(channel.name) has no field \(name)") }
    return place
  }

  private func textPlace(_ name: String) -> Int {
    guard let place = channel.textIndex(name) else { preconditionFailure("\(channel.name) has no text \(name)") }
    return place
  }

  /// Whether time, channel and all values are the same, wherever they came from; a missing value is like another.
  public static func == (a: AuxiliarySample, b: AuxiliarySample) -> Bool {
    a.time == b.time && a.channel == b.channel && a.texts == b.texts
      && zip(a.values, b.values).allSatisfy { $0 == $1 || $0.isNaN && $1.isNaN }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(time)
    hasher.combine(channel)
    hasher.combine(texts)
    for value in values where !value.isNaN { hasher.combine(value) }
  }
}
