public import InertialRotations
public import InertialSensors

/// The estimate of a filter after an update.
public struct AttitudeEstimate: Sendable, Equatable, BitwiseCopyable {
  /// The unit quaternion that maps device to earth coordinates (Z up).
  public var earthFromDevice: Quaternion
  /// The estimated gyroscope bias, in rad/s, in device axes: rate = measured − bias.
  public var gyroscopeBias: Vector3
  /// The standard deviation of the attitude error about the earth's X, Y (tilt) and Z (heading), in radians, or `nil`
  /// for filters without a covariance.
  public var attitudeSigma: Vector3?
  /// Conditions of the estimate: at rest, disturbed field, rejected samples.
  public var flags: AttitudeFlags

  /// Creates an estimate from its parts: the bias in rad/s, sigma in rad about the earth's axes, or `nil` without a
  /// covariance.
  @inline(__always)
  public init(
    earthFromDevice: Quaternion, gyroscopeBias: Vector3, attitudeSigma: Vector3? = nil, flags: AttitudeFlags = []
  ) {
    self.earthFromDevice = earthFromDevice
    self.gyroscopeBias = gyroscopeBias
    self.attitudeSigma = attitudeSigma
    self.flags = flags
  }
}
