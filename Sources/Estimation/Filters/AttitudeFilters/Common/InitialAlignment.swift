internal import InertialNumerics
internal import InertialRotations
internal import InertialSystem

/// The first second: gravity is the mean of the acceleration in the frame that the gyroscope propagates.
///
/// If a device starts in motion, no single sample shows gravity, but the mean acceleration over a second does to a few
/// degrees, because velocities stay finite. North is the mean of the field in the same frame: the error of a sample's
/// azimuth is more than twice the tilt error of the sample. Vectors are kept in the filter's earth frame and rotated
/// with every correction, so each mean is always in one frame.
struct InitialAlignment: Sendable, Codable, Equatable {
  /// The sum of the specific force, up at rest, in earth axes, in g.
  private(set) var forceSum = Vector3.zero
  /// The sum of the field in earth axes, in µT.
  private var fieldSum = Vector3.zero
  private var fieldCount = 0
  private var squaredSum = 0.0
  private(set) var count = 0

  /// Adds a sample in earth axes and returns the rotation that makes the mean point up.
  mutating func addForce(_ force: Vector3) -> Quaternion {
    forceSum += force
    squaredSum += force.squaredNorm
    count += 1
    let correction = rotationOntoZ(forceSum)
    turn(by: correction)
    return correction
  }

  /// Adds a field in earth axes and returns the azimuth of the mean, in radians counter-clockwise from X.
  @discardableResult
  mutating func addField(_ field: Vector3) -> Double {
    fieldSum += field
    fieldCount += 1
    return atan2(fieldSum.y, fieldSum.x)
  }

  /// Applies a correction of the earth frame.
  mutating func turn(by correction: Quaternion) {
    forceSum = correction.rotate(forceSum)
    fieldSum = correction.rotate(fieldSum)
  }

  /// The mean field in earth axes, in µT, or `nil` without a field.
  var meanField: Vector3? { fieldCount > 0 ? fieldSum / Double(fieldCount) : nil }

  /// The standard deviation of one sample's force, in g.
  var forceSpread: Double {
    guard count > 0 else { return 0 }
    let n = Double(count)
    return max(0, squaredSum / n - (forceSum / n).squaredNorm).squareRoot()
  }
}
