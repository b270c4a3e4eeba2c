internal import InertialNumerics
internal import InertialSensors

/// Calibrates samples and checks whether the calibration matches this device and day.
struct CalibrationPass: Codable {
  private var pass: SensorCalibration.Pass
  /// The magnitudes of the acceleration while it is nearly constant, before and after calibration, in g.
  private var rawForces: [Double] = []
  private var calibratedForces: [Double] = []
  /// The magnitudes of the calibrated field, in µT.
  private var fields: [Double] = []
  /// The sums of a mean of the acceleration: raw, calibrated, and the squared norms of the latter.
  private var (rawSum, calibratedSum, squareSum) = (Vector3.zero, Vector3.zero, 0.0)
  private var count = 0

  /// The number of samples in a mean of the acceleration, and the maximum spread at rest, in g.
  private static let window = 25
  private static let restSpread = 0.03
  /// The deviation of the calibrated magnitude at rest, in g, above which the calibration belongs to another device if
  /// the raw magnitude deviates less.
  private static let maximumDeviation = 0.01
  /// The maximum relative deviation of the field strength. Rooms change it by less, the hard iron of another day by
  /// more.
  private static let maximumFieldDeviation = 0.25
  private static let maximumMeanCount = 100_000
  /// The extrapolation beyond the calibrated temperatures that causes no warning, in K.
  private static let temperatureMargin = 5.0

  init(_ calibration: SensorCalibration) { pass = SensorCalibration.Pass(calibration) }

  /// Adds auxiliary samples, which must precede motion of later times.
  mutating func add(_ samples: [AuxiliarySample]) { pass.add(samples) }

  mutating func apply(to batch: inout [SensorSample]) {
    let raw = pass.calibration.accelerometer == nil ? [] : batch.filter { $0.channel == .accelerometer }
    pass.apply(to: &batch)
    if !raw.isEmpty {
      for (before, after) in zip(raw, batch.lazy.filter { $0.channel == .accelerometer }) {
        look(before.vector, after.vector)
      }
    }
    guard pass.calibration.magnetometer != nil, fields.count < Self.maximumMeanCount else { return }
    for sample in batch where sample.channel == .magnetometer && sample.vector.isFinite {
      fields.append(sample.vector.norm)
    }
  }

  private mutating func look(_ raw: Vector3, _ calibrated: Vector3) {
    guard raw.isFinite, rawForces.count < Self.maximumMeanCount else { return }
    rawSum += raw
    calibratedSum += calibrated
    squareSum += calibrated.squaredNorm
    count += 1
    guard count == Self.window else { return }
    let mean = calibratedSum / Double(count)
    let variance = squareSum / Double(count) - mean.squaredNorm
    if variance < Self.restSpread * Self.restSpread {
      rawForces.append((rawSum / Double(count)).norm)
      calibratedForces.append(mean.norm)
    }
    (rawSum, calibratedSum, squareSum, count) = (.zero, .zero, 0, 0)
  }

  /// The warnings, one line for each sensor whose calibration cannot match this device.
  var warnings: [String] {
    var warnings: [String] = []
    let name = pass.calibration.device.isEmpty ? "the calibration" : "the calibration of '\(pass.calibration.device)'"
    let deviation = Self.median(calibratedForces.map { abs($0 - 1) })
    if rawForces.count >= 4, deviation > Self.maximumDeviation, deviation > Self.median(rawForces.map { abs($0 - 1) }) {
      warnings.append(
        "\(name) seems to belong to another device: with it gravity is \(rounded(Self.median(calibratedForces))) g at rest, "
          + "without it \(rounded(Self.median(rawForces))) g")
    }
    let strength = pass.calibration.fieldStrength
    let off = Self.median(fields.map { abs($0 - strength) })
    if fields.count >= 100, strength > 0, off > Self.maximumFieldDeviation * strength {
      warnings.append(
        "\(name) does not fit this log's raw field: its magnitude was \(rounded(strength)) uT, and differs by \(rounded(off)) uT "
          + "here; the hard-iron field has changed, and is estimated again if the raw field is used")
    }
    if let model = pass.calibration.gyroscopeTemperature, let range = pass.temperatureRange,
      range.lowerBound < model.range.lowerBound - Self.temperatureMargin
        || range.upperBound > model.range.upperBound + Self.temperatureMargin
    {
      warnings.append(
        "\(name) covers the gyroscope's bias from \(rounded(model.range.lowerBound)) to "
          + "\(rounded(model.range.upperBound)) °C, and the log has \(rounded(range.lowerBound)) to "
          + "\(rounded(range.upperBound)) °C: its line is extrapolated")
    }
    return warnings
  }

  private static func median(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.sorted()[values.count / 2]
  }
}
