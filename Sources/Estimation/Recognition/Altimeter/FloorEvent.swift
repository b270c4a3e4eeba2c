/// A change of floor by stairs or lift.
public struct FloorEvent: Sendable, Hashable, Codable {
  /// The direction of a floor change.
  public enum Direction: String, Sendable, Codable, CaseIterable {
    /// Upwards.
    case up
    /// Downwards.
    case down
  }

  /// The kind of a floor change.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// Steps while the altitude changes: the person walks.
    case stairs
    /// Carried without steps while the altitude changes. Standing on an escalator counts as a lift, since it is as
    /// fast as a slow lift.
    case lift
    /// The motion is unknown, or altitude, speed and steps match neither kind.
    case unknown

    package var meaning: String {
      switch self {
      case .stairs: "steps while the altitude changed"
      case .lift: "carried: no steps while the altitude changed (lift, escalator)"
      case .unknown: "no known motion, or too fast or too long for a floor change"
      }
    }
  }

  /// The start, in seconds on the log's clock.
  public var start: Double
  /// The end, in seconds on the log's clock.
  public var end: Double
  /// The direction.
  public var direction: Direction
  /// The height, in m, greater than 0.
  public var height: Double
  /// The height in floors of 3 m, rounded; 0 for less than half a floor, and for a change that is neither by stairs
  /// nor by lift, for instance on a slope. Without known motion, all changes have floors.
  public var floors: Int
  /// The kind: stairs, lift or unknown.
  public var kind: Kind
  /// The fraction of the seconds with steps, 0...1, which determines the kind, or `nil` if the motion is unknown.
  package var steppingFraction: Double?

  package init(
    start: Double, end: Double, direction: Direction, height: Double, floors: Int, kind: Kind,
    steppingFraction: Double? = nil
  ) {
    (self.start, self.end, self.direction) = (start, end, direction)
    (self.height, self.floors, self.kind, self.steppingFraction) = (height, floors, kind, steppingFraction)
  }

  /// The mean vertical speed, in m/s, greater than 0.
  package var meanSpeed: Double { height / max(end - start, .leastNonzeroMagnitude) }

  /// The keys of saved values, which keep their names.
  private enum CodingKeys: String, CodingKey {
    case start, end, direction, height, floors, kind, steppingFraction = "steppingShare"
  }
}
