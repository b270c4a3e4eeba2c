internal import InertialSystem

/// A vector of three doubles.
///
/// It consists of three named scalars instead of a SIMD type: for one vector at a time this is as fast or faster in
/// release builds and ten times faster in debug builds. Units and frame are defined by the caller.
public struct Vector3: Sendable, Hashable, Codable, BitwiseCopyable {
  /// The first component.
  public var x: Double
  /// The second component.
  public var y: Double
  /// The third component.
  public var z: Double

  /// Creates a vector from its components in order.
  @inlinable
  @inline(__always)
  public init(_ x: Double, _ y: Double, _ z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// Creates a vector from its components by name.
  @inlinable
  @inline(__always)
  public init(x: Double, y: Double, z: Double) { self.init(x, y, z) }

  /// Creates the vector with the same value in all components.
  @inlinable
  @inline(__always)
  public init(repeating value: Double) { self.init(value, value, value) }

  /// The vector of zeros.
  @inlinable public static var zero: Vector3 { Vector3(0, 0, 0) }
  /// The unit vector along the first axis.
  @inlinable public static var unitX: Vector3 { Vector3(1, 0, 0) }
  /// The unit vector along the second axis.
  @inlinable public static var unitY: Vector3 { Vector3(0, 1, 0) }
  /// The unit vector along the third axis.
  @inlinable public static var unitZ: Vector3 { Vector3(0, 0, 1) }

  /// Component 0, 1 or 2.
  public subscript(index: Int) -> Double {
    get {
      switch index {
      case 0: x
      case 1: y
      case 2: z
      default: preconditionFailure("Vector3 has components 0 to 2, not \(index)")
      }
    }
    set {
      switch index {
      case 0: x = newValue
      case 1: y = newValue
      case 2: z = newValue
      default: preconditionFailure("Vector3 has components 0 to 2, not \(index)")
      }
    }
  }

  /// Returns the scalar product.
  @inlinable
  @inline(__always)
  public func dot(_ other: Vector3) -> Double { x * other.x + y * other.y + z * other.z }

  /// Returns the right-handed cross product self × other.
  @inlinable
  @inline(__always)
  public func cross(_ other: Vector3) -> Vector3 {
    Vector3(
      y * other.z - z * other.y,
      z * other.x - x * other.z,
      x * other.y - y * other.x)
  }

  /// The squared Euclidean norm.
  @inlinable
  @inline(__always)
  public var squaredNorm: Double { dot(self) }

  /// The Euclidean norm.
  @inlinable
  @inline(__always)
  public var norm: Double { squaredNorm.squareRoot() }

  /// The vector of norm 1 in the same direction, or `nil` if the norm is zero, infinite or NaN.
  @inlinable
  @inline(__always)
  public var normalized: Vector3? {
    let norm = norm
    guard norm > 0, norm.isFinite else { return nil }
    return self / norm
  }

  /// Whether all components are finite.
  @inlinable
  @inline(__always)
  public var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }

  /// The largest absolute component.
  @inlinable
  @inline(__always)
  public var maximumMagnitude: Double { Swift.max(abs(x), Swift.max(abs(y), abs(z))) }

  /// Returns the angle between two vectors in radians, 0...π; accurate near 0 and π, unlike acos.
  public func angle(to other: Vector3) -> Double {
    atan2(cross(other).norm, dot(other))
  }

  /// Returns the sum.
  @inlinable
  @inline(__always)
  public static func + (a: Vector3, b: Vector3) -> Vector3 { Vector3(a.x + b.x, a.y + b.y, a.z + b.z) }
  /// Returns the difference.
  @inlinable
  @inline(__always)
  public static func - (a: Vector3, b: Vector3) -> Vector3 { Vector3(a.x - b.x, a.y - b.y, a.z - b.z) }
  /// Returns the vector with all components multiplied by a number.
  @inlinable
  @inline(__always)
  public static func * (a: Vector3, s: Double) -> Vector3 { Vector3(a.x * s, a.y * s, a.z * s) }
  /// Returns the vector with all components multiplied by a number.
  @inlinable
  @inline(__always)
  public static func * (s: Double, a: Vector3) -> Vector3 { a * s }
  /// Returns the vector with all components divided by a number.
  @inlinable
  @inline(__always)
  public static func / (a: Vector3, s: Double) -> Vector3 { Vector3(a.x / s, a.y / s, a.z / s) }
  /// Returns the vector with all components negated.
  @inlinable
  @inline(__always)
  public static prefix func - (a: Vector3) -> Vector3 { Vector3(-a.x, -a.y, -a.z) }
  /// Adds a vector.
  @inlinable
  @inline(__always)
  public static func += (a: inout Vector3, b: Vector3) { a = a + b }
  /// Subtracts a vector.
  @inlinable
  @inline(__always)
  public static func -= (a: inout Vector3, b: Vector3) { a = a - b }
  /// Multiplies all components by a number.
  @inlinable
  @inline(__always)
  public static func *= (a: inout Vector3, s: Double) { a = a * s }
  /// Divides all components by a number.
  @inlinable
  @inline(__always)
  public static func /= (a: inout Vector3, s: Double) { a = a / s }
}

extension Vector3: CustomStringConvertible {
  /// The components: "(1.0, 2.0, 3.0)".
  public var description: String { "(\(x), \(y), \(z))" }
}
