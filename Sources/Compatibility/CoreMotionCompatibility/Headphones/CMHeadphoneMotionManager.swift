public import Foundation
internal import InertialFilters
public import InertialLive
internal import InertialSensors

/// A delegate for connections of headphones with sensors. All functions are optional.
public protocol CMHeadphoneMotionManagerDelegate: AnyObject {
  /// Called when headphones have been connected.
  func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager)
  /// Called when headphones have been disconnected.
  func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager)
}

extension CMHeadphoneMotionManagerDelegate {
  /// Does nothing.
  public func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) {}
  /// Does nothing.
  public func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) {}
}

/// Device motion of headphones, from a source with right-handed axes of the head, oriented like a phone's.
///
/// Headphones are connected while the source has an accelerometer and a gyroscope and has not ended. Otherwise the
/// class behaves like `CMMotionManager`.
open class CMHeadphoneMotionManager: NSObject, @unchecked Sendable {
  /// A handler of motions, or an error.
  public typealias DeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void

  private let core: MotionCore
  private let location: CMDeviceMotion.SensorLocation
  private weak var currentDelegate: (any CMHeadphoneMotionManagerDelegate)?
  private var watchesConnection = false
  private var isConnected = false

  /// Creates a manager for the process's sensors.
  public override convenience init() { self.init(source: nil) }

  /// Creates a manager for the given source, or for the process's if `nil`. Added to Apple's interface.
  ///
  /// - Parameter source: The source of the samples, or `nil` for that of the process.
  /// - Parameter sensorLocation: The headphone that contains the source's sensors.
  public init(source: (any SensorSource)?, sensorLocation: CMDeviceMotion.SensorLocation = .headphoneLeft) {
    core = MotionCore(source: source, filter: FilterKind.standard)
    // The sensors of headphones have a rate of 25 Hz; all samples of the source are delivered.
    core.deviceMotion.interval = 0
    location = sensorLocation
    super.init()
    core.status = { [weak self] status in
      if case .ended = status { self?.setConnected(false) }
    }
  }

  deinit { core.stopAll() }

  /// Returns whether the app may read motion data.
  open class func authorizationStatus() -> CMAuthorizationStatus { MotionPermission.current.authorizationStatus }

  /// The delegate, which is called on the thread of a start or of the source.
  open weak var delegate: (any CMHeadphoneMotionManagerDelegate)? {
    get { core.monitor.withLock { currentDelegate } }
    set { core.monitor.withLock { currentDelegate = newValue } }
  }

  /// Whether the source has an accelerometer and a gyroscope.
  open var isDeviceMotionAvailable: Bool { !core.frames.isEmpty }

  /// Whether the updates are active.
  open var isDeviceMotionActive: Bool { core.monitor.withLock { core.deviceMotion.isActive } }

  /// The latest motion, as a new object each time, or `nil` before the first one and after the stop.
  open var deviceMotion: CMDeviceMotion? {
    core.monitor.withLock { core.deviceMotion.latest }.map { CMDeviceMotion($0, sensorLocation: location) }
  }

  /// Starts the updates. Ignored without permission (`MotionPermission`).
  open func startDeviceMotionUpdates() { if MotionPermission.isGranted() { start(nil) } }

  /// Starts the updates. Without permission (`MotionPermission`) the handler receives `CMErrorNotAuthorized`.
  @preconcurrency open func startDeviceMotionUpdates(
    to queue: OperationQueue, withHandler handler: @escaping @Sendable (CMDeviceMotion?, (any Error)?) -> Void
  ) {
    let location = location
    let subscription = UpdateSubscription<DeviceMotion>(queue: queue, monitor: core.monitor, handler: handler) {
      CMDeviceMotion($0, sensorLocation: location)
    }
    guard MotionPermission.isGranted() else { return subscription.refuse(CMErrorNotAuthorized) }
    start(subscription)
  }

  /// Stops the updates.
  open func stopDeviceMotionUpdates() { core.stop(core.deviceMotion) }

  /// Whether connections are reported to the delegate.
  open var isConnectionStatusActive: Bool { core.monitor.withLock { watchesConnection } }

  /// Starts reporting connections to the delegate.
  open func startConnectionStatusUpdates() {
    core.monitor.withLock { watchesConnection = true }
    if isDeviceMotionAvailable { setConnected(true) }
  }

  /// Stops reporting connections to the delegate.
  open func stopConnectionStatusUpdates() { core.monitor.withLock { watchesConnection = false } }

  private func start(_ subscription: UpdateSubscription<DeviceMotion>?) {
    if core.startDeviceMotion(using: .xArbitraryZVertical, subscription) { setConnected(true) }
  }

  private func setConnected(_ connected: Bool) {
    let notified: (any CMHeadphoneMotionManagerDelegate)? = core.monitor.withLock {
      defer { isConnected = connected }
      return isConnected == connected ? nil : currentDelegate
    }
    if connected {
      notified?.headphoneMotionManagerDidConnect(self)
    } else {
      notified?.headphoneMotionManagerDidDisconnect(self)
    }
  }
}
