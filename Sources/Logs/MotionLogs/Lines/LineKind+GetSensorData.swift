internal import InertialSensors
internal import InertialSystem

extension LineKind {
  /// The columns of version 2.1 of the app, January 2018.
  private static let usual: [String: [String]] = {
    let stamps = ["apptimestamp", "sensortimestamp"]
    func vector(_ name: String) -> [String] { stamps + ["x", "y", "z"].map { "\(name)_\($0)" } + ["accuracy"] }
    return [
      "ACCE": vector("acc"), "GYRO": vector("gyr"), "MAGN": vector("mag"),
      "AHRS": stamps + ["pitchx", "rolly", "yawz", "quat(2)", "quat(3)", "quat(4)", "accuracy"],
      "PRES": stamps + ["pres", "accuracy"], "LIGH": stamps + ["light", "accuracy"],
      "PROX": stamps + ["prox", "accuracy"], "HUMI": stamps + ["humi", "accuracy"],
      "TEMP": stamps + ["temp", "accuracy"],
      "GNSS": stamps + ["latit", "long", "altitude", "bearing", "accuracy", "speed", "satinview", "satinuse"],
      "WIFI": stamps + ["name_ssid", "mac_bssid", "frequency", "rss"],
      "BLUE": ["apptimestamp", "name", "mac_address", "rss"],
      "BLE4": ["apptimestamp", "ibeacon", "mac", "rssi", "power", "majorid", "minorid", "uuid"],
      "SOUN": ["apptimestamp", "rms", "pressure", "spl"],
      "POSI": ["timestamp", "counter", "latitude", "longitude", "floor id", "building id"],
    ]
  }()

  /// Returns the names of a GetSensorData log's columns after the tag of each kind, in lower case, without units: as
  /// described by comments, or else the app's defaults.
  ///
  /// A description is between quotes: `'ACCE;AppTimestamp(s);SensorTimestamp(s);Acc_X(m/s^2);...'`.
  static func getSensorDataColumns(_ comments: [String]) -> [String: [String]] {
    var names = usual
    var described: Set<String> = []
    for comment in comments {
      guard let start = comment.firstIndex(of: "'") else { continue }
      let text = comment[comment.index(after: start)...].prefix { $0 != "'" }
      // The app's comment has an extra separator between two names; its lines do not.
      let columns = text.split(separator: ";").map { normal($0) }.filter { !$0.isEmpty }
      guard let tag = columns.first?.uppercased(), tag.count == 4, columns.count > 2, described.insert(tag).inserted
      else { continue }
      names[tag] = Array(columns.dropFirst())
    }
    return names
  }

  private static func normal(_ name: Substring) -> String {
    let name = String(name).trimmed().lowercased()
    if name.hasPrefix("quat(") { return name }
    return String(name.prefix { $0 != "(" }).trimmed()
  }

  /// Returns the fields of a line with the given columns, by their roles.
  private static func fields(_ names: [String], _ roles: [String: LineField]) -> [LineField] {
    [.skipped]
      + names.map { name in
        switch name {
        case "apptimestamp", "timestamp": .stamp(1)
        case "sensortimestamp": .stamp(0)
        default: roles[name] ?? .skipped
        }
      }
  }

