public import Foundation
public import InertialFilters
public import InertialLive
internal import InertialSensors

/// What takes accelerations, or an error.
public typealias CMAccelerometerHandler = (CMAccelerometerData?, (any Error)?) -> Void
/// What takes rotation rates, or an error.
public typealias CMGyroHandler = (CMGyroData?, (any Error)?) -> Void
/// What takes raw fields, or an error.
public typealias CMMagnetometerHandler = (CMMagnetometerData?, (any Error)?) -> Void
/// What takes motions, or an error.
public typealias CMDeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void

/// Starts and stops the updates of the motion sensors, which come from a source: the process's
/// (`MotionSensors.setDefault`) or the manager's own.
///
/// Two ways to the data, as on Apple's platforms. Pull: start without a handler, and read the latest. Push: start with a
/// queue and a handler, which is called in order, once at a time, until the stop. One handler for each kind: a new start
/// replaces it. After a stop the data are nil, the queue's operations are cancelled, and no call of the handler begins;
/// one that has begun on another thread is not waited for. Where the source has no such sensor, or there is none, a start
/// changes nothing, and its handler is told so once, with `CMErrorNotAvailable`.
///
/// Intervals are kept as set and capped in effect: the samples nearest to a grid of the interval are given on, all of
/// them where it is shorter than the sensor's own. At most 1024 updates wait for a handler. When one more comes, the oldest
/// is dropped and counted (`droppedCount`); a recording that is played as fast as possible waits instead. Timestamps are
/// the source's own. A manager may be used from any thread.
open class CMMotionManager: NSObject, @unchecked Sendable {
  private let core: MotionCore
  private var frame = CMAttitudeReferenceFrame.xArbitraryZVertical
  private var showsMovementDisplay = false

  /// A manager of the process's sensors.
  public override convenience init() { self.init(source: nil) }

  /// A manager of a source of its own; nil: of the process's. Added to Apple's interface.
  ///
  /// - `filter`: what fuses; with its defaults.
  public init(source: (any SensorSource)?, filter: FilterKind = FilterKind.named(FilterKind.standard)!) {
    core = MotionCore(source: source, filter: filter)
  }

  deinit { core.stopAll() }

  /// Updates that handlers did not take in time, of all streams. Added to Apple's interface.
  open var droppedCount: Int {
    core.monitor.withLock {
      core.accelerometer.droppedCount + core.gyroscope.droppedCount + core.magnetometer.droppedCount
        + core.deviceMotion.droppedCount
    }
  }

  /// Called on the source's thread when it falls silent or ends. Added to Apple's interface.
  open var sourceStatusHandler: (@Sendable (SensorSourceStatus) -> Void)? {
    get { core.status }
    set { core.setStatusHandler(newValue) }
  }

  // MARK: Accelerometer

  /// Seconds.
  open var accelerometerUpdateInterval: TimeInterval {
    get { core.monitor.withLock { core.accelerometer.interval } }
    set { core.monitor.withLock { core.accelerometer.interval = newValue } }
  }

  /// Whether the source has what is asked for.
  open var isAccelerometerAvailable: Bool { core.has(.accelerometer) }

  /// Whether updates have been started and not stopped.
  open var isAccelerometerActive: Bool { core.monitor.withLock { core.accelerometer.isActive } }

  /// The latest sample; nil before the first and after the stop.
  open var accelerometerData: CMAccelerometerData? {
    core.monitor.withLock { core.accelerometer.latest }.map(CMAccelerometerData.init)
  }

  /// Begins to keep the latest acceleration.
  open func startAccelerometerUpdates() { core.start(core.accelerometer, of: .accelerometer, nil) }

  /// Calls the handler on a queue with each acceleration, or with an error.
  open func startAccelerometerUpdates(to queue: OperationQueue, withHandler handler: @escaping CMAccelerometerHandler) {
    core.start(core.accelerometer, of: .accelerometer, subscription(queue, handler, CMAccelerometerData.init))
  }

  /// Ends the updates.
  open func stopAccelerometerUpdates() { core.stop(core.accelerometer) }

  // MARK: Gyroscope

  /// Seconds.
  open var gyroUpdateInterval: TimeInterval {
    get { core.monitor.withLock { core.gyroscope.interval } }
    set { core.monitor.withLock { core.gyroscope.interval = newValue } }
  }

  /// Whether the source has what is asked for.
  open var isGyroAvailable: Bool { core.has(.gyroscope) }

  /// Whether updates have been started and not stopped.
  open var isGyroActive: Bool { core.monitor.withLock { core.gyroscope.isActive } }

  /// The latest sample; nil before the first and after the stop.
  open var gyroData: CMGyroData? { core.monitor.withLock { core.gyroscope.latest }.map(CMGyroData.init) }

  /// Begins to keep the latest rotation rate.
  open func startGyroUpdates() { core.start(core.gyroscope, of: .gyroscope, nil) }

  /// Calls the handler on a queue with each rotation rate, or with an error.
  open func startGyroUpdates(to queue: OperationQueue, withHandler handler: @escaping CMGyroHandler) {
    core.start(core.gyroscope, of: .gyroscope, subscription(queue, handler, CMGyroData.init))
  }

  /// Ends the updates.
  open func stopGyroUpdates() { core.stop(core.gyroscope) }

  // MARK: Magnetometer

  /// Seconds. Default: 0.04, as on Apple's platforms.
  open var magnetometerUpdateInterval: TimeInterval {
    get { core.monitor.withLock { core.magnetometer.interval } }
    set { core.monitor.withLock { core.magnetometer.interval = newValue } }
  }

