import Foundation

// Written as an app for a phone is; of this toolkit it knows the imports.
#if canImport(CoreMotion)
  import CoreMotion
  import UIKit
#else
  import CoreMotionCompatibility
  import UIKitCompatibility
#endif

/// A music player that skips to the next title when the phone is shaken: raw acceleration on a queue of its own.
@MainActor final class ShakePlayer {
  enum Detector: Sendable {
    /// The magnitude of the acceleration, gravity included, is above so many g.
    case threshold(Double)
    /// The smoothed acceleration changes by so many g from one update to the next, on any axis.
    case lowPass(Double)
    /// An axis changes its direction three times within a second, by more than so many g each time.
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

  /// Waits for the updates that are in the queue.
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

/// Decides on the motion queue; read from the main one.
private final class ShakeJudge: @unchecked Sendable {
  private let detector: ShakePlayer.Detector
  private let lock = NSLock()
  private let minimumInterval: TimeInterval = 1
  private var shakes = 0
  private var lastShake: TimeInterval?
  private var smoothed = CMAcceleration()
  private var previous: CMAcceleration?
  /// Of each axis: the way it went last, and when it turned.
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
    let share = 0.3
    smoothed.x = a.x * share + smoothed.x * (1 - share)
    smoothed.y = a.y * share + smoothed.y * (1 - share)
    smoothed.z = a.z * share + smoothed.z * (1 - share)
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
