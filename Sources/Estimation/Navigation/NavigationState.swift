internal import InertialNumerics
internal import InertialRotations

/// The position, velocity and attitude of a device, with its sensor biases.
struct NavigationState: Sendable, Equatable, Codable {
  /// The unit quaternion that maps device to earth coordinates (Z up).
  var earthFromDevice: Quaternion
  /// The velocity in m/s, earth axes.
  var velocity: Vector3
  /// The position in metres from the start, earth axes.
  var position: Vector3
  /// The gyroscope bias in rad/s, device axes: rate = measured − bias.
  var gyroscopeBias: Vector3
  /// The accelerometer bias in m/s², device axes: force = measured − bias.
  var accelerometerBias: Vector3
  /// The slow part of the error of position fixes, in units of its standard deviation; for vehicles only.
  var fixError = Vector3.zero
  /// The height of the floor of the last step in metres, or `nil` before the first; for feet only.
  var floor: Double?
  /// The unit quaternion that maps the vehicle's axes (X forward, Z up) to the device's; for vehicles only.
  var deviceFromVehicle: Quaternion

  /// Creates a state, by default at rest at the origin.
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

  /// Adds the errors to the state: equation (1) of docs/theory/error-state.md.
  mutating func correct(by error: ErrorValues) {
    earthFromDevice =
      (Quaternion(rotationVector: error[.attitude]) * earthFromDevice).normalized ?? earthFromDevice
    velocity += error[.velocity]
    position += error[.position]
    gyroscopeBias += error[.gyroscopeBias]
    accelerometerBias += error[.accelerometerBias]
    if let floor {
      self.floor = floor + error[ErrorLayout.Block.floor.start]
    } else {
      fixError += error[.fixError]
    }
    deviceFromVehicle =
      (Quaternion(rotationVector: error[.mounting]) * deviceFromVehicle).normalized ?? deviceFromVehicle
  }
}
