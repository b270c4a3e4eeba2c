import CoreMotionCompatibility
import Foundation
import TestSupport
import Testing

@Suite struct StressTests {
  private static let samples = walk(duration: 20)
  private static let threads = 4
  private static let rounds = 250

  /// Runs a body on several threads at once, and waits for all.
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

  private func start(_ manager: CMMotionManager, _ kind: Int, _ queue: OperationQueue, _ call: @escaping () -> Void) {
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

  /// A source that never comes to its end.
  private func endless(_ source: RecordingSource) -> SensorAttachment { source.attach(Rewinder(source)) }

  @Test("a thousand starts and stops on four threads, each its manager: no update after a stop, and nothing is left")
  func ownManagers() {
    weak var weakSource: RecordingSource?
    let late = Collected<Int>()
    let calls = Collected<Int>()
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
          // One that had begun may end.
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
}

/// Sends a source back to its start whenever it ends.
private final class Rewinder: SensorReceiver {
  private nonisolated(unsafe) weak var source: RecordingSource?

  init(_ source: RecordingSource) { self.source = source }

  func receive(_ event: SensorEvent) {
    if case .end = event { source?.seek(to: 0) }
  }
}

private final class Flag: @unchecked Sendable {
  private let monitor = Monitor()
  private var value = false
  func set() { monitor.withLock { value = true } }
  var isSet: Bool { monitor.withLock { value } }
}
