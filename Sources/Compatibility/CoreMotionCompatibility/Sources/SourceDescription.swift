internal import Foundation
internal import InertialLive
internal import InertialLogs
internal import InertialNumerics
internal import InertialSensors

/// The parsed description of a source: an address and, after a question mark, settings.
struct SourceDescription {
  var path: String
  /// The speed of a recording; infinite: as fast as possible.
  var speed = 1.0
  /// The behaviour of a recording's clock without listeners.
  var unheard = RecordingSource.IdleClockPolicy.automatic
  /// The motion sensors of a stream.
  var channels: Set<SensorChannel> = [.accelerometer, .gyroscope, .magnetometer]
  /// The other channels of a stream.
  var auxiliaryChannels: Set<AuxiliaryChannel> = []
  /// The place and date for true north.
  var given = PlaceAndDate()

  private static let names: [String: SensorChannel] = [
    "accelerometer": .accelerometer, "gyroscope": .gyroscope, "magnetometer": .magnetometer,
  ]

  private static let barometer = "barometer"

  init(_ text: String) throws(LogError) {
    path = text
    // A file name may contain a question mark.
    guard let mark = text.lastIndex(of: "?"), text[mark...].contains("=") else { return }
    path = String(text[..<mark])
    var place: [String: Double] = [:]
    for setting in text[text.index(after: mark)...].split(separator: "&") {
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let value = parts.count == 2 ? parts[1] : ""
      switch (parts[0], StreamAddress.isStream(path)) {
      case ("speed", false): speed = try Self.speed(value, of: text)
      case ("unheard", false): unheard = try Self.unheard(value, of: text)
      case ("channels", true): try setChannels(value, of: text)
      case ("device", true) where path.hasPrefix("http"): path += "?device=" + value
      case ("latitude", _), ("longitude", _), ("altitude", _):
        place[parts[0]] = try Self.number(parts[0], value, of: text)
      case ("date", _): given.year = try Self.year(value, of: text)
      default:
        throw LogError(
          path: text, problem: "the setting \"\(parts[0])\" is unknown",
          remedy: (StreamAddress.isStream(path)
            ? "use ?channels=accelerometer,gyroscope,magnetometer,barometer for a stream, ?device=NAME for a live server"
            : "use ?speed=2 or ?speed=max, ?unheard=runs or ?unheard=stands for a log")
            + ", and ?latitude=47.4&longitude=8.5&altitude=400&date=2024-05-17 for true north")
      }
    }
    given.place = try Self.place(place, of: text)
  }

  private static func speed(_ value: String, of text: String) throws(LogError) -> Double {
    if value == "max" { return .infinity }
    guard let speed = Double(value), speed > 0 else {
      throw LogError(path: text, problem: "the speed is not a number above 0", remedy: "use ?speed=2 or ?speed=max")
    }
    return speed
  }

  private static func unheard(_ value: String, of text: String) throws(LogError) -> RecordingSource.IdleClockPolicy {
    guard let unheard = RecordingSource.IdleClockPolicy(rawValue: value) else {
      throw LogError(
        path: text, problem: "unknown value \"\(value)\" for ?unheard",
        remedy: "use ?unheard=runs or ?unheard=stands")
    }
    return unheard
  }

  private mutating func setChannels(_ value: String, of text: String) throws(LogError) {
    var words = value.split(separator: ",").map(String.init)
    let count = words.count
    words.removeAll { $0 == Self.barometer }
    if words.count < count { auxiliaryChannels = [.barometer] }
    channels = Set(words.compactMap { Self.names[$0] })
    guard count > 0, words.allSatisfy({ Self.names[$0] != nil }) else {
      throw LogError(
        path: text, problem: "a channel is unknown",
        remedy: "use \((Self.names.keys + [Self.barometer]).sorted().joined(separator: ", "))")
    }
  }

  private static func number(_ name: String, _ value: String, of text: String) throws(LogError) -> Double {
    guard let number = Double(value), number.isFinite else {
      throw LogError(
        path: text, problem: "the \(name) is not a number",
        remedy: "use ?latitude=47.4&longitude=8.5, and &altitude=400 if known")
    }
    return number
  }

  private static func year(_ value: String, of text: String) throws(LogError) -> Double {
    guard let year = DecimalYear.parse(value) else {
      throw LogError(path: text, problem: "the date is not valid", remedy: "use ?date=2024-05-17 or ?date=2024.37")
    }
    return year
  }

  private static func place(_ numbers: [String: Double], of text: String) throws(LogError) -> Place? {
    guard !numbers.isEmpty else { return nil }
    guard let latitude = numbers["latitude"], let longitude = numbers["longitude"] else {
      throw LogError(
        path: text, problem: "a location needs a latitude and a longitude", remedy: "use ?latitude=47.4&longitude=8.5")
    }
    return Place(latitude: latitude, longitude: longitude, altitude: numbers["altitude"] ?? 0)
  }
}
