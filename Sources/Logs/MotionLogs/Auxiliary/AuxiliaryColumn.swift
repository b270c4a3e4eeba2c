internal import InertialSensors
internal import InertialSystem

/// The conversion of a column's fields into a value of an auxiliary sample.
enum AuxiliaryCell: Sendable {
  /// A number for the field with this index.
  case number(Int, UnitConversion)
  /// A number, or a word that stands for one, such as "true" or "charging".
  case word(Int, [String: Double])
  /// The state of the Bluetooth radio, as a number or a word; its name becomes the channel's text
  /// `bluetoothStateWord`.
  case bluetoothState
  /// A string for the text field with this index.
  case text(Int)
  /// A list of names for the text field with this index, or of JSON objects. Each element becomes a separate sample
  /// (`listedSamples`).
  case list(Int)
  /// Exif's BrightnessValue for the field with this index. The next field receives the luminance (`luminance`).
  case brightness(Int)
  /// The name of an activity.
  case activity
  /// The phase of a shake, as a collector's word or as the number in Inertial's datasets. "none" is treated as no
  /// value.
  case shakeStatus

  static let switches = ["true": 1.0, "false": 0, "yes": 1, "no": 0, "on": 1, "off": 0]
  /// The values of `proximityNear` for collectors' words, without a trailing full stop. UIDevice.proximityState is a
  /// switch.
  static let proximities = switches.merging([
    "near": 1, "close": 1, "closing": 1, "far": 0, "away": 0, "leaving": 0,
  ]) { $1 }
  /// The names of CBManagerState, by value.
  static let bluetoothStateNames = [
    "unknown", "resetting", "unsupported", "unauthorized", "poweredOff", "poweredOn",
  ]
  /// The values of CBManagerState by Apple's names, Android's names (BluetoothAdapter) and collectors' words.
  static let bluetoothStates: [String: Double] = [
    "unknown": 0, "notdetermined": 0, "resetting": 1, "turningon": 1, "stateturningon": 1, "turningoff": 1,
    "stateturningoff": 1, "unsupported": 2, "notsupported": 2, "unavailable": 2, "unauthorized": 3, "unauthorised": 3,
    "denied": 3, "restricted": 3, "notauthorized": 3, "poweredoff": 4, "poweroff": 4, "off": 4, "stateoff": 4,
    "disabled": 4, "false": 4, "no": 4, "poweredon": 5, "poweron": 5, "on": 5, "stateon": 5, "enabled": 5, "true": 5,
    "yes": 5,
  ]
  private static let bluetoothStatePlace = AuxiliaryChannel.bluetooth.fieldIndex("bluetoothState")!
  private static let bluetoothStateText = AuxiliaryChannel.bluetooth.textIndex("bluetoothStateWord")!
  /// The values of UIDevice.BatteryState.
  static let batteryStates = ["unknown": 0.0, "unplugged": 1, "charging": 2, "full": 3]
  /// The values of CMMotionActivityConfidence.
  static let confidences = ["low": 0.0, "medium": 1, "high": 2]

  /// The phases of `shakePhase` by collectors' words.
  static let shakeStatuses = ["shakebegan": 0.0, "shakeended": 1, "shakecancelled": 2]

  /// The identifier of the value that the cell sets, unique within a channel.
  var place: String {
    switch self {
    case .number(let place, _), .word(let place, _): "value \(place)"
    case .text(let place), .list(let place): "text \(place)"
    case .brightness(let place): "value \(place)"
    case .bluetoothState: "value \(Self.bluetoothStatePlace)"
    case .activity: "activity"
    case .shakeStatus: "value 0"
    }
  }

  /// Sets the cell's value in a sample from a number. Returns `false` if the cell does not accept numbers.
  func take(_ value: Double, into sample: inout AuxiliarySample) -> Bool {
    switch self {
    case .number(let place, let conversion): sample.set(place, conversion(value))
    case .word(let place, _): sample.set(place, value)
    case .bluetoothState: Self.setBluetoothState(value, in: &sample)
    case .brightness(let place): Self.setBrightness(value, at: place, in: &sample)
    case .shakeStatus, .text, .list, .activity: return false
    }
    return true
  }

  /// Reads the next field of a line into a sample.
  ///
  /// - Returns: `value` if the field sets the cell's value, with NaN for text; `empty`; `text` for a field that the cell
  ///   does not accept; or `end` if the line has no further fields.
  func read(_ fields: inout FieldScanner, into sample: inout AuxiliarySample) -> FieldScanner.Number {
    switch self {
    case .text(let place), .list(let place):
      guard let text = fields.nextContent() else { return .end }
      sample.set(text: place, text)
      return text.isEmpty ? .empty : .value(.nan)
    case .activity:
      guard let text = fields.nextText() else { return .end }
      guard !text.isEmpty, text.lowercased() != "null" else { return .empty }
      sample.setActivity(text)
      return .value(.nan)
    case .number, .word, .brightness, .bluetoothState, .shakeStatus: return readNumber(&fields, into: &sample)
    }
  }

