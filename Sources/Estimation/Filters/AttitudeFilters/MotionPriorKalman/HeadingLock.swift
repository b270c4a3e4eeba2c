internal import InertialNumerics
internal import InertialSystem

/// A detector of a heading that the field contradicts permanently: equation (17) of docs/theory/flagship.md.
///
/// A recording that begins near iron begins with a wrong north. The earth's field then contradicts the heading, and the
/// weight of an innovation decreases with its size, so the field alone does not correct it. A steady field with the
/// right norm and dip shows that only the heading is wrong.
struct HeadingLock: Sendable, Codable, Equatable {
  /// The largest difference of fields that agree, as a fraction of the field's norm.
  private static let tolerance = 0.15
  /// The largest `EarthFieldModel.deviation`, in µT.
  private static let maximumDeviation = 2.0
  /// The norm of the earth's field at its surface, in µT, by the World Magnetic Model.
  private static let earthStrength = 22.0...67.0
  /// The minimum duration of the contradiction, and the maximum that counts for the believed field, in seconds.
  private static let minimumDuration = 30.0
  private static let maximumBelief = 60.0

  /// The duration for which the field has agreed with the believed one, in seconds.
  private var believed = 0.0
  /// The mean of the fields that contradict it, in µT, in the filter's earth axes, and their duration in seconds.
  private(set) var field = Vector3.zero
  private var duration = 0.0

  /// Adds a field in earth axes, in µT.
  ///
  /// - Returns: Whether heading and field must be learned again from `field`.
  mutating func add(_ newField: Vector3, believed field: EarthFieldModel, over interval: Double) -> Bool {
    guard (newField - field.vector).norm > Self.tolerance * field.strength else {
      believed = min(believed + interval, Self.maximumBelief)
      duration = max(0, duration - interval)
      return false
    }
    guard field.deviation < Self.maximumDeviation, Self.earthStrength.contains(newField.norm) else {
      duration = max(0, duration - interval)
      return false
    }
    guard duration > 0, (newField - self.field).norm <= Self.tolerance * self.field.norm else {
      (self.field, duration) = (newField, interval)
      return false
    }
    duration += interval
    self.field += (interval / duration) * (newField - self.field)
    return duration > max(Self.minimumDuration, believed)
  }

  /// Rotates the field with a correction of the heading, in rad, so that the correction is no change of the field.
  mutating func turn(by angle: Double) {
    guard duration > 0 else { return }
    let (c, s) = (cos(angle), sin(angle))
    field = Vector3(c * field.x - s * field.y, s * field.x + c * field.y, field.z)
  }
}
