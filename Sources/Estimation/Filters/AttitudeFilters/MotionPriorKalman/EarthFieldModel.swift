internal import InertialNumerics
internal import InertialSystem

/// The earth's field in axes of which X is magnetic north, and a magnetometer that lags.
///
/// A magnetometer that lags by τ shows the field of τ before its stamp. Rotated by the attitude at the stamp, that
/// field is ahead by what the device turned in between: m = B + τ ω × B in earth axes, B = (B_h, 0, −B_d).
struct EarthFieldModel: Sendable, Codable, Equatable {
  /// µT.
  var horizontal = 0.0
  /// µT, positive downwards.
  var down = 0.0
  /// Seconds.
  var delay = 0.0
  /// Whether a field was ever used.
  var isKnown = false
  /// Low-passed deviation of the measured field in norm and vertical part, µT.
  private(set) var deviation = 0.0
  /// Time of the last epoch that had a field.
  var time: Double?

  var vector: Vector3 { Vector3(horizontal, 0, -down) }
  var strength: Double { (horizontal * horizontal + down * down).squareRoot() }

  /// - Parameter rate: rad/s, earth axes.
  func predicted(turningAt rate: Vector3) -> Vector3 { vector + delay * rate.cross(vector) }

  /// The measured field's derivatives by the errors, for earth axis 0, 1 or 2.
  ///
  /// - Parameters:
  ///   - field: the measured field without the magnetometer's bias, earth axes, µT: turned by the attitude's error,
  ///     −θ × m = [m]× θ.
  ///   - rotation: device to earth.
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

  /// Follows how far a field is off in what no heading error changes.
  mutating func compare(_ field: Vector3, dipWeight: Double, over duration: Double, memory: Double) {
    let (norm, vertical) = (field.norm - strength, dipWeight * (field.z + down))
    let now = (norm * norm + vertical * vertical).squareRoot()
    deviation += (1 - exp(-duration / memory)) * (now - deviation)
  }
}
