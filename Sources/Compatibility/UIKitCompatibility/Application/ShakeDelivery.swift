internal import CoreMotionCompatibility
internal import Foundation
internal import InertialLive
internal import InertialRecognition

/// Sends shakes to the responder that is first when they begin, on the main queue.
///
/// Recognition runs ahead of the main queue; what it has told of a shake that was cancelled here meanwhile is dropped.
@MainActor final class ShakeDelivery {
  private var monitor: ShakeMonitor?
  private var isPaused = false
  /// The shake that a responder was told of, and that has not ended.
  private var current: (target: UIResponder, gesture: GestureEvent)?
  /// Rises when nothing from before is delivered any more.
  private var generation = 0

  /// Begins to listen to a source, nil: the process's, unless that is done.
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

  /// The app is not active any more.
  func pause() {
    isPaused = true
    cancel()
    monitor?.pause()
  }

  func resume() {
    isPaused = false
    monitor?.resume()
  }

  /// Tells the responder of a shake that goes on that it does not count.
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
