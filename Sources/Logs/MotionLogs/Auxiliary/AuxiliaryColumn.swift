internal import InertialSensors

/// How a column's fields become a value of an auxiliary sample.
enum AuxiliaryCell: Sendable {
  /// A number of the field at a place.
  case number(Int, UnitConversion)
  /// A number told by a word, such as "true" or "charging"; a number is itself.
  case word(Int, [String: Double])
  /// The text at a place.
  case text(Int)
  /// A list of names for the text at a place, each a sample of its own: `AuxiliaryList`.
  case list(Int)
  /// Exif's BrightnessValue, at this place, with the luminance at the place behind it: `SceneLuminance`.
  case brightness(Int)
  /// A word for an activity.
  case activity
  /// Where a shake stands, by a collector's word or the number of our own datasets; none is no value.
  case shakeStatus

  static let switches = ["true": 1.0, "false": 0, "yes": 1, "no": 0, "on": 1, "off": 0]
  /// `proximityNear` as collectors tell it, a full stop behind a word left out; UIDevice.proximityState is a switch.
  static let proximities = switches.merging([
    "near": 1, "close": 1, "closing": 1, "far": 0, "away": 0, "leaving": 0,
  ]) { $1 }
  /// CBManagerState, by Apple's words.
  static let bluetoothStates = [
    "unknown": 0.0, "resetting": 1, "unsupported": 2, "unauthorized": 3, "poweredoff": 4, "off": 4, "poweredon": 5,
    "on": 5,
  ]
  /// UIDevice.BatteryState.
  static let batteryStates = ["unknown": 0.0, "unplugged": 1, "charging": 2, "full": 3]
  /// CMMotionActivityConfidence.
  static let confidences = ["low": 0.0, "medium": 1, "high": 2]

  /// The phases of `shakePhase` as collectors tell them.
  static let shakeStatuses = ["shakebegan": 0.0, "shakeended": 1, "shakecancelled": 2]

  /// Tells apart what is set, within a channel.
  var place: String {
    switch self {
    case .number(let place, _), .word(let place, _): "value \(place)"
    case .text(let place), .list(let place): "text \(place)"
    case .brightness(let place): "value \(place)"
    case .activity: "activity"
    case .shakeStatus: "value 0"
    }
  }

  enum Outcome {
    case set, empty, unreadable
    /// The line has no more fields.
    case end
  }

  /// Takes a number into a sample; false where the cell is of words.
  func take(_ value: Double, into sample: inout AuxiliarySample) -> Bool {
    switch self {
    case .number(let place, let conversion): sample.set(place, conversion(value))
    case .word(let place, _): sample.set(place, value)
    case .brightness, .shakeStatus, .text, .list, .activity: return false
    }
    return true
  }

  /// Reads the next field of a line into a sample.
  func read(_ fields: inout FieldScanner, into sample: inout AuxiliarySample) -> Outcome {
    switch self {
    case .text(let place), .list(let place):
      guard let text = fields.nextContent() else { return .end }
      sample.set(text: place, text)
      return text.isEmpty ? .empty : .set
    case .brightness(let place):
      switch fields.nextNumber() {
      case .value(let value):
        // Exif's mark for an unknown one is a numerator of FFFFFFFF; it lies far out of the range, as is told.
        sample.set(place, value)
        sample.set(place + 1, SceneLuminance.candelaPerSquareMeter(brightnessValue: value))
      case .empty: return .empty
      case .text: return .unreadable
      case .end: return .end
      }
      return .set
    case .activity:
      guard let text = fields.nextText() else { return .end }
      guard !text.isEmpty, text.lowercased() != "null" else { return .empty }
      sample.setActivity(text)
      return .set
    case .number(let place, let conversion):
      switch fields.nextNumber() {
      case .value(let value): sample.set(place, conversion(value))
      case .empty: return .empty
      case .text: return .unreadable
      case .end: return .end
      }
      return .set
    case .word(let place, let words):
      switch fields.nextNumber() {
      case .value(let value): sample.set(place, value)
      case .empty: return .empty
      case .text:
        guard let value = words[Self.plainWord(fields.fieldText)] else { return .unreadable }
        sample.set(place, value)
      case .end: return .end
      }
      return .set
    case .shakeStatus:
      switch fields.nextNumber() {
      case .value(let value):
        guard value > 0 else { return .empty }
        // Our own numbers leave 0 to none.
        sample.set(0, value - 1)
      case .empty: return .empty
      case .text:
        let word = fields.fieldText.lowercased()
        guard let phase = Self.shakeStatuses[word] else { return word == "none" ? .empty : .unreadable }
        sample.set(0, phase)
      case .end: return .end
      }
      return .set
    }
  }
}

extension AuxiliaryCell {
  /// A word in small letters, without the marks and blanks in it and behind it: "Powered On" and "poweredOn" are one.
  private static func plainWord(_ text: String) -> String {
    String(text.lowercased().filter { !" _-.!".contains($0) })
  }

  /// What a cell of it may hold, for messages.
  var expectation: String {
    switch self {
    case .number, .brightness: "a number"
    case .word(_, let words): "a number or one of " + words.keys.sorted().joined(separator: ", ")
    case .shakeStatus: "ShakeBegan, ShakeEnded, ShakeCancelled or none"
    case .text, .list, .activity: "a text"
    }
  }
}

/// A column of a file, and what it is of a channel.
struct AuxiliaryColumn: Sendable {
  /// The name in the header; case counts.
  var header: String
  /// The name of the channel's field or text.
  var field: String
  var kind: Kind

  enum Kind: Sendable {
    case number(UnitConversion), word([String: Double]), text, activity
  }

  /// A number, with the step to the field's unit.
  static func number(_ header: String, _ field: String, scale: Double = 1) -> Self {
    Self(header: header, field: field, kind: .number(UnitConversion(multiplier: scale)))
  }

  /// A number told by a word.
  static func word(_ header: String, _ field: String, _ words: [String: Double]) -> Self {
    Self(header: header, field: field, kind: .word(words))
  }

  static func text(_ header: String, _ field: String) -> Self { Self(header: header, field: field, kind: .text) }

  /// A word for an activity, such as "walking".
  static func activity(_ header: String) -> Self { Self(header: header, field: "activity", kind: .activity) }

  /// What it is in a channel; nil where the channel has no such field.
  func cell(in channel: AuxiliaryChannel) -> AuxiliaryCell? {
    switch kind {
    case .number(let conversion): channel.fieldIndex(field).map { .number($0, conversion) }
    case .word(let words): channel.fieldIndex(field).map { .word($0, words) }
    case .text: channel.textIndex(field).map { .text($0) }
    case .activity: .activity
    }
  }
}
