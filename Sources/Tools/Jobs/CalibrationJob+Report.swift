package import InertialCalibration
package import InertialLogs
internal import InertialNumerics
package import InertialSensors

extension CalibrationJob {
  /// The result of a calibration, which is the JSON document of `inertial calibrate`.
  package struct Report: Sendable, Encodable {
    /// The errors before and after the calibration.
    package struct Quality: Sendable, Encodable {
      /// The residuals of the acceleration's magnitude in the poses, as fractions of g: before the calibration, after
      /// it, and in held-out poses.
      package var rawResidual, residual, heldOutResidual, heldOutMedian: Double?
      /// Same as heldOutResidual, but without the bias's drift between the other poses; and that drift, in g and s.
      package var heldOutDriftResidual, driftSigma, driftTime: Double?
      /// The median angle of gravity predicted through rotations, in degrees: before the calibration, after it, and in
      /// held-out rotations.
      package var rawTurnErrorDegrees, turnErrorDegrees, heldOutTurnErrorDegrees: Double?
      /// The spread of the bias between rests, in rad/s.
      package var biasSpread: Double?
      /// The median deviation of the field strength before and after the calibration, in uT.
      package var rawFieldDeviation, fieldDeviation: Double?
      /// The field of the World Magnetic Model in uT and degrees, if place and date are known.
      package var modelFieldStrength, modelDipDegrees: Double?

      /// - Parameter modelField: The strength in uT and the dip in radians.
      init(
        _ accelerometer: AccelerometerFit?, _ gyroscope: GyroscopeFit?, _ magnetometer: MagnetometerFit?,
        modelField: (strength: Double, dip: Double)?
      ) {
        func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
        (rawResidual, residual) = (accelerometer?.rawResidual, accelerometer?.residual)
        (heldOutResidual, heldOutMedian) = (accelerometer?.heldOutResidual, accelerometer?.heldOutMedian)
        heldOutDriftResidual = accelerometer?.heldOutDriftResidual
        (driftSigma, driftTime) = (accelerometer?.drift?.sigma, accelerometer?.drift?.time)
        rawTurnErrorDegrees = gyroscope?.rawTurnError.map(degrees)
        turnErrorDegrees = gyroscope?.turnError.map(degrees)
        heldOutTurnErrorDegrees = gyroscope?.heldOutTurnError.map(degrees)
        biasSpread = gyroscope?.biasSpread
        (rawFieldDeviation, fieldDeviation) = (magnetometer?.rawResidual, magnetometer?.residual)
        (modelFieldStrength, modelDipDegrees) = (modelField?.strength, modelField.map { degrees($0.dip) })
      }
    }

    /// The paths of the logs.
    package var inputs: [String]
    /// The number of still poses.
    package var poses: Int
    /// The calibration of the device.
    package var calibration: DeviceCalibration
    /// The errors before and after the calibration.
    package var quality: Quality
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

    private enum CodingKeys: CodingKey {
      case inputs, poses, calibration, quality, temperatureSlope, notes, differences
    }
  }
}