  /// Whether the source has the raw field, the device's own included.
  open var isMagnetometerAvailable: Bool { core.has(.magnetometer) }

  /// Whether updates have been started and not stopped.
  open var isMagnetometerActive: Bool { core.monitor.withLock { core.magnetometer.isActive } }

  /// The latest sample; nil before the first and after the stop.
  open var magnetometerData: CMMagnetometerData? {
    core.monitor.withLock { core.magnetometer.latest }.map(CMMagnetometerData.init)
  }

  /// Begins to keep the latest raw field.
  open func startMagnetometerUpdates() { core.start(core.magnetometer, of: .magnetometer, nil) }

  /// Calls the handler on a queue with each raw field, or with an error.
  open func startMagnetometerUpdates(to queue: OperationQueue, withHandler handler: @escaping CMMagnetometerHandler) {
    core.start(core.magnetometer, of: .magnetometer, subscription(queue, handler, CMMagnetometerData.init))
  }

  /// Ends the updates.
  open func stopMagnetometerUpdates() { core.stop(core.magnetometer) }

  // MARK: Device motion

  /// Seconds.
  open var deviceMotionUpdateInterval: TimeInterval {
    get { core.monitor.withLock { core.deviceMotion.interval } }
    set { core.monitor.withLock { core.deviceMotion.interval = newValue } }
  }

  /// Whether the source has an accelerometer and a gyroscope.
  open var isDeviceMotionAvailable: Bool { !core.frames.isEmpty }

  /// Whether updates have been started and not stopped.
  open var isDeviceMotionActive: Bool { core.monitor.withLock { core.deviceMotion.isActive } }

  /// The latest motion, an object of its own each time; nil before the first and after the stop.
  open var deviceMotion: CMDeviceMotion? {
    core.monitor.withLock { core.deviceMotion.latest }.map { CMDeviceMotion($0) }
  }

  /// The frames that the process's sensors give.
  open class func availableAttitudeReferenceFrames() -> CMAttitudeReferenceFrame {
    MotionSensors.defaultSource.map(CMAttitudeReferenceFrame.available) ?? []
  }

  /// The frames that the manager's sensors give. Added to Apple's interface.
  open var availableFrames: CMAttitudeReferenceFrame { core.frames }

  /// The frame of the last start; before it the default, `xArbitraryZVertical`.
  open var attitudeReferenceFrame: CMAttitudeReferenceFrame { core.monitor.withLock { frame } }

  /// Whether a device would show that it must be moved; kept, as there is no display here.
  open var showsDeviceMovementDisplay: Bool {
    get { core.monitor.withLock { showsMovementDisplay } }
    set { core.monitor.withLock { showsMovementDisplay = newValue } }
  }

  /// Begins to keep the latest motion.
  open func startDeviceMotionUpdates() { startDeviceMotionUpdates(using: .xArbitraryZVertical) }

  /// Calls the handler on a queue with each motion, or with an error.
  open func startDeviceMotionUpdates(to queue: OperationQueue, withHandler handler: @escaping CMDeviceMotionHandler) {
    startDeviceMotionUpdates(using: .xArbitraryZVertical, to: queue, withHandler: handler)
  }

  /// Begins to keep the latest motion, in a reference frame.
  open func startDeviceMotionUpdates(using referenceFrame: CMAttitudeReferenceFrame) { start(referenceFrame, nil) }

  /// Motion comes in one of the `availableFrames`; a start in any other changes nothing, and its handler is told
  /// `CMErrorNotAvailable`, or `CMErrorInvalidParameter` where that is no single frame.
  ///
  /// The first motion comes within two samples of the start (in a frame that uses the field, of the field). For a second
  /// the attitude still settles, and in a frame of north `heading` is -1 until the first field is used. The handler is told `CMErrorTrueNorthNotAvailable` where the
  /// source knows no place, and then no motion; and once `CMErrorDeviceRequiresMovement` where a frame of north has gone
  /// without a calibrated field for 5 s.
  open func startDeviceMotionUpdates(
    using referenceFrame: CMAttitudeReferenceFrame, to queue: OperationQueue,
    withHandler handler: @escaping CMDeviceMotionHandler
  ) {
    start(referenceFrame, subscription(queue, handler) { CMDeviceMotion($0) })
  }

  /// Ends the updates.
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

extension UpdateSubscription {
  /// With a handler in Apple's form.
  convenience init<Item>(
    queue: OperationQueue, monitor: Monitor, handler: @escaping (Item?, (any Error)?) -> Void,
    item: @escaping (Value) -> Item
  ) {
    self.init(queue: queue, monitor: monitor) { update in
      switch update {
      case .value(let value, _): handler(item(value), nil)
      case .error(let error): handler(nil, error.nsError)
      }
    }
  }
}

extension CMAccelerometerData {
  convenience init(_ sample: SensorSample) {
    self.init(acceleration: CMAcceleration(x: sample.x, y: sample.y, z: sample.z), timestamp: sample.time)
  }
}

extension CMGyroData {
  convenience init(_ sample: SensorSample) {
    self.init(rotationRate: CMRotationRate(x: sample.x, y: sample.y, z: sample.z), timestamp: sample.time)
  }
}

extension CMMagnetometerData {
  convenience init(_ sample: SensorSample) {
    self.init(magneticField: CMMagneticField(x: sample.x, y: sample.y, z: sample.z), timestamp: sample.time)
  }
}
