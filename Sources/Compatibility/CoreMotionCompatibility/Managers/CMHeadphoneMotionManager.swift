public import Foundation
internal import InertialFilters
public import InertialLive
internal import InertialSensors

/// Told when headphones with sensors come and go. Each call may be left out.
public protocol CMHeadphoneMotionManagerDelegate: AnyObject {
  /// Headphones have come.
  func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager)
  /// Headphones have gone.
  func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager)
}

extension CMHeadphoneMotionManagerDelegate {
  /// Headphones have come.
  public func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) {}
  /// Headphones have gone.
  public func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) {}
}

/// Device motion of headphones: of a source whose axes are the head's, right-handed as a phone's are.
///
/// Headphones are connected while the source has an accelerometer and a gyroscope and has not ended. As
/// `CMMotionManager` in everything else.
open class CMHeadphoneMotionManager: NSObject, @unchecked Sendable {
  /// What takes motions, or an error.
  public typealias DeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void

  private let core: MotionCore
  private let location: CMDeviceMotion.SensorLocation
  private weak var currentDelegate: (any CMHeadphoneMotionManagerDelegate)?
  private var watchesConnection = false
  private var isConnected = false

  /// A manager of the process's sensors.
  public override convenience init() { self.init(source: nil) }

  /// A manager of a source of its own; nil: of the process's. Added to Apple's interface.
  ///
  /// - `sensorLocation`: the side whose sensors the source's are.
  public init(source: (any SensorSource)?, sensorLocation: CMDeviceMotion.SensorLocation = .headphoneLeft) {
    core = MotionCore(source: source, filter: FilterKind.named(FilterKind.standard)!)
    // A headphone's sensors give 25 Hz; what the source has is not thinned.
    core.deviceMotion.interval = 0
    location = sensorLocation
    super.init()
    core.setStatusHandler { [weak self] status in
      if case .ended = status { self?.setConnected(false) }
    }
  }

  deinit { core.stopAll() }

  /// Whether the app may read motion.
  open class func authorizationStatus() -> CMAuthorizationStatus { MotionPermission.current.authorizationStatus }

  /// Told on the thread of a start or of the source.
  open weak var delegate: (any CMHeadphoneMotionManagerDelegate)? {
    get { core.monitor.withLock { currentDelegate } }
    set { core.monitor.withLock { currentDelegate = newValue } }
  }

  /// Whether the source has what is asked for.
  open var isDeviceMotionAvailable: Bool { !core.frames.isEmpty }

  /// Whether updates have been started and not stopped.
  open var isDeviceMotionActive: Bool { core.monitor.withLock { core.deviceMotion.isActive } }

  /// The latest motion, an object of its own each time; nil before the first and after the stop.
  open var deviceMotion: CMDeviceMotion? {
    core.monitor.withLock { core.deviceMotion.latest }.map { CMDeviceMotion($0, sensorLocation: location) }
  }

  /// Ignored without permission (`MotionPermission`).
  open func startDeviceMotionUpdates() { if MotionPermission.isGranted() { start(nil) } }

  /// Without permission (`MotionPermission`) the handler gets `CMErrorNotAuthorized`.
  open func startDeviceMotionUpdates(to queue: OperationQueue, withHandler handler: @escaping DeviceMotionHandler) {
    let location = location
    guard MotionPermission.isGranted() else {
      nonisolated(unsafe) let handler = handler
      return queue.addOperation { handler(nil, CMErrorNotAuthorized.nsError) }
    }
    start(
      UpdateSubscription(queue: queue, monitor: core.monitor, handler: handler) {
        CMDeviceMotion($0, sensorLocation: location)
      })
  }

  /// Ends the updates.
  open func stopDeviceMotionUpdates() { core.stop(core.deviceMotion) }

  /// Whether the delegate is told of connections.
  open var isConnectionStatusActive: Bool { core.monitor.withLock { watchesConnection } }

  /// Begins to tell the delegate of connections.
  open func startConnectionStatusUpdates() {
    core.monitor.withLock { watchesConnection = true }
    if isDeviceMotionAvailable { setConnected(true) }
  }

  /// Tells the delegate of no more connections.
  open func stopConnectionStatusUpdates() { core.monitor.withLock { watchesConnection = false } }

  private func start(_ subscription: UpdateSubscription<DeviceMotion>?) {
    if core.startDeviceMotion(using: .xArbitraryZVertical, subscription) { setConnected(true) }
  }

  private func setConnected(_ connected: Bool) {
    let told: (any CMHeadphoneMotionManagerDelegate)? = core.monitor.withLock {
      defer { isConnected = connected }
      return isConnected == connected ? nil : currentDelegate
    }
    if connected {
      told?.headphoneMotionManagerDidConnect(self)
    } else {
      told?.headphoneMotionManagerDidDisconnect(self)
    }
  }
}
