/// A change of floor: a way up or down by stairs or lift.
public struct FloorEvent: Sendable, Hashable, Codable {
  /// Up or down.
  public enum Direction: String, Sendable, Codable, CaseIterable {
    /// To a higher floor.
    case up
    /// To a lower floor.
    case down
  }

  /// How it was done.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// On foot: steps while the altitude changed.
    case stairs
    /// Carried: no steps while the altitude changed. An escalator stood on counts here, since it is as fast as a slow
    /// lift.
    case lift
    /// No motion is known, or altitude, speed and steps fit neither.
    case unknown

    package var meaning: String {
      switch self {
      case .stairs: "steps while the altitude changed"
      case .lift: "carried: no steps while the altitude changed (lift, escalator)"
      case .unknown: "no motion known, or too fast or too long for a way between floors"
      }
    }
  }

  /// Seconds on the log's clock.
  public var start: Double
  /// When it ended, seconds on the log's clock.
  public var end: Double
  /// Up or down.
  public var direction: Direction
  /// m, more than 0.
  public var height: Double
  /// The height in floors of 3 m, rounded; 0 for less than half a floor.
  public var floors: Int
  /// By stairs or lift, as far as it is known.
  public var kind: Kind
  /// Share of its seconds with steps, 0 to 1: what the kind is based on. nil where no motion is known.
  package var steppingShare: Double?

  package init(
    start: Double, end: Double, direction: Direction, height: Double, floors: Int, kind: Kind,
    steppingShare: Double? = nil
  ) {
    (self.start, self.end, self.direction) = (start, end, direction)
    (self.height, self.floors, self.kind, self.steppingShare) = (height, floors, kind, steppingShare)
  }

  /// Mean vertical speed, m/s, more than 0.
  package var meanSpeed: Double { height / max(end - start, .leastNonzeroMagnitude) }
}
