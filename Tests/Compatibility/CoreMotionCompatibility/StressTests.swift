import Testing

@testable import CoreMotionCompatibility

@Suite struct StressTests {
  private static let samples = walk(duration: 20)
  private static let threads = 4
  private static let rounds = 250

  /// Runs a closure on several threads concurrently, and waits for all.
  private func onThreads(_ body: @escaping @Sendable (_ thread: Int) -> Void) {
    let done = Collected<Int>()
    for thread in 0..<Self.threads {
      DetachedThread.start {
        body(thread)
        done.append(thread)
      }
    }
    #expect(done.wait(for: Self.threads, timeout: 300))
  }

  private func start(
    _ manager: CMMotionManager, _ kind: Int, _ queue: OperationQueue, _ call: @escaping @Sendable () -> Void
  ) {
    switch kind {
    case 0: manager.startAccelerometerUpdates(to: queue) { _, _ in call() }
    case 1: manager.startGyroUpdates(to: queue) { _, _ in call() }
    case 2: manager.startMagnetometerUpdates(to: queue) { _, _ in call() }
    default: manager.startDeviceMotionUpdates(to: queue) { _, _ in call() }
    }
  }

  private func stop(_ manager: CMMotionManager, _ kind: Int) {
    switch kind {
    case 0: manager.stopAccelerometerUpdates()
    case 1: manager.stopGyroUpdates()
    case 2: manager.stopMagnetometerUpdates()
    default: manager.stopDeviceMotionUpdates()
    }
  }

  /// Returns an attachment that keeps a source from ending.
  private func endless(_ source: RecordingSource) -> SensorAttachment { source.attach(Rewinder(source)) }

  @Test("a thousand starts and stops of separate managers on four threads leave no updates and no leaks")
  func ownManagers() {
    weak var weakSource: RecordingSource?
    let (late, calls) = (Collected<Int>(), Collected<Int>())
    do {
      let source = RecordingSource(samples: Self.samples, speed: .infinity)
      weakSource = source
      let rewinding = endless(source)
      onThreads { thread in
        let manager = CMMotionManager(source: source)
        let queue = serialQueue()
        let own = Collected<Int>()
        for round in 0..<Self.rounds {
          let isOver = Flag()
          let kind = (thread + round) % 4
          self.start(manager, kind, queue) {
            if isOver.isSet { late.append(round) }
            if own.count < 1000 { own.append(round) }
          }
          if round.isMultiple(of: 10), !own.wait(for: min(1000, own.count + 1), timeout: 60) { late.append(-2) }
          self.stop(manager, kind)
          // A call that had begun may end.
          queue.waitUntilAllOperationsAreFinished()
          isOver.set()
        }
        if manager.isAccelerometerActive || manager.isDeviceMotionActive { late.append(-1) }
        calls.append(own.count)
      }
      rewinding.cancel()
    }
    #expect(late.count == 0 && calls.all.reduce(0, +) >= 100)
    #expect(eventually { weakSource == nil })
  }

  @Test("a thousand starts and stops of one manager on four threads end with everything stopped")
  func sharedManager() {
    weak var weakManager: CMMotionManager?
    let source = RecordingSource(samples: Self.samples, speed: .infinity)
    let rewinding = endless(source)
    do {
      let manager = CMMotionManager(source: source)
      weakManager = manager
      let queue = OperationQueue()
      onThreads { thread in
        for round in 0..<Self.rounds {
          let kind = (thread * 7 + round) % 4
          self.start(manager, kind, queue) {}
          _ = (manager.deviceMotion?.attitude.yaw, manager.accelerometerData, manager.isGyroActive)
          manager.gyroUpdateInterval = 0.01 * Double(round % 3)
          self.stop(manager, kind)
        }
      }
      for kind in 0..<4 { stop(manager, kind) }
      queue.waitUntilAllOperationsAreFinished()
      #expect(!manager.isAccelerometerActive && !manager.isGyroActive)
      #expect(!manager.isMagnetometerActive && !manager.isDeviceMotionActive && manager.deviceMotion == nil)
      #expect(queue.operationCount == 0)
    }
    rewinding.cancel()
    #expect(eventually { weakManager == nil })
  }

