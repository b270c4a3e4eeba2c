internal import InertialNumerics
internal import InertialRotations
internal import InertialSystem

/// The first second: gravity is the mean of the acceleration in the frame that the gyroscope carries along.
///
/// A device that starts in mid-motion has no sample that shows gravity, but the mean of its acceleration over a
/// second does to a few degrees, because velocities stay finite. North is the mean of the field in the same frame: a
/// sample's azimuth is wrong by more than twice the tilt that it was taken with. Vectors are kept in the filter's earth
/// frame and turned with every correction, so that each mean is always that of one frame.
struct StartUp: Sendable, Codable, Equatable {
  /// Sum of the specific force, up at rest, in earth axes (g).
  private(set) var forceSum = Vector3.zero
  /// Sum of the field in earth axes (µT).
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

  /// Adds a field in earth axes and returns the azimuth of the mean, radians counter-clockwise from X.
  mutating func addField(_ field: Vector3) -> Double {
    fieldSum += field
    fieldCount += 1
    return atan2(fieldSum.y, fieldSum.x)
  }

  /// Follows a correction of the earth frame.
  mutating func turn(by correction: Quaternion) {
    forceSum = correction.rotate(forceSum)
    fieldSum = correction.rotate(fieldSum)
  }

  /// The mean field in earth axes, µT; nil where there was none.
  var meanField: Vector3? { fieldCount > 0 ? fieldSum / Double(fieldCount) : nil }

  /// The standard deviation of one sample's force, g.
  var forceSpread: Double {
    guard count > 0 else { return 0 }
    let n = Double(count)
    return max(0, squaredSum / n - (forceSum / n).squaredNorm).squareRoot()
  }
}
