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
  /// The behaviour of a recording's clock without receivers.
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
    func error(_ problem: String, _ remedy: String) -> LogError {
      LogError(path: text, problem: problem, remedy: remedy)
    }
    path = text
    // A file name may contain a question mark.
    guard let mark = text.lastIndex(of: "?"), text[mark...].contains("=") else { return }
    path = String(text[..<mark])
    var place: [String: Double] = [:]
    for setting in text[text.index(after: mark)...].split(separator: "&") {
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let value = parts.count == 2 ? parts[1] : ""
      switch (parts[0], StreamAddress.isStream(path)) {
      case ("speed", false):
        guard let number = value == "max" ? Double.infinity : Double(value), number > 0 else {
          throw error("the speed is not a number above 0", "use ?speed=2 or ?speed=max")
        }
        speed = number
      case ("unheard", false):
        guard let policy = RecordingSource.IdleClockPolicy(rawValue: value) else {
          throw error("unknown value \"\(value)\" for ?unheard", "use ?unheard=runs or ?unheard=stands")
        }
        unheard = policy
      case ("channels", true):
        guard setChannels(value) else {
          let names = (Self.names.keys + [Self.barometer]).sorted()
          throw error("a channel is unknown", "use \(names.joined(separator: ", "))")
        }
      case ("device", true) where path.hasPrefix("http"): path += "?device=" + value
      case ("latitude", _), ("longitude", _), ("altitude", _):
        guard let number = Double(value), number.isFinite else {
          throw error("the \(parts[0]) is not a number", "use ?latitude=47.4&longitude=8.5, and &altitude=400 if known")
        }
        place[parts[0]] = number
      case ("date", _):
        guard let year = DecimalYear.parse(value) else {
          throw error("the date is not valid", "use ?date=2024-05-17 or ?date=2024.37")
        }
        given.year = year
      default:
        throw error(
          "the setting \"\(parts[0])\" is unknown",
          (StreamAddress.isStream(path)
            ? "use ?channels=accelerometer,gyroscope,magnetometer,barometer for a stream, ?device=NAME for a live server"
            : "use ?speed=2 or ?speed=max, ?unheard=runs or ?unheard=stands for a log")
            + ", and ?latitude=47.4&longitude=8.5&altitude=400&date=2024-05-17 for true north")
      }
    }
    guard !place.isEmpty else { return }
    guard let latitude = place["latitude"], let longitude = place["longitude"] else {
      throw error("a location needs a latitude and a longitude", "use ?latitude=47.4&longitude=8.5")
    }
    given.place = Place(latitude: latitude, longitude: longitude, altitude: place["altitude"] ?? 0)
  }

  /// Sets the channels of a stream from their names; returns `false` if a name is unknown.
  private mutating func setChannels(_ value: String) -> Bool {
    var words = value.split(separator: ",").map(String.init)
    let count = words.count
    words.removeAll { $0 == Self.barometer }
    if words.count < count { auxiliaryChannels = [.barometer] }
    channels = Set(words.compactMap { Self.names[$0] })
    return count > 0 && words.allSatisfy { Self.names[$0] != nil }
  }
}