  @Test("a thousand starts and stops of recognisers and shakes on four threads end with everything stopped")
  func recognisers() throws {
    weak var weakSource: RecordingSource?
    do {
      let source = RecordingSource(samples: Self.samples, auxiliary: steadyPressure(20), speed: .infinity)
      weakSource = source
      let rewinding = endless(source)
      let (activity, pedometer) = (CMMotionActivityManager(source: source), CMPedometer(source: source))
      let (altimeter, queue) = (CMAltimeter(source: source), OperationQueue())
      let shakes = try #require(ShakeMonitor(source: source) { _ in })
      let (calls, late, isOver) = (Collected<Int>(), Collected<Int>(), Flag())
      @Sendable func note(_ number: Int) { if isOver.isSet { late.append(number) } else { calls.append(number) } }
      onThreads { thread in
        for round in 0..<Self.rounds {
          switch (thread * 7 + round) % 5 {
          case 0:
            activity.startActivityUpdates(to: queue) { _ in note(0) }
            if round.isMultiple(of: 3) { activity.stopActivityUpdates() }
          case 1:
            pedometer.startUpdates(from: Date()) { _, _ in calls.append(1) }
            pedometer.startEventUpdates { _, _ in }
            pedometer.stopUpdates()
          case 2:
            altimeter.startRelativeAltitudeUpdates(to: queue) { _, _ in note(2) }
            if round.isMultiple(of: 3) { altimeter.stopRelativeAltitudeUpdates() }
          case 3: pedometer.stopEventUpdates()
          default:
            shakes.start()
            shakes.pause()
            shakes.resume()
            shakes.stop()
          }
        }
      }
      // The manager still works afterwards.
      activity.startActivityUpdates(to: queue) { _ in note(0) }
      #expect(calls.wait(for: calls.count + 1))
      activity.stopActivityUpdates()
      pedometer.stopUpdates()
      pedometer.stopEventUpdates()
      altimeter.stopRelativeAltitudeUpdates()
      shakes.stop()
      // Calls that had begun may end.
      queue.waitUntilAllOperationsAreFinished()
      isOver.set()
      let position = source.position
      #expect(eventually(within: 1) { source.position != position })
      rewinding.cancel()
      #expect(late.count == 0)
    }
    #expect(eventually { weakSource == nil })
  }

  @Test("a handler that owns a closure that stops the manager is released without a deadlock")
  func owningHandlers() {
    final class Screen: Sendable {
      let stop: @Sendable () -> Void
      init(_ stop: @escaping @Sendable () -> Void) { self.stop = stop }
      deinit { stop() }
    }
    let source = RecordingSource(samples: Self.samples, speed: .infinity, isPaused: true)
    let (motion, activity) = (CMMotionManager(source: source), CMMotionActivityManager(source: source))
    let (pedometer, batches) = (CMPedometer(source: source), CMBatchedSensorManager(source: source))
    let queue = OperationQueue()
    let gone = Collected<Int>()
    @Sendable func screen(_ number: Int, _ stop: @escaping @Sendable () -> Void) -> Screen {
      Screen {
        stop()
        gone.append(number)
      }
    }
    DetachedThread.start {
      for _ in 0..<2 {
        var owner = screen(0) { motion.stopGyroUpdates() }
        motion.startAccelerometerUpdates(to: queue) { [owner] _, _ in _ = owner }
        owner = screen(1) { activity.stopActivityUpdates() }
        activity.startActivityUpdates(to: queue) { [owner] _ in _ = owner }
        owner = screen(2) { pedometer.stopEventUpdates() }
        pedometer.startUpdates(from: Date()) { [owner] _, _ in _ = owner }
        owner = screen(3) { batches.stopDeviceMotionUpdates() }
        batches.startAccelerometerUpdates { [owner] _, _ in _ = owner }
        owner = screen(4) { motion.stopGyroUpdates() }
        motion.sourceStatusHandler = { [owner] _ in _ = owner }
      }
      motion.stopAccelerometerUpdates()
      motion.sourceStatusHandler = nil
      activity.stopActivityUpdates()
      pedometer.stopUpdates()
      batches.stopAccelerometerUpdates()
    }
    #expect(gone.wait(for: 10))
  }

  @Test("a SourceAttachment keeps its source until no stream needs it")
  func keptSource() {
    let first = RecordingSource(samples: Self.samples, speed: .infinity, isPaused: true)
    let other = RecordingSource(samples: Self.samples.filter { $0.channel == .gyroscope }, speed: 1, isPaused: true)
    let own = RecordingSource(samples: Self.samples, speed: .infinity, isPaused: true)
    let hold = SourceAttachment(own, monitor: Monitor())
    #expect(hold.source === own)
    hold.start(first, receive: { _, _ in }, isNeeded: { true }) {}
    hold.start(other, receive: { _, _ in }, isNeeded: { true }) {}
    #expect(hold.source === first)
    hold.stop(isNeeded: { true }) {}
    #expect(hold.source === first)
    hold.stop(isNeeded: { false }) {}
    #expect(hold.source === own)
    hold.start(other, receive: { _, _ in }, isNeeded: { false }) {}
    #expect(hold.source === own)
  }
}

/// Moves a source back to its start whenever it ends.
private final class Rewinder: SensorReceiver {
  private nonisolated(unsafe) weak var source: RecordingSource?

  init(_ source: RecordingSource) { self.source = source }

  func receive(_ event: SensorEvent) { if case .end = event { source?.seek(to: 0) } }
}

private final class Flag: @unchecked Sendable {
  private let monitor = Monitor()
  private var value = false
  func set() { monitor.withLock { value = true } }
  var isSet: Bool { monitor.withLock { value } }
}
