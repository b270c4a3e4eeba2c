internal import CoreMotionCompatibility
public import Foundation

/// An acceleration along one axis, in g.
public typealias UIAccelerationValue = Double

/// A sample of the accelerometer, gravity included: g, device axes, Core Motion's sign ((0, 0, −1) at rest face up).
public final class UIAcceleration: Sendable {
  /// g, along the device's X.
  public let x: UIAccelerationValue
  /// g, along the device's Y.
  public let y: UIAccelerationValue
  /// g, along the device's Z.
  public let z: UIAccelerationValue
  /// Seconds on the source's clock; a device's own runs since its start.
  public let timestamp: TimeInterval

  init(_ data: CMAccelerometerData) {
    (x, y, z) = (data.acceleration.x, data.acceleration.y, data.acceleration.z)
    timestamp = data.timestamp
  }
}

/// Takes samples of the accelerometer. The call may be left out.
@MainActor public protocol UIAccelerometerDelegate: AnyObject {
  /// Takes an acceleration.
  func accelerometer(_ accelerometer: UIAccelerometer, didAccelerate acceleration: UIAcceleration)
}

extension UIAccelerometerDelegate {
  /// Takes an acceleration.
  public func accelerometer(_ accelerometer: UIAccelerometer, didAccelerate acceleration: UIAcceleration) {}
}

/// The accelerometer as it was before Core Motion; UIKit has deprecated it since iOS 5.
///
/// It gives samples to its delegate, on the main queue, from the moment it has one, of the app's source
/// (`UIApplication.source`), and none while the app is in the background. Without a source it stays silent.
@MainActor open class UIAccelerometer {
  /// The one accelerometer.
  public static let shared = UIAccelerometer()

  /// The name of before Swift 3.
  public class func sharedAccelerometer() -> UIAccelerometer { shared }

  private var manager: CMMotionManager?

  private init() {}

  /// Seconds. UIKit publishes no default; here it is 0.01, as the motion manager's.
  open var updateInterval: TimeInterval = 0.01 {
    didSet { manager?.accelerometerUpdateInterval = updateInterval }
  }

  /// Who takes the accelerations; nil: nobody, and the source is left.
  open weak var delegate: (any UIAccelerometerDelegate)? {
    didSet { if (delegate == nil) != (manager == nil) { restart() } }
  }

  /// Begins anew, with the app's source of now, where there is a delegate.
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
    // A delegate that is gone is not told of, unlike one that is set to nil.
    guard let delegate else { return restart() }
    delegate.accelerometer(self, didAccelerate: acceleration)
  }
}
