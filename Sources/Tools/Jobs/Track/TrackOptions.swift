internal import InertialNavigation
internal import InertialSensors

/// What a device is carried on, which decides how its path is found.
public enum Carrying: String, Sendable, CaseIterable, Codable {
  /// Told from the motion, or from position fixes.
  case auto
  /// On a foot or a shoe: strapdown integration from stance to stance.
  case foot
  /// In a pocket or a bag: steps and headings.
  case pocket
  /// In a hand: steps and headings.
  case hand
  /// On the trunk or the head: steps and headings.
  case body
  /// In a vehicle on wheels, with position fixes: strapdown integration between them.
  case vehicle
}

/// How a path is found.
public struct TrackOptions: Sendable, Equatable, Encodable {
  /// What the device is carried on.
  public var carrying = Carrying.auto
  /// The person's height, m, for the length of steps.
  public var height = 1.7
  /// Whether a foot is known to stand at the end where it stood at the start; needs the whole log (`FusionOptions.smooths`).
  public var isClosed = false

  /// The defaults.
  public init() {}
}

/// What a log's motion and fixes say of how it was carried.
package struct CarryingDecision: Sendable, Equatable {
  package var carrying: Carrying
  /// Why, for the user.
  package var reason: String

  package init(carrying: Carrying, reason: String) { (self.carrying, self.reason) = (carrying, reason) }

  /// What the user says.
  init(told carrying: Carrying) { self.init(carrying: carrying, reason: "as --on says") }
}
