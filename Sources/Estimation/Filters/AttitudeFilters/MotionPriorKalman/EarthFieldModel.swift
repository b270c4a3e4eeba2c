internal import InertialNumerics
internal import InertialSystem

/// The earth's field in axes whose X is magnetic north, measured by a magnetometer with a delay.
///
/// A magnetometer with the delay τ shows the field at τ before its timestamp. Rotated by the attitude at the timestamp,
/// that field is ahead by the device's rotation in between: m = B + τ ω × B in earth axes, B = (B_h, 0, −B_d).
struct EarthFieldModel: Sendable, Codable, Equatable {
  /// The horizontal part, in µT.
  var horizontal = 0.0
  /// The downward part, in µT.
  var down = 0.0
  /// The magnetometer's delay, in seconds.
  var delay = 0.0
  /// Whether a field has been used.
  var isKnown = false
  /// The low-passed deviation of the measured field in norm and vertical part, in µT.
  private(set) var deviation = 0.0
  /// The time of the last epoch with a field.
  var time: Double?

  var vector: Vector3 { Vector3(horizontal, 0, -down) }
  var strength: Double { (horizontal * horizontal + down * down).squareRoot() }

  /// - Parameter rate: The rotation rate, in rad/s, in earth axes.
  func predicted(turningAt rate: Vector3) -> Vector3 { vector + delay * rate.cross(vector) }

  /// Returns the measured field's derivatives by the errors, for earth axis 0, 1 or 2.
  ///
  /// - Parameters:
  ///   - field: The measured field without the magnetometer's bias, in earth axes, in µT. The attitude error rotates it
  ///     by −θ × m = [m]× θ.
  ///   - rotation: The rotation, device to earth.
  func observation(
    _ axis: Int, of field: Vector3, turningAt rate: Vector3, rotation: Matrix3
  ) -> FieldObservation {
    let bias = Vector3(rotation[axis, 0], rotation[axis, 1], rotation[axis, 2])
    let late = rate.cross(vector)
    switch axis {
    case 0:
      return FieldObservation(
        attitude: Vector3(0, -field.z, field.y), bias: bias, horizontal: 1, down: -delay * rate.y, delay: late.x)
    case 1:
      return FieldObservation(
        attitude: Vector3(field.z, 0, -field.x), bias: bias, horizontal: delay * rate.z, down: delay * rate.x,
        delay: late.y)
    default:
      return FieldObservation(
        attitude: Vector3(-field.y, field.x, 0), bias: bias, horizontal: -delay * rate.y, down: -1, delay: late.z)
    }
  }

  /// Updates the deviation from the components that do not depend on a heading error.
  mutating func compare(_ field: Vector3, dipWeight: Double, over duration: Double, memory: Double) {
    let (norm, vertical) = (field.norm - strength, dipWeight * (field.z + down))
    let now = (norm * norm + vertical * vertical).squareRoot()
    deviation += (1 - exp(-duration / memory)) * (now - deviation)
  }
}
