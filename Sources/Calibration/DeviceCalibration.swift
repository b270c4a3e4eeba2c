public import LinearAlgebra
public import Sensors

/// A device's calibration with what is known of its worth: what `inertial calibrate` writes and `--calibration` reads.
public struct DeviceCalibration: Sendable, Equatable {
  /// One sensor's.
  public struct Sensor: Sendable, Equatable {
    /// Accelerometer, gyroscope or magnetometer.
    public var channel: SensorChannel
    /// In g, rad/s or µT.
    public var result: CalibratedModel

    /// A sensor and what was found of it.
    public init(_ channel: SensorChannel, _ result: CalibratedModel) { (self.channel, self.result) = (channel, result) }
  }

  /// In its owner's words; empty where nobody said.
  public var device = ""
  /// The logs that it is from.
  public var sources: [String] = []
  /// Accelerometer (g), gyroscope (rad/s) and magnetometer (µT), those that were found.
  public var sensors: [Sensor] = []
  /// As in `GyroscopeFit`.
  public var accelerationSensitivity: Matrix3?
  /// As in `MagnetometerFit`: µT and rad; nil without a magnetometer, or without gravity beside it.
  public var fieldStrength: Double?
  /// The angle by which the field points below the horizontal there, rad.
  public var dip: Double?
  /// Share of the sphere that the magnetometer has been to, and the verdict.
  public var coverage: Double?
  /// Of the magnetometer; a poor one is not applied.
  public var verdict: SphereCoverage.Verdict?
  /// What the magnetometer's calibration leaves of heading in the worst attitude, rad.
  public var headingSigma: Double?

  /// Of nothing.
  public init() {}

  /// What was found of a sensor; nil where nothing was.
  public subscript(channel: SensorChannel) -> CalibratedModel? { sensors.first { $0.channel == channel }?.result }

  /// What is done to samples. A poor magnetometer's calibration is left out: it may be further from the truth than none.
  package var applied: SensorCalibration {
    var applied = SensorCalibration()
    applied.device = device
    applied.accelerometer = self[.accelerometer]?.model
    applied.gyroscope = self[.gyroscope]?.model
    applied.accelerationSensitivity = accelerationSensitivity
    applied.magnetometer = verdict == .poor ? nil : self[.magnetometer]?.model
    applied.fieldStrength = fieldStrength ?? 0
    return applied
  }

  /// A number that two calibrations have in common, and how far apart they are.
  public struct Difference: Sendable, Equatable {
    /// "accelerometer bias x".
    public var name: String
    /// Of both values: "g", "rad/s", "uT" or "1".
    public var unit: String
    /// What this calibration says.
    public var first: Double
    /// What the other one says.
    public var second: Double
    /// Of the difference.
    public var sigma: Double

    /// The difference in its standard deviations.
    public var deviations: Double { sigma > 0 ? (second - first) / sigma : 0 }
  }

  /// What another session's calibration says of the same numbers.
  public func differences(from other: DeviceCalibration) -> [Difference] {
    var differences: [Difference] = []
    let axes = ["x", "y", "z"]
    for sensor in sensors {
      guard let second = other[sensor.channel] else { continue }
      let (first, name) = (sensor.result, sensor.channel.name)
      let unit = Self.unit(sensor.channel)
      for axis in 0..<3 {
        differences.append(
          Difference(
            name: "\(name) bias \(axes[axis])", unit: unit.text, first: first.model.bias[axis],
            second: second.model.bias[axis], sigma: Self.both(first.biasSigma[axis], second.biasSigma[axis])))
      }
      for row in 0..<3 {
        for column in 0..<3 {
          differences.append(
            Difference(
              name: "\(name) \(row == column ? "scale" : "coupling") \(axes[row])\(row == column ? "" : axes[column])",
              unit: "1", first: first.model.matrix[row, column], second: second.model.matrix[row, column],
              sigma: Self.both(first.matrixSigma[row, column], second.matrixSigma[row, column])))
        }
      }
    }
    return differences
  }

