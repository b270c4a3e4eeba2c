internal import CoreMotionCompatibility
public import Foundation
internal import InertialLive
internal import InertialSensors

/// The attitude of the device as seen by a person in front of it. The raw values are UIKit's.
public enum UIDeviceOrientation: Int, Sendable {
  /// The orientation is unknown so far, or no notifications are generated.
  case unknown = 0
  /// Upright, with the top edge up.
  case portrait = 1
  /// Upright, with the top edge down.
  case portraitUpsideDown = 2
  /// Upright, with the top edge to the left.
  case landscapeLeft = 3
  /// Upright, with the top edge to the right.
  case landscapeRight = 4
  /// Flat, with the screen up.
  case faceUp = 5
  /// Flat, with the screen down.
  case faceDown = 6

  /// Whether the device is upright, with the top edge up or down.
  public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
  /// Whether the device is upright, with the top edge to the left or right.
  public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
  /// Whether the device is flat, with the screen up or down.
  public var isFlat: Bool { self == .faceUp || self == .faceDown }
  /// Whether the device is upright.
  public var isValidInterfaceOrientation: Bool { isPortrait || isLandscape }
}

/// The device: its proximity sensor, orientation and battery, as recorded in the log of the app's source.
///
/// Each of the three has to be switched on before it has a value, as on a phone. Changes are posted on the main queue.
/// Without a source, or if the log lacks the channel, the values stay at their defaults.
@preconcurrency @MainActor open class UIDevice {
  /// The state of the battery. The raw values are UIKit's.
  public enum BatteryState: Int, Sendable {
    /// The state is unknown, or monitoring is disabled.
    case unknown = 0
    /// The device is not connected to power.
    case unplugged = 1
    /// The device is connected to power, and the battery is below 100 %.
    case charging = 2
    /// The device is connected to power, and the battery is full.
    case full = 3
  }

  /// The single device.
  public class var current: UIDevice { shared }
  private static let shared = UIDevice()

  private let sensors = DeviceSensors()
  private var generationCount = 0

  private init() { sensors.consume = { [weak self] in self?.take($0) } }

  /// The name of the device. UIKit returns the same generic name.
  open var name: String { "iPhone" }
  /// The model of the device.
  open var model: String { "iPhone" }
  /// The model of the device, as shown to a person.
  open var localizedModel: String { model }
  /// The name of the operating system of the machine.
  open var systemName: String {
    #if os(Linux)
      "Linux"
    #else
      "macOS"
    #endif
  }
  /// The version of the operating system of the machine, such as 6.8.0.
  open var systemVersion: String {
    let version = ProcessInfo.processInfo.operatingSystemVersion
    return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
  }
  /// An identifier of the device for the app's vendor; always `nil`, as a log does not contain it.
  open var identifierForVendor: UUID? { nil }

  // MARK: Proximity

  /// Whether proximity is monitored. Stays `false` if the source has no proximity sensor, as UIKit specifies.
  open var isProximityMonitoringEnabled = false {
    didSet {
      if isProximityMonitoringEnabled, !sensors.hasProximity { isProximityMonitoringEnabled = false }
      if !isProximityMonitoringEnabled { proximityState = false }
      listen()
    }
  }

  /// Whether an object is close to the screen; `false` while proximity is not monitored.
  open private(set) var proximityState = false

  // MARK: Orientation

  /// Whether the orientation is determined.
  open var isGeneratingDeviceOrientationNotifications: Bool { generationCount > 0 }

  /// The orientation of the device, or `unknown` while it is not determined.
  ///
  /// It changes when an axis of the device is within 41° of the vertical (0.75 g), and is kept in between, as UIKit
  /// does not publish its angles.
  open private(set) var orientation = UIDeviceOrientation.unknown

  /// Starts to determine the orientation. Each call needs one call of `endGeneratingDeviceOrientationNotifications`.
  open func beginGeneratingDeviceOrientationNotifications() {
    generationCount += 1
    listen()
  }

  /// Ends what the matching call of `beginGeneratingDeviceOrientationNotifications` has started.
  open func endGeneratingDeviceOrientationNotifications() {
    generationCount = max(0, generationCount - 1)
    if generationCount == 0 { orientation = .unknown }
    listen()
  }

  // MARK: Battery

  /// Whether the battery is monitored.
  open var isBatteryMonitoringEnabled = false {
    didSet {
      if !isBatteryMonitoringEnabled { (batteryLevel, batteryState) = (-1, .unknown) }
      listen()
    }
  }

  /// The charge of the battery, from 0 to 1, or -1 while it is unknown or not monitored.
  open private(set) var batteryLevel: Float = -1

  /// The state of the battery, or `unknown` while it is not monitored.
  open private(set) var batteryState = BatteryState.unknown

  // MARK: Events

  /// Restarts listening with the app's current source.
  func restart() {
    sensors.stop()
    listen()
  }

  private func listen() {
    sensors.listen(
      auxiliary: isProximityMonitoringEnabled || isBatteryMonitoringEnabled,
      acceleration: isGeneratingDeviceOrientationNotifications)
  }

  private func take(_ event: DeviceSensors.Event) {
    switch event {
    case .proximity(let isNear):
      guard isProximityMonitoringEnabled, isNear != proximityState else { return }
      proximityState = isNear
      post(Self.proximityStateDidChangeNotification)
    case .battery(let level, let state):
      guard isBatteryMonitoringEnabled else { return }
      if let level, level != batteryLevel {
        batteryLevel = level
        post(Self.batteryLevelDidChangeNotification)
      }
      if let state, state != batteryState {
        batteryState = state
        post(Self.batteryStateDidChangeNotification)
      }
    case .orientation(let new):
      guard isGeneratingDeviceOrientationNotifications, new != orientation else { return }
      orientation = new
      post(Self.orientationDidChangeNotification)
    }
  }

  private func post(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: self) }
}

extension UIDevice {
  /// Posted when an object has come close to the screen or has left it.
  public nonisolated static let proximityStateDidChangeNotification = Notification.Name(
    "UIDeviceProximityStateDidChangeNotification")
  /// Posted when the orientation has changed.
  public nonisolated static let orientationDidChangeNotification = Notification.Name(
    "UIDeviceOrientationDidChangeNotification")
  /// Posted when the charge of the battery has changed.
  public nonisolated static let batteryLevelDidChangeNotification = Notification.Name(
    "UIDeviceBatteryLevelDidChangeNotification")
  /// Posted when the state of the battery has changed.
  public nonisolated static let batteryStateDidChangeNotification = Notification.Name(
    "UIDeviceBatteryStateDidChangeNotification")
}

/// The Objective-C name.
public typealias UIDeviceBatteryState = UIDevice.BatteryState
