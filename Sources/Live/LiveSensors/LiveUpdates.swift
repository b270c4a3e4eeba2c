internal import DequeModule
public import InertialFilters
public import InertialFusion
public import InertialLogs
public import InertialSensors

extension SensorSource {
  /// The device's motion as it becomes known: `for await motion in source.deviceMotions() { ... }`.
  ///
  /// - Parameters:
  ///   - filter: what fuses; with its defaults.
  ///   - configuration: by default the motions of the start come at once, as a phone gives them.
  ///   - interval: seconds between the motions given; 0 for all of them. Those nearest to a grid are.
  ///   - bufferSize: motions that may wait for the loop. When one more comes, the oldest is dropped and counted; a
  ///     source that waits for its receivers waits instead.
  public func deviceMotions(
    filter: FilterKind = FilterKind.named(FilterKind.standard)!,
    configuration: DeviceMotionEstimator.Configuration = .live,
    interval: Double = 0, bufferSize: Int = 1024
  ) -> DeviceMotionUpdates {
    let estimator: DeviceMotionEstimator
    do throws(FilterSettingError) {
      estimator = try DeviceMotionEstimator(filter: filter, configuration: configuration)
    } catch {
      preconditionFailure("a filter's defaults are in their ranges: \(error)")
    }
    return deviceMotions(estimator: estimator, interval: interval, bufferSize: bufferSize)
  }

  /// As the other, with an estimator of the caller's own.
  public func deviceMotions(
    estimator: DeviceMotionEstimator, interval: Double = 0, bufferSize: Int = 1024
  ) -> DeviceMotionUpdates {
    DeviceMotionUpdates(source: self, estimator: estimator, interval: interval, bufferSize: bufferSize)
  }
}

/// The motions of a source, one after the other: a sequence for one loop.
///
/// The source is attached to when the loop begins, and left when it ends, is broken off or its task is cancelled. The
/// sequence ends with the source. A discontinuity begins the estimation anew.
public struct DeviceMotionUpdates: AsyncSequence, Sendable {
  public typealias Element = DeviceMotion
  public typealias Failure = Never

  private let source: any SensorSource
  private let estimator: DeviceMotionEstimator
  private let interval: Double
  private let bufferSize: Int
  private let counts = UpdateCounts()

  init(source: any SensorSource, estimator: DeviceMotionEstimator, interval: Double, bufferSize: Int) {
    precondition(bufferSize > 0, "a buffer holds at least one motion, not \(bufferSize)")
    self.source = source
    self.estimator = estimator
    self.interval = interval
    self.bufferSize = bufferSize
  }

  /// Motions that were dropped, as the loop did not take them in time.
  public var droppedCount: Int { counts.monitor.withLock { counts.dropped } }
  /// Whether the source has said that it is silent, and nothing has come since.
  public var isSilent: Bool { counts.monitor.withLock { counts.isSilent } }
  /// Why the source has ended; nil while it goes on, and where its end is none but that.
  public var failure: LogError? { counts.monitor.withLock { counts.failure } }

  public func makeAsyncIterator() -> Iterator {
    let mailbox = MotionMailbox(
      source: source, estimator: estimator, interval: interval, capacity: bufferSize, counts: counts)
    return Iterator(subscription: MotionSubscription(mailbox, source.attach(mailbox)))
  }

  /// Waits for the next motion.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let subscription: MotionSubscription

    public mutating func next() async -> DeviceMotion? {
      let subscription = subscription
      return await withTaskCancellationHandler {
        await subscription.mailbox.next()
      } onCancel: {
        subscription.end()
      }
    }
  }
}

/// What a sequence can be asked.
private final class UpdateCounts: @unchecked Sendable {
  let monitor = Monitor()
  var dropped = 0
  var isSilent = false
  var failure: LogError?
}

/// A loop's hold on its source; goes with the iterator.
private final class MotionSubscription: Sendable {
  let mailbox: MotionMailbox
  private let attachment: SensorAttachment

  init(_ mailbox: MotionMailbox, _ attachment: SensorAttachment) {
    self.mailbox = mailbox
    self.attachment = attachment
  }

  deinit { end() }

  func end() {
    // The source may be waiting for room in the mailbox; when there is some, it must not run on.
    attachment.leaveSource()
    mailbox.close()
    attachment.cancel()
  }
}

/// Estimates on the source's thread, and keeps what the loop has not taken.
private final class MotionMailbox: SensorReceiver, @unchecked Sendable {
  private let monitor = Monitor()
  private let source: any SensorSource
  private let start: DeviceMotionEstimator
  private let interval: Double
  private let capacity: Int
  private let counts: UpdateCounts

  // The source's thread alone uses these.
  private var estimator: DeviceMotionEstimator
  private var grid = UpdateGrid()

  // Under the monitor.
  private var waiting: Deque<DeviceMotion> = []
  private var reader: CheckedContinuation<DeviceMotion?, Never>?
  private var isClosed = false

  init(
    source: any SensorSource, estimator: DeviceMotionEstimator, interval: Double, capacity: Int, counts: UpdateCounts
  ) {
    self.source = source
    start = estimator
    self.estimator = estimator
    self.interval = interval
    self.capacity = capacity
    self.counts = counts
  }

  func receive(_ event: SensorEvent) {
    switch event {
    case .samples(let samples):
      counts.monitor.withLock { counts.isSilent = false }
      for sample in samples {
        estimator.append(sample)
        handOn()
      }
      if let last = samples.last {
        estimator.close(through: last.time)
        handOn()
      }
    case .auxiliary: counts.monitor.withLock { counts.isSilent = false }
    case .silence: counts.monitor.withLock { counts.isSilent = true }
    case .discontinuity:
      estimator = start
      grid = UpdateGrid()
    case .end(let error):
      estimator.finish()
      handOn()
      counts.monitor.withLock { counts.failure = error }
      close()
    }
  }

  private func handOn() {
    while let motion = estimator.next() {
      if grid.takes(motion.time, interval: interval) { put(motion) }
    }
  }

  private func put(_ motion: DeviceMotion) {
    let waits = source.waitsForReceivers
    monitor.lock()
    while waits, waiting.count >= capacity, !isClosed { monitor.wait() }
    guard !isClosed else { return monitor.unlock() }
    if let reader {
      self.reader = nil
      monitor.unlock()
      reader.resume(returning: motion)
      return
    }
    let isFull = waiting.count >= capacity
    if isFull { waiting.removeFirst() }
    waiting.append(motion)
    monitor.unlock()
    if isFull { counts.monitor.withLock { counts.dropped += 1 } }
  }

  func next() async -> DeviceMotion? {
    await withCheckedContinuation { continuation in
      monitor.lock()
      if let motion = waiting.popFirst() {
        monitor.broadcast()
        monitor.unlock()
        continuation.resume(returning: motion)
      } else if isClosed {
        monitor.unlock()
        continuation.resume(returning: nil)
      } else {
        precondition(reader == nil, "a sequence of motions is for one loop")
        reader = continuation
        monitor.unlock()
      }
    }
  }

  /// Nothing more comes in; what waits can still be taken.
  func close() {
    let last = monitor.withLock {
      isClosed = true
      monitor.broadcast()
      defer { reader = nil }
      return reader
    }
    last?.resume(returning: nil)
  }
}
