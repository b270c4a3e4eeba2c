internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

/// Where the magnetic field points against gravity, summed up so that a constant field of the device's own can be taken
/// off afterwards.
struct FieldCheck {
  private var fieldSum = Vector3.zero
  private var squares = 0.0
  private var downSum = Vector3.zero
  private var verticalSum = 0.0
  private var count = 0

  mutating func add(field: Vector3, acceleration: Vector3) {
    guard let down = acceleration.normalized else { return }
    count += 1
    fieldSum += field
    squares += field.squaredNorm
    downSum += down
    verticalSum += down.dot(field)
  }

  /// - Parameter offset: the device's own field, µT.
  /// - Returns: the field's strength, µT, and its dip, degrees below the horizon; nil without samples of both.
  func strengthAndDip(offset: Vector3) -> (strength: Double, dip: Double)? {
    guard count >= 20 else { return nil }
    let n = Double(count)
    let strength = max(squares / n - 2 * offset.dot(fieldSum / n) + offset.squaredNorm, 0).squareRoot()
    guard strength > 0 else { return nil }
    let vertical = verticalSum / n - offset.dot(downSum / n)
    return (strength, asin(min(max(vertical / strength, -1), 1)) * 180 / .pi)
  }
}
