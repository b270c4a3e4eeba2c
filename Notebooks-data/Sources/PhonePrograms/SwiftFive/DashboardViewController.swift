import CoreMotion
import Foundation

#if canImport(UIKit)
  import UIKit
#else
  import UIKitCompatibility
#endif

/// A screen with the latest value of every sensor, updated by handlers, notifications and delegates.
public final class DashboardViewController: UIViewController {
  /// The number of values by name.
  public private(set) var counts: [String: Int] = [:]
  /// The orientations in the order of their notifications.
  public private(set) var orientations: [UIDeviceOrientation] = []
  /// The states of the proximity sensor in the order of their notifications.
  public private(set) var proximities: [Bool] = []
  /// The latest charge of the battery.
  public private(set) var charge: Float = -1
  /// The latest text of a label.
  public private(set) var label = ""

  private let manager = CMMotionManager()
  private let altimeter = CMAltimeter()
  private let activityManager = CMMotionActivityManager()
  private let pedometer = CMPedometer()
  private let headphones = CMHeadphoneMotionManager()
  private let headphoneActivity = CMHeadphoneActivityManager()
  private let queue = OperationQueue()
  private var observers: [NSObjectProtocol] = []

  public override func viewDidLoad() {
    super.viewDidLoad()
    startMotion()
    startContext()
    startDevice()
  }

  private func startMotion() {
    manager.accelerometerUpdateInterval = 0.1
    manager.startAccelerometerUpdates(to: OperationQueue.main) { (data, error) in
      guard let acceleration = data?.acceleration else { return }
      self.label = String(format: "%.2f", acceleration.x)
      self.count("accelerometer")
    }
    manager.startGyroUpdates(to: queue) { [weak self] data, _ in
      guard data != nil else { return }
      DispatchQueue.main.async { self?.count("gyroscope") }
    }
    manager.startMagnetometerUpdates(to: queue) { [weak self] data, _ in
      guard data != nil else { return }
      DispatchQueue.main.async { self?.count("magnetometer") }
    }
    guard manager.isDeviceMotionAvailable else { return }
    manager.startDeviceMotionUpdates(using: .xArbitraryZVertical, to: queue) { [weak self] motion, error in
      guard let motion = motion else { return }
      let pitch = motion.attitude.pitch
      DispatchQueue.main.async {
        self?.label = "\(pitch)"
        self?.count("motion")
      }
    }
  }

  private func startContext() {
    if CMAltimeter.isRelativeAltitudeAvailable() {
      altimeter.startRelativeAltitudeUpdates(to: .main) { [weak self] data, error in
        if data != nil { self?.count("altitude") }
      }
    }
    if CMMotionActivityManager.isActivityAvailable() {
      activityManager.startActivityUpdates(to: .main) { [weak self] activity in
        guard let activity = activity else { return }
        self?.label = activity.walking ? "walking" : "other"
        self?.count("activity")
      }
    }
    pedometer.startUpdates(from: Date()) { [weak self] data, error in
      guard let steps = data?.numberOfSteps else { return }
      DispatchQueue.main.async {
        self?.label = steps.stringValue
        self?.count("pedometer")
      }
    }
    headphones.startDeviceMotionUpdates(to: .main) { [weak self] motion, _ in
      if motion != nil { self?.count("headphones") }
    }
    headphoneActivity.startStatusUpdates(to: .main) { [weak self] status, _ in
      self?.count(status == .connected ? "connected" : "disconnected")
    }
  }

  private func startDevice() {
    let device = UIDevice.current
    device.isProximityMonitoringEnabled = true
    device.isBatteryMonitoringEnabled = true
    device.beginGeneratingDeviceOrientationNotifications()
    let center = NotificationCenter.default
    observers = [
      center.addObserver(forName: UIDevice.proximityStateDidChangeNotification, object: nil, queue: nil) { _ in
        self.proximities.append(UIDevice.current.proximityState)
      },
      center.addObserver(forName: .UIDeviceOrientationDidChange, object: nil, queue: nil) { [weak self] _ in
        self?.orientations.append(UIDevice.current.orientation)
      },
      center.addObserver(forName: UIDevice.batteryLevelDidChangeNotification, object: nil, queue: nil) {
        [weak self] notification in
        guard let device = notification.object as? UIDevice else { return }
        self?.charge = device.batteryLevel
      },
    ]
  }

  /// Waits for the pending updates in the queue.
  public func finish() { queue.waitUntilAllOperationsAreFinished() }

  /// Stops every sensor.
  public func stop() {
    manager.stopAccelerometerUpdates()
    manager.stopGyroUpdates()
    manager.stopMagnetometerUpdates()
    manager.stopDeviceMotionUpdates()
    altimeter.stopRelativeAltitudeUpdates()
    activityManager.stopActivityUpdates()
    pedometer.stopUpdates()
    headphones.stopDeviceMotionUpdates()
    headphoneActivity.stopStatusUpdates()
    let device = UIDevice.current
    device.isProximityMonitoringEnabled = false
    device.isBatteryMonitoringEnabled = false
    device.endGeneratingDeviceOrientationNotifications()
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
    observers = []
  }

  private func count(_ name: String) { counts[name, default: 0] += 1 }
}
