internal import InertialRotations
internal import InertialSensors

/// The units and signs of the accelerations in a Sensor Logger folder, and their source.
struct SensorLoggerConvention {
  /// The factor from the raw acceleration's file to g with Core Motion's sign.
  var rawScale: Double
  /// The factor from gravity and user acceleration to g with Core Motion's sign.
  var fusedScale: Double
  /// The frame of the phone's attitude: the frame of Android's rotation vector is east, north, up.
  var frame = EarthFrame.nwu
  var summary: String
  var notes: [String] = []

  /// Creates the convention from Metadata.csv, unless the options specify otherwise.
  init(platform: String, isStandardised: Bool, options: LogOptions) {
    let isApple = platform != "android"
    let hasAppleUnits = isApple && !isStandardised
    let unit = options.accelerationUnit ?? (hasAppleUnits ? .g : .metersPerSecondSquared)
    let sign = options.accelerationSign ?? (hasAppleUnits ? .gravity : .specificForce)
    let turn = sign == .gravity ? 1.0 : -1
    rawScale = turn * unit.scale
    fusedScale = turn / standardGravity
    summary =
      "Sensor Logger folder (\(platform == "watchos" ? "watchOS" : isApple ? "iOS" : "Android"), "
      + (isStandardised ? "standardised)" : "not standardised)")
    if !isApple { frame = .enu }
    let source =
      options.accelerationUnit == nil && options.accelerationSign == nil ? "Metadata.csv" : "option"
    notes.append(
      "acceleration: \(unit.title), "
        + (sign == .gravity ? "Core Motion's sign" : "specific force, sign inverted") + ", by \(source)")
  }

  /// Creates the convention without metadata: from the options, or from the magnitude of the raw acceleration in
  /// `rawPath`.
  ///
  /// The app writes raw acceleration in g only on iOS, with Apple's sign. In m/s² it is specific force on both
  /// platforms. Gravity and user acceleration alone are always in m/s², with a sign that depends on the platform.
  init(options: LogOptions, rawPath: String?, medianNorm: Double?) throws(LogError) {
    summary = "Sensor Logger folder (no Metadata.csv)"
    guard let rawPath else {
      guard let sign = options.accelerationSign else {
        throw LogError(
          path: "Accelerometer.csv",
          problem: "without Metadata.csv the sign of Accelerometer and Gravity is unknown",
          remedy: "give --acceleration-sign gravity (iOS) or specific-force (Android, or standardised)")
      }
      rawScale = 1
      fusedScale = (sign == .gravity ? 1 : -1) / standardGravity
      notes.append("acceleration: m/s², sign by option")
      return
    }
    let unit: LogOptions.AccelerationUnit
    if let given = options.accelerationUnit {
      unit = given
      notes.append("acceleration: \(unit.text) by option")
    } else {
      switch medianNorm ?? .nan {
      case 0.7...1.5: unit = .g
      case 7...14: unit = .metersPerSecondSquared
      default:
        throw LogError(
          path: rawPath,
          problem:
            "without Metadata.csv the unit is unclear: the median acceleration is \(medianNorm ?? .nan)",
          remedy: "give --acceleration-unit g or m/s2")
      }
      notes.append(
        "acceleration: \(unit.title), inferred from a median of \(medianNorm ?? .nan)")
    }
    let sign = options.accelerationSign ?? (unit == .g ? .gravity : .specificForce)
    notes.append(
      "acceleration: " + (sign == .gravity ? "Core Motion's sign" : "specific force, sign inverted")
        + (options.accelerationSign == nil ? ", inferred from the unit" : ", by option"))
    let turn = sign == .gravity ? 1.0 : -1
    rawScale = turn * unit.scale
    fusedScale = turn / standardGravity
  }
}
