public import InertialSensors

/// The names and units of a sensor's noise, in both conventions: SI (as in Kalibr) and data sheets.
public struct NoiseUnits: Sendable {
  /// A unit: its printed form, its form in names of JSON, and its conversion factor.
  public struct Unit: Sendable, Equatable {
    /// The printed form, such as "rad/s/sqrt(Hz)".
    public let text: String
    /// The form in names of JSON, such as "radPerSPerSqrtHz".
    public let name: String
    /// The value in this unit of one library unit.
    public let perOwn: Double
  }

  /// The sensor: gyroscope, accelerometer or magnetometer.
  public let channel: SensorChannel

  /// Creates the units of a channel.
  ///
  /// - Returns: `nil` for a channel that is not a sensor.
  public init?(_ channel: SensorChannel) {
    guard [.gyroscope, .accelerometer, .magnetometer].contains(channel) else { return nil }
    self.channel = channel
  }

  /// The factor from the library's unit (rad/s, g, µT) to the profile's unit (rad/s, m/s², µT).
  public var valueScale: Double { channel == .accelerometer ? standardGravity : 1 }
  /// The unit of the sensor's values: rad/s, m/s^2 or uT.
  public var value: Unit {
    switch channel {
    case .gyroscope: Unit(text: "rad/s", name: "radPerS", perOwn: 1)
    case .accelerometer: Unit(text: "m/s^2", name: "mPerS2", perOwn: 1)
    default: Unit(text: "uT", name: "uT", perOwn: 1)
    }
  }

  /// Returns the name of the term for this sensor.
  public func title(_ process: NoiseProcess) -> String {
    switch (process, channel) {
    case (.quantization, _): "quantisation"
    case (.white, .gyroscope): "angle random walk"
    case (.white, .accelerometer): "velocity random walk"
    case (.white, _): "white noise"
    case (.biasInstability, _): "bias instability"
    case (.rateRandomWalk, .gyroscope): "rate random walk"
    case (.rateRandomWalk, .accelerometer): "acceleration random walk"
    case (.rateRandomWalk, _): "random walk"
    case (.rateRamp, _): "ramp"
    }
  }

  /// Returns the unit of the term's coefficient.
  public func unit(_ process: NoiseProcess) -> Unit {
    switch (process, channel) {
    case (.quantization, .gyroscope): own("rad", "rad")
    case (.quantization, .accelerometer): own("m/s", "mPerS")
    case (.quantization, _): own("uT s", "uTS")
    case (.white, .gyroscope): own("rad/s/sqrt(Hz)", "radPerSPerSqrtHz")
    case (.white, .accelerometer): own("m/s^2/sqrt(Hz)", "mPerS2PerSqrtHz")
    case (.white, _): own("uT/sqrt(Hz)", "uTPerSqrtHz")
    case (.biasInstability, _): value
    case (.rateRandomWalk, .gyroscope): own("rad/s^2/sqrt(Hz)", "radPerS2PerSqrtHz")
    case (.rateRandomWalk, .accelerometer): own("m/s^3/sqrt(Hz)", "mPerS3PerSqrtHz")
    case (.rateRandomWalk, _): own("uT/s/sqrt(Hz)", "uTPerSPerSqrtHz")
    case (.rateRamp, .gyroscope): own("rad/s^2", "radPerS2")
    case (.rateRamp, .accelerometer): own("m/s^3", "mPerS3")
    case (.rateRamp, _): own("uT/s", "uTPerS")
    }
  }

  /// Returns the unit used in data sheets, or `nil` if it is the same.
  public func customary(_ process: NoiseProcess) -> Unit? {
    let degrees = 180 / Double.pi
    return switch (process, channel) {
    case (.quantization, .gyroscope): Unit(text: "arcsec", name: "arcsec", perOwn: degrees * 3600)
    case (.white, .gyroscope): Unit(text: "deg/sqrt(h)", name: "degPerSqrtH", perOwn: degrees * 60)
    case (.white, .accelerometer): Unit(text: "m/s/sqrt(h)", name: "mPerSPerSqrtH", perOwn: 60)
    case (.biasInstability, .gyroscope): Unit(text: "deg/h", name: "degPerH", perOwn: degrees * 3600)
    case (.biasInstability, .accelerometer): Unit(text: "mg", name: "mg", perOwn: 1000 / standardGravity)
    case (.rateRandomWalk, .gyroscope): Unit(text: "deg/h/sqrt(h)", name: "degPerHPerSqrtH", perOwn: degrees * 216_000)
    case (.rateRandomWalk, .accelerometer): Unit(text: "m/s^2/sqrt(h)", name: "mPerS2PerSqrtH", perOwn: 60)
    case (.rateRamp, .gyroscope): Unit(text: "deg/h/h", name: "degPerHPerH", perOwn: degrees * 12_960_000)
    case (.rateRamp, .accelerometer): Unit(text: "m/s^2/h", name: "mPerS2PerH", perOwn: 3600)
    default: nil
    }
  }

  private func own(_ text: String, _ name: String) -> Unit { Unit(text: text, name: name, perOwn: 1) }
}
