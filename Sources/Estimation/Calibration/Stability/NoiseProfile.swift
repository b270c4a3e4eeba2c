public import InertialSensors
internal import InertialSystem

/// The noise of a device's sensors: the document that `inertial allan` writes and `--noise` reads.
public struct NoiseProfile: Sendable, Equatable {
  /// The noise of one sensor.
  public struct Sensor: Sendable, Equatable {
    /// The sensor: gyroscope, accelerometer or magnetometer.
    public var channel: SensorChannel
    /// The sample rate, in Hz.
    public var rate: Double
    /// The duration of the recording, in seconds.
    public var duration: Double
    /// The fits for x, y and z of the device, in rad/s, m/s² or µT and seconds; `nil` for an axis without a fit.
    public var axes: [NoiseFit?]

    /// Creates a sensor's noise from its rate in Hz, its duration in seconds, and one fit per axis.
    public init(channel: SensorChannel, rate: Double, duration: Double, axes: [NoiseFit?]) {
      (self.channel, self.rate, self.duration, self.axes) = (channel, rate, duration, axes)
    }

    /// Returns the root mean square over the axes of a coefficient, or `nil` unless it is significant in every axis.
    public func mean(_ process: NoiseProcess) -> Double? {
      let values = axes.compactMap { $0?[process].value }
      guard values.count == axes.count, !values.isEmpty else { return nil }
      return (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
    }

    /// Same as `mean`, but with the upper limit for axes in which the coefficient is not significant.
    public func largest(_ process: NoiseProcess) -> Double? {
      let values = axes.compactMap { axis in axis.flatMap { $0[process].value ?? $0[process].upperLimit } }
      guard values.count == axes.count, !values.isEmpty else { return nil }
      return (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
    }
  }

  /// A human-readable description of the recording.
  public var source: String
  /// The sensors of the recording, in the order of their channels.
  public var sensors: [Sensor]

  /// Creates a profile of a recording's sensors.
  public init(source: String, sensors: [Sensor]) { (self.source, self.sensors) = (source, sensors) }

  /// The noise of a sensor, or `nil` if the recording does not have the sensor.
  public subscript(channel: SensorChannel) -> Sensor? { sensors.first { $0.channel == channel } }

  /// The filter parameters that describe noise, by their names in `FilterKind`: `gyroscopeNoise` (rad/√s, the angle
  /// random walk) and `accelerationNoise` (g√s), for the sensors with significant white noise in every axis.
  ///
  /// The magnetometer's noise is not included: its errors are dominated by the field of the room, which a device at
  /// rest does not show.
  public var filterSettings: [String: Double] {
    var settings: [String: Double] = [:]
    for (name, channel) in [("gyroscopeNoise", SensorChannel.gyroscope), ("accelerationNoise", .accelerometer)] {
      guard let sensor = self[channel], let units = NoiseUnits(channel), let noise = sensor.mean(.white) else {
        continue
      }
      settings[name] = noise / units.valueScale
    }
    return settings
  }
}

extension NoiseProfile: Codable {
  /// The format name of the document, and the version of its layout.
  static let format = "inertial-noise"
  static let version = 1

  private typealias Key = DocumentKey

  public func encode(to encoder: any Encoder) throws {
    var document = encoder.container(keyedBy: Key.self)
    try document.encode(Self.format, forKey: Key("format"))
    try document.encode(Self.version, forKey: Key("version"))
    try document.encode(source, forKey: Key("source"))
    for sensor in sensors {
      var object = document.nestedContainer(keyedBy: Key.self, forKey: Key(sensor.channel.name))
      try object.encode(sensor.rate, forKey: Key("rate_Hz"))
      try object.encode(sensor.duration, forKey: Key("duration_s"))
      guard let units = NoiseUnits(sensor.channel) else { continue }
      for (axis, fit) in zip(["x", "y", "z"], sensor.axes) {
        guard let fit else { continue }
        var terms = object.nestedContainer(keyedBy: Key.self, forKey: Key(axis))
        try terms.encode(fit.shortestTime, forKey: Key("fittedFrom_s"))
        try terms.encode(fit.longestTime, forKey: Key("fittedTo_s"))
        try terms.encode(fit.misfit, forKey: Key("chiSquarePerDegreeOfFreedom"))
        for process in NoiseProcess.allCases {
          let unit = units.unit(process).name
          let finding = fit[process]
          try terms.encodeIfPresent(finding.value, forKey: Key("\(process.rawValue)_\(unit)"))
          try terms.encodeIfPresent(finding.sigma, forKey: Key("\(process.rawValue)Sigma_\(unit)"))
          try terms.encodeIfPresent(finding.upperLimit, forKey: Key("\(process.rawValue)Below_\(unit)"))
        }
      }
    }
  }

