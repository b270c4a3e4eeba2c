internal import InertialNumerics

/// Some seconds of the field, separated by least squares into a part that rotates with the device and a part that does
/// not: m = B + R b with the earth's field B and the magnetometer's bias b.
///
/// The filter's own observations of a large bias have little weight, because each one looks like a disturbance.
/// Together they are consistent with one vector that is fixed in the device, unlike a disturbance.
struct HardIronWindow: Sendable, Codable, Equatable {
  /// The length of the window, in seconds. A longer window also suits devices that rotate less, but delays the result.
  static let length = 20.0
  /// The minimum standard deviation of the field, in µT: soft iron and the gradients in a room.
  private static let minimumSigma = 2.0
  /// The correlation time of the field's errors, in seconds.
  private static let correlationTime = 2.0
  /// The regularisation of the normal equations, as a fraction of the samples, so that they have a solution even if the
  /// device has not rotated.
  private static let ridge = 1e-3

  private(set) var duration = 0.0
  private var count = 0.0
  /// The sums Σ R, Σ m, Σ Rᵀ m and Σ |m|².
  private var rotations = Matrix3.zero
  private var fields = Vector3.zero
  private var turnedFields = Vector3.zero
  private var squares = 0.0

  /// - Parameters:
  ///   - field: The field without the estimated bias, in earth axes, in µT.
  ///   - rotation: The rotation, device to earth.
  mutating func add(_ field: Vector3, rotation: Matrix3, over interval: Double) {
    duration += interval
    count += 1
    rotations.add(rotation, scaledBy: 1)
    fields += field
    turnedFields += rotation.transpose * field
    squares += field.squaredNorm
  }

  /// A measurement of one component of the bias: the true value minus the estimated one.
  struct Component {
    /// The observation vector of the bias.
    var direction: Vector3
    var residual: Double
    var variance: Double
  }

  /// Three measurements with independent errors, or `nil` if the window is too short. They are not an array, which
  /// would allocate.
  ///
  /// With B eliminated, the normal equations of n samples are M b = Σ Rᵀ m − Σ Rᵀ Σ m / n, M = n − Σ Rᵀ Σ R / n. With
  /// Cholesky's M = L Lᵀ, the components of Lᵀ b have errors of equal variance.
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
    // Correlated errors count once per correlation time.
    let variance =
      max(Self.minimumSigma * Self.minimumSigma, left / (3 * count - 6)) * Self.correlationTime * count / duration
    return (
      Component(direction: Vector3(l11, l21, l31), residual: x, variance: variance),
      Component(direction: Vector3(0, l22, l32), residual: y, variance: variance),
      Component(direction: Vector3(0, 0, l33), residual: z, variance: variance)
    )
  }
}
