import Inertial
import InertialCalibration
import InertialSystem

/// The output of `inertial calibrate`.
struct CalibrationDocument: Encodable {
  struct Quality: Encodable {
    /// The residuals of the acceleration's magnitude in the poses, as fractions of g: before the calibration, after it,
    /// and in held-out poses.
    var rawResidual: Double?
    var residual: Double?
    var heldOutResidual: Double?
    var heldOutMedian: Double?
    /// Same as heldOutResidual, but without the bias's drift between the other poses; and that drift, in g and s.
    var heldOutDriftResidual: Double?
    var driftSigma: Double?
    var driftTime: Double?
    /// The median angle of gravity predicted through rotations, in degrees: before the calibration, after it, and in
    /// held-out rotations.
    var rawTurnErrorDegrees: Double?
    var turnErrorDegrees: Double?
    var heldOutTurnErrorDegrees: Double?
    /// The spread of the bias between rests, in rad/s.
    var biasSpread: Double?
    /// The median deviation of the field strength before and after the calibration, in uT.
    var rawFieldDeviation: Double?
    var fieldDeviation: Double?
    /// The field of the World Magnetic Model in uT and degrees, if place and date are known.
    var modelFieldStrength: Double?
    var modelDipDegrees: Double?
  }

  struct Difference: Encodable {
    var name: String
    var unit: String
    var other: Double
    var here: Double
    var sigma: Double
    var deviations: Double
    /// Whether the parameter is a bias, which changes from day to day.
    var isOfTheDay: Bool
  }

  var inputs: [String]
  var poses: Int
  var calibration: DeviceCalibration
  var quality: Quality
  /// The temperature slope of the gyroscope's bias, in rad/s/K.
  var temperatureSlope: TemperatureSlope?
  var notes: [String]
  /// The differences, or `nil` without --compare.
  var differences: [Difference]?

  init(_ report: CalibrationJob.Report, comparedWith other: DeviceCalibration?) {
    (inputs, poses) = (report.calibration.sources, report.poses.count)
    (calibration, notes, temperatureSlope) = (report.calibration, report.notes, report.temperatureSlope)
    let (a, g, m) = (report.accelerometer, report.gyroscope, report.magnetometer)
    quality = Quality(
      rawResidual: a?.rawResidual, residual: a?.residual, heldOutResidual: a?.heldOutResidual,
      heldOutMedian: a?.heldOutMedian, heldOutDriftResidual: a?.heldOutDriftResidual, driftSigma: a?.drift?.sigma,
      driftTime: a?.drift?.time, rawTurnErrorDegrees: g?.rawTurnError.map(Self.degrees),
      turnErrorDegrees: g?.turnError.map(Self.degrees), heldOutTurnErrorDegrees: g?.heldOutTurnError.map(Self.degrees),
      biasSpread: g?.biasSpread, rawFieldDeviation: m?.rawResidual, fieldDeviation: m?.residual,
      modelFieldStrength: report.modelField?.strength, modelDipDegrees: report.modelField.map { Self.degrees($0.dip) })
    differences = other.map { other in
      other.differences(from: report.calibration).map {
        Difference(
          name: $0.name, unit: $0.unit, other: $0.first, here: $0.second, sigma: $0.sigma, deviations: $0.deviations,
          isOfTheDay: $0.isOfTheDay)
      }
    }
  }

  private static func degrees(_ radians: Double) -> Double { radians * 180 / .pi }

  func print() {
    Page.standard.line("\(counted(inputs.count, "log")), \(counted(poses, "still pose"))\n")
    for sensor in calibration.sensors { printSensor(sensor) }
    if let matrix = calibration.accelerationSensitivity {
      Page.standard.line("gyroscope sensitivity to acceleration, rad/s per g")
      for row in 0..<3 { Page.standard.line("  " + (0..<3).map { padded(number(matrix[row, $0]), 12) }.joined()) }
      Page.standard.line("")
    }
    if let slope = temperatureSlope {
      Page.standard.line(
        "temperature slope of the gyroscope bias, rad/s/K, from \(fixed(slope.lowest, 1)) to \(fixed(slope.highest, 1)) °C: "
          + (0..<3).map { cell(slope.slope[$0], slope.sigma[$0]) }.joined(separator: ", ")
          + (calibration.temperatureSlope == nil ? "; not significant, and not applied" : ""))
      Page.standard.line("")
    }
    printQuality()
    if !notes.isEmpty { Page.standard.line("") }
    for note in notes { printWrapped("note: ", note) }
    printDifferences()
  }

