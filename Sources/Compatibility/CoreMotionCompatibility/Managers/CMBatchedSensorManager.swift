public import Foundation
internal import InertialFilters
public import InertialLive
internal import InertialSensors

/// Accelerometer and device-motion samples in batches of one second, with every sample of the source.
///
/// On Apple's platforms the rates are 800 and 200 Hz, on a watch during a workout; here they are the source's own. The
/// last batch, shorter than a second, is delivered when the source ends. Otherwise the class behaves like
/// `CMMotionManager`; a loop over batches of a missing sensor throws `CMErrorNotAvailable`.
open class CMBatchedSensorManager: NSObject, @unchecked Sendable {
  /// A handler of acceleration batches, or an error.
  public typealias AccelerometerHandler = ([CMAccelerometerData]?, (any Error)?) -> Void
  /// A handler of motion batches, or an error.
  public typealias DeviceMotionHandler = ([CMDeviceMotion]?, (any Error)?) -> Void

  private let core: MotionCore
  private let queue = OperationQueue()
  private var accelerations: SampleBatch<CMAccelerometerData>?
  private var motions: SampleBatch<CMDeviceMotion>?

  /// Creates a manager for the process's sensors.
  public override convenience init() { self.init(source: nil) }

  /// Creates a manager for the given source, or for the process's if `nil`. Added to Apple's interface.
  public init(source: (any SensorSource)?) {
    core = MotionCore(source: source, filter: FilterKind.standard)
    queue.maxConcurrentOperationCount = 1
    super.init()
    core.accelerometer.interval = 0
    core.deviceMotion.interval = 0
    core.status = { [weak self] status in
      guard case .ended = status, let self else { return }
      // After the last updates.
      queue.addOperation { [weak self] in self?.finish() }
    }
  }

  deinit { core.stopAll() }

  /// Whether the app may read motion data.
  open class var authorizationStatus: CMAuthorizationStatus { MotionPermission.current.authorizationStatus }

  /// Whether the source has an accelerometer.
  open class var isAccelerometerSupported: Bool {
    MotionSensors.defaultSource?.channels.contains(.accelerometer) ?? false
  }

  /// Whether the source has the sensors for device motion.
  open class var isDeviceMotionSupported: Bool {
    !CMMotionManager.availableAttitudeReferenceFrames().isEmpty
  }

  /// Whether the accelerometer updates are active.
  open var isAccelerometerActive: Bool { core.monitor.withLock { core.accelerometer.isActive } }

  /// Whether the device-motion updates are active.
  open var isDeviceMotionActive: Bool { core.monitor.withLock { core.deviceMotion.isActive } }

  /// The accelerometer rate in Hz, rounded, or 0 if the source does not know it in advance.
  open var accelerometerDataFrequency: Int { frequency(of: .accelerometer) }

  /// The device-motion rate in Hz, rounded, or 0 if the source does not know it in advance.
  open var deviceMotionDataFrequency: Int { frequency(of: .gyroscope) }

  /// The latest batch, or `nil` before the first one and after the stop.
  open var accelerometerBatch: [CMAccelerometerData]? { core.monitor.withLock { accelerations }?.latest }

  /// The latest batch, or `nil` before the first one and after the stop.
  open var deviceMotionBatch: [CMDeviceMotion]? { core.monitor.withLock { motions }?.latest }

  /// Starts the updates. Ignored without permission (`MotionPermission`).
  open func startAccelerometerUpdates() {
    if MotionPermission.isGranted() { startAccelerometer(SampleBatch(handler: nil)) }
  }

  /// Starts the updates. Without permission (`MotionPermission`) the handler receives `CMErrorNotAuthorized`.
  @preconcurrency open func startAccelerometerUpdates(
    handler: @escaping @Sendable ([CMAccelerometerData]?, (any Error)?) -> Void
  ) {
    guard MotionPermission.isGranted() else { return refuse(handler) }
    startAccelerometer(SampleBatch(handler: handler))
  }

  /// Stops the updates.
  open func stopAccelerometerUpdates() {
    core.stop(core.accelerometer)
    keep(nil, as: \.accelerations)
  }

  /// Starts the updates. Ignored without permission (`MotionPermission`).
  open func startDeviceMotionUpdates() {
    if MotionPermission.isGranted() { startMotion(SampleBatch(handler: nil)) }
  }

  /// Starts the updates. Without permission (`MotionPermission`) the handler receives `CMErrorNotAuthorized`.
  @preconcurrency open func startDeviceMotionUpdates(
    handler: @escaping @Sendable ([CMDeviceMotion]?, (any Error)?) -> Void
  ) {
    guard MotionPermission.isGranted() else { return refuse(handler) }
    startMotion(SampleBatch(handler: handler))
  }

  /// Stops the updates.
  open func stopDeviceMotionUpdates() {
    core.stop(core.deviceMotion)
    keep(nil, as: \.motions)
  }

  /// Returns the batches as a sequence; the updates stop with the loop. The latest 16 batches are buffered.
  open func accelerometerUpdates() -> AsyncThrowingStream<[CMAccelerometerData], any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
      continuation.onTermination = { [weak self] _ in self?.stopAccelerometerUpdates() }
      startAccelerometerUpdates { batch, error in Self.hand(batch, error, to: continuation) }
    }
  }

  /// Returns the batches as a sequence; the updates stop with the loop. The latest 16 batches are buffered.
  open func deviceMotionUpdates() -> AsyncThrowingStream<[CMDeviceMotion], any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
      continuation.onTermination = { [weak self] _ in self?.stopDeviceMotionUpdates() }
      startDeviceMotionUpdates { batch, error in Self.hand(batch, error, to: continuation) }
    }
  }

  private static func hand<Item: Sendable>(
    _ batch: [Item]?, _ error: (any Error)?, to continuation: AsyncThrowingStream<[Item], any Error>.Continuation
  ) {
    if let error { continuation.finish(throwing: error) } else if let batch { continuation.yield(batch) }
  }

  private func refuse<Item>(_ handler: @escaping @Sendable ([Item]?, (any Error)?) -> Void) {
    queue.addOperation { handler(nil, CMErrorNotAuthorized.nsError) }
  }

  private func frequency(of channel: SensorChannel) -> Int {
    core.source?.rate(of: channel).map { Int($0.rounded()) } ?? 0
  }

  private func startAccelerometer(_ batch: SampleBatch<CMAccelerometerData>) {
    keep(batch, as: \.accelerations)
    let subscription = UpdateSubscription<SensorSample>(
      queue: queue, monitor: core.monitor, handler: batch.add, item: CMAccelerometerData.init)
    core.start(core.accelerometer, of: .accelerometer, subscription)
  }

  private func startMotion(_ batch: SampleBatch<CMDeviceMotion>) {
    keep(batch, as: \.motions)
    let subscription = UpdateSubscription<DeviceMotion>(queue: queue, monitor: core.monitor, handler: batch.add) {
      CMDeviceMotion($0)
    }
    _ = core.startDeviceMotion(using: .xArbitraryZVertical, subscription)
  }

  /// The previous batch's handler may own the caller, so it is released outside the monitor.
  private func keep<Item>(
    _ batch: SampleBatch<Item>?, as place: ReferenceWritableKeyPath<CMBatchedSensorManager, SampleBatch<Item>?>
  ) {
    var batch = batch
    core.monitor.withLock { swap(&self[keyPath: place], &batch) }
  }

  private func finish() {
    let (accelerations, motions) = core.monitor.withLock { (self.accelerations, self.motions) }
    accelerations?.finish()
    motions?.finish()
  }
}
