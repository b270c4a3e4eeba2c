internal import CoreMotionCompatibility
public import Foundation

/// An acceleration along one axis, in g.
public typealias UIAccelerationValue = Double

/// A sample of the accelerometer including gravity: in g, in device axes with Core Motion's sign ((0, 0, −1) at rest
/// face up).
public final class UIAcceleration: Sendable {
  /// The component along the device's X axis, in g.
  public let x: UIAccelerationValue
  /// The component along the device's Y axis, in g.
  public let y: UIAccelerationValue
  /// The component along the device's Z axis, in g.
  public let z: UIAccelerationValue
  /// The time on the source's clock, in seconds; a device's own clock starts at its boot.
  public let timestamp: TimeInterval

  init(_ data: CMAccelerometerData) {
    (x, y, z) = (data.acceleration.x, data.acceleration.y, data.acceleration.z)
    timestamp = data.timestamp
  }
}

/// A delegate for samples of the accelerometer. The function is optional.
@preconcurrency @MainActor public protocol UIAccelerometerDelegate: AnyObject {
  /// Receives an acceleration.
  func accelerometer(_ accelerometer: UIAccelerometer, didAccelerate acceleration: UIAcceleration)
}

extension UIAccelerometerDelegate {
  /// Does nothing.
  public func accelerometer(_ accelerometer: UIAccelerometer, didAccelerate acceleration: UIAcceleration) {}
}

/// The accelerometer interface that preceded Core Motion; deprecated by UIKit since iOS 5.
///
/// While it has a delegate, it delivers samples of the app's source (`UIApplication.source`) on the main queue, except
/// while the app is in the background. Without a source there are no samples.
@preconcurrency @MainActor open class UIAccelerometer {
  /// The single accelerometer.
  public static let shared = UIAccelerometer()

  /// The name before Swift 3.
  public class func sharedAccelerometer() -> UIAccelerometer { shared }

  private var manager: CMMotionManager?

  private init() {}

  /// The interval of the updates, in seconds. UIKit documents no default; here it is 0.01, the same as the motion
  /// manager's.
  open var updateInterval: TimeInterval = 0.01 {
    didSet { manager?.accelerometerUpdateInterval = updateInterval }
  }

  /// The receiver of the accelerations; `nil` detaches from the source.
  open weak var delegate: (any UIAccelerometerDelegate)? {
    didSet { if (delegate == nil) != (manager == nil) { restart() } }
  }

  /// Restarts the updates with the app's current source, if there is a delegate.
  func restart() {
    manager?.stopAccelerometerUpdates()
    manager = nil
    guard delegate != nil else { return }
    let manager = CMMotionManager(source: UIApplication.shared.source)
    self.manager = manager
    manager.accelerometerUpdateInterval = updateInterval
    manager.startAccelerometerUpdates(to: .main) { [weak self] data, _ in
      guard let data else { return }
      MainActor.assumeIsolated { self?.deliver(UIAcceleration(data), of: manager) }
    }
  }

  private func deliver(_ acceleration: UIAcceleration, of manager: CMMotionManager) {
    guard manager === self.manager, UIApplication.shared.applicationState != .background else { return }
    // A deallocated delegate causes no notification, unlike one that is set to `nil`.
    guard let delegate else { return restart() }
    delegate.accelerometer(self, didAccelerate: acceleration)
  }
}
