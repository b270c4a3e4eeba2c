public import Foundation
public import InertialFilters
public import InertialLive

/// A handler of accelerations, or an error.
public typealias CMAccelerometerHandler = (CMAccelerometerData?, (any Error)?) -> Void
/// A handler of rotation rates, or an error.
public typealias CMGyroHandler = (CMGyroData?, (any Error)?) -> Void
/// A handler of raw magnetic fields, or an error.
public typealias CMMagnetometerHandler = (CMMagnetometerData?, (any Error)?) -> Void
/// A handler of motions, or an error.
public typealias CMDeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void

/// Starts and stops the updates of the motion sensors of a source, which is the process's (`MotionSensors.setDefault`)
/// or the manager's own.
///
/// There are two ways to access the data, as on Apple's platforms. Pull: start without a handler, and read the latest
/// value. Push: start with a queue and a handler, which is called sequentially until the stop. There is one handler per
/// kind of data: a new start replaces it. After a stop the data is `nil`, the queue's operations are cancelled, and no
/// call of the handler begins; a call in progress on another thread is not awaited. If the sensor or the source is
/// missing, a start has no effect, and its handler receives `CMErrorNotAvailable` once.
///
/// Intervals are stored as set and limited in effect: the samples closest to a grid of the interval are delivered, or
/// all samples if the interval is shorter than the sensor's own. At most 1024 updates are buffered for a handler. If
/// the buffer is full, the oldest is dropped and counted (`droppedCount`); a recording that is played as fast as
/// possible waits instead. Timestamps are the source's own. A manager may be used from any thread.
open class CMMotionManager: NSObject, @unchecked Sendable {
  private let core: MotionCore
  private var frame = CMAttitudeReferenceFrame.xArbitraryZVertical
  private var showsMovementDisplay = false

  /// Creates a manager for the process's sensors.
  public override convenience init() { self.init(source: nil) }

  /// Creates a manager for the given source, or for the process's if `nil`. Added to Apple's interface.
  ///
  /// - Parameter source: The source of the samples, or `nil` for that of the process.
  /// - Parameter filter: The attitude filter, with its default settings.
  public init(source: (any SensorSource)?, filter: FilterKind = FilterKind.standard) {
    core = MotionCore(source: source, filter: filter)
  }

  deinit { core.stopAll() }

  /// The number of updates that handlers did not consume in time, over all streams. Added to Apple's interface.
  open var droppedCount: Int {
    core.monitor.withLock {
      core.accelerometer.droppedCount + core.gyroscope.droppedCount + core.magnetometer.droppedCount
        + core.deviceMotion.droppedCount
    }
  }

  /// A closure that is called on the source's thread when the source becomes silent or ends. Added to Apple's
  /// interface.
  open var sourceStatusHandler: (@Sendable (SensorSourceStatus) -> Void)? {
    get { core.status }
    set { core.status = newValue }
  }

  // MARK: Accelerometer

  /// The interval of the accelerometer updates, in seconds.
  open var accelerometerUpdateInterval: TimeInterval {
    get { core.monitor.withLock { core.accelerometer.interval } }
    set { core.monitor.withLock { core.accelerometer.interval = newValue } }
  }

  /// Whether the source has an accelerometer.
  open var isAccelerometerAvailable: Bool { core.has(.accelerometer) }

  /// Whether the accelerometer updates are active.
  open var isAccelerometerActive: Bool { core.monitor.withLock { core.accelerometer.isActive } }

  /// The latest sample, or `nil` before the first one and after the stop.
  open var accelerometerData: CMAccelerometerData? {
    core.monitor.withLock { core.accelerometer.latest }.map(CMAccelerometerData.init)
  }

  /// Starts storing the latest acceleration.
  open func startAccelerometerUpdates() { core.start(core.accelerometer, of: .accelerometer, nil) }

  /// Calls the handler on a queue with each acceleration, or with an error.
  @preconcurrency open func startAccelerometerUpdates(
    to queue: OperationQueue, withHandler handler: @escaping @Sendable (CMAccelerometerData?, (any Error)?) -> Void
  ) {
    core.start(core.accelerometer, of: .accelerometer, subscription(queue, handler, CMAccelerometerData.init))
  }

  /// Stops the updates.
  open func stopAccelerometerUpdates() { core.stop(core.accelerometer) }

  // MARK: Gyroscope

  /// The interval of the gyroscope updates, in seconds.
  open var gyroUpdateInterval: TimeInterval {
    get { core.monitor.withLock { core.gyroscope.interval } }
    set { core.monitor.withLock { core.gyroscope.interval = newValue } }
  }

  /// Whether the source has a gyroscope.
  open var isGyroAvailable: Bool { core.has(.gyroscope) }

  /// Whether the gyroscope updates are active.
  open var isGyroActive: Bool { core.monitor.withLock { core.gyroscope.isActive } }

  /// The latest sample, or `nil` before the first one and after the stop.
  open var gyroData: CMGyroData? { core.monitor.withLock { core.gyroscope.latest }.map(CMGyroData.init) }

  /// Starts storing the latest rotation rate.
  open func startGyroUpdates() { core.start(core.gyroscope, of: .gyroscope, nil) }

  /// Calls the handler on a queue with each rotation rate, or with an error.
  @preconcurrency open func startGyroUpdates(
    to queue: OperationQueue, withHandler handler: @escaping @Sendable (CMGyroData?, (any Error)?) -> Void
  ) {
    core.start(core.gyroscope, of: .gyroscope, subscription(queue, handler, CMGyroData.init))
  }

  /// Stops the updates.
  open func stopGyroUpdates() { core.stop(core.gyroscope) }

