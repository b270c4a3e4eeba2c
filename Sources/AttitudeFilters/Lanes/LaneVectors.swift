internal import LinearAlgebra
internal import Rotations

/// A vector of each lane's filter.
struct LaneVector3<Scalar: LaneScalar>: Sendable {
  var x: Scalar
  var y: Scalar
  var z: Scalar

  @inline(__always)
  init(_ x: Scalar, _ y: Scalar, _ z: Scalar) { (self.x, self.y, self.z) = (x, y, z) }
  @inline(__always)
  init(_ v: Vector3) { self.init(Scalar(repeating: v.x), Scalar(repeating: v.y), Scalar(repeating: v.z)) }

  subscript(lane: Int) -> Vector3 {
    get { Vector3(x[lane], y[lane], z[lane]) }
    set { (x[lane], y[lane], z[lane]) = (newValue.x, newValue.y, newValue.z) }
  }

  @inline(__always)
  static func + (a: Self, b: Self) -> Self { Self(a.x + b.x, a.y + b.y, a.z + b.z) }
  @inline(__always)
  static func - (a: Self, b: Self) -> Self { Self(a.x - b.x, a.y - b.y, a.z - b.z) }
  @inline(__always)
  static func * (s: Scalar, a: Self) -> Self { Self(s * a.x, s * a.y, s * a.z) }
  @inline(__always)
  static prefix func - (a: Self) -> Self { Self(-a.x, -a.y, -a.z) }

  @inline(__always)
  func cross(_ b: Self) -> Self { Self(y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x) }
  @inline(__always)
  func dot(_ b: Self) -> Scalar { x * b.x + y * b.y + z * b.z }
  @inline(__always)
  var squaredNorm: Scalar { dot(self) }
  @inline(__always)
  var maximumMagnitude: Scalar { .greater(x.magnitude, .greater(y.magnitude, z.magnitude)) }

  @inline(__always)
  static func select(_ mask: Scalar.Mask, _ yes: Self, _ no: Self) -> Self {
    Self(.select(mask, yes.x, no.x), .select(mask, yes.y, no.y), .select(mask, yes.z, no.z))
  }

  /// The vector of norm 1 in the same direction, and where there is one: not for zero, infinity and NaN.
  @inline(__always)
  var unit: (vector: Self, exists: Scalar.Mask) {
    let squared = squaredNorm
    return (squared.reciprocalRoot * self, squared.isNormalPositive)
  }

  /// The vector rotated by a rotation vector, exact to third order of its angle and of the same length.
  ///
  /// Cayley's form needs no sine: between two samples of one sensor the angle is small.
  @inline(__always)
  func turned(by rotation: Self) -> Self {
    let half = Scalar(repeating: 0.5) * rotation
    let across = half.cross(self)
    return self + (Scalar(repeating: 2) / (half.squaredNorm + 1)) * (across + half.cross(across))
  }
}

/// A quaternion of each lane's filter.
struct LaneQuaternion<Scalar: LaneScalar>: Sendable {
  var x: Scalar
  var y: Scalar
  var z: Scalar
  var w: Scalar

  @inline(__always)
  init(x: Scalar, y: Scalar, z: Scalar, w: Scalar) { (self.x, self.y, self.z, self.w) = (x, y, z, w) }
  @inline(__always)
  init(_ q: Quaternion) {
    self.init(
      x: Scalar(repeating: q.x), y: Scalar(repeating: q.y), z: Scalar(repeating: q.z), w: Scalar(repeating: q.w))
  }

  subscript(lane: Int) -> Quaternion {
    get { Quaternion(x: x[lane], y: y[lane], z: z[lane], w: w[lane]) }
    set { (x[lane], y[lane], z[lane], w[lane]) = (newValue.x, newValue.y, newValue.z, newValue.w) }
  }

  @inline(__always)
  var vector: LaneVector3<Scalar> { LaneVector3(x, y, z) }
  @inline(__always)
  var conjugate: Self { Self(x: -x, y: -y, z: -z, w: w) }
  @inline(__always)
  var squaredNorm: Scalar { x * x + y * y + z * z + w * w }

  @inline(__always)
  static func * (a: Self, b: Self) -> Self {
    Self(
      x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
      w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z)
  }
  @inline(__always)
  static func + (a: Self, b: Self) -> Self { Self(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z, w: a.w + b.w) }
  @inline(__always)
  static func - (a: Self, b: Self) -> Self { Self(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z, w: a.w - b.w) }
  @inline(__always)
  static func * (s: Scalar, q: Self) -> Self { Self(x: s * q.x, y: s * q.y, z: s * q.z, w: s * q.w) }

  /// q ⊗ v ⊗ q⁻¹ for a unit quaternion.
  @inline(__always)
  func rotate(_ v: LaneVector3<Scalar>) -> LaneVector3<Scalar> {
    let t = Scalar(repeating: 2) * vector.cross(v)
    return v + w * t + vector.cross(t)
  }

  /// q⁻¹ ⊗ v ⊗ q for a unit quaternion.
  @inline(__always)
  func rotateInverse(_ v: LaneVector3<Scalar>) -> LaneVector3<Scalar> { conjugate.rotate(v) }

  /// The earth's axes in device axes, of a unit quaternion: the rows of its rotation matrix.
  @inline(__always)
  var earthAxes: (x: LaneVector3<Scalar>, y: LaneVector3<Scalar>, z: LaneVector3<Scalar>) {
    let (x2, y2, z2) = (x + x, y + y, z + z)
    let (xx, yy, zz) = (x * x2, y * y2, z * z2)
    let (xy, xz, yz) = (x * y2, x * z2, y * z2)
    let (wx, wy, wz) = (w * x2, w * y2, w * z2)
    return (
      LaneVector3(1 - (yy + zz), xy - wz, xz + wy), LaneVector3(xy + wz, 1 - (xx + zz), yz - wx),
      LaneVector3(xz - wy, yz + wx, 1 - (xx + yy))
    )
  }

  @inline(__always)
  static func select(_ mask: Scalar.Mask, _ yes: Self, _ no: Self) -> Self {
    Self(
      x: .select(mask, yes.x, no.x), y: .select(mask, yes.y, no.y), z: .select(mask, yes.z, no.z),
      w: .select(mask, yes.w, no.w))
  }

  /// The unit quaternion in the same direction, or `other` where there is none.
  @inline(__always)
  func normalized(else other: Self) -> Self {
    let squared = squaredNorm
    return .select(squared.isNormalPositive, squared.reciprocalRoot * self, other)
  }
}

extension LaneScalar {
  /// Whether a square can be divided by: not 0, nor infinite, nor NaN.
  @inline(__always)
  var isNormalPositive: Mask {
    (Double.leastNormalMagnitude .<= self) .& (self .< Self(repeating: .infinity))
  }
}
