internal import InertialSensors

extension AuxiliaryFile {
  /// Returns the files of a Sensor Logger folder that do not contain motion, for each channel in order of precedence:
  /// the phone's precede the watch's.
  ///
  /// Units follow the app's documentation: pressure is in mbar on the phone, and in kPa on the watch unless
  /// standardised.
  static func sensorLogger(isStandardised: Bool) -> [[AuxiliaryFile]] {
    let fromMillibar = 0.1
    return [
      [
        barometer("Barometer.csv", scale: fromMillibar),
        barometer("WatchBarometer.csv", scale: isStandardised ? fromMillibar : 1),
      ],
      [file("Pedometer.csv", .pedometer, [.number("steps", "numberOfSteps")] + pedometer)],
      [
        file(
          "Activity.csv", .activity,
          [.activity("activity"), .word("confidence", "activityConfidence", AuxiliaryCell.confidences)])
      ],
      // Datasets that hide locations contain only the speed.
      [
        location("Location.csv"), location("LocationGps.csv"), location("LocationNetwork.csv"), watchLocation,
        location("LocationSpeedOnly.csv"),
      ],
      [heading("Compass.csv"), heading("WatchCompass.csv")],
      [file("Light.csv", .light, [.number("lux", "illuminance")])],
      [file("Brightness.csv", .screen, [.number("brightness", "screenBrightness")])],
      [sound("Microphone.csv"), sound("WatchMicrophone.csv")],
      [battery],
      [file("BatteryTemp.csv", .batteryTemperature, [.number("temperature", "batteryTemperature")])],
      [file("Temperature.csv", .temperature, [.number("temperature", "temperature")])],
      [file("HeartRate.csv", .heartRate, [.number("bpm", "heartRate")])],
      [
        file(
          "Annotation.csv", .annotation,
          [.text("text", "annotation"), .number("millisecond_press_duration", "pressDuration", scale: 1e-3)])
      ],
      [
        file(
          "WiFi.csv", .wifi,
          [
            .number("level", "wifiRSSI"), .number("frequency", "wifiFrequency"), .text("bssid", "wifiBSSID"),
            .text("ssid", "wifiSSID"), .text("capabilities", "wifiCapabilities"),
          ])
      ],
      [
        file(
          "Bluetooth.csv", .bluetooth,
          [
            .number("rssi", "bluetoothRSSI"), .number("txPowerLevel", "bluetoothTransmitPower"),
            .text("id", "bluetoothIdentifier"), .text("name", "bluetoothName"),
            .text("manufacturerData", "bluetoothData"),
          ], ignored: ["sensor", "advertisement", "serviceData"])
      ],
    ]
  }

  private static func file(
    _ name: String, _ channel: AuxiliaryChannel, _ columns: [AuxiliaryColumn], ignored more: [String] = []
  ) -> AuxiliaryFile {
    AuxiliaryFile(name: name, channel: channel, columns: columns, ignored: ["seconds_elapsed"] + more)
  }

  private static func barometer(_ name: String, scale: Double) -> AuxiliaryFile {
    file(
      name, .barometer,
      [.number("relativeAltitude", "relativeAltitude"), .number("pressure", "pressure", scale: scale)])
  }

  /// Core Motion's names, which some versions of the app write.
  private static let pedometer: [AuxiliaryColumn] = [
    .number("distance", "pedometerDistance"), .number("averageActivePace", "averageActivePace"),
    .number("currentPace", "currentPace"), .number("currentCadence", "currentCadence"),
    .number("floorsAscended", "floorsAscended"), .number("floorsDescended", "floorsDescended"),
  ]

  private static let place: [AuxiliaryColumn] = [
    .number("latitude", "latitude"), .number("longitude", "longitude"), .number("speed", "speed"),
    .number("horizontalAccuracy", "horizontalAccuracy"), .number("verticalAccuracy", "verticalAccuracy"),
    .number("speedAccuracy", "speedAccuracy"),
  ]

  private static func location(_ name: String) -> AuxiliaryFile {
    file(
      name, .location,
      place + [
        .number("altitude", "ellipsoidalAltitude"), .number("altitudeAboveMeanSeaLevel", "locationAltitude"),
        .number("bearing", "course"), .number("bearingAccuracy", "courseAccuracy"),
      ], ignored: ["mslAltitudeAccuracy"])
  }

  /// The watch's `altitude` is relative to mean sea level.
  private static let watchLocation = file(
    "WatchLocation.csv", .location,
    place + [
      .number("ellipsoidalAltitude", "ellipsoidalAltitude"), .number("altitude", "locationAltitude"),
      .number("course", "course"), .number("courseAccuracy", "courseAccuracy"),
    ])

  private static func heading(_ name: String) -> AuxiliaryFile {
    file(
      name, .compass,
      [
        .number("magneticBearing", "magneticHeading"), .number("trueBearing", "trueHeading"),
        .number("accuracy", "headingAccuracy"),
      ])
  }

  private static func sound(_ name: String) -> AuxiliaryFile {
    file(name, .microphone, [.number("dBFS", "soundLevel")])
  }

  private static let battery = file(
    "Battery.csv", .battery,
    [
      .number("batteryLevel", "batteryLevel"),
      .word("batteryState", "batteryState", AuxiliaryCell.batteryStates),
      .word("lowPowerMode", "lowPowerMode", AuxiliaryCell.switches), .number("voltage", "batteryVoltage"),
      .number("chargingCurrent", "batteryCurrent", scale: 1e-3),
    ], ignored: ["health"])
}

extension LogFolder {
  /// Opens a Sensor Logger folder's files of the requested channels. A missing or invalid file is skipped.
  ///
  /// - Parameter start: The UNIX time of time 0, in nanoseconds.
  func openSensorLoggerFiles(
    _ wanted: Set<AuxiliaryChannel>, isStandardised: Bool, start: Int64, notes: inout [String]
  ) throws(LogError) -> [AuxiliaryTable] {
    guard !wanted.isEmpty else { return [] }
    var tables: [AuxiliaryTable] = []
    for candidates in AuxiliaryFile.sensorLogger(isStandardised: isStandardised)
    where wanted.contains(candidates[0].channel) {
      let there = candidates.filter { has($0.name) }
      guard let first = there.first else {
        notes += candidates.filter { hasEmpty($0.name) }.map { "\($0.name) is empty" }
        continue
      }
      for other in there.dropFirst() { notes.append("\(other.name) not read: \(first.name) has its channel") }
      let table = try AuxiliaryTable(
        first, path: path(of: first.name), stamp: "time", clock: .nanoseconds(origin: start), notes: &notes)
      if let table { tables.append(table) }
    }
    return tables
  }
}
