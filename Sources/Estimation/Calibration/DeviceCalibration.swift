public import InertialNumerics
public import InertialSensors
internal import InertialSystem

/// A device's calibration with its uncertainties: the document that `inertial calibrate` writes and `--calibration`
/// reads.
public struct DeviceCalibration: Sendable, Equatable {
  /// The calibration of one sensor.
  public struct Sensor: Sendable, Equatable {
    /// The sensor: accelerometer, gyroscope or magnetometer.
    public var channel: SensorChannel
    /// The result, in g, rad/s or µT.
    public var result: CalibratedModel

    /// Creates the calibration of a sensor.
    public init(_ channel: SensorChannel, _ result: CalibratedModel) { (self.channel, self.result) = (channel, result) }
  }

  /// The owner's name for the device, or empty if unspecified.
  public var device = ""
  /// The logs of the calibration.
  public var sources: [String] = []
  /// The calibrated sensors among accelerometer (g), gyroscope (rad/s) and magnetometer (µT).
  public var sensors: [Sensor] = []
  /// The change of the rate with acceleration, see `GyroscopeFit`.
  public var accelerationSensitivity: Matrix3?
  /// The dependence of the gyroscope's bias on temperature, or `nil` if the logs do not show it. If present, the
  /// gyroscope's bias is the bias at `TemperatureSlope.reference`.
  public var temperatureSlope: TemperatureSlope?
  /// The field strength, in µT, see `MagnetometerFit`; `nil` without a magnetometer.
  public var fieldStrength: Double?
  /// The angle of the field below the horizontal, in rad; `nil` without a magnetometer or without gravity samples.
  public var dip: Double?
  /// The fraction of the sphere that the magnetometer samples cover.
  public var coverage: Double?
  /// The verdict on the magnetometer; if it is poor, the rotation against the accelerometer is not applied.
  public var verdict: SphereCoverage.Verdict?
  /// The remaining heading error after the magnetometer's calibration in the worst attitude, in rad.
  public var headingSigma: Double?
  /// The verdict on hard and soft iron alone, regardless of the rotation; if it is poor, nothing is applied.
  public var ironVerdict: SphereCoverage.Verdict?
  /// The remaining field error across the field due to hard and soft iron in the worst attitude, in µT.
  public var ironSigma: Double?

  /// Creates an empty calibration.
  public init() {}

  /// The calibration of a sensor, or `nil` if the sensor is not calibrated.
  public subscript(channel: SensorChannel) -> CalibratedModel? { sensors.first { $0.channel == channel }?.result }

  /// The use of the magnetometer's calibration.
  public enum MagnetometerUse: Sendable, Equatable {
    /// The complete calibration; hard and soft iron, in the axes of the samples or rotated by quarter turns from them;
    /// none.
    case whole, iron, none
  }

  /// A poor magnetometer calibration may be worse than none. If only the rotation is poor, the part that is independent
  /// of it is used: the hard iron, and the symmetric matrix that makes the field strength constant.
  public var magnetometerUse: MagnetometerUse {
    guard self[.magnetometer] != nil else { return .none }
    if verdict != .poor { return .whole }
    return ironVerdict.map { $0 == .poor } ?? true ? .none : .iron
  }

  /// The largest standard deviation of the heading with which the nearest quarter turn is certain, in rad: 15°.
  private static let quarterTurnSigma = 15 * Double.pi / 180

  private var appliedMagnetometer: LinearModel? {
    guard let model = self[.magnetometer]?.model else { return nil }
    switch magnetometerUse {
    case .whole: return model
    case .none: return nil
    case .iron:
      guard let parts = SoftIronDecomposition(model.matrix) else { return nil }
      let isSure = headingSigma.map { $0 < Self.quarterTurnSigma } ?? false
      return LinearModel(bias: model.bias, matrix: (isSure ? parts.quarterTurn ?? .identity : .identity) * parts.iron)
    }
  }

