internal import Foundation
internal import InertialFilters
internal import InertialFusion
internal import InertialLive
internal import InertialLogs
internal import InertialSensors

/// The shared part of the motion managers: the streams of an app, fed by one source.
///
/// It is attached to the source while a stream is active. Locks are acquired in a fixed order: the source's delivery,
/// the monitor, the source's own lock. Queues, and functions that wait for a delivery, are called outside the monitor.
final class MotionCore: @unchecked Sendable {
  let monitor = Monitor()
  let accelerometer: UpdateStream<SensorSample>
  let gyroscope: UpdateStream<SensorSample>
  let magnetometer: UpdateStream<SensorSample>
  let deviceMotion: UpdateStream<DeviceMotion>

  private let filter: FilterKind
  private var estimation: MotionEstimation?
  private let attachment: SourceAttachment
  private var statusHandler: (@Sendable (SensorSourceStatus) -> Void)?

  init(source: (any SensorSource)?, filter: FilterKind) {
    self.filter = filter
    attachment = SourceAttachment(source, monitor: monitor)
    accelerometer = UpdateStream(interval: 0.01, monitor: monitor)
    gyroscope = UpdateStream(interval: 0.01, monitor: monitor)
    magnetometer = UpdateStream(interval: 0.04, monitor: monitor)
    deviceMotion = UpdateStream(interval: 0.01, monitor: monitor)
  }

  /// The source that feeds the streams; without active streams, the manager's own source or the process's.
  var source: (any SensorSource)? { attachment.source }

  func has(_ channel: SensorChannel) -> Bool { source?.channels.contains(channel) ?? false }

  var frames: CMAttitudeReferenceFrame { source.map(CMAttitudeReferenceFrame.available) ?? [] }

  /// The handler of the source's status.
  var status: (@Sendable (SensorSourceStatus) -> Void)? {
    get { monitor.withLock { statusHandler } }
    set {
      // The previous handler may own the caller, so it is released outside the monitor.
      var handler = newValue
      monitor.withLock { swap(&statusHandler, &handler) }
    }
  }

  // MARK: Start and stop

  /// Starts a stream of a sensor; if the source lacks the sensor, the handler receives an error.
  func start(
    _ stream: UpdateStream<SensorSample>, of channel: SensorChannel, _ subscription: UpdateSubscription<SensorSample>?
  ) {
    guard let source, source.channels.contains(channel) else {
      subscription?.refuse(CMErrorNotAvailable)
      return
    }
    attach(to: source) { stream.start(subscription, of: source) }
  }

  /// Starts device motion; if the source's sensors do not support the frame, the handler receives an error.
  ///
  /// - Returns: Whether device motion was started.
  func startDeviceMotion(
    using frame: CMAttitudeReferenceFrame, _ subscription: UpdateSubscription<DeviceMotion>?
  ) -> Bool {
    guard CMAttitudeReferenceFrame.single.contains(frame) else {
      subscription?.refuse(CMErrorInvalidParameter)
      return false
    }
    guard let source, frames.contains(frame) else {
      subscription?.refuse(CMErrorNotAvailable)
      return false
    }
    // Without a place, the direction of true north is unknown.
    let isLost = frame == .xTrueNorthZVertical && source.declination == nil
    let new =
      isLost ? nil : MotionEstimation(frame: frame, declination: source.declination ?? 0, filter: filter)
    var failure: UpdateOperation<DeviceMotion>?
    attach(to: source) {
      let last = deviceMotion.start(subscription, of: source)
      estimation = new
      if isLost { failure = deviceMotion.fail(CMErrorTrueNorthNotAvailable) }
      return last
    }
    failure?.enqueue()
    return true
  }

  func stop<Value>(_ stream: UpdateStream<Value>) {
    let last = attachment.stop(isNeeded: { isActive }) {
      let last = stream.stop()
      if !deviceMotion.isActive { estimation = nil }
      return last
    }
    last?.queue.cancelAllOperations()
  }