  // MARK: Magnetometer

  /// The interval of the magnetometer updates, in seconds. Default: 0.04, as on Apple's platforms.
  open var magnetometerUpdateInterval: TimeInterval {
    get { core.monitor.withLock { core.magnetometer.interval } }
    set { core.monitor.withLock { core.magnetometer.interval = newValue } }
  }

  /// Whether the source has the raw field, which includes the hard-iron field.
  open var isMagnetometerAvailable: Bool { core.has(.magnetometer) }

  /// Whether the magnetometer updates are active.
  open var isMagnetometerActive: Bool { core.monitor.withLock { core.magnetometer.isActive } }

  /// The latest sample, or `nil` before the first one and after the stop.
  open var magnetometerData: CMMagnetometerData? {
    core.monitor.withLock { core.magnetometer.latest }.map(CMMagnetometerData.init)
  }

  /// Starts storing the latest raw field.
  open func startMagnetometerUpdates() { core.start(core.magnetometer, of: .magnetometer, nil) }

  /// Calls the handler on a queue with each raw field, or with an error.
  @preconcurrency open func startMagnetometerUpdates(
    to queue: OperationQueue, withHandler handler: @escaping @Sendable (CMMagnetometerData?, (any Error)?) -> Void
  ) {
    core.start(core.magnetometer, of: .magnetometer, subscription(queue, handler, CMMagnetometerData.init))
  }

  /// Stops the updates.
  open func stopMagnetometerUpdates() { core.stop(core.magnetometer) }

  // MARK: Device motion

  /// The interval of the device-motion updates, in seconds.
  open var deviceMotionUpdateInterval: TimeInterval {
    get { core.monitor.withLock { core.deviceMotion.interval } }
    set { core.monitor.withLock { core.deviceMotion.interval = newValue } }
  }

  /// Whether the source has an accelerometer and a gyroscope.
  open var isDeviceMotionAvailable: Bool { !core.frames.isEmpty }

  /// Whether the device-motion updates are active.
  open var isDeviceMotionActive: Bool { core.monitor.withLock { core.deviceMotion.isActive } }

  /// The latest motion, as a new object each time, or `nil` before the first one and after the stop.
  open var deviceMotion: CMDeviceMotion? {
    core.monitor.withLock { core.deviceMotion.latest }.map { CMDeviceMotion($0) }
  }

  /// Returns the frames that the process's sensors support.
  open class func availableAttitudeReferenceFrames() -> CMAttitudeReferenceFrame {
    MotionSensors.defaultSource.map(CMAttitudeReferenceFrame.available) ?? []
  }

  /// The frames that the manager's sensors support. Added to Apple's interface.
  open var availableFrames: CMAttitudeReferenceFrame { core.frames }

  /// The frame of the last start; initially the default, `xArbitraryZVertical`.
  open var attitudeReferenceFrame: CMAttitudeReferenceFrame { core.monitor.withLock { frame } }

  /// Whether a device would show a request to move it; stored only, as there is no display.
  open var showsDeviceMovementDisplay: Bool {
    get { core.monitor.withLock { showsMovementDisplay } }
    set { core.monitor.withLock { showsMovementDisplay = newValue } }
  }

  /// Starts storing the latest motion.
  open func startDeviceMotionUpdates() { startDeviceMotionUpdates(using: .xArbitraryZVertical) }

  /// Calls the handler on a queue with each motion, or with an error.
  @preconcurrency open func startDeviceMotionUpdates(
    to queue: OperationQueue, withHandler handler: @escaping @Sendable (CMDeviceMotion?, (any Error)?) -> Void
  ) {
    startDeviceMotionUpdates(using: .xArbitraryZVertical, to: queue, withHandler: handler)
  }

  /// Starts storing the latest motion, in a reference frame.
  open func startDeviceMotionUpdates(using referenceFrame: CMAttitudeReferenceFrame) { start(referenceFrame, nil) }

  /// Starts the updates in one of the `availableFrames`. A start in any other frame has no effect, and its handler
  /// receives `CMErrorNotAvailable`, or `CMErrorInvalidParameter` if the value is not a single frame.
  ///
  /// The first motion is available within two samples of the start (of the field, in a frame that uses it). The
  /// attitude converges during the first second, and in a north frame `heading` is -1 until the first field is used. If
  /// the source has no place, the handler receives `CMErrorTrueNorthNotAvailable` and no motion. It receives
  /// `CMErrorDeviceRequiresMovement` once if a north frame has had no calibrated field for 5 s.
  @preconcurrency open func startDeviceMotionUpdates(
    using referenceFrame: CMAttitudeReferenceFrame, to queue: OperationQueue,
    withHandler handler: @escaping @Sendable (CMDeviceMotion?, (any Error)?) -> Void
  ) {
    start(referenceFrame, subscription(queue, handler) { CMDeviceMotion($0) })
  }

  /// Stops the updates.
  open func stopDeviceMotionUpdates() { core.stop(core.deviceMotion) }

  private func start(_ referenceFrame: CMAttitudeReferenceFrame, _ subscription: UpdateSubscription<DeviceMotion>?) {
    guard core.startDeviceMotion(using: referenceFrame, subscription) else { return }
    core.monitor.withLock { frame = referenceFrame }
  }

  private func subscription<Value: Sendable, Item>(
    _ queue: OperationQueue, _ handler: @escaping (Item?, (any Error)?) -> Void, _ item: @escaping (Value) -> Item
  ) -> UpdateSubscription<Value> {
    UpdateSubscription(queue: queue, monitor: core.monitor, handler: handler, item: item)
  }
}
