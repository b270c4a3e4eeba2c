internal import InertialNumerics
internal import InertialSystem

/// How far a path's end is from its start, where the one that walked it came back: the error of a loop.
public struct PathClosure: Sendable, Hashable {
  /// The distance over the ground, m.
  public let horizontal: Double
  /// The difference in height, m, up.
  public let vertical: Double
  /// m along the path, over the ground.
  public let way: Double
  /// Whether the sigmas stated of the end allow the distance with 95 %; nil when none are stated.
  public let isInsideHorizontally: Bool?
  /// The same of the height; nil when the track has no heights, too.
  public let isInsideVertically: Bool?

  /// Of a path; nil for one without samples.
  public init?(_ track: PositionTrack) {
    guard let first = track.positions.first, let last = track.positions.last else { return nil }
    let error = last - first
    (horizontal, vertical) = (hypot(error.x, error.y), error.z)
    way = track.length
    let bound = track.sigmas?.last.flatMap { PositionBound(error: error, sigma: $0) }
    isInsideHorizontally = bound?.isInsideHorizontally
    isInsideVertically = track.hasHeights ? bound?.isInsideVertically : nil
  }

  /// Percent of the way; nil where there is none.
  public var horizontalPercent: Double? { way > 0 ? 100 * horizontal / way : nil }
  /// The height's magnitude in percent of the way; nil where there is none.
  public var verticalPercent: Double? { way > 0 ? 100 * abs(vertical) / way : nil }
}