  /// Returns the kinds of motion lines of a GetSensorData log, without kinds that have unknown columns.
  static func getSensorDataMotion(_ columns: [String: [String]], _ options: LogOptions) -> [LineKind] {
    func vector(_ tag: String, _ name: String, _ output: LineOutput, accuracy: Bool = false) -> LineKind? {
      var roles: [String: LineField] = [:]
      for (place, axis) in ["x", "y", "z"].enumerated() { roles["\(name)_\(axis)"] = .value(place) }
      if accuracy { roles["accuracy"] = .optionalValue(3) }
      return kind(tag, roles, output)
    }
    func kind(_ tag: String, _ roles: [String: LineField], _ output: LineOutput) -> LineKind? {
      guard let fields = columns[tag].map({ Self.fields($0, roles) }) else { return nil }
      let values = fields.count { if case .value = $0 { true } else { false } }
      return values == 3 ? LineKind(tag, fields, output, largestCount: fields.count + 1) : nil
    }
    let rotation: [String: LineField] = [
      "quat(2)": .value(0), "quat(3)": .value(1), "quat(4)": .value(2),
      "rotvecx": .value(0), "rotvecy": .value(1), "rotvecz": .value(2),
    ]
    return [
      vector("GYRO", "gyr", .vector(.gyroscope, scale: options.rotationScale)),
      vector("ACCE", "acc", .vector(.accelerometer, scale: options.specificForceScale)),
      vector("MAGN", "mag", .calibratedField(scale: options.fieldScale), accuracy: true),
      kind("AHRS", rotation, .rotationVector),
      // A derived app writes gravity and the acceleration without gravity.
      vector("GRAV", "gra", .vector(.deviceGravity, scale: options.specificForceScale)),
      vector("LACC", "lacc", .vector(.deviceUserAcceleration, scale: options.specificForceScale)),
    ].compactMap { $0 }
  }

  /// Returns the kinds of the other channels of a GetSensorData log, each with its own tag.
  static func getSensorDataOthers(_ names: [String: [String]]) -> [LineKind] {
    func kind(
      _ tag: String, _ channel: AuxiliaryChannel, _ columns: [AuxiliaryColumn], more: [String: LineField] = [:]
    ) -> LineKind? {
      var roles = more
      for column in columns { roles[column.header] = .cell(column, in: channel) }
      return names[tag].map { LineKind(tag, fields($0, roles), .auxiliary(channel)) }
    }
    let beacon: [String: LineField] = ["majorid": .moreText(2), "minorid": .moreText(2), "uuid": .moreText(2)]
    let power = AuxiliaryColumn.number("power", "bluetoothTransmitPower").cell(in: .bluetooth)
    let place: [String: LineField] = [
      "latitude": .moreText(0), "longitude": .moreText(0), "floor id": .moreText(0), "building id": .moreText(0),
    ]
    return [
      kind("PRES", .barometer, [.number("pres", "pressure", scale: 0.1)]),
      kind("LIGH", .light, [.number("light", "illuminance")]),
      // Android reports centimetres (SensorEvent).
      kind("PROX", .proximity, [.number("prox", "proximityDistance", scale: 0.01)]),
      kind("HUMI", .humidity, [.number("humi", "relativeHumidity")]),
      kind("TEMP", .temperature, [.number("temp", "temperature")]),
      kind("SOUN", .microphone, [.number("spl", "soundLevel")]),
      kind(
        "GNSS", .location,
        [
          .number("latit", "latitude"), .number("long", "longitude"), .number("altitude", "ellipsoidalAltitude"),
          .number("bearing", "course"), .number("accuracy", "horizontalAccuracy"), .number("speed", "speed"),
        ]),
      kind(
        "WIFI", .wifi,
        [
          .text("name_ssid", "wifiSSID"), .text("mac_bssid", "wifiBSSID"), .number("frequency", "wifiFrequency"),
          .number("rss", "wifiRSSI"),
        ]),
      kind(
        "BLUE", .bluetooth,
        [
          .text("name", "bluetoothName"), .text("mac_address", "bluetoothIdentifier"), .number("rss", "bluetoothRSSI"),
        ]),
      // A line of an Eddystone beacon has its instance in the column of an iBeacon's power.
      kind(
        "BLE4", .bluetooth,
        [
          .text("ibeacon", "bluetoothName"), .text("mac", "bluetoothIdentifier"), .number("rssi", "bluetoothRSSI"),
          .number("rss", "bluetoothRSSI"),
        ], more: beacon.merging(power.map { ["power": .cellOrText($0, 2)] } ?? [:]) { $1 }),
      // The surveyed position: latitude and longitude in degrees, floor and building, unconverted.
      kind("POSI", .waypoint, [], more: place),
    ].compactMap { $0 }
  }
}