  /// The calibration that is applied to samples.
  package var applied: SensorCalibration {
    var applied = SensorCalibration()
    applied.device = device
    applied.accelerometer = self[.accelerometer]?.model
    applied.gyroscope = self[.gyroscope]?.model
    applied.gyroscopeBiasSigma = gyroscopeBiasSigma
    applied.gyroscopeTemperature = self[.gyroscope] == nil ? nil : temperatureSlope?.model
    applied.accelerationSensitivity = accelerationSensitivity
    applied.magnetometer = appliedMagnetometer
    applied.fieldStrength = fieldStrength ?? 0
    return applied
  }

  /// The standard deviation of the difference of a gyroscope's bias between two days, in rad/s: 0.5 °/s.
  ///
  /// Data sheets state 0.05 °/s/K (Bosch BMI160, ST LSM6DS3) to 0.16 °/s/K (InvenSense MPU-9150, ±20 °/s over 125 K),
  /// and the board temperature of a device differs by about 10 K from one use to the next. For this difference, scale
  /// and misalignment change by some hundredths of a per cent, which is less than the error of a calibration.
  package static let dailyBiasSigma = 0.5 * .pi / 180

  /// The standard deviation of the gyroscope's remaining bias on another day, in rad/s, about the axis with the largest
  /// uncertainty, or `nil` without a gyroscope.
  ///
  /// Filters use it as their initial value, and continue to estimate the bias: `initialBiasSigma` of the filters that
  /// have it.
  public var gyroscopeBiasSigma: Double? {
    guard let sigma = self[.gyroscope]?.biasSigma else { return nil }
    return Self.both(sigma.maximumMagnitude, Self.dailyBiasSigma)
  }

  /// Makes the gyroscope's bias depend on the temperature.
  package mutating func follow(_ slope: TemperatureSlope) {
    guard let index = sensors.firstIndex(where: { $0.channel == .gyroscope }) else { return }
    temperatureSlope = slope
    sensors[index].result.model.bias = slope.bias
  }

  /// The values of a number that two calibrations have in common, and their difference.
  public struct Difference: Sendable, Equatable, Encodable {
    /// The name, such as "accelerometer bias x".
    public var name: String
    /// The unit of both values: "g", "rad/s", "uT" or "1".
    public var unit: String
    /// The value in this calibration.
    public var first: Double
    /// The value in the other calibration.
    public var second: Double
    /// The standard deviation of the difference.
    public var sigma: Double

    /// The difference in units of its standard deviation.
    public var deviations: Double { sigma > 0 ? (second - first) / sigma : 0 }
    /// Whether the number changes from day to day, as a bias does, unlike the device's scales and couplings.
    public var isOfTheDay: Bool

    /// The keys of `inertial calibrate --compare`, whose first calibration is the other session's.
    private enum CodingKeys: String, CodingKey {
      case name, unit, first = "other", second = "here", sigma, deviations, isOfTheDay
    }

