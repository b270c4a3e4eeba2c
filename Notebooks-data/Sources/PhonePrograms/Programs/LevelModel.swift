import CoreMotion
import Foundation

/// The model of a level's screen in the Swift 6 language mode: on the main actor, with handlers on a separate queue.
@MainActor final class LevelModel {
  private let manager = CMMotionManager()
  private let activityManager = CMMotionActivityManager()
  private let queue = OperationQueue()
  private(set) var pitch = 0.0
  private(set) var updates = 0
  private(set) var activities = 0

  func start() {
    manager.startDeviceMotionUpdates(to: queue) { [weak self] motion, error in
      guard let motion, error == nil else { return }
      let pitch = motion.attitude.pitch
      Task { @MainActor in self?.show(pitch) }
    }
    activityManager.startActivityUpdates(to: queue) { [weak self] activity in
      guard activity != nil else { return }
      Task { @MainActor in self?.activities += 1 }
    }
  }

  func finish() { queue.waitUntilAllOperationsAreFinished() }

  func stop() {
    manager.stopDeviceMotionUpdates()
    activityManager.stopActivityUpdates()
  }

  private func show(_ pitch: Double) {
    self.pitch = pitch
    updates += 1
  }
}