  public init(from decoder: any Decoder) throws {
    let document = try decoder.container(keyedBy: Key.self)
    let format = try document.decodeIfPresent(String.self, forKey: Key("format"))
    let version = try document.decodeIfPresent(Int.self, forKey: Key("version"))
    guard format == Self.format, version == Self.version else {
      throw DecodingError.dataCorruptedError(
        forKey: Key("format"), in: document,
        debugDescription: "is not in the format \(Self.format), version \(Self.version)")
    }
    source = try document.decode(String.self, forKey: Key("source"))
    sensors = []
    for channel in [SensorChannel.gyroscope, .accelerometer, .magnetometer] {
      guard document.contains(Key(channel.name)), let units = NoiseUnits(channel) else { continue }
      let object = try document.nestedContainer(keyedBy: Key.self, forKey: Key(channel.name))
      let axes = try ["x", "y", "z"].map { axis -> NoiseFit? in
        guard object.contains(Key(axis)) else { return nil }
        let terms = try object.nestedContainer(keyedBy: Key.self, forKey: Key(axis))
        var fit = NoiseFit()
        fit.shortestTime = try terms.decode(Double.self, forKey: Key("fittedFrom_s"))
        fit.longestTime = try terms.decode(Double.self, forKey: Key("fittedTo_s"))
        fit.misfit = try terms.decode(Double.self, forKey: Key("chiSquarePerDegreeOfFreedom"))
        for process in NoiseProcess.allCases {
          let unit = units.unit(process).name
          fit[process] = NoiseFit.TermEstimate(
            value: try terms.decodeIfPresent(Double.self, forKey: Key("\(process.rawValue)_\(unit)")),
            sigma: try terms.decodeIfPresent(Double.self, forKey: Key("\(process.rawValue)Sigma_\(unit)")),
            upperLimit: try terms.decodeIfPresent(Double.self, forKey: Key("\(process.rawValue)Below_\(unit)")))
        }
        return fit
      }
      sensors.append(
        Sensor(
          channel: channel, rate: try object.decode(Double.self, forKey: Key("rate_Hz")),
          duration: try object.decode(Double.self, forKey: Key("duration_s")), axes: axes))
    }
  }
}

extension NoiseProfile {
  /// Kalibr's `imu.yaml`: one number for the three axes, in rad/s/√Hz, rad/s²/√Hz, m/s²/√Hz and m/s³/√Hz.
  ///
  /// If a random walk is not significant in an axis, its upper limit is used, and a comment in the line marks it.
  public var kalibr: String {
    var lines = ["#Noise of \(source), by overlapping Allan deviation; root mean square of the three axes."]
    for (channel, name) in [(SensorChannel.accelerometer, "accelerometer"), (.gyroscope, "gyroscope")] {
      guard let sensor = self[channel], let units = NoiseUnits(channel) else { continue }
      for (process, key) in [(NoiseProcess.white, "noise_density"), (.rateRandomWalk, "random_walk")] {
        let unit = units.unit(process).text
        if let value = sensor.mean(process) {
          lines.append("\(name)_\(key): \(Self.text(value)) #\(unit)")
        } else if let limit = sensor.largest(process) {
          lines.append("\(name)_\(key): \(Self.text(limit)) #\(unit); not shown by every axis: at most this (95 %)")
        } else {
          lines.append("#\(name)_\(key): unknown, the recording is too short")
        }
      }
    }
    lines.append("rostopic: /imu0")
    if let rate = (self[.gyroscope] ?? self[.accelerometer])?.rate {
      lines.append("update_rate: \(Self.text(rate)) #Hz")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Formats a number with six significant digits for YAML.
  private static func text(_ value: Double) -> String {
    guard value != 0, value.isFinite else { return "0.0" }
    var scale = 1.0
    while abs(value) * scale < 1e5 { scale *= 10 }
    while abs(value) * scale >= 1e6 { scale /= 10 }
    return "\((value * scale).rounded() / scale)"
  }
}
