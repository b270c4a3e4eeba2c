internal import InertialNumerics
internal import InertialSystem

/// The loop closure error: the distance of a path's end from its start, for a path that returns to its start.
public struct PathClosure: Sendable, Hashable {
  /// The horizontal distance, in m.
  public let horizontal: Double
  /// The height difference, in m, up.
  public let vertical: Double
  /// The horizontal length of the path, in m.
  public let pathLength: Double
  /// Whether the stated sigmas of the end allow the distance with 95 % probability, or `nil` without sigmas.
  public let isInsideHorizontally: Bool?
  /// Whether the stated sigmas of the end allow the height difference, or `nil` without sigmas or heights.
  public let isInsideVertically: Bool?

  /// Creates the closure of a path, or `nil` for a path without samples.
  public init?(_ track: PositionTrack) {
    guard let first = track.positions.first, let last = track.positions.last else { return nil }
    let error = last - first
    (horizontal, vertical) = (hypot(error.x, error.y), error.z)
    pathLength = track.length
    let bound = track.sigmas?.last.flatMap { PositionBound(error: error, sigma: $0) }
    isInsideHorizontally = bound?.isInsideHorizontally
    isInsideVertically = track.hasHeights ? bound?.isInsideVertically : nil
  }

  /// The horizontal distance in percent of the path length, or `nil` if the length is 0.
  public var horizontalPercent: Double? { pathLength > 0 ? 100 * horizontal / pathLength : nil }
  /// The magnitude of the height difference in percent of the path length, or `nil` if the length is 0.
  public var verticalPercent: Double? { pathLength > 0 ? 100 * abs(vertical) / pathLength : nil }
}
