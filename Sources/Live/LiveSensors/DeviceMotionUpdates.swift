internal import DequeModule
public import InertialFilters
public import InertialFusion
public import InertialLogs
public import InertialSensors
internal import InertialSystem

extension SensorSource {
  /// Returns the device's motions as they are estimated: `for await motion in source.deviceMotions() { ... }`.
  ///
  /// - Parameters:
  ///   - filter: The attitude filter, with its default settings.
  ///   - configuration: The estimator's configuration. The default delivers the first motions immediately, as a phone
  ///     does.
  ///   - interval: The interval between the delivered motions, in seconds; 0 delivers all of them. The motions closest
  ///     to a grid of this interval are delivered.
  ///   - bufferSize: The number of motions that are buffered for the loop. If the buffer is full, the oldest motion is
  ///     dropped and counted; a source that waits for its receivers waits instead.
  public func deviceMotions(
    filter: FilterKind = FilterKind.standard,
    configuration: DeviceMotionEstimator.Configuration = .live,
    interval: Double = 0, bufferSize: Int = 1024
  ) -> DeviceMotionUpdates {
    deviceMotions(
      estimator: DeviceMotionEstimator(defaultsOf: filter, configuration: configuration), interval: interval,
      bufferSize: bufferSize)
  }

  /// Returns the device's motions as they are estimated, using the given estimator.
  public func deviceMotions(
    estimator: DeviceMotionEstimator, interval: Double = 0, bufferSize: Int = 1024
  ) -> DeviceMotionUpdates {
    DeviceMotionUpdates(source: self, estimator: estimator, interval: interval, bufferSize: bufferSize)
  }
}

/// The motions of a source, as a sequence for a single loop.
///
/// The loop attaches to the source when it begins, and detaches when it ends or its task is cancelled. The sequence
/// ends with the source. A discontinuity restarts the estimation. Motions that are buffered when a loop ends early are
/// lost, and a loop at the top level of a script stays attached until the program ends: put it into a function.
public struct DeviceMotionUpdates: AsyncSequence, Sendable {
  public typealias Element = DeviceMotion
  public typealias Failure = Never

  private let source: any SensorSource
  private let estimator: DeviceMotionEstimator
  private let interval: Double
  private let bufferSize: Int
  /// The state of all loops together.
  private let status = SharedState<UpdateStatus>((0, false, nil))

  init(source: any SensorSource, estimator: DeviceMotionEstimator, interval: Double, bufferSize: Int) {
    precondition(bufferSize > 0, "the buffer must hold at least one motion, not \(bufferSize)")
    self.source = source
    self.estimator = estimator
    self.interval = interval
    self.bufferSize = bufferSize
  }

  /// The number of motions that were dropped because the loop did not consume them in time.
  public var droppedCount: Int { status.withLock { $0.droppedCount } }
  /// Whether the source has reported silence and has delivered no sample since.
  public var isSilent: Bool { status.withLock { $0.isSilent } }
  /// The error that ended the source, or `nil` if the source is still running or has ended normally.
  public var failure: LogError? { status.withLock { $0.failure } }

  public func makeAsyncIterator() -> Iterator {
    let mailbox = MotionMailbox(
      source: source, estimator: estimator, interval: interval, capacity: bufferSize, status: status)
    return Iterator(mailbox, source.attach(mailbox))
  }

  /// An iterator that waits for the next motion, and is attached to the source until it is deallocated.
  public final class Iterator: AsyncIteratorProtocol, Sendable {
    private let mailbox: MotionMailbox
    private let attachment: SensorAttachment

    fileprivate init(_ mailbox: MotionMailbox, _ attachment: SensorAttachment) {
      self.mailbox = mailbox
      self.attachment = attachment
    }

    deinit { end() }

    public func next() async -> DeviceMotion? {
      await withTaskCancellationHandler {
        await mailbox.next()
      } onCancel: {
        end()
      }
    }

    private func end() {
      // The source may be waiting for room in the mailbox; it must not continue when room becomes available.
      attachment.leaveSource()
      mailbox.close()
      attachment.cancel()
    }
  }
}

/// The state of a sequence that its user can query.
private typealias UpdateStatus = (droppedCount: Int, isSilent: Bool, failure: LogError?)

/// Estimates motions on the source's thread and buffers them for the loop.
private final class MotionMailbox: SensorReceiver, @unchecked Sendable {
  private let monitor = Monitor()
  private let source: any SensorSource
  private let initialEstimator: DeviceMotionEstimator
  private let interval: Double
  private let capacity: Int
  private let status: SharedState<UpdateStatus>

  // Used only by the source's thread.
  private var estimator: DeviceMotionEstimator
  private var grid = UpdateGrid()

  // Protected by the monitor.
  private var pending: Deque<DeviceMotion> = []
  private var reader: CheckedContinuation<DeviceMotion?, Never>?
  private var isClosed = false

  init(
    source: any SensorSource, estimator: DeviceMotionEstimator, interval: Double, capacity: Int,
    status: SharedState<UpdateStatus>
  ) {
    self.source = source
    initialEstimator = estimator
    self.estimator = estimator
    self.interval = interval
    self.capacity = capacity
    self.status = status
  }

  func receive(_ event: SensorEvent) {
    switch event {
    case .samples(let samples):
      status.withLock { $0.isSilent = false }
      for sample in samples {
        estimator.append(sample)
        putMotions()
      }
      if let last = samples.last {
        estimator.close(through: last.time)
        putMotions()
      }
    case .auxiliary: status.withLock { $0.isSilent = false }
    case .silence: status.withLock { $0.isSilent = true }
    case .discontinuity:
      estimator = initialEstimator
      grid = UpdateGrid()
    case .end(let error):
      estimator.finish()
      putMotions()
      status.withLock { $0.failure = error }
      close()
    }
  }

  /// Puts the motions that the last sample has completed in the mailbox.
  private func putMotions() {
    while let motion = estimator.next() {
      if grid.selects(motion.time, interval: interval) { put(motion) }
    }
  }

  private func put(_ motion: DeviceMotion) {
    let waits = source.waitsForReceivers
    monitor.lock()
    while waits, pending.count >= capacity, !isClosed { monitor.wait() }
    guard !isClosed else { return monitor.unlock() }
    if let reader {
      self.reader = nil
      monitor.unlock()
      reader.resume(returning: motion)
      return
    }
    let isFull = pending.count >= capacity
    if isFull { pending.removeFirst() }
    pending.append(motion)
    monitor.unlock()
    if isFull { status.withLock { $0.droppedCount += 1 } }
  }

  func next() async -> DeviceMotion? {
    await withCheckedContinuation { continuation in
      monitor.lock()
      if let motion = pending.popFirst() {
        monitor.broadcast()
        monitor.unlock()
        continuation.resume(returning: motion)
      } else if isClosed {
        monitor.unlock()
        continuation.resume(returning: nil)
      } else {
        precondition(reader == nil, "a sequence of motions supports only one loop")
        reader = continuation
        monitor.unlock()
      }
    }
  }

  /// Rejects further motions; the buffered motions can still be consumed.
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
