internal import InertialNumerics
package import InertialRotations
internal import InertialSystem

/// The field's direction in the earth frame, north and down, for algorithms that compare the field with a reference.
///
/// The dip is learned from the data: the running mean of the measured field in earth axes, with its azimuth rotated to
/// north. A dip averaged over a time constant stabilises the tilt against errors of single samples, and need not be
/// known in advance.
struct FieldReference: Sendable, Codable, Equatable {
  /// The unit vector without a Y component, or `nil` before the first field.
  private(set) var direction: Vector3?
  /// The duration of the learned data, in seconds, at most the time constant.
  private var age = 0.0

  /// Adds a unit vector in earth axes that represents `duration` seconds, and returns the reference.
  mutating func learn(_ field: Vector3, over duration: Double, timeConstant: Double) -> Vector3 {
    let north = Vector3((field.x * field.x + field.y * field.y).squareRoot(), 0, field.z)
    age = min(age + duration, timeConstant)
    guard let last = direction else {
      direction = north
      return north
    }
    let blend = age > 0 ? min(1, duration / age) : 1
    let mean = (last + blend * (north - last)).normalized ?? north
    direction = mean
    return mean
  }
}

extension ParameterDescription {
  /// Returns the description of the parameter `dipTimeConstant`.
  static func dipTimeConstant(_ path: any WritableKeyPath<Parameters, Double> & Sendable) -> Self {
    .init(
      "dipTimeConstant", path, "s", 0...1e9,
      "Time constant of the field's learned dip; bigger lets the field hold the tilt longer.")
  }
}

/// The state of an algorithm with an attitude and a learned dip, and no bias.
package struct AttitudeAndField: SteppedState {
  package internal(set) var earthFromDevice: Quaternion
  package var gyroscopeBias: Vector3 { .zero }
  var field = FieldReference()

  package init(earthFromDevice: Quaternion) { self.earthFromDevice = earthFromDevice }

  /// Restarts at an attitude. The dip is learned again, because it was measured with the previous attitude.
  package mutating func restart(at attitude: Quaternion) { self = Self(earthFromDevice: attitude) }
}
