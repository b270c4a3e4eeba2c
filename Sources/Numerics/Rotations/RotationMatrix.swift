/// A rotation matrix with the meaning of Core Motion's `CMRotationMatrix`: it maps REFERENCE coordinates to DEVICE
/// coordinates, v_device = M v_reference, so it is the transpose of the textbook matrix of the attitude quaternion: M =
/// R(q)ᵀ. `mRC` is row R, column C, from 1.
///
/// Gravity, (0, 0, −1) in the reference frame, is (−m13, −m23, −m33) in the device's. To convert a device vector to the
/// reference frame use `toReference(_:)`, which is Mᵀ v.
///
/// Source: WWDC 2010 session 423, and device logs (gravity = M (0, 0, −1) to float precision).
public struct RotationMatrix: Sendable, Hashable, Codable {
  /// The first row.
  public var m11: Double, m12: Double, m13: Double
  /// The second row.
  public var m21: Double, m22: Double, m23: Double
  /// The third row.
  public var m31: Double, m32: Double, m33: Double

  /// Creates the matrix from its elements, row by row.
  public init(
    m11: Double, m12: Double, m13: Double, m21: Double, m22: Double, m23: Double, m31: Double, m32: Double,
    m33: Double
  ) {
    (self.m11, self.m12, self.m13) = (m11, m12, m13)
    (self.m21, self.m22, self.m23) = (m21, m22, m23)
    (self.m31, self.m32, self.m33) = (m31, m32, m33)
  }

  /// Creates the matrix with the elements of `matrix`, reference to device.
  public init(_ matrix: Matrix3) {
    (m11, m12, m13) = (matrix.m11, matrix.m12, matrix.m13)
    (m21, m22, m23) = (matrix.m21, matrix.m22, matrix.m23)
    (m31, m32, m33) = (matrix.m31, matrix.m32, matrix.m33)
  }

  /// Creates the reference-to-device matrix of a unit quaternion that maps device to reference.
  public init(_ quaternion: Quaternion) { self.init(quaternion.matrix.transpose) }

  /// The matrix of a device aligned with its reference frame.
  public static let identity = RotationMatrix(Matrix3.identity)

  /// The same elements as a general matrix: device from reference.
  public var matrix: Matrix3 {
    Matrix3(rows: Vector3(m11, m12, m13), Vector3(m21, m22, m23), Vector3(m31, m32, m33))
  }

  /// Converts reference coordinates to device coordinates: M v.
  public func toDevice(_ v: Vector3) -> Vector3 { matrix * v }

  /// Converts device coordinates to reference coordinates: Mᵀ v.
  public func toReference(_ v: Vector3) -> Vector3 { matrix.transpose * v }
}
