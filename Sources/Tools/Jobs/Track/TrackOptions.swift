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

/// A constraint that a path uses unless the sensors contradict it.
package enum PathConstraint: String, Sendable, CaseIterable, Codable {
  /// A foot that steps at nearly the height of the previous step is on the same floor.
  case floors
  /// The straight segments of a walk meet at right angles.
  case rightAngles = "right-angles"
  /// A vehicle has no sideways or vertical velocity.
  case wheels
}

/// The options of a path.
public struct TrackOptions: Sendable, Equatable, Codable {
  /// The placement of the device.
  public var carrying = CarryMode.auto
  /// The person's height in metres, which determines the step lengths.
  public var height = 1.7
  /// Whether a foot ends at its starting position; requires the whole log (`FusionOptions.isCausal`).
  public var isClosed = false

  /// The constraints that the path does not use.
  package var without: [PathConstraint] = []

  /// The default options.
  public init() {}

  /// Creates options.
  ///
  /// - Parameters:
  ///   - on: The placement of the device, or `nil` to detect it.
  ///   - height: The person's height in m, or `nil` for the default height.
  ///   - without: The constraints that the path does not use.
  package init(on: CarryMode?, height: Double?, without: [PathConstraint] = []) {
    carrying = on ?? .auto
    self.without = without
    if let height { self.height = height }
  }

  /// The settings of a foot's tracker.
  var foot: FootTracker.Parameters {
    var parameters = FootTracker.Parameters()
    if without.contains(.floors) { parameters.floorGate = 0 }
    return parameters
  }
  /// The settings of a walker's tracker.
  var walker: StepTracker.Parameters {
    var parameters = StepTracker.Parameters()
    parameters.usesStraightWays = !without.contains(.rightAngles)
    return parameters
  }
  /// The settings of a vehicle's tracker.
  var vehicle: VehicleTracker.Parameters {
    var parameters = VehicleTracker.Parameters()
    parameters.isOnWheels = !without.contains(.wheels)
    return parameters
  }

  /// - Parameter option: The name of the height in the message.
  /// - Throws: ``FusionError`` if a person's height, in m, is out of range.
  package static func checkHeight(_ height: Double?, _ option: String = "--height") throws(FusionError) {
    if let height, !(0.5...2.6).contains(height) {
      throw .usage("\(option) takes a person's height in metres, 0.5 to 2.6, not \(height)")
    }
  }
}
