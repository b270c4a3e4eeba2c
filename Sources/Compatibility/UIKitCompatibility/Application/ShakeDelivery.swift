internal import CoreMotionCompatibility
internal import Foundation
internal import InertialLive
internal import InertialRecognition

/// Sends shakes to the responder that is the first responder when they begin, on the main queue.
///
/// Recognition runs ahead of the main queue; further events of a shake that was cancelled here meanwhile are dropped.
@MainActor final class ShakeDelivery {
  private var monitor: ShakeMonitor?
  private var isPaused = false
  /// The shake in progress that has been reported to a responder.
  private var current: (target: UIResponder, gesture: GestureEvent)?
  /// Increases when earlier events are no longer to be delivered.
  private var generation = 0

  /// Starts listening to a source, or to the process's if `nil`, unless already listening.
  func start(_ source: (any SensorSource)?, isPaused: Bool) {
    guard monitor == nil else { return }
    self.isPaused = isPaused
    generation += 1
    let generation = generation
    monitor = ShakeMonitor(source: source, queue: .main) { [weak self] gesture in
      MainActor.assumeIsolated { self?.deliver(gesture, generation) }
    }
    if isPaused { monitor?.pause() }
    monitor?.start()
  }

  func stop() {
    cancel()
    generation += 1
    monitor?.stop()
    monitor = nil
  }

  /// Pauses the delivery because the app is no longer active.
  func pause() {
    isPaused = true
    cancel()
    monitor?.pause()
  }

  func resume() {
    isPaused = false
    monitor?.resume()
  }

  /// Reports the cancellation of a shake in progress to its responder.
  func cancel() {
    guard let (target, begun) = current else { return }
    current = nil
    var gesture = begun
    gesture.phase = .cancelled
    target.motionCancelled(.motionShake, with: UIEvent(gesture: gesture))
  }

  private func deliver(_ gesture: GestureEvent, _ generation: Int) {
    guard generation == self.generation else { return }
    let event = UIEvent(gesture: gesture)
    switch gesture.phase {
    case .began:
      guard !isPaused, let target = UIApplication.shared.motionTarget else { return }
      current = (target, gesture)
      target.motionBegan(.motionShake, with: event)
    case .ended:
      guard let (target, _) = current else { return }
      current = nil
      target.motionEnded(.motionShake, with: event)
    case .cancelled:
      guard let (target, _) = current else { return }
      current = nil
      target.motionCancelled(.motionShake, with: event)
    }
  }
}
