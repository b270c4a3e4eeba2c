internal import LinearAlgebra
internal import Rotations

/// The first second: gravity is the mean of the acceleration in the frame that the gyroscope carries along.
///
/// A device that starts in mid-motion has no sample that shows gravity, but the mean of its acceleration over a
/// second does to a few degrees, because velocities stay finite. Vectors are kept in the filter's earth frame and
/// turned with every correction, so that the mean is always that of one frame.
struct StartUp: Sendable, Codable, Equatable {
  /// Sum of the specific force, up at rest, in earth axes (g).
  private(set) var forceSum = Vector3.zero
  private var squaredSum = 0.0
  private(set) var count = 0

  /// Adds a sample in earth axes and returns the rotation that makes the mean point up.
  mutating func addForce(_ force: Vector3) -> Quaternion {
    forceSum += force
    squaredSum += force.squaredNorm
    count += 1
    let correction = rotationOntoZ(forceSum)
    forceSum = correction.rotate(forceSum)
    return correction
  }

  /// The standard deviation of one sample's force, g.
  var forceSpread: Double {
    guard count > 0 else { return 0 }
    let n = Double(count)
    return max(0, squaredSum / n - (forceSum / n).squaredNorm).squareRoot()
  }
}
