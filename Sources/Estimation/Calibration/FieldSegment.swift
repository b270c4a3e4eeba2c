internal import InertialNumerics

/// The sums of raw fields m in a short segment, in axes that rotate only as the gyroscope measures.
///
/// With the rotation R from device axes to those axes, R m = B + R o + noise for a hard iron o. The earth's field B is
/// constant in a segment and is eliminated, so the axes' direction has no effect.
struct FieldSegment: Sendable, Codable, Equatable {
  /// The number n of fields.
  private(set) var count = 0.0
  private var rotationSum = Matrix3.zero
  private var fieldSum = Vector3.zero
  private var deviceFieldSum = Vector3.zero
  private var squareSum = 0.0
  /// The number of fields whose strength the earth's field cannot have.
  private(set) var impossibleCount = 0.0

  /// Adds a field, in µT, in device axes, with the rotation from device axes.
  @inline(__always)
  mutating func add(_ field: Vector3, _ rotation: Matrix3, isPossible: Bool) {
    count += 1
    if !isPossible { impossibleCount += 1 }
    rotationSum = rotationSum + rotation
    fieldSum += rotation * field
    deviceFieldSum += field
    squareSum += field.squaredNorm
  }

  /// Returns the mean field B without a hard iron, in µT, in the segment's axes.
  func meanField(without hardIron: Vector3) -> Vector3 { (fieldSum - rotationSum * hardIron) / count }

  /// The least-squares problem of the hard iron.
  struct Problem {
    /// M = n I - (ΣR)ᵀ (ΣR)/n.
    var matrix: Matrix3
    /// u = Σm - (ΣR)ᵀ (ΣR m)/n.
    var vector: Vector3
    /// c = Σ|m|² - |ΣR m|²/n.
    var square: Double

    /// Returns the sum of squared residuals of an offset, in µT²: SS(o) = c - 2 o·u + o·M o.
    func residual(of offset: Vector3) -> Double {
      max(0, square - 2 * offset.dot(vector) + offset.dot(matrix * offset))
    }
  }

  /// The problem whose solution is the segment's hard iron.
  var problem: Problem {
    let transposed = rotationSum.transpose
    return Problem(
      matrix: Matrix3(diagonal: Vector3(repeating: count)) - transposed * rotationSum * (1 / count),
      vector: deviceFieldSum - transposed * fieldSum / count,
      square: squareSum - fieldSum.squaredNorm / count)
  }
}
