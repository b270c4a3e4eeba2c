package import InertialCalibration
package import InertialLogs
internal import InertialNumerics
package import InertialSensors
internal import InertialSystem

extension CalibrationJob.Report {
  /// Returns the content of an output file by its extension: the calibration as JSON for `--calibration`, or Kalibr's
  /// matrices as YAML.
  package func content(of path: String) throws(FusionError) -> String {
    switch path.pathEnding.lowercased() {
    case "json": return try fileText(calibration)
    case "yaml", "yml": return calibration.kalibr
    default: throw .usage("-o takes a name that ends in .json or .yaml, not '\(path)'")
    }
  }
}

extension CalibrationJob {
  /// The result of a calibration, which is the JSON document of `inertial calibrate`.
  package struct Report: Sendable, Encodable {
    /// The paths of the logs.
    package var inputs: [String]
    /// The calibration of the device.
    package var calibration: DeviceCalibration
    /// The fits of the sensors with their residuals, or `nil` for a sensor that is not calibrated.
    package var accelerometer: AccelerometerFit?
    package var gyroscope: GyroscopeFit?
    package var magnetometer: MagnetometerFit?
    /// The field of the World Magnetic Model, in µT and radians, or `nil` if the place, the date or the magnetometer's
    /// fit is unknown.
    package var modelField: (strength: Double, dip: Double)?
    /// The slope of the gyroscope's bias in rad/s/K, or `nil` if the logs have no varying temperature.
    package var temperatureSlope: TemperatureSlope?
    /// The parameters that could not be determined, and warnings, one per line.
    package var notes: [String]
    /// The differences to the other calibration, or `nil` without one.
    package var differences: [DeviceCalibration.Difference]?
    /// The summaries of the logs.
    package var logs: [LogSummary]
    /// The still poses.
    package var stillPoses: [StillPose]
    /// The factor of the poses' accelerations: standard gravity divided by local gravity.
    package var gravityScale: Double
    /// The samples of the magnetometer, at most some thousand, in µT.
    package var rawField: SensorColumn

    /// Encodes the result. The quality has the errors before and after the calibration: gravity's magnitude as a
    /// fraction of g, gravity after rotations in degrees, and the field strength in µT.
    package func encode(to encoder: any Encoder) throws {
      func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
      let quality = EncodedObject([
        "rawResidual": accelerometer?.rawResidual, "residual": accelerometer?.residual,
        "heldOutResidual": accelerometer?.heldOutResidual, "heldOutMedian": accelerometer?.heldOutMedian,
        "heldOutDriftResidual": accelerometer?.heldOutDriftResidual, "driftSigma": accelerometer?.drift?.sigma,
        "driftTime": accelerometer?.drift?.time, "rawTurnErrorDegrees": gyroscope?.rawTurnError.map(degrees),
        "turnErrorDegrees": gyroscope?.turnError.map(degrees),
        "heldOutTurnErrorDegrees": gyroscope?.heldOutTurnError.map(degrees), "biasSpread": gyroscope?.biasSpread,
        "rawFieldDeviation": magnetometer?.rawResidual, "fieldDeviation": magnetometer?.residual,
        "modelFieldStrength": modelField?.strength, "modelDipDegrees": modelField.map { degrees($0.dip) },
      ])
      try EncodedObject([
        "inputs": inputs, "poses": stillPoses.count, "calibration": calibration, "quality": quality,
        "temperatureSlope": temperatureSlope, "notes": notes, "differences": differences,
      ]).encode(to: encoder)
    }
  }
}
