import Foundation

#if canImport(CoreMotion)
  import CoreMotion
#else
  import CoreMotionCompatibility
#endif

/// Counts user accelerations above a threshold, without gravity, at most two per second.
final class ShakePush: @unchecked Sendable {
  private let motionManager = CMMotionManager()
  private let threshold: Double
  private var lastPush: TimeInterval = -.infinity
  private(set) var count = 0

  /// - Parameter threshold: The threshold, in g.
  init(threshold: Double) { self.threshold = threshold }

  func start() {
    guard motionManager.isDeviceMotionAvailable else { return }
    motionManager.deviceMotionUpdateInterval = 1.0 / 50.0
    motionManager.startDeviceMotionUpdates(using: .xArbitraryZVertical, to: .main) { [weak self] motion, error in
      guard let self, let motion, error == nil else { return }
      let a = motion.userAcceleration
      let magnitude = sqrt(pow(a.x, 2) + pow(a.y, 2) + pow(a.z, 2))
      guard magnitude > self.threshold, motion.timestamp - self.lastPush > 0.5 else { return }
      self.lastPush = motion.timestamp
      self.count += 1
    }
  }

  func stop() { motionManager.stopDeviceMotionUpdates() }
}
