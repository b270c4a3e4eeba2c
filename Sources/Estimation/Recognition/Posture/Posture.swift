/// How a person holds the part of the body that the device is worn on.
public enum Posture: String, Sendable, Codable, CaseIterable {
  /// Not known: no walk has shown yet how the device is worn, it moves too long, it turns, or the angle is between two
  /// postures.
  case unknown
  /// The trunk is upright: standing, walking or sitting.
  case upright
  /// The trunk lies.
  case lying
  /// The thigh is upright: standing, walking, or on the knees.
  case standing
  /// The thigh is level: sitting or lying, which it cannot tell apart.
  case sittingOrLying

  package var meaning: String {
    switch self {
    case .unknown: "not known: no walk yet, too long a motion, a turn, or an angle between two postures"
    case .upright: "the trunk is upright: standing, walking or sitting"
    case .lying: "the trunk lies"
    case .standing: "the thigh is upright: standing, walking or on the knees"
    case .sittingOrLying: "the thigh is level: sitting or lying"
    }
  }
}

/// Where the device is worn, fixed enough that it turns with the body.
public enum PosturePlacement: String, Sendable, Codable, CaseIterable {
  /// Chest, belt, breast or jacket pocket.
  case trunk
  /// Thigh or trouser pocket.
  case thigh

  /// rad: gravity's angle to that of walking, up to which a person is upright, and from which not.
  ///
  /// Trunk: 60° parts lying (Kangas et al. 2008). Thigh: a sitting person's is level, a pocket holds a phone loosely.
  package var limits: (upright: Double, level: Double) {
    switch self {
    case .trunk: (.pi / 6, .pi / 3)
    case .thigh: (25 * .pi / 180, 45 * .pi / 180)
    }
  }

  /// What an angle in rad means; nil between the limits.
  func posture(_ angle: Double) -> Posture {
    if angle < limits.upright { return self == .trunk ? .upright : .standing }
    if angle > limits.level { return self == .trunk ? .lying : .sittingOrLying }
    return .unknown
  }
}

/// A time in one posture.
public struct PostureSegment: Sendable, Hashable, Codable {
  /// Seconds on the log's clock.
  public var start: Double
  /// Last moment, seconds on the log's clock.
  public var end: Double
  /// How the body is held.
  public var posture: Posture
  /// Mean angle between gravity and that of walking, rad, of the moments of rest; nil where there is none.
  public var angle: Double?

  package init(start: Double, end: Double, posture: Posture, angle: Double? = nil) {
    (self.start, self.end, self.posture, self.angle) = (start, end, posture, angle)
  }
}
