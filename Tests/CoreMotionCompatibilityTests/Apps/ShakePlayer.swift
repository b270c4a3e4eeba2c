import Foundation

// Written as an app for a phone is; of this toolkit it knows the import.
#if canImport(CoreMotion)
  import CoreMotion
#else
  import CoreMotionCompatibility
#endif

/// A music player that skips to the next title when the phone is shaken.
final class ShakePlayer: @unchecked Sendable {
  enum Detector { case threshold, lowPass }

  private let motionManager = CMMotionManager()
  let motionQueue = OperationQueue()
  private let detector: Detector
  private let stopsAtFirstShake: Bool
  private let lock = NSLock()

  private var titleIndex = 0
  private var lastShake: TimeInterval?
  private var smoothed = CMAcceleration()
  private var previous: CMAcceleration?

  private let threshold = 2.3
  private let minimumInterval: TimeInterval = 1

  init(detector: Detector, stopsAtFirstShake: Bool = false) {
    self.detector = detector
    self.stopsAtFirstShake = stopsAtFirstShake
    motionQueue.name = "player.motion"
    motionQueue.maxConcurrentOperationCount = 1
  }

  var skippedTitles: Int {
    lock.lock()
    defer { lock.unlock() }
    return titleIndex
  }

  var isListening: Bool { motionManager.isAccelerometerActive }

  func viewDidAppear() { startShakeDetection() }

  func applicationDidEnterBackground() { motionManager.stopAccelerometerUpdates() }

  func applicationWillEnterForeground() { startShakeDetection() }

  private func startShakeDetection() {
    guard motionManager.isAccelerometerAvailable, !motionManager.isAccelerometerActive else { return }
    motionManager.accelerometerUpdateInterval = detector == .threshold ? 0.02 : 0.1
    motionManager.startAccelerometerUpdates(to: motionQueue) { [weak self] data, error in
      guard let self, let data, error == nil else { return }
      self.handle(data)
    }
  }

  private func handle(_ data: CMAccelerometerData) {
    let isShake = detector == .threshold ? exceedsThreshold(data.acceleration) : changesQuickly(data.acceleration)
    guard isShake else { return }
    if let lastShake, data.timestamp - lastShake < minimumInterval { return }
    lastShake = data.timestamp
    lock.lock()
    titleIndex += 1
    lock.unlock()
    if stopsAtFirstShake { motionManager.stopAccelerometerUpdates() }
  }

  private func exceedsThreshold(_ a: CMAcceleration) -> Bool {
    (a.x * a.x + a.y * a.y + a.z * a.z).squareRoot() > threshold
  }

  private func changesQuickly(_ a: CMAcceleration) -> Bool {
    let share = 0.3
    smoothed.x = a.x * share + smoothed.x * (1 - share)
    smoothed.y = a.y * share + smoothed.y * (1 - share)
    smoothed.z = a.z * share + smoothed.z * (1 - share)
    defer { previous = smoothed }
    guard let previous else { return false }
    return abs(smoothed.x - previous.x) > 0.3 || abs(smoothed.y - previous.y) > 0.3
      || abs(smoothed.z - previous.z) > 0.3
  }
}
