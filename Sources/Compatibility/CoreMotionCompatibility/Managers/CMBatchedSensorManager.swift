public import Foundation
internal import InertialFilters
public import InertialLive
internal import InertialSensors

/// Samples of the accelerometer and device motion in batches of a second, every sample the source has.
///
/// On Apple's platforms 800 and 200 samples a second of a watch in a workout; here the source's own rates. The last
/// batch, of less than a second, comes with the source's end. As `CMMotionManager` in everything else; a loop over
/// batches of a sensor that is not there throws `CMErrorNotAvailable`.
open class CMBatchedSensorManager: NSObject, @unchecked Sendable {
  /// What takes batches of accelerations, or an error.
  public typealias AccelerometerHandler = ([CMAccelerometerData]?, (any Error)?) -> Void
  /// What takes batches of motions, or an error.
  public typealias DeviceMotionHandler = ([CMDeviceMotion]?, (any Error)?) -> Void

  private let core: MotionCore
  private let queue = OperationQueue()
  private var accelerations: SampleBatch<CMAccelerometerData>?
  private var motions: SampleBatch<CMDeviceMotion>?

  /// A manager of the process's sensors.
  public override convenience init() { self.init(source: nil) }

  /// A manager of a source of its own; nil: of the process's. Added to Apple's interface.
  public init(source: (any SensorSource)?) {
    core = MotionCore(source: source, filter: FilterKind.named(FilterKind.standard)!)
    queue.maxConcurrentOperationCount = 1
    super.init()
    core.accelerometer.interval = 0
    core.deviceMotion.interval = 0
    core.setStatusHandler { [weak self] status in
      guard case .ended = status, let self else { return }
      // Behind the last updates.
      queue.addOperation { [weak self] in self?.finish() }
    }
  }

  deinit { core.stopAll() }

  /// Whether the app may read motion.
  open class var authorizationStatus: CMAuthorizationStatus { MotionPermission.current.authorizationStatus }

  /// Whether the source has an accelerometer.
  open class var isAccelerometerSupported: Bool {
    MotionSensors.defaultSource?.channels.contains(.accelerometer) ?? false
  }

  /// Whether the source has what device motion is made of.
  open class var isDeviceMotionSupported: Bool {
    !CMMotionManager.availableAttitudeReferenceFrames().isEmpty
  }

  /// Whether updates have been started and not stopped.
  open var isAccelerometerActive: Bool { core.monitor.withLock { core.accelerometer.isActive } }

  /// Whether updates have been started and not stopped.
  open var isDeviceMotionActive: Bool { core.monitor.withLock { core.deviceMotion.isActive } }

  /// Hz, rounded; 0 where the source does not know it beforehand.
  open var accelerometerDataFrequency: Int { frequency(of: .accelerometer) }

  /// Hz, rounded; 0 where the source does not know it beforehand.
  open var deviceMotionDataFrequency: Int { frequency(of: .gyroscope) }

  /// The latest batch; nil before the first and after the stop.
  open var accelerometerBatch: [CMAccelerometerData]? { core.monitor.withLock { accelerations }?.latest }

  /// The latest batch; nil before the first and after the stop.
  open var deviceMotionBatch: [CMDeviceMotion]? { core.monitor.withLock { motions }?.latest }

  /// Ignored without permission (`MotionPermission`).
  open func startAccelerometerUpdates() {
    if MotionPermission.isGranted() { startAccelerometer(SampleBatch(handler: nil)) }
  }

  /// Without permission (`MotionPermission`) the handler gets `CMErrorNotAuthorized`.
  open func startAccelerometerUpdates(handler: @escaping AccelerometerHandler) {
    guard MotionPermission.isGranted() else { return refuse(handler) }
    startAccelerometer(SampleBatch(handler: handler))
  }

  /// Ends the updates.
  open func stopAccelerometerUpdates() {
    core.stop(core.accelerometer)
    keep(nil, as: \.accelerations)
  }

  /// Ignored without permission (`MotionPermission`).
  open func startDeviceMotionUpdates() {
    if MotionPermission.isGranted() { startMotion(SampleBatch(handler: nil)) }
  }

  /// Without permission (`MotionPermission`) the handler gets `CMErrorNotAuthorized`.
  open func startDeviceMotionUpdates(handler: @escaping DeviceMotionHandler) {
    guard MotionPermission.isGranted() else { return refuse(handler) }
    startMotion(SampleBatch(handler: handler))
  }

  /// Ends the updates.
  open func stopDeviceMotionUpdates() {
    core.stop(core.deviceMotion)
    keep(nil, as: \.motions)
  }

  /// The batches one after the other; the updates stop with the loop. Of batches that wait the latest 16 are kept.
  open func accelerometerUpdates() -> AsyncThrowingStream<[CMAccelerometerData], any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
      continuation.onTermination = { [weak self] _ in self?.stopAccelerometerUpdates() }
      startAccelerometerUpdates { batch, error in Self.hand(batch, error, to: continuation) }
    }
  }

  /// The batches one after the other; the updates stop with the loop. Of batches that wait the latest 16 are kept.
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

  private func refuse<Item>(_ handler: @escaping ([Item]?, (any Error)?) -> Void) {
    nonisolated(unsafe) let handler = handler
    queue.addOperation { handler(nil, CMErrorNotAuthorized.nsError) }
  }

  private func frequency(of channel: SensorChannel) -> Int {
    core.source?.rate(of: channel).map { Int($0.rounded()) } ?? 0
  }

  private func startAccelerometer(_ batch: SampleBatch<CMAccelerometerData>) {
    keep(batch, as: \.accelerations)
    core.start(
      core.accelerometer, of: .accelerometer,
      UpdateSubscription(queue: queue, monitor: core.monitor) { update in
        switch update {
        case .value(let sample, _): batch.add(CMAccelerometerData(sample))
        case .error(let error): batch.fail(error)
        }
      })
  }

  private func startMotion(_ batch: SampleBatch<CMDeviceMotion>) {
    keep(batch, as: \.motions)
    _ = core.startDeviceMotion(
      using: .xArbitraryZVertical,
      UpdateSubscription(queue: queue, monitor: core.monitor) { update in
        switch update {
        case .value(let motion, _): batch.add(CMDeviceMotion(motion))
        case .error(let error): batch.fail(error)
        }
      })
  }

  /// The batch before goes with its handler, which may own whoever calls: not under the monitor.
  private func keep<Item>(
    _ batch: SampleBatch<Item>?, as place: ReferenceWritableKeyPath<CMBatchedSensorManager, SampleBatch<Item>?>
  ) {
    let last = core.monitor.withLock {
      defer { self[keyPath: place] = batch }
      return self[keyPath: place]
    }
    withExtendedLifetime(last) {}
  }

  private func finish() {
    let (accelerations, motions) = core.monitor.withLock { (self.accelerations, self.motions) }
    accelerations?.finish()
    motions?.finish()
  }
}