  private func printSensor(_ sensor: DeviceCalibration.Sensor) {
    let (result, unit) = (sensor.result, DeviceCalibration.unit(sensor.channel).text)
    let outliers = result.outliers > 0 ? ", \(counted(result.outliers, "outlier")) excluded" : ""
    let observed =
      switch sensor.channel {
      case .magnetometer: counted(result.observations, "sample")
      case .gyroscope: "\(result.observations) rotations and rests"
      default: counted(result.observations, "pose")
      }
    Page.standard.line("\(sensor.channel.name), \(observed)\(outliers)")
    Page.standard.line(padded("", 4), padded("bias \(unit)", 26), "matrix")
    for (row, axis) in ["x", "y", "z"].enumerated() {
      Page.standard.line(
        padded(axis, 4), padded(cell(result.model.bias[row], result.biasSigma[row]), 26),
        (0..<3).map { padded(cell(result.model.matrix[row, $0], result.matrixSigma[row, $0]), 22) }.joined())
    }
    Page.standard.line("")
  }

  private func printQuality() {
    if let raw = quality.rawResidual, let residual = quality.residual {
      Page.standard.line(
        "error of gravity's magnitude \(percent(raw)) before, \(percent(residual)) after"
          + (quality.heldOutResidual.map {
            ", \(percent($0)) in held-out poses (median \(percent(quality.heldOutMedian ?? 0)))"
          } ?? ""))
      if let sigma = quality.driftSigma, let time = quality.driftTime {
        Page.standard.line(
          "the accelerometer's bias drifts by \(String(cFormat: "%.2g", 1000 * sigma)) mg over \(fixed(time, 0)) s"
            + (quality.heldOutDriftResidual.map { "; without the drift model \(percent($0)) in held-out poses" } ?? ""))
      }
    }
    if let raw = quality.rawTurnErrorDegrees, let error = quality.turnErrorDegrees {
      Page.standard.line(
        "error of gravity after a rotation \(fixed(raw, 3))° before, \(fixed(error, 3))° after"
          + (quality.heldOutTurnErrorDegrees.map { ", \(fixed($0, 3))° in held-out rotations" } ?? ""))
    }
    guard let strength = calibration.fieldStrength, let after = quality.fieldDeviation else { return }
    Page.standard.line(
      "field \(fixed(strength, 2)) uT"
        + (calibration.dip.map { ", dip \(fixed($0 * 180 / .pi, 2))°" } ?? "")
        + ", error of its magnitude \(fixed(after, 2)) uT"
        + (quality.modelFieldStrength.map {
          "; the World Magnetic Model has \(fixed($0, 2)) uT, dip \(fixed(quality.modelDipDegrees ?? 0, 2))°"
        } ?? ""))
    if let coverage = calibration.coverage, let verdict = calibration.verdict {
      Page.standard.line(
        "magnetometer \(verdict.rawValue): \(fixed(100 * coverage, 0)) % of the sphere"
          + (calibration.headingSigma.map { ", heading sigma \(fixed($0 * 180 / .pi, 2))° in the worst attitude" }
            ?? "") + (calibration.ironSigma.map { "; hard and soft iron sigma \(fixed($0, 2)) uT" } ?? ""))
    }
  }

  private func printDifferences() {
    guard let differences else { return }
    Page.standard.line("")
    Page.standard.line(padded("", 28), padded("unit", 7), padded("other", 14), padded("this", 14), "difference / sigma")
    for difference in differences {
      Page.standard.line(
        padded(difference.name, 28), padded(difference.unit, 7), padded(number(difference.other), 14),
        padded(number(difference.here), 14), fixed(difference.deviations, 1))
    }
    let far = differences.filter { abs($0.deviations) > 3 }
    let ofDevice = far.count { !$0.isOfTheDay }
    Page.standard.line(
      ofDevice == 0
        ? "The calibrations agree: none of \(differences.count { !$0.isOfTheDay }) scales and couplings differs by more than 3 sigma."
        : "\(ofDevice) of \(differences.count { !$0.isOfTheDay }) scales and couplings differ by more than 3 sigma: "
          + "another device, or the device has changed.")
    if ofDevice < far.count { Page.standard.line(movedBiases(far.filter(\.isOfTheDay))) }
  }

  private func movedBiases(_ moved: [Difference]) -> String {
    let rates = moved.filter { $0.unit == "rad/s" }.map { Self.degrees(abs($0.here - $0.other)) }
    let usual = Self.degrees(DeviceCalibration.dailyBiasSigma)
    return "\(moved.count) bias\(moved.count == 1 ? " has" : "es have") changed, as is normal from day to day"
      + (rates.max().map { ": gyroscope up to \(fixed($0, 2)) °/s, typically \(fixed(usual, 1)) °/s" } ?? "")
      + "."
  }

  private func cell(_ value: Double, _ sigma: Double) -> String {
    "\(number(value)) ± \(String(cFormat: "%.1g", sigma))"
  }
  private func number(_ value: Double) -> String { String(cFormat: "%.5g", value) }
  private func percent(_ fraction: Double) -> String { "\(String(cFormat: "%.3f", 100 * fraction)) %" }
}
