public import InertialRotations
public import InertialSensors

/// What a filter knows after an update.
public struct AttitudeEstimate: Sendable, Equatable {
  /// Unit quaternion that maps device to earth coordinates (Z up).
  public var earthFromDevice: Quaternion
  /// Estimated gyroscope bias, rad/s, device axes: rate = measured − bias.
  public var gyroscopeBias: Vector3
  /// Standard deviation of the attitude error about the earth's X, Y (tilt) and Z (heading), in radians;
  /// nil for filters without a covariance.
  public var attitudeSigma: Vector3?
  /// What to know about the estimate: at rest, disturbed field, rejected samples.
  public var flags: AttitudeFlags
  /// What was made of the measurements since the gyroscope sample before the last one; nil where nobody asked
  /// (`MeasurementReporting`), or the filter does not tell.
  public var measurements: [MeasurementOutcome]?

  /// An estimate from its parts: bias in rad/s, sigma in rad about the earth's axes, nil where the filter states none.
  public init(
    earthFromDevice: Quaternion, gyroscopeBias: Vector3, attitudeSigma: Vector3? = nil,
    flags: AttitudeFlags = [], measurements: [MeasurementOutcome]? = nil
  ) {
    self.earthFromDevice = earthFromDevice
    self.gyroscopeBias = gyroscopeBias
    self.attitudeSigma = attitudeSigma
    self.flags = flags
    self.measurements = measurements
  }
}