  private static func both(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }

  /// The unit of a sensor's bias as text and in names of JSON.
  public static func unit(_ channel: SensorChannel) -> (text: String, name: String) {
    switch channel {
    case .accelerometer: ("g", "g")
    case .gyroscope: ("rad/s", "radPerS")
    default: ("uT", "uT")
    }
  }
}

extension DeviceCalibration: Codable {
  static let format = "inertial-calibration"
  static let version = 1
  private static let channels: [SensorChannel] = [.accelerometer, .gyroscope, .magnetometer]

  private typealias Key = DocumentKey

  public func encode(to encoder: any Encoder) throws {
    var document = encoder.container(keyedBy: Key.self)
    try document.encode(Self.format, forKey: Key("format"))
    try document.encode(Self.version, forKey: Key("version"))
    try document.encode(device, forKey: Key("device"))
    try document.encode(sources, forKey: Key("sources"))
    for sensor in sensors {
      var object = document.nestedContainer(keyedBy: Key.self, forKey: Key(sensor.channel.name))
      let (result, unit) = (sensor.result, Self.unit(sensor.channel).name)
      try object.encode([Double](result.model.bias), forKey: Key("bias_\(unit)"))
      try object.encode([Double](result.biasSigma), forKey: Key("biasSigma_\(unit)"))
      try object.encode(Self.rows(result.model.matrix), forKey: Key("matrix"))
      try object.encode(Self.rows(result.matrixSigma), forKey: Key("matrixSigma"))
      try object.encode(result.observations, forKey: Key("observations"))
      try object.encode(result.outliers, forKey: Key("outliers"))
      try object.encode(result.unobservable, forKey: Key("unobservable"))
      if sensor.channel == .gyroscope {
        try object.encodeIfPresent(
          accelerationSensitivity.map(Self.rows), forKey: Key("accelerationSensitivity_radPerSPerG"))
      }
      guard sensor.channel == .magnetometer else { continue }
      try object.encodeIfPresent(fieldStrength, forKey: Key("fieldStrength_uT"))
      try object.encodeIfPresent(dip, forKey: Key("dip_rad"))
      try object.encodeIfPresent(coverage, forKey: Key("sphereCoverage"))
      try object.encodeIfPresent(verdict, forKey: Key("verdict"))
      try object.encodeIfPresent(headingSigma, forKey: Key("headingSigma_rad"))
    }
  }

