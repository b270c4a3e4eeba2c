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
