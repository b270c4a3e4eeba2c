internal import InertialNumerics
internal import InertialSensors

/// Calibrates samples, and looks whether the calibration is this device's and this day's.
struct CalibrationPass {
  private var pass: SensorCalibration.Pass
  /// Lengths of the acceleration while it hardly changes, before and after, g.
  private var forces: (raw: [Double], calibrated: [Double]) = ([], [])
  /// Lengths of the calibrated field, µT.
  private var fields: [Double] = []
  private var sums = (raw: Vector3.zero, calibrated: Vector3.zero, squares: 0.0)
  private var count = 0

  /// Samples in a mean of the acceleration, and the spread about it in g that is rest.
  private static let window = 25
  private static let restSpread = 0.03
  /// The calibrated length at rest is off by this, g, and by more than the raw one: then it is another device's.
  private static let mostDeviation = 0.01
  /// The field's length is off by this share of what it was: rooms change it by less, hard iron of another day by more.
  private static let mostFieldDeviation = 0.25
  private static let mostMeans = 100_000
  /// K beyond what was measured that a line is carried on for without a word.
  private static let temperatureMargin = 5.0

  init(_ calibration: SensorCalibration) { pass = SensorCalibration.Pass(calibration) }

  /// Takes channels beside the motion, before motion of later times.
  mutating func add(_ samples: [AuxiliarySample]) { pass.add(samples) }

  mutating func apply(to batch: inout [SensorSample]) {
    let raw = pass.calibration.accelerometer == nil ? [] : batch.filter { $0.channel == .accelerometer }
    pass.apply(to: &batch)
    if !raw.isEmpty {
      for (before, after) in zip(raw, batch.lazy.filter { $0.channel == .accelerometer }) {
        look(before.vector, after.vector)
      }
    }
    guard pass.calibration.magnetometer != nil, fields.count < Self.mostMeans else { return }
    for sample in batch where sample.channel == .magnetometer && sample.vector.isFinite {
      fields.append(sample.vector.norm)
    }
  }

  private mutating func look(_ raw: Vector3, _ calibrated: Vector3) {
    guard raw.isFinite, forces.raw.count < Self.mostMeans else { return }
    sums.raw += raw
    sums.calibrated += calibrated
    sums.squares += calibrated.squaredNorm
    count += 1
    guard count == Self.window else { return }
    let mean = sums.calibrated / Double(count)
    let variance = sums.squares / Double(count) - mean.squaredNorm
    if variance < Self.restSpread * Self.restSpread {
      forces.raw.append((sums.raw / Double(count)).norm)
      forces.calibrated.append(mean.norm)
    }
    (sums, count) = ((.zero, .zero, 0), 0)
  }

  /// A line for each sensor whose calibration cannot be this device's.
  var warnings: [String] {
    var warnings: [String] = []
    let name = pass.calibration.device.isEmpty ? "the calibration" : "the calibration of '\(pass.calibration.device)'"
    let deviation = Self.median(forces.calibrated.map { abs($0 - 1) })
    if forces.raw.count >= 4, deviation > Self.mostDeviation, deviation > Self.median(forces.raw.map { abs($0 - 1) }) {
      warnings.append(
        "\(name) seems to be of another device: with it gravity is \(rounded(Self.median(forces.calibrated))) g at rest, "
          + "without it \(rounded(Self.median(forces.raw))) g")
    }
    let strength = pass.calibration.fieldStrength
    let off = Self.median(fields.map { abs($0 - strength) })
    if fields.count >= 100, strength > 0, off > Self.mostFieldDeviation * strength {
      warnings.append(
        "\(name) does not fit this log's raw field: its length was \(rounded(strength)) uT, and is off by \(rounded(off)) uT "
          + "here; the device's own field has changed, and is learned anew where the raw field is used")
    }
    if let model = pass.calibration.gyroscopeTemperature, let range = pass.temperatureRange,
      range.lowerBound < model.range.lowerBound - Self.temperatureMargin
        || range.upperBound > model.range.upperBound + Self.temperatureMargin
    {
      warnings.append(
        "\(name) knows the gyroscope's bias from \(rounded(model.range.lowerBound)) to "
          + "\(rounded(model.range.upperBound)) °C, and the log has \(rounded(range.lowerBound)) to "
          + "\(rounded(range.upperBound)) °C: its line is carried on")
    }
    return warnings
  }

  private static func median(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.sorted()[values.count / 2]
  }
}
