internal import Foundation
public import InertialNumerics
public import InertialRotations

/// Whether two quaternions are the same rotation to `within` radians, regardless of their signs. Prints both if not.
public func isSameRotation(_ a: Quaternion, _ b: Quaternion, within tolerance: Double) -> Bool {
  let angle = a.angle(to: b)
  // A NaN angle fails.
  if angle <= tolerance { return true }
  print("rotations differ by \(angle * 180 / .pi)°: \(a) and \(b)")
  return false
}

/// Whether two vectors differ by at most `within` (norm of the difference). Prints both when not.
public func isNear(_ a: Vector3, _ b: Vector3, within tolerance: Double) -> Bool {
  if (a - b).norm <= tolerance { return true }
  print("vectors differ by \((a - b).norm): \(a) and \(b)")
  return false
}

/// Whether two numbers differ by at most `within`. Prints both when not.
public func isNear(_ a: Double, _ b: Double, within tolerance: Double) -> Bool {
  if abs(a - b) <= tolerance { return true }
  print("numbers differ by \(abs(a - b)): \(a) and \(b)")
  return false
}

/// Returns a changed copy of a value.
public func with<Value>(_ value: Value, _ change: (inout Value) throws -> Void) rethrows -> Value {
  var value = value
  try change(&value)
  return value
}

/// Returns a value encoded as JSON and decoded again.
public func savedAndRestored<Value: Codable>(_ value: Value) throws -> Value {
  try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
}

extension SeededGenerator {
  /// Returns a vector of three normal numbers with a standard deviation.
  public mutating func vector(_ sigma: Double = 1) -> Vector3 { sigma * Vector3(normal(), normal(), normal()) }
}

extension Quaternion {
  /// Uniformly distributed random rotations from a fixed seed.
  public static func random(_ count: Int, seed: UInt64) -> [Quaternion] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      Quaternion(
        x: generator.normal(), y: generator.normal(), z: generator.normal(), w: generator.normal()
      ).normalized!
    }
  }

  /// Rotations where formulas break: identity, both signs, half turns, tiny angles, gimbal lock.
  public static let nastyCases: [Quaternion] = {
    var cases = [identity, -identity]
    for axis in [Vector3.unitX, .unitY, .unitZ, Vector3(1, 1, 1), Vector3(-1, 2, 0.5)] {
      for angle in [1e-300, 1e-12, 1e-8, 1e-4, Double.pi / 2, .pi - 1e-9, .pi, -.pi, 2 * .pi - 1e-9] {
        cases.append(Quaternion(angle: angle, axis: axis))
      }
    }
    return cases
  }()
}