    /// Encodes both values and their difference.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(unit, forKey: .unit)
      try container.encode(first, forKey: .first)
      try container.encode(second, forKey: .second)
      try container.encode(sigma, forKey: .sigma)
      try container.encode(deviations, forKey: .deviations)
      try container.encode(isOfTheDay, forKey: .isOfTheDay)
    }
  }

  /// Returns the differences to another session's calibration, for the numbers that both have measured.
  public func differences(from other: DeviceCalibration) -> [Difference] {
    var differences: [Difference] = []
    let axes = ["x", "y", "z"]
    for sensor in sensors {
      guard let second = other[sensor.channel] else { continue }
      let (first, name) = (sensor.result, sensor.channel.name)
      let unit = Self.unit(sensor.channel)
      for axis in 0..<3 where first.biasSigma[axis] > 0 && second.biasSigma[axis] > 0 {
        differences.append(
          Difference(
            name: "\(name) bias \(axes[axis])", unit: unit.text, first: first.model.bias[axis],
            second: second.model.bias[axis], sigma: Self.both(first.biasSigma[axis], second.biasSigma[axis]),
            isOfTheDay: true))
      }
      for row in 0..<3 {
        for column in 0..<3 where Self.isMeasured(first.matrixSigma[row, column], second.matrixSigma[row, column]) {
          differences.append(
            Difference(
              name: "\(name) \(row == column ? "scale" : "coupling") \(axes[row])\(row == column ? "" : axes[column])",
              unit: "1", first: first.model.matrix[row, column], second: second.model.matrix[row, column],
              sigma: Self.both(first.matrixSigma[row, column], second.matrixSigma[row, column]), isOfTheDay: false))
        }
      }
    }
    return differences
  }

  /// Excludes numbers that a calibration has kept: they are only known to the precision of data sheets.
  private static func isMeasured(_ first: Double, _ second: Double) -> Bool {
    [first, second].allSatisfy { $0 > 0 && $0 < 0.01 }
  }

  private static func both(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }

  /// Returns the unit of a sensor's bias, as text and in names of JSON.
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
        if let temperatureSlope {
          try object.encode([Double](temperatureSlope.slope), forKey: Key("temperatureSlope_radPerSPerK"))
          try object.encode([Double](temperatureSlope.sigma), forKey: Key("temperatureSlopeSigma_radPerSPerK"))
          try object.encode(temperatureSlope.reference, forKey: Key("temperatureReference_degC"))
          try object.encode(
            [temperatureSlope.lowest, temperatureSlope.highest], forKey: Key("temperatureRange_degC"))
        }
      }
      guard sensor.channel == .magnetometer else { continue }
      try object.encodeIfPresent(fieldStrength, forKey: Key("fieldStrength_uT"))
      try object.encodeIfPresent(dip, forKey: Key("dip_rad"))
      try object.encodeIfPresent(coverage, forKey: Key("sphereCoverage"))
      try object.encodeIfPresent(verdict, forKey: Key("verdict"))
      try object.encodeIfPresent(headingSigma, forKey: Key("headingSigma_rad"))
      try object.encodeIfPresent(ironVerdict, forKey: Key("ironVerdict"))
      try object.encodeIfPresent(ironSigma, forKey: Key("ironSigma_uT"))
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
      if channel == .gyroscope, object.contains(Key("temperatureSlope_radPerSPerK")) {
        let range = try object.decode([Double].self, forKey: Key("temperatureRange_degC"))
        guard range.count == 2, range[0] <= range[1] else {
          throw Self.shape(object, Key("temperatureRange_degC"), "two numbers, the lower one first")
        }
        temperatureSlope = TemperatureSlope(
          slope: try vector("temperatureSlope_radPerSPerK"), sigma: try vector("temperatureSlopeSigma_radPerSPerK"),
          range: range[0]...range[1],
          reference: try object.decode(Double.self, forKey: Key("temperatureReference_degC")),
          bias: result.model.bias)
      }
      guard channel == .magnetometer else { continue }
      fieldStrength = try object.decodeIfPresent(Double.self, forKey: Key("fieldStrength_uT"))
      dip = try object.decodeIfPresent(Double.self, forKey: Key("dip_rad"))
      coverage = try object.decodeIfPresent(Double.self, forKey: Key("sphereCoverage"))
      verdict = try object.decodeIfPresent(SphereCoverage.Verdict.self, forKey: Key("verdict"))
      headingSigma = try object.decodeIfPresent(Double.self, forKey: Key("headingSigma_rad"))
      ironVerdict = try object.decodeIfPresent(SphereCoverage.Verdict.self, forKey: Key("ironVerdict"))
      ironSigma = try object.decodeIfPresent(Double.self, forKey: Key("ironSigma_uT"))
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
  /// The calibration for Kalibr: `imu.yaml` with intrinsics of its model "scale-misalignment", M and C of raw = M ·
  /// true + bias, whose matrices are the inverses of this calibration's.
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
