public import Foundation
public import InertialLive
internal import InertialRecognition
internal import InertialSensors

/// A handler of relative altitudes, or an error.
public typealias CMAltitudeHandler = (CMAltitudeData?, (any Error)?) -> Void
/// A handler of absolute altitudes, or an error.
public typealias CMAbsoluteAltitudeHandler = (CMAbsoluteAltitudeData?, (any Error)?) -> Void

/// Altitude from the barometer of the source. The relative altitude is estimated by the toolkit's altimeter, from 0 at
/// each start; the absolute altitude is the device's own, as recorded. If the source lacks the channel, a start has no
/// effect, and its handler receives `CMErrorNotAvailable`; without permission (`MotionPermission`) it receives
/// `CMErrorMotionActivityNotAuthorized`.
open class CMAltimeter: NSObject, @unchecked Sendable {
  private let monitor = Monitor()
  private let relative: UpdateStream<AltitudeData>
  private let absolute: UpdateStream<AuxiliarySample>
  private var altimeter = Altimeter()
  private var listener: SourceListener?

  /// Creates an altimeter for the process's sensors.
  public override convenience init() { self.init(source: nil) }

  /// Creates an altimeter for the given source, or for the process's if `nil`. Added to Apple's interface.
  public init(source: (any SensorSource)?) {
    relative = UpdateStream(interval: 0, monitor: monitor)
    absolute = UpdateStream(interval: 0, monitor: monitor)
    super.init()
    listener = SourceListener(source: source, monitor: monitor, wantsMotion: false) { [weak self] in
      self?.take($0, token: $1)
    }
  }

  deinit {
    stopRelativeAltitudeUpdates()
    stopAbsoluteAltitudeUpdates()
  }

  /// Returns whether the source has a barometer.
  open class func isRelativeAltitudeAvailable() -> Bool {
    MotionSensors.defaultSource?.auxiliaryChannels.contains(.barometer) ?? false
  }

  /// Returns whether the source has absolute altitudes.
  open class func isAbsoluteAltitudeAvailable() -> Bool {
    MotionSensors.defaultSource?.auxiliaryChannels.contains(.absoluteAltitude) ?? false
  }

  /// Returns whether the app may read motion data.
  open class func authorizationStatus() -> CMAuthorizationStatus { MotionPermission.current.authorizationStatus }

  /// Calls the handler on a queue with each relative altitude, or with an error.
  @preconcurrency open func startRelativeAltitudeUpdates(
    to queue: OperationQueue, withHandler handler: @escaping @Sendable (CMAltitudeData?, (any Error)?) -> Void
  ) {
    let subscription = UpdateSubscription(queue: queue, monitor: monitor, handler: handler) { CMAltitudeData($0) }
    start(relative, of: .barometer, subscription) { altimeter = Altimeter() }
  }

  /// Stops the updates.
  open func stopRelativeAltitudeUpdates() { stop(relative) }

  /// Calls the handler on a queue with each absolute altitude, or with an error.
  @preconcurrency open func startAbsoluteAltitudeUpdates(
    to queue: OperationQueue, withHandler handler: @escaping @Sendable (CMAbsoluteAltitudeData?, (any Error)?) -> Void
  ) {
    let subscription = UpdateSubscription(queue: queue, monitor: monitor, handler: handler) {
      CMAbsoluteAltitudeData($0)
    }
    start(absolute, of: .absoluteAltitude, subscription)
  }

  /// Stops the updates.
  open func stopAbsoluteAltitudeUpdates() { stop(absolute) }

  /// Starts a stream.
  ///
  /// - Parameter begin: A closure that resets the previous state, called under the monitor.
  private func start<Value>(
    _ stream: UpdateStream<Value>, of channel: AuxiliaryChannel, _ subscription: UpdateSubscription<Value>,
    _ begin: () -> Void = {}
  ) {
    guard let source = listener?.source, source.auxiliaryChannels.contains(channel) else {
      return subscription.refuse(CMErrorNotAvailable)
    }
    guard MotionPermission.isGranted() else { return subscription.refuse(CMErrorMotionActivityNotAuthorized) }
    listener?.start(stream, to: source) {
      begin()
      return stream.start(subscription, of: source)
    }
  }

  private func stop<Value>(_ stream: UpdateStream<Value>) {
    let last = listener?.stop(stream) { stream.stop() }
    last?.queue.cancelAllOperations()
  }

  private func take(_ event: RecognitionEvent, token: Int) {
    let waits = listener?.source?.waitsForReceivers ?? false
    let (altitudes, generation) = monitor.withLock { () -> ([AltitudeData], Int) in
      guard listener?.isCurrent(token) == true, relative.isActive else { return ([], 0) }
      return (self.altitudes(by: event), relative.generation)
    }
    for data in altitudes {
      monitor.withLock { relative.offer(data, at: data.time, generation: generation, waits: waits) }?.enqueue()
    }
    guard case .input(.other(let sample)) = event, sample.channel == .absoluteAltitude else { return }
    monitor.withLock {
      listener?.isCurrent(token) == true ? absolute.offer(sample, at: sample.time, waits: waits) : nil
    }?.enqueue()
  }

  private func altitudes(by event: RecognitionEvent) -> [AltitudeData] {
    switch event {
    case .input(.other(let sample)): return BarometerSample(sample).map { altimeter.update($0) } ?? []
    case .discontinuity: altimeter = Altimeter()
    case .end: return altimeter.finish().map { [$0] } ?? []
    case .input(.motion): break
    }
    return []
  }
}
