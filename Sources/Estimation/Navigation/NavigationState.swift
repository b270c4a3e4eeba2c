internal import InertialNumerics
internal import InertialRotations

/// Where a device is, how it moves and how it is turned, with its sensors' biases.
struct NavigationState: Sendable, Equatable, Codable {
  /// Unit quaternion that maps device to earth coordinates (Z up).
  var earthFromDevice: Quaternion
  /// Velocity in m/s, earth axes.
  var velocity: Vector3
  /// Position in m from the start, earth axes.
  var position: Vector3
  /// Gyroscope bias, rad/s, device axes: rate = measured − bias.
  var gyroscopeBias: Vector3
  /// Accelerometer bias, m/s², device axes: force = measured − bias.
  var accelerometerBias: Vector3
  /// Unit quaternion that maps the vehicle's axes (X forward, Z up) to the device's; of a vehicle only.
  var deviceFromVehicle: Quaternion

  /// A state from its parts; at rest in the origin unless said otherwise.
  init(
    earthFromDevice: Quaternion, velocity: Vector3 = .zero, position: Vector3 = .zero, gyroscopeBias: Vector3 = .zero,
    accelerometerBias: Vector3 = .zero, deviceFromVehicle: Quaternion = .identity
  ) {
    self.earthFromDevice = earthFromDevice
    self.velocity = velocity
    self.position = position
    self.gyroscopeBias = gyroscopeBias
    self.accelerometerBias = accelerometerBias
    self.deviceFromVehicle = deviceFromVehicle
  }

  /// Adds errors.
  mutating func correct(by error: NavigationError) {
    earthFromDevice =
      (Quaternion(rotationVector: error.attitude) * earthFromDevice).normalized ?? earthFromDevice
    velocity += error.velocity
    position += error.position
    gyroscopeBias += error.gyroscopeBias
    accelerometerBias += error.accelerometerBias
    deviceFromVehicle =
      (Quaternion(rotationVector: error.mounting) * deviceFromVehicle).normalized ?? deviceFromVehicle
  }
}
