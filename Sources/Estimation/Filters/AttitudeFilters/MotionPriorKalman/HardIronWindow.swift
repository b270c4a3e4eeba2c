internal import InertialNumerics

/// Some seconds of the field, in which the part that turns with the device is told from the part that does not, by
/// least squares: m = B + R b with the earth's field B and the magnetometer's bias b.
///
/// The filter's own observations of the bias weigh little where it is large: each for itself looks like a disturbance.
/// Together they are consistent with one vector that is fixed in the device, which a disturbance is not.
struct HardIronWindow: Sendable, Codable, Equatable {
  /// Seconds. Longer tells less turning devices more, and takes longer.
  static let length = 20.0
  /// Of the field, µT, at the least: soft iron and the gradients of a room.
  private static let leastSigma = 2.0
  /// For how long the field's errors are alike, seconds.
  private static let correlationTime = 2.0
  /// What is added to the normal equations, as a share of the samples, so that they have a solution where the device
  /// has not turned.
  private static let ridge = 1e-3

  private(set) var duration = 0.0
  private var count = 0.0
  /// Σ R, Σ m, Σ Rᵀ m and Σ |m|².
  private var rotations = Matrix3.zero
  private var fields = Vector3.zero
  private var turnedFields = Vector3.zero
  private var squares = 0.0

  /// - Parameters:
  ///   - field: without the bias that is known, earth axes, µT.
  ///   - rotation: device to earth.
  mutating func add(_ field: Vector3, rotation: Matrix3, over interval: Double) {
    duration += interval
    count += 1
    rotations.add(rotation, scaledBy: 1)
    fields += field
    turnedFields += rotation.transpose * field
    squares += field.squaredNorm
  }

  /// A measurement of one component of the bias, by its true value less the estimated one.
  struct Component {
    /// What the bias is multiplied by.
    var direction: Vector3
    var residual: Double
    var variance: Double
  }

  /// Three measurements with independent errors, without an array, which would allocate; nil if the window is too short.
  ///
  /// With B eliminated, the normal equations of n samples are M b = Σ Rᵀ m − Σ Rᵀ Σ m / n, M = n − Σ Rᵀ Σ R / n. With
  /// Cholesky's M = L Lᵀ the components of Lᵀ b have errors of the same variance each.
  var measurements: (Component, Component, Component)? {
    guard count > 6 else { return nil }
    let normal =
      Matrix3(diagonal: Vector3(repeating: (1 + Self.ridge) * count)) - (1 / count) * (rotations.transpose * rotations)
    let right = turnedFields - (1 / count) * (rotations.transpose * fields)
    let l11 = normal.m11.squareRoot()
    let (l21, l31) = (normal.m21 / l11, normal.m31 / l11)
    let l22 = (normal.m22 - l21 * l21).squareRoot()
    let l32 = (normal.m32 - l31 * l21) / l22
    let l33 = (normal.m33 - l31 * l31 - l32 * l32).squareRoot()
    guard l11 > 0, l22 > 0, l33 > 0 else { return nil }
    let x = right.x / l11
    let y = (right.y - l21 * x) / l22
    let z = (right.z - l31 * x - l32 * y) / l33
    let left = squares - fields.squaredNorm / count - (x * x + y * y + z * z)
    // Errors that are alike count once for their correlation time.
    let variance =
      max(Self.leastSigma * Self.leastSigma, left / (3 * count - 6)) * Self.correlationTime * count / duration
    return (
      Component(direction: Vector3(l11, l21, l31), residual: x, variance: variance),
      Component(direction: Vector3(0, l22, l32), residual: y, variance: variance),
      Component(direction: Vector3(0, 0, l33), residual: z, variance: variance)
    )
  }
}
