/// The posture of the body part that the device is worn on.
public enum Posture: String, Sendable, Codable, CaseIterable {
  /// The posture is unknown: there was no walk yet, a motion takes too long, the device rotates, or the angle is
  /// between two postures.
  case unknown
  /// The trunk is upright: standing, walking or sitting.
  case upright
  /// The trunk is lying.
  case lying
  /// The thigh is upright: standing, walking or kneeling.
  case standing
  /// The thigh is level: sitting or lying, which cannot be distinguished.
  case sittingOrLying

  package var meaning: String {
    switch self {
    case .unknown: "no walk yet, too long a motion, a rotation, or an angle between two postures"
    case .upright: "the trunk is upright: standing, walking or sitting"
    case .lying: "the trunk lies"
    case .standing: "the thigh is upright: standing, walking or on the knees"
    case .sittingOrLying: "the thigh is level: sitting or lying"
    }
  }
}

/// The body part that the device is attached to, firmly enough that it rotates with the body.
public enum PosturePlacement: String, Sendable, Codable, CaseIterable {
  /// Chest, belt, breast pocket or jacket pocket.
  case trunk
  /// Thigh or trouser pocket.
  case thigh

  /// The maximum angle of an upright posture and the minimum angle of a level posture, between gravity now and
  /// gravity while walking, in radians.
  ///
  /// For the trunk, 60° separates lying from upright (Kangas et al. 2008). The limits of the thigh are lower: a
  /// sitting person's thigh is level, but a phone is loose in its pocket.
  package var limits: (upright: Double, level: Double) {
    switch self {
    case .trunk: (.pi / 6, .pi / 3)
    case .thigh: (25 * .pi / 180, 45 * .pi / 180)
    }
  }

  /// Returns the posture at an angle in radians, or `unknown` if the angle is between the limits.
  func posture(_ angle: Double) -> Posture {
    if angle < limits.upright { return self == .trunk ? .upright : .standing }
    if angle > limits.level { return self == .trunk ? .lying : .sittingOrLying }
    return .unknown
  }
}

/// A time interval in one posture.
public struct PostureSegment: Sendable, Hashable, Codable {
  /// The start, in seconds on the log's clock.
  public var start: Double
  /// The end, in seconds on the log's clock.
  public var end: Double
  /// The posture of the body part.
  public var posture: Posture
  /// The mean angle between gravity at rest and gravity while walking, in radians, or `nil` if the interval contains
  /// no rest.
  public var angle: Double?

  package init(start: Double, end: Double, posture: Posture, angle: Double? = nil) {
    (self.start, self.end, self.posture, self.angle) = (start, end, posture, angle)
  }
}