  /// Stops all streams when the manager is deallocated: a source that waits for room in a queue retains the core until
  /// then.
  func stopAll() {
    for stream in [accelerometer, gyroscope, magnetometer] { stop(stream) }
    stop(deviceMotion)
  }

  private var isActive: Bool {
    accelerometer.isActive || gyroscope.isActive || magnetometer.isActive || deviceMotion.isActive
  }

  /// Starts a stream, and attaches the core to the source if needed.
  private func attach(to source: any SensorSource, _ start: () -> EndedSubscription?) {
    let receive: @Sendable (SensorEvent, Int) -> Void = { [weak self, weak source] event, token in
      self?.receive(event, token: token, waits: source?.waitsForReceivers ?? false)
    }
    attachment.start(source, receive: receive, isNeeded: { isActive }, start)
  }

  // MARK: Events

  /// Processes an event.
  ///
  /// - Parameter waits: Whether the source waits for room in queues.
  private func receive(_ event: SensorEvent, token: Int, waits: Bool) {
    switch event {
    case .samples(let samples):
      for sample in samples {
        forward(sample, token, waits)
        estimate(token, waits) { $0.estimator.append(sample) }
      }
      if let last = samples.last { estimate(token, waits) { $0.estimator.close(through: last.time) } }
    case .auxiliary: break
    case .silence(let seconds): status?(.silent(seconds))
    case .discontinuity:
      monitor.withLock {
        guard attachment.isCurrent(token) else { return }
        for stream in [accelerometer, gyroscope, magnetometer] { stream.forgetTimes() }
        deviceMotion.forgetTimes()
        estimation?.restart()
      }
    case .end(let error):
      // The motions that the estimation has delayed for later samples.
      estimate(token, waits, isEnd: true) { $0.estimator.finish() }
      status?(.ended(error))
    }
  }

  private func forward(_ sample: SensorSample, _ token: Int, _ waits: Bool) {
    let stream: UpdateStream<SensorSample>
    switch sample.channel {
    case .accelerometer: stream = accelerometer
    case .gyroscope: stream = gyroscope
    case .magnetometer: stream = magnetometer
    default: return
    }
    let operation = monitor.withLock {
      attachment.isCurrent(token) ? stream.offer(sample, at: sample.time, waits: waits) : nil
    }
    operation?.enqueue()
  }

  private func estimate(
    _ token: Int, _ waits: Bool, isEnd: Bool = false, _ change: (inout MotionEstimation) -> Void
  ) {
    var motions: [DeviceMotion] = []
    var needsMovement = false
    let generation = monitor.withLock {
      guard attachment.isCurrent(token), estimation != nil else { return 0 }
      change(&estimation!)
      while let motion = estimation!.next(isEnd: isEnd) {
        motions.append(motion)
        if estimation!.needsMovement(motion) { needsMovement = true }
      }
      return deviceMotion.generation
    }
    for motion in motions {
      let operation = monitor.withLock {
        deviceMotion.offer(motion, at: motion.time, generation: generation, waits: waits)
      }
      operation?.enqueue()
    }
    guard needsMovement else { return }
    let operation = monitor.withLock {
      generation == deviceMotion.generation ? deviceMotion.fail(CMErrorDeviceRequiresMovement) : nil
    }
    operation?.enqueue()
  }
}

extension CMAttitudeReferenceFrame {
  static let single: [CMAttitudeReferenceFrame] = [
    .xArbitraryZVertical, .xArbitraryCorrectedZVertical, .xMagneticNorthZVertical, .xTrueNorthZVertical,
  ]

  /// Returns the frames that a source's sensors support.
  static func available(_ source: any SensorSource) -> CMAttitudeReferenceFrame {
    let channels = source.channels
    guard channels.isSuperset(of: [.accelerometer, .gyroscope]) else { return [] }
    guard channels.contains(.magnetometer) || channels.contains(.calibratedMagneticField) else {
      return .xArbitraryZVertical
    }
    return CMAttitudeReferenceFrame(single)
  }
}
