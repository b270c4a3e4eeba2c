internal import InertialSystem

/// A Hamilton quaternion x i + y j + z k + w, in Core Motion's component order.
///
/// A unit quaternion q, as a rotation, maps a vector to v' = q ⊗ v ⊗ q⁻¹; q and −q are the same rotation.
/// `earthFromDevice` in a name means that the quaternion maps device coordinates to earth coordinates, so that inner
/// names cancel: `earthFromDevice * deviceFromSensor` is `earthFromSensor`.
public struct Quaternion: Sendable, Hashable, Codable, BitwiseCopyable {
  /// The coefficient of i.
  public var x: Double
  /// The coefficient of j.
  public var y: Double
  /// The coefficient of k.
  public var z: Double
  /// The scalar part.
  public var w: Double

  /// Creates a quaternion from its components, which are not normalised.
  @inlinable
  @inline(__always)
  public init(x: Double, y: Double, z: Double, w: Double) {
    self.x = x
    self.y = y
    self.z = z
    self.w = w
  }

  /// The identity rotation.
  @inlinable public static var identity: Quaternion { Quaternion(x: 0, y: 0, z: 0, w: 1) }

  /// The vector part (x, y, z).
  @inlinable
  @inline(__always)
  public var vector: Vector3 { Vector3(x, y, z) }

  /// Returns the Hamilton product: as rotations, `b` first and then `a`.
  @inlinable
  @inline(__always)
  public static func * (a: Quaternion, b: Quaternion) -> Quaternion {
    Quaternion(
      x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
      w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z)
  }

  /// Returns the quaternion with all signs reversed: the same rotation.
  @inlinable
  @inline(__always)
  public static prefix func - (q: Quaternion) -> Quaternion {
    Quaternion(x: -q.x, y: -q.y, z: -q.z, w: -q.w)
  }

  /// The conjugate (−x, −y, −z, w): the inverse rotation of a unit quaternion.
  @inlinable
  @inline(__always)
  public var conjugate: Quaternion { Quaternion(x: -x, y: -y, z: -z, w: w) }

  /// The sum of the squared components; 1 for a rotation.
  @inlinable
  @inline(__always)
  public var squaredNorm: Double { x * x + y * y + z * z + w * w }
  /// The Euclidean norm; 1 for a rotation.
  @inlinable
  @inline(__always)
  public var norm: Double { squaredNorm.squareRoot() }
  /// Whether all components are finite.
  @inlinable
  @inline(__always)
  public var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite && w.isFinite }

  /// The unit quaternion in the same direction, or `nil` if the norm is zero, infinite or NaN.
  @inlinable
  @inline(__always)
  public var normalized: Quaternion? {
    let norm = norm
    guard norm > 0, norm.isFinite else { return nil }
    return Quaternion(x: x / norm, y: y / norm, z: z / norm, w: w / norm)
  }

  /// Rotates a vector: q ⊗ v ⊗ q⁻¹ for a unit quaternion, as v + 2 u × (u × v + w v).
  @inlinable
  @inline(__always)
  public func rotate(_ v: Vector3) -> Vector3 {
    let u = vector
    let t = 2 * u.cross(v)
    return v + w * t + u.cross(t)
  }

  /// Rotates a vector by the inverse: q⁻¹ ⊗ v ⊗ q.
  @inlinable
  @inline(__always)
  public func rotateInverse(_ v: Vector3) -> Vector3 { conjugate.rotate(v) }

  /// Creates the rotation of `angle` radians about `axis` by the right-hand rule; the identity for a zero axis.
  public init(angle: Double, axis: Vector3) {
    guard let axis = axis.normalized else {
      self = .identity
      return
    }
    let s = sin(angle / 2)
    self.init(x: axis.x * s, y: axis.y * s, z: axis.z * s, w: cos(angle / 2))
  }

  /// Creates the rotation whose axis times angle (radians) is the given vector: the exponential map.
  @inlinable
  @inline(__always)
  public init(rotationVector v: Vector3) {
    // Most rotations last one sample interval. The series in the squared half angle u ends at u⁴: the next terms are
    // below 3e-17.
    let u = 0.25 * v.squaredNorm
    guard u < 0.01 else {
      self.init(largeRotationVector: v)
      return
    }
    let c = (((u / 40320 - 1.0 / 720) * u + 1.0 / 24) * u - 0.5) * u + 1
    let s = (((0.5 / 362_880 * u - 0.5 / 5040) * u + 0.5 / 120) * u - 0.5 / 6) * u + 0.5
    self.init(x: s * v.x, y: s * v.y, z: s * v.z, w: c)
  }

  /// Creates the rotation for a vector that is not zero.
  @usableFromInline
  init(largeRotationVector v: Vector3) {
    let half = v.norm / 2
    let scale = sin(half) / (2 * half)
    self.init(x: v.x * scale, y: v.y * scale, z: v.z * scale, w: cos(half))
  }

  /// The logarithm: axis times angle in radians, with norm at most π. The sign of q does not matter.
  public var rotationVector: Vector3 {
    let s = vector.norm
    guard s > 0 else { return .zero }
    // With w < 0, −q describes the shorter rotation.
    let angle = w >= 0 ? 2 * atan2(s, w) : 2 * atan2(-s, -w)
    return vector * (angle / s)
  }

  /// The rotation angle in radians, 0...π. The sign of q does not matter.
  public var angle: Double { 2 * atan2(vector.norm, abs(w)) }

  /// Returns the angle of the rotation between two orientations, in radians, 0...π.
  public func angle(to other: Quaternion) -> Double { (conjugate * other).angle }

  /// The matrix R with R v = `rotate(v)` for a unit quaternion.
  @inlinable
  @inline(__always)
  public var matrix: Matrix3 {
    Matrix3(
      rows: Vector3(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
      Vector3(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
      Vector3(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))
  }
}

extension Quaternion: CustomStringConvertible {
  public var description: String { "(x: \(x), y: \(y), z: \(z), w: \(w))" }
}
