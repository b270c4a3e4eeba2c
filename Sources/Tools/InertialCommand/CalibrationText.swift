import Inertial
import InertialCalibration
import InertialSystem

/// The human-readable output: the parameters of each sensor, the quality, and the comparison.
extension CalibrationJob.Report {
  func print(on page: Page = .standard) {
    page.line("\(counted(inputs.count, "log")), \(counted(stillPoses.count, "still pose"))\n")
    for sensor in calibration.sensors { print(sensor, on: page) }
    if let matrix = calibration.accelerationSensitivity {
      page.line("gyroscope sensitivity to acceleration, rad/s per g")
      for row in 0..<3 { page.line("  " + (0..<3).map { padded(number(matrix[row, $0]), 12) }.joined()) }
      page.line("")
    }
    if let slope = temperatureSlope {
      page.line(
        "temperature slope of the gyroscope bias, rad/s/K, from \(fixed(slope.lowest, 1)) to \(fixed(slope.highest, 1)) °C: "
          + (0..<3).map { cell(slope.slope[$0], slope.sigma[$0]) }.joined(separator: ", ")
          + (calibration.temperatureSlope == nil ? "; not significant, and not applied" : ""))
      page.line("")
    }
    printQuality(on: page)
    if !notes.isEmpty { page.line("") }
    for note in notes { printWrapped("note: ", note, on: page) }
    printDifferences(on: page)
  }

  private func print(_ sensor: DeviceCalibration.Sensor, on page: Page) {
    let (result, unit) = (sensor.result, DeviceCalibration.unit(sensor.channel).text)
    let outliers = result.outliers > 0 ? ", \(counted(result.outliers, "outlier")) excluded" : ""
    let observed =
      switch sensor.channel {
      case .magnetometer: counted(result.observations, "sample")
      case .gyroscope: "\(result.observations) rotations and rests"
      default: counted(result.observations, "pose")
      }
    page.line("\(sensor.channel.name), \(observed)\(outliers)")
    page.line(padded("", 4), padded("bias \(unit)", 26), "matrix")
    for (row, axis) in ["x", "y", "z"].enumerated() {
      page.line(
        padded(axis, 4), padded(cell(result.model.bias[row], result.biasSigma[row]), 26),
        (0..<3).map { padded(cell(result.model.matrix[row, $0], result.matrixSigma[row, $0]), 22) }.joined())
    }
    page.line("")
  }

  private func printQuality(on page: Page) {
    if let fit = accelerometer {
      page.line(
        "error of gravity's magnitude \(percent(fit.rawResidual)) before, \(percent(fit.residual)) after"
          + (fit.heldOutResidual.map {
            ", \(percent($0)) in held-out poses (median \(percent(fit.heldOutMedian ?? 0)))"
          } ?? ""))
      if let drift = fit.drift {
        page.line(
          "the accelerometer's bias drifts by \(significant(1000 * drift.sigma, 2)) mg over \(fixed(drift.time, 0)) s"
            + (fit.heldOutDriftResidual.map { "; without the drift model \(percent($0)) in held-out poses" } ?? ""))
      }
    }
    if let raw = gyroscope?.rawTurnError, let error = gyroscope?.turnError {
      page.line(
        "error of gravity after a rotation \(degrees(raw, 3)) before, \(degrees(error, 3)) after"
          + (gyroscope?.heldOutTurnError.map { ", \(degrees($0, 3)) in held-out rotations" } ?? ""))
    }
    guard let strength = calibration.fieldStrength, let magnetometer else { return }
    page.line(
      "field \(fixed(strength, 2)) uT" + (calibration.dip.map { ", dip \(degrees($0, 2))" } ?? "")
        + ", error of its magnitude \(fixed(magnetometer.residual, 2)) uT"
        + (modelField.map {
          "; the World Magnetic Model has \(fixed($0.strength, 2)) uT, dip \(degrees($0.dip, 2))"
        } ?? ""))
    if let coverage = calibration.coverage, let verdict = calibration.verdict {
      page.line(
        "magnetometer \(verdict.rawValue): \(fixed(100 * coverage, 0)) % of the sphere"
          + (calibration.headingSigma.map { ", heading sigma \(degrees($0, 2)) in the worst attitude" }
            ?? "") + (calibration.ironSigma.map { "; hard and soft iron sigma \(fixed($0, 2)) uT" } ?? ""))
    }
  }

  private func printDifferences(on page: Page) {
    guard let differences else { return }
    page.line("")
    page.line(padded("", 28), padded("unit", 7), padded("other", 14), padded("this", 14), "difference / sigma")
    for difference in differences {
      page.line(
        padded(difference.name, 28), padded(difference.unit, 7), padded(number(difference.first), 14),
        padded(number(difference.second), 14), fixed(difference.deviations, 1))
    }
    let far = differences.filter { abs($0.deviations) > 3 }
    let ofDevice = far.count { !$0.isOfTheDay }
    page.line(
      ofDevice == 0
        ? "The calibrations agree: none of \(differences.count { !$0.isOfTheDay }) scales and couplings differs by more than 3 sigma."
        : "\(ofDevice) of \(differences.count { !$0.isOfTheDay }) scales and couplings differ by more than 3 sigma: "
          + "another device, or the device has changed.")
    if ofDevice < far.count { page.line(movedBiases(far.filter(\.isOfTheDay))) }
  }

  private func movedBiases(_ moved: [DeviceCalibration.Difference]) -> String {
    let rates = moved.filter { $0.unit == "rad/s" }.map { abs($0.second - $0.first) * 180 / .pi }
    let usual = DeviceCalibration.dailyBiasSigma * 180 / .pi
    return "\(moved.count) bias\(moved.count == 1 ? " has" : "es have") changed, as is normal from day to day"
      + (rates.max().map { ": gyroscope up to \(fixed($0, 2)) °/s, typically \(fixed(usual, 1)) °/s" } ?? "")
      + "."
  }

  private func cell(_ value: Double, _ sigma: Double) -> String { "\(number(value)) ± \(significant(sigma, 1))" }
  private func number(_ value: Double) -> String { significant(value, 5) }
  private func degrees(_ radians: Double, _ decimals: Int) -> String { "\(fixed(radians * 180 / .pi, decimals))°" }
  private func percent(_ fraction: Double) -> String { "\(fixed(100 * fraction, 3)) %" }
}
