internal import InertialNavigation
internal import InertialSensors

/// The placement of a device, which determines how its path is estimated.
public enum CarryMode: String, Sendable, CaseIterable, Codable {
  /// Determined from the motion, or from position fixes.
  case auto
  /// Foot or shoe: strapdown integration between stances.
  case foot
  /// Pocket or bag: steps and headings.
  case pocket
  /// Hand: steps and headings.
  case hand
  /// Trunk or head: steps and headings.
  case body
  /// Wheeled vehicle with position fixes: strapdown integration between the fixes.
  case vehicle
}

/// The options of a path.
public struct TrackOptions: Sendable, Equatable, Encodable {
  /// The placement of the device.
  public var carrying = CarryMode.auto
  /// The person's height in metres, which determines the step lengths.
  public var height = 1.7
  /// Whether a foot ends at its starting position; requires the whole log (`FusionOptions.smooths`).
  public var isClosed = false

  /// The default options.
  public init() {}
}

/// The placement determined from a log's motion and position fixes.
package struct CarryModeDecision: Sendable, Equatable {
  package var carrying: CarryMode
  /// The reason, for the user.
  package var reason: String

  package init(carrying: CarryMode, reason: String) { (self.carrying, self.reason) = (carrying, reason) }

  /// Creates a decision from the user's option.
  init(specified carrying: CarryMode) { self.init(carrying: carrying, reason: "set by --on") }
}
