internal import Foundation
internal import MotionLogs
internal import Sensors

/// The parts of a text that describes a source: an address and, behind a question mark, settings.
struct SourceDescription {
  var path: String
  /// Of a recording; infinite: as fast as possible.
  var speed = 1.0
  /// Of a stream.
  var channels: Set<SensorChannel> = [.accelerometer, .gyroscope, .magnetometer]

  private static let names: [String: SensorChannel] = [
    "accelerometer": .accelerometer, "gyroscope": .gyroscope, "magnetometer": .magnetometer,
  ]

  init(_ text: String) throws(LogError) {
    path = text
    // A file's name may have a question mark of its own.
    guard let mark = text.lastIndex(of: "?"), text[mark...].contains("=") else { return }
    path = String(text[..<mark])
    for setting in text[text.index(after: mark)...].split(separator: "&") {
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let value = parts.count == 2 ? parts[1] : ""
      switch (parts[0], StreamAddress.isStream(path)) {
      case ("speed", false): speed = try Self.speed(value, of: text)
      case ("channels", true): channels = try Self.channels(value, of: text)
      default:
        throw LogError(
          path: text, problem: "has no setting \"\(parts[0])\"",
          remedy: StreamAddress.isStream(path)
            ? "a stream takes ?channels=accelerometer,gyroscope,magnetometer" : "a log takes ?speed=2 or ?speed=max")
      }
    }
  }

  private static func speed(_ value: String, of text: String) throws(LogError) -> Double {
    if value == "max" { return .infinity }
    guard let speed = Double(value), speed > 0 else {
      throw LogError(path: text, problem: "the speed is no number above 0", remedy: "give ?speed=2 or ?speed=max")
    }
    return speed
  }

  private static func channels(_ value: String, of text: String) throws(LogError) -> Set<SensorChannel> {
    let words = value.split(separator: ",").map(String.init)
    let channels = words.compactMap { names[$0] }
    guard !channels.isEmpty, channels.count == words.count else {
      throw LogError(
        path: text, problem: "a channel is not known",
        remedy: "known are \(names.keys.sorted().joined(separator: ", "))")
    }
    return Set(channels)
  }
}
