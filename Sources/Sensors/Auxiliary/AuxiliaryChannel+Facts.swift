extension AuxiliaryChannel {
  /// The constant properties of a channel.
  struct Facts: Sendable {
    var name: String
    var meaning: String
    var fields: [AuxiliaryField]
    var texts: [String] = []
    var isEvent = false
    var maximumInterpolationInterval = 0.0
    var motion: SensorChannel?
  }

  var facts: Facts { Self.all[Int(rawValue)] }

  private static let all: [Facts] = allCases.map(\.definition)

  private static let anything = -1e9...1e9
  private static let switchRange = 0.0...1.0

  private typealias Field = AuxiliaryField

  private var definition: Facts {
    switch self {
    case .barometer:
      // An iPhone's barometer delivers about one sample per second.
      Facts(
        name: "barometer", meaning: "air pressure, and altitude from it (CMAltitudeData)",
        fields: [
          Field("relativeAltitude", "m", .interpolated, -20_000...20_000, "altitude change since recording began"),
          Field("pressure", "kPa", .interpolated, 1...200, "air pressure"),
        ], maximumInterpolationInterval: 3)
    case .absoluteAltitude:
      Facts(
        name: "absoluteAltitude", meaning: "altitude from barometer and location (CMAbsoluteAltitudeData)",
        fields: [
          Field("absoluteAltitude", "m", .interpolated, -20_000...20_000, "altitude above mean sea level"),
          unknownBelowZero("absoluteAltitudeAccuracy", "m", "uncertainty of the altitude"),
          unknownBelowZero("absoluteAltitudePrecision", "m", "smallest change reported"),
        ], maximumInterpolationInterval: 3)
    case .pedometer:
      Facts(
        name: "pedometer", meaning: "steps and floors as the device counts them (CMPedometerData)",
        fields: [
          Field("numberOfSteps", "1", .previous, 0...1e9, "steps counted"),
          Field("pedometerDistance", "m", .previous, 0...1e9, "distance walked"),
          Field("averageActivePace", "s/m", .previous, 0...1e6, "mean pace while walking"),
          Field("currentPace", "s/m", .previous, 0...1e6, "pace"),
          Field("currentCadence", "steps/s", .previous, 0...100, "rate of steps"),
          Field("floorsAscended", "1", .previous, 0...1e6, "floors climbed"),
          Field("floorsDescended", "1", .previous, 0...1e6, "floors gone down"),
        ])
    case .activity:
      Facts(
        name: "activity", meaning: "the user's activity by the device (CMMotionActivity); several may be 1",
        fields: ["Stationary", "Walking", "Running", "Automotive", "Cycling", "Unknown"].map { word in
          Field("activity" + word, "1", .previous, Self.switchRange, "1 if \(word.lowercased()), else 0")
        } + [Field("activityConfidence", "1", .previous, 0...2, "0 low, 1 medium, 2 high")],
        texts: ["activity"])
    case .location: location
    case .compass:
      Facts(
        name: "compass", meaning: "compass heading as reported by the device (CLHeading)",
        fields: [
          Field("magneticHeading", "deg", .interpolatedAngle, 0...360, "from magnetic north, clockwise"),
          Field(
            "trueHeading", "deg", .interpolatedAngle, 0...360, "from true north, clockwise", isUnknownBelowZero: true),
          Field("headingAccuracy", "deg", .previous, 0...360, "largest error expected", isUnknownBelowZero: true),
        ], maximumInterpolationInterval: 1)
    case .light:
      // Android reports light and proximity only when they change.
      Facts(
        name: "light", meaning: "ambient light",
        fields: [Field("illuminance", "lx", .previous, 0...1e6, "ambient light")])
    case .screen:
      Facts(
        name: "screen", meaning: "the device's screen",
        fields: [Field("screenBrightness", "1", .previous, Self.switchRange, "0 dark to 1", isUnknownBelowZero: true)])
    case .sceneLight:
      Facts(
        name: "sceneLight", meaning: "brightness of the scene as the camera meters it (Exif)",
        fields: [
          Field(
            "brightnessValue", "APEX", .previous, -100...100, "Exif's BrightnessValue, one more is twice as bright"),
          Field("luminance", "cd/m²", .previous, 0...1e9, "of the scene: 3.426 times 2 to the brightnessValue"),
        ])
    case .proximity:
      Facts(
        name: "proximity", meaning: "an object close to the screen",
        fields: [
          Field("proximityNear", "1", .previous, Self.switchRange, "1 near, 0 far"),
          Field("proximityDistance", "m", .previous, 0...1000, "distance; many sensors have only two values"),
        ])
    case .microphone:
      Facts(
        name: "microphone", meaning: "loudness of short windows",
        fields: [
          Field("soundLevel", "dB", .nearest, -400...400, "mean level, relative to full scale or as calibrated"),
          Field("soundPeak", "dB", .nearest, -400...400, "largest level"),
        ], maximumInterpolationInterval: 1)
    case .battery:
      Facts(
        name: "battery", meaning: "the device's battery (UIDevice)",
        fields: [
          Field("batteryLevel", "1", .previous, Self.switchRange, "charge, 0 to 1", isUnknownBelowZero: true),
          Field("batteryState", "1", .previous, 0...3, "0 unknown, 1 unplugged, 2 charging, 3 full"),
          Field("lowPowerMode", "1", .previous, Self.switchRange, "1 on, 0 off"),
          Field("batteryVoltage", "V", .previous, 0...1000, "voltage"),
          Field("batteryCurrent", "A", .previous, -1000...1000, "current; mostly positive while charging"),
        ])
    case .batteryTemperature:
      Facts(
        name: "batteryTemperature", meaning: "temperature of the battery",
        fields: [Field("batteryTemperature", "°C", .previous, -100...200, "temperature of the battery")])
    case .temperature:
      Facts(
        name: "temperature", meaning: "temperature of the air or of a sensor",
        fields: [Field("temperature", "°C", .interpolated, -100...200, "temperature")], maximumInterpolationInterval: 60
      )
    case .humidity:
      Facts(
        name: "humidity", meaning: "humidity of the air",
        fields: [Field("relativeHumidity", "%", .interpolated, 0...100, "relative humidity")],
        maximumInterpolationInterval: 60)
    case .heartRate:
      Facts(
        name: "heartRate", meaning: "heart rate from a watch",
        fields: [Field("heartRate", "1/min", .previous, 0...400, "heart beats")])
    case .bluetooth:
      Facts(
        name: "bluetooth", meaning: "an advertisement that was received, a device of a list, or the radio's state",
        fields: [
          Field("bluetoothRSSI", "dBm", .previous, -200...100, "signal strength"),
          Field("bluetoothTransmitPower", "dBm", .previous, -200...100, "advertised strength of the sender"),
          Field(
            "bluetoothState", "1", .previous, 0...5,
            "0 unknown, 1 resetting, 2 unsupported, 3 unauthorized, 4 powered off, 5 powered on (CBManagerState)"),
        ],
        texts: [
          "bluetoothIdentifier", "bluetoothName", "bluetoothData", "bluetoothStateWord", "bluetoothConnection",
        ], isEvent: true)
    case .wifi:
      Facts(
        name: "wifi", meaning: "an access point found by a scan",
        fields: [
          Field("wifiRSSI", "dBm", .previous, -200...100, "signal strength"),
          Field("wifiFrequency", "MHz", .previous, 0...1e6, "centre of the channel"),
        ], texts: ["wifiBSSID", "wifiSSID", "wifiCapabilities", "wifiConnection"], isEvent: true)
    case .nfc:
      Facts(
        name: "nfc", meaning: "a record of a tag that was read (NDEF)", fields: [],
        texts: ["nfcType", "nfcContent", "nfcLanguage", "nfcTypeNameFormat", "nfcIdentifier"], isEvent: true)
    case .annotation:
      Facts(
        name: "annotation", meaning: "a mark made by the user",
        fields: [Field("pressDuration", "s", .previous, 0...1e6, "duration of the press")],
        texts: ["annotation"], isEvent: true)
    case .deviceShake:
      Facts(
        name: "deviceShake", meaning: "a shake as reported by the device (UIEvent motionShake)",
        fields: [Field("shakePhase", "1", .previous, 0...2, "0 began, 1 ended, 2 cancelled")], isEvent: true)
    case .proximityChange:
      Facts(
        name: "proximityChange", meaning: "an object came close to the screen, or went away",
        fields: [Field("proximityChange", "1", .previous, Self.switchRange, "1 came close, 0 went away")],
        texts: ["proximityWord"], isEvent: true)
    case .waypoint:
      Facts(
        name: "waypoint", meaning: "a surveyed place that was passed",
        fields: [
          Field("waypointX", "m", .previous, Self.anything, "on the map's own axes"),
          Field("waypointY", "m", .previous, Self.anything, "on the map's own axes"),
        ], texts: ["waypoint"], isEvent: true)
    case .rawAcceleration: Self.motion(.accelerometer, "rawAcceleration", "acceleration with gravity, as measured")
    case .rawRotationRate: Self.motion(.gyroscope, "rawRotationRate", "angular rate with its bias, as measured")
    case .rawMagneticField: Self.motion(.magnetometer, "rawMagneticField", "field with hard iron, as measured")
    case .calibratedMagneticField:
      Self.motion(
        .calibratedMagneticField, "calibratedMagneticField", "field calibrated by the device",
        more: [
          Field("calibratedMagneticFieldAccuracy", "1", .previous, -1...2, "-1 uncalibrated, 0 low, 1 medium, 2 high")
        ])
    case .deviceAttitude:
      Self.motion(
        .deviceAttitude, "deviceAttitude", "attitude from the device, to its reference frame",
        field: "deviceQuaternion")
    case .deviceGravity: Self.motion(.deviceGravity, "deviceGravity", "gravity from the device")
    case .deviceUserAcceleration:
      Self.motion(.deviceUserAcceleration, "deviceUserAcceleration", "acceleration without gravity, from the device")
    case .deviceRotationRate:
      Self.motion(.deviceRotationRate, "deviceRotationRate", "angular rate without bias, from the device")
    case .deviceHeading:
      Facts(
        name: "deviceHeading", meaning: "heading from the device",
        fields: [
          Field(
            "deviceHeading", "deg", .interpolatedAngle, 0...360, "from the north of the device's own frame",
            isUnknownBelowZero: true)
        ], maximumInterpolationInterval: 0.5, motion: .deviceHeading)
    }
  }

  /// Returns the facts of a motion sensor's channel.
  ///
  /// - Parameter field: The name of the fields without their letters, or `nil` if it is the channel's name.
  private static func motion(
    _ channel: SensorChannel, _ name: String, _ meaning: String, field: String? = nil, more: [AuxiliaryField] = []
  ) -> Facts {
    let letters = channel == .deviceAttitude ? ["X", "Y", "Z", "W"] : ["X", "Y", "Z"]
    return Facts(
      name: name, meaning: meaning,
      fields: letters.map { Field((field ?? name) + $0, channel.unit, .interpolated, anything, meaning) } + more,
      maximumInterpolationInterval: 0.5, motion: channel)
  }

  private var location: Facts {
    Facts(
      name: "location", meaning: "position, speed and course (CLLocation)",
      fields: [
        Field("latitude", "deg", .interpolated, -90...90, "north positive, WGS 84"),
        Field("longitude", "deg", .interpolatedAngle, -180...180, "east positive, WGS 84"),
        Field("locationAltitude", "m", .interpolated, -20_000...1e6, "above mean sea level"),
        Field("ellipsoidalAltitude", "m", .interpolated, -20_000...1e6, "above the ellipsoid of WGS 84"),
        Field("speed", "m/s", .interpolated, 0...1e5, "over ground", isUnknownBelowZero: true),
        Field(
          "course", "deg", .interpolatedAngle, 0...360, "direction of travel from north, clockwise",
          isUnknownBelowZero: true),
        unknownBelowZero("horizontalAccuracy", "m", "radius of uncertainty"),
        unknownBelowZero("verticalAccuracy", "m", "uncertainty of the altitudes"),
        unknownBelowZero("speedAccuracy", "m/s", "uncertainty of the speed"),
        unknownBelowZero("courseAccuracy", "deg", "uncertainty of the course"),
        Field("floorLevel", "1", .previous, -1000...1000, "floor of the building, 0 = ground"),
      ], maximumInterpolationInterval: 5)
  }

  private func unknownBelowZero(_ name: String, _ unit: String, _ meaning: String) -> AuxiliaryField {
    Field(name, unit, .previous, 0...1e9, meaning, isUnknownBelowZero: true)
  }
}
