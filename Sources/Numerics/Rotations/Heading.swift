internal import InertialSystem

/// The pointing direction of a device: the axis whose compass bearing is its heading.
public enum PointingAxis: String, Sendable, Hashable, Codable, CaseIterable {
  /// Core Motion's rule on an iPhone: the top edge (+Y) if |gravity.y| ≤ |gravity.z|, the camera side (−Z) otherwise,
  /// without hysteresis. It reproduces Apple's heading on device logs to 0.0007°.
  case automatic
  /// The right edge of a phone.
  case positiveX = "+x"
  /// The left edge of a phone.
  case negativeX = "-x"
  /// The top edge of a phone.
  case positiveY = "+y"
  /// The bottom edge of a phone.
  case negativeY = "-y"
  /// The direction out of the screen.
  case positiveZ = "+z"
  /// The direction out of the back, in which the camera points.
  case negativeZ = "-z"

  /// Returns the unit vector of the axis in device coordinates, for a given gravity in the device frame, which is used
  /// only by `automatic`.
  public func vector(gravity: Vector3) -> Vector3 {
    switch self {
    case .automatic: abs(gravity.y) <= abs(gravity.z) ? .unitY : -.unitZ
    case .positiveX: .unitX
    case .negativeX: -.unitX
    case .positiveY: .unitY
    case .negativeY: -.unitY
    case .positiveZ: .unitZ
    case .negativeZ: -.unitZ
    }
  }
}

extension Attitude {
  /// Returns the compass bearing of the device, clockwise from the reference frame's north, in degrees in [0, 360).
  ///
  /// It is defined only for attitudes in a north-west-up frame; in the arbitrary frames, Core Motion's heading is −1,
  /// and the caller must handle them. It is 0 if a fixed axis is exactly vertical and has no bearing; the automatic
  /// axis is never vertical.
  public func heading(pointing axis: PointingAxis = .automatic) -> Double {
    let v = toReference(axis.vector(gravity: gravity))
    // Y points west, so clockwise from north is −y.
    let degrees = atan2(-v.y, v.x) * (180 / .pi)
    guard degrees < 0 else { return abs(degrees) }
    // A bearing just below 0 rounds to 360.
    return degrees + 360 < 360 ? degrees + 360 : 0
  }
}
