public import Foundation

/// A change of a watch between air and water.
open class CMWaterSubmersionEvent: NSObject, @unchecked Sendable {
  /// The medium around a watch. The raw values are Core Motion's.
  public enum State: Int, Sendable {
    /// The medium is unknown.
    case unknown = 0
    /// The watch is in air.
    case notSubmerged = 1
    /// The watch is in water.
    case submerged = 2
  }

  /// The time of the change.
  open private(set) var date = Date(timeIntervalSinceReferenceDate: 0)
  /// The new medium.
  open private(set) var state = State.unknown

  /// Creates an event at the reference date.
  public override init() {}

  /// Creates an event, for tests of an app. Added to Apple's interface.
  public init(date: Date, state: State) { (self.date, self.state) = (date, state) }
}

/// A depth and pressure below water.
open class CMWaterSubmersionMeasurement: NSObject, @unchecked Sendable {
  /// The range of the depth. The raw values are Core Motion's.
  public enum DepthState: Int, Sendable {
    /// The range is unknown.
    case unknown = 0
    /// The watch is in air.
    case notSubmerged = 100
    /// The depth is below 1 m.
    case submergedShallow = 200
    /// The depth is above 1 m.
    case submergedDeep = 300
    /// The depth is close to the maximum.
    case approachingMaxDepth = 400
    /// The depth is beyond the maximum.
    case pastMaxDepth = 500
    /// The depth cannot be measured.
    case sensorDepthError = 600
  }

  /// The time of the measurement.
  open private(set) var date = Date(timeIntervalSinceReferenceDate: 0)
  /// The depth, or `nil` in air.
  open private(set) var depth: Measurement<UnitLength>?
  /// The pressure of the water, or `nil` in air.
  open private(set) var pressure: Measurement<UnitPressure>?
  /// The pressure of the air above the water.
  open private(set) var surfacePressure = Measurement(value: 0, unit: UnitPressure.kilopascals)
  /// The range of the depth.
  open private(set) var submersionState = DepthState.unknown

  /// Creates an empty measurement at the reference date.
  public override init() {}

  /// Creates a measurement, for tests of an app. Added to Apple's interface.
  public init(
    date: Date, depth: Measurement<UnitLength>?, pressure: Measurement<UnitPressure>?,
    surfacePressure: Measurement<UnitPressure>, submersionState: DepthState
  ) {
    (self.date, self.depth, self.pressure) = (date, depth, pressure)
    (self.surfacePressure, self.submersionState) = (surfacePressure, submersionState)
  }
}

/// A temperature of the water.
open class CMWaterTemperature: NSObject, @unchecked Sendable {
  /// The time of the measurement.
  open private(set) var date = Date(timeIntervalSinceReferenceDate: 0)
  /// The temperature.
  open private(set) var temperature = Measurement(value: 0, unit: UnitTemperature.celsius)
  /// The uncertainty of the temperature.
  open private(set) var temperatureUncertainty = Measurement(value: 0, unit: UnitTemperature.celsius)

  /// Creates an empty measurement at the reference date.
  public override init() {}

  /// Creates a measurement, for tests of an app. Added to Apple's interface.
  public init(
    date: Date, temperature: Measurement<UnitTemperature>, temperatureUncertainty: Measurement<UnitTemperature>
  ) {
    (self.date, self.temperature, self.temperatureUncertainty) = (date, temperature, temperatureUncertainty)
  }
}

/// A delegate for events and measurements below water.
public protocol CMWaterSubmersionManagerDelegate: AnyObject {
  /// Called when the watch has moved between air and water.
  func manager(_ manager: CMWaterSubmersionManager, didUpdate event: CMWaterSubmersionEvent)
  /// Called with each depth.
  func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterSubmersionMeasurement)
  /// Called with each temperature.
  func manager(_ manager: CMWaterSubmersionManager, didUpdate measurement: CMWaterTemperature)
  /// Called with an error.
  func manager(_ manager: CMWaterSubmersionManager, errorOccurred error: any Error)
}

/// Depths of a diving watch, which no log contains: unavailable, so that an app's other branch runs.
open class CMWaterSubmersionManager: NSObject, @unchecked Sendable {
  /// Whether depths are available. Always false.
  open class var waterSubmersionAvailable: Bool { false }
  /// Whether the app may read motion data.
  open class var authorizationStatus: CMAuthorizationStatus { MotionPermission.current.authorizationStatus }
  /// The receiver of depths, which is not called.
  open weak var delegate: (any CMWaterSubmersionManagerDelegate)?
  /// The maximum depth that can be measured. Always `nil`.
  open var maximumDepth: Measurement<UnitLength>? { nil }
}
