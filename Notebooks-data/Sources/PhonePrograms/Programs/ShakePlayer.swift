// Written like a phone app; only the import of UIKit refers to this toolkit.
import CoreMotion
import Foundation

#if canImport(UIKit)
  import UIKit
#else
  import UIKitCompatibility
#endif

/// A music player that skips to the next title when the phone is shaken, with raw acceleration on a separate queue.
@MainActor final class ShakePlayer {
  enum Detector: Sendable {
    /// A limit on the magnitude of the acceleration, including gravity, in g.
    case threshold(Double)
    /// A limit on the change of the smoothed acceleration between updates, on any axis, in g.
    case lowPass(Double)
    /// Three reversals of an axis within a second, each above the limit in g.
    case reversals(Double)
  }

  private let motionManager = CMMotionManager()
  private let motionQueue = OperationQueue()
  private let judge: ShakeJudge
  private let stopsAtFirstShake: Bool
  private var observers: [any NSObjectProtocol] = []

  init(detector: Detector, stopsAtFirstShake: Bool = false) {
    judge = ShakeJudge(detector)
    self.stopsAtFirstShake = stopsAtFirstShake
    motionQueue.name = "player.motion"
    motionQueue.maxConcurrentOperationCount = 1
  }

  var skippedTitles: Int { judge.count }

  var isListening: Bool { motionManager.isAccelerometerActive }

  func viewDidAppear() {
    let center = NotificationCenter.default
    observers = [
      center.addObserver(forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil) {
        [weak self] _ in MainActor.assumeIsolated { self?.motionManager.stopAccelerometerUpdates() }
      },
      center.addObserver(forName: UIApplication.willEnterForegroundNotification, object: nil, queue: nil) {
        [weak self] _ in MainActor.assumeIsolated { self?.startShakeDetection() }
      },
    ]
    startShakeDetection()
  }

  func viewDidDisappear() {
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
    observers = []
    motionManager.stopAccelerometerUpdates()
  }

  /// Waits for the pending updates in the queue.
  func finish() { motionQueue.waitUntilAllOperationsAreFinished() }

  private func startShakeDetection() {
    guard motionManager.isAccelerometerAvailable, !motionManager.isAccelerometerActive else { return }
    motionManager.accelerometerUpdateInterval = judge.updateInterval
    let (judge, manager, stops) = (judge, motionManager, stopsAtFirstShake)
    motionManager.startAccelerometerUpdates(to: motionQueue) { [weak manager] data, error in
      guard let data, error == nil else { return }
      if judge.isShake(data), stops { manager?.stopAccelerometerUpdates() }
    }
  }
}

/// The detector, which runs on the motion queue and is read on the main queue.
private final class ShakeJudge: @unchecked Sendable {
  private let detector: ShakePlayer.Detector
  private let lock = NSLock()
  private let minimumInterval: TimeInterval = 1
  private var shakes = 0
  private var lastShake: TimeInterval?
  private var smoothed = CMAcceleration()
  private var previous: CMAcceleration?
  /// The latest direction of each axis. `turns` contains the times of its reversals.
  private var directions = [0.0, 0.0, 0.0]
  private var turns: [[TimeInterval]] = [[], [], []]

  init(_ detector: ShakePlayer.Detector) { self.detector = detector }

  var count: Int {
    lock.lock()
    defer { lock.unlock() }
    return shakes
  }

  var updateInterval: TimeInterval {
    if case .lowPass = detector { return 0.1 }
    return 0.02
  }

  func isShake(_ data: CMAccelerometerData) -> Bool {
    guard exceeds(data) else { return false }
    if let lastShake, data.timestamp - lastShake < minimumInterval { return false }
    lastShake = data.timestamp
    lock.lock()
    shakes += 1
    lock.unlock()
    return true
  }

  private func exceeds(_ data: CMAccelerometerData) -> Bool {
    let a = data.acceleration
    switch detector {
    case .threshold(let threshold): return sqrt(a.x * a.x + a.y * a.y + a.z * a.z) > threshold
    case .lowPass(let threshold): return changesQuickly(a, threshold)
    case .reversals(let threshold): return turnsOften(a, threshold, data.timestamp)
    }
  }

  private func changesQuickly(_ a: CMAcceleration, _ threshold: Double) -> Bool {
    let fraction = 0.3
    smoothed.x = a.x * fraction + smoothed.x * (1 - fraction)
    smoothed.y = a.y * fraction + smoothed.y * (1 - fraction)
    smoothed.z = a.z * fraction + smoothed.z * (1 - fraction)
    defer { previous = smoothed }
    guard let previous else { return false }
    return abs(smoothed.x - previous.x) > threshold || abs(smoothed.y - previous.y) > threshold
      || abs(smoothed.z - previous.z) > threshold
  }

  private func turnsOften(_ a: CMAcceleration, _ threshold: Double, _ time: TimeInterval) -> Bool {
    defer { previous = a }
    guard let previous else { return false }
    let changes = [a.x - previous.x, a.y - previous.y, a.z - previous.z]
    for (axis, change) in changes.enumerated() where abs(change) > threshold {
      if directions[axis] * change < 0 { turns[axis].append(time) }
      directions[axis] = change
    }
    for axis in turns.indices { turns[axis].removeAll { time - $0 > 1 } }
    return turns.contains { $0.count >= 3 }
  }
}
