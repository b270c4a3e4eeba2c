internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

/// The statistics of a magnetic field: its agreement with the rates, and its direction relative to gravity.
///
/// The direction is stored as sums from which a constant hard-iron field can be subtracted afterwards.
struct FieldEvidence {
  var turning = DirectionRegression()
  private var fieldSum = Vector3.zero
  private var squares = 0.0
  private var downSum = Vector3.zero
  private var verticalSum = 0.0
  private var count = 0

  /// Adds a field in µT, and the latest acceleration if there is one.
  mutating func add(_ field: Vector3, _ acceleration: Vector3?) {
    turning.add(direction: field)
    guard let down = acceleration?.normalized else { return }
    count += 1
    fieldSum += field
    squares += field.squaredNorm
    downSum += down
    verticalSum += down.dot(field)
  }

  /// - Parameter offset: The hard-iron field, in µT.
  /// - Returns: The field's strength, in µT, and its dip below the horizon, in degrees, or `nil` if samples are
  ///   missing.
  func strengthAndDip(offset: Vector3) -> (strength: Double, dip: Double)? {
    guard count >= 20 else { return nil }
    let n = Double(count)
    let strength = max(squares / n - 2 * offset.dot(fieldSum / n) + offset.squaredNorm, 0).squareRoot()
    guard strength > 0 else { return nil }
    let vertical = verticalSum / n - offset.dot(downSum / n)
    return (strength, asin(min(max(vertical / strength, -1), 1)) * 180 / .pi)
  }
}