  private func readNumber(
    _ fields: inout FieldScanner, into sample: inout AuxiliarySample
  ) -> FieldScanner.Number {
    let number = fields.nextNumber()
    switch (self, number) {
    case (.number(let place, let conversion), .value(let value)): sample.set(place, conversion(value))
    case (.brightness(let place), .value(let value)): Self.setBrightness(value, at: place, in: &sample)
    case (.word(let place, _), .value(let value)): sample.set(place, value)
    case (.word(let place, let words), .text):
      guard let value = words[Self.plainWord(fields.fieldText)] else { return .text }
      sample.set(place, value)
      return .value(value)
    case (.bluetoothState, .value(let value)): Self.setBluetoothState(value, in: &sample)
    case (.bluetoothState, .text):
      guard let value = Self.bluetoothStates[Self.plainWord(fields.fieldText)] else { return .text }
      Self.setBluetoothState(value, in: &sample)
      return .value(value)
    case (.shakeStatus, .value(let value)):
      guard value > 0 else { return .empty }
      // In Inertial's datasets, 0 stands for no shake.
      sample.set(0, value - 1)
    case (.shakeStatus, .text):
      let word = fields.fieldText.lowercased()
      guard let phase = Self.shakeStatuses[word] else { return word == "none" ? .empty : .text }
      sample.set(0, phase)
      return .value(phase)
    default: break
    }
    return number
  }
}

extension AuxiliaryCell {
  /// Returns the luminance for Exif's BrightnessValue, in cd/m².
  ///
  /// The tag (9203 hexadecimal, an APEX value, usually −99.99 to 99.99) is 0 at one foot-lambert and increases by one
  /// with each doubling (Exif 2.32, CIPA DC-008, section 4.6.5 and annex C). A foot-lambert is 1/π candela per square
  /// foot. Cameras meter the scene with their own exposure, so the uncertainty is about a half.
  private static func luminance(brightnessValue: Double) -> Double {
    1 / (Double.pi * 0.3048 * 0.3048) * exp2(brightnessValue)
  }

  /// Sets Exif's BrightnessValue and the luminance. Exif marks an unknown value by the numerator FFFFFFFF. It is far out
  /// of range and is reported as such.
  private static func setBrightness(_ value: Double, at place: Int, in sample: inout AuxiliarySample) {
    sample.set(place, value)
    sample.set(place + 1, luminance(brightnessValue: value))
  }

  /// Sets the state of the Bluetooth radio, and its name if there is one.
  private static func setBluetoothState(_ value: Double, in sample: inout AuxiliarySample) {
    sample.set(bluetoothStatePlace, value)
    let index = Int(exactly: value) ?? -1
    if bluetoothStateNames.indices.contains(index) { sample.set(text: bluetoothStateText, bluetoothStateNames[index]) }
  }

  /// Returns a word in lower case without blanks and punctuation: "Powered On" and "poweredOn" are equal.
  static func plainWord(_ text: String) -> String {
    String(text.lowercased().filter { !" _-.!".contains($0) })
  }

  /// The permitted content of a cell, for messages.
  var expectation: String {
    switch self {
    case .number, .brightness: "a number"
    case .word(_, let words): "a number or one of " + words.keys.sorted().joined(separator: ", ")
    case .bluetoothState: "a number or one of " + Self.bluetoothStateNames.joined(separator: ", ")
    case .shakeStatus: "ShakeBegan, ShakeEnded, ShakeCancelled or none"
    case .text, .list, .activity: "a text"
    }
  }
}

/// A column of a file and the channel's field that it contains.
struct AuxiliaryColumn: Sendable {
  /// The name in the header, which is case-sensitive.
  var header: String
  /// The name of the channel's numeric or text field.
  var field: String
  /// The conversion of the fields, without the index of the channel's field.
  private var conversion: AuxiliaryCell

  /// Returns a column of numbers, with the scale factor to the field's unit.
  static func number(_ header: String, _ field: String, scale: Double = 1) -> Self {
    Self(header: header, field: field, conversion: .number(0, UnitConversion(multiplier: scale)))
  }

  /// Returns a column of numbers that words stand for.
  static func word(_ header: String, _ field: String, _ words: [String: Double]) -> Self {
    Self(header: header, field: field, conversion: .word(0, words))
  }

  static func text(_ header: String, _ field: String) -> Self {
    Self(header: header, field: field, conversion: .text(0))
  }

  /// Returns a column of activity names, such as "walking".
  static func activity(_ header: String) -> Self { Self(header: header, field: "activity", conversion: .activity) }

  /// Returns the column's cell in a channel, or `nil` if the channel has no such field.
  func cell(in channel: AuxiliaryChannel) -> AuxiliaryCell? {
    switch conversion {
    case .number(_, let conversion): channel.fieldIndex(field).map { .number($0, conversion) }
    case .word(_, let words): channel.fieldIndex(field).map { .word($0, words) }
    case .text: channel.textIndex(field).map { .text($0) }
    default: conversion
    }
  }
}