  public init(from decoder: any Decoder) throws {
    let document = try decoder.container(keyedBy: Key.self)
    let format = try document.decodeIfPresent(String.self, forKey: Key("format"))
    let version = try document.decodeIfPresent(Int.self, forKey: Key("version"))
    guard format == Self.format, version == Self.version else {
      throw DecodingError.dataCorruptedError(
        forKey: Key("format"), in: document, debugDescription: "is no \(Self.format) of version \(Self.version)")
    }
    device = try document.decodeIfPresent(String.self, forKey: Key("device")) ?? ""
    sources = try document.decodeIfPresent([String].self, forKey: Key("sources")) ?? []
    for channel in Self.channels where document.contains(Key(channel.name)) {
      let object = try document.nestedContainer(keyedBy: Key.self, forKey: Key(channel.name))
      let unit = Self.unit(channel).name
      func vector(_ name: String) throws -> Vector3 {
        try Self.vector(object.decode([Double].self, forKey: Key(name)), in: object, Key(name))
      }
      func matrix(_ name: String) throws -> Matrix3 {
        let rows = try object.decode([[Double]].self, forKey: Key(name))
        guard rows.count == 3 else { throw Self.shape(object, Key(name), "three rows") }
        let vectors = try rows.map { try Self.vector($0, in: object, Key(name)) }
        return Matrix3(rows: vectors[0], vectors[1], vectors[2])
      }
      var result = CalibratedModel()
      result.model = LinearModel(bias: try vector("bias_\(unit)"), matrix: try matrix("matrix"))
      result.biasSigma = object.contains(Key("biasSigma_\(unit)")) ? try vector("biasSigma_\(unit)") : .zero
      result.matrixSigma = object.contains(Key("matrixSigma")) ? try matrix("matrixSigma") : .zero
      result.observations = try object.decodeIfPresent(Int.self, forKey: Key("observations")) ?? 0
      result.outliers = try object.decodeIfPresent(Int.self, forKey: Key("outliers")) ?? 0
      result.unobservable = try object.decodeIfPresent([String].self, forKey: Key("unobservable")) ?? []
      sensors.append(Sensor(channel, result))
      if channel == .gyroscope, object.contains(Key("accelerationSensitivity_radPerSPerG")) {
        accelerationSensitivity = try matrix("accelerationSensitivity_radPerSPerG")
      }
      guard channel == .magnetometer else { continue }
      fieldStrength = try object.decodeIfPresent(Double.self, forKey: Key("fieldStrength_uT"))
      dip = try object.decodeIfPresent(Double.self, forKey: Key("dip_rad"))
      coverage = try object.decodeIfPresent(Double.self, forKey: Key("sphereCoverage"))
      verdict = try object.decodeIfPresent(SphereCoverage.Verdict.self, forKey: Key("verdict"))
      headingSigma = try object.decodeIfPresent(Double.self, forKey: Key("headingSigma_rad"))
    }
  }

  private static func rows(_ matrix: Matrix3) -> [[Double]] { (0..<3).map { [Double](matrix.row($0)) } }

  private static func vector(
    _ numbers: [Double], in container: KeyedDecodingContainer<Key>, _ key: Key
  ) throws -> Vector3 {
    guard numbers.count == 3, numbers.allSatisfy(\.isFinite) else { throw shape(container, key, "three numbers") }
    return Vector3(numbers)
  }

  private static func shape(_ container: KeyedDecodingContainer<Key>, _ key: Key, _ what: String) -> DecodingError {
    .dataCorruptedError(forKey: key, in: container, debugDescription: "\(key.stringValue) is not \(what)")
  }
}

extension DeviceCalibration {
  /// For Kalibr: `imu.yaml` with intrinsics of its model "scale-misalignment", M and C of raw = M · true + bias, whose
  /// matrices are the inverses of this calibration's.
  public var kalibr: String {
    var lines = [
      "#Calibration of \(device.isEmpty ? "a device" : device), raw = M true + bias, so true = inverse(M) (raw - bias)"
    ]
    for (channel, name) in [(SensorChannel.accelerometer, "accelerometers"), (.gyroscope, "gyroscopes")] {
      guard let result = self[channel], let inverse = result.model.matrix.inverse else { continue }
      // Kalibr's accelerometers measure specific force in m/s², which points up at rest.
      let scale = channel == .accelerometer ? -standardGravity : 1
      lines.append("\(name):")
      lines.append("  M: #1, rows")
      for row in 0..<3 { lines.append("  - [\(Self.list(inverse.row(row)))]") }
      let unit = channel == .accelerometer ? "m/s^2" : "rad/s"
      lines.append("  bias: [\(Self.list(scale * result.model.bias))] #\(unit)")
      if channel == .gyroscope {
        lines.append("  A: #\(accelerationSensitivity == nil ? "does not show" : "rad/s per m/s^2, rows")")
        let a = (accelerationSensitivity ?? .zero) * (-1 / standardGravity)
        for row in 0..<3 { lines.append("  - [\(Self.list(a.row(row)))]") }
      }
    }
    lines.append("model: scale-misalignment")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func list(_ v: Vector3) -> String {
    [v.x, v.y, v.z].map { "\(($0 * 1e9).rounded() / 1e9)" }.joined(separator: ", ")
  }
}
