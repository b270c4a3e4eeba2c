import CoreMotionCompatibility
import Foundation
import UIKitCompatibility

/// A recording as the phone's sensors. Programs started while it is paused receive all of it, as fast as possible.
@MainActor final class Playback {
  let source: RecordingSource
  private let stopper: Stopper
  private let stopping: SensorAttachment

  /// Sets the recording as the process's source.
  init(_ source: RecordingSource) {
    self.source = source
    stopper = Stopper(source)
    stopping = source.attach(stopper)
    MotionSensors.setDefault(source)
    UIApplication.shared.source = source
  }

  convenience init(_ log: Log) throws {
    var options = LogOptions()
    options.sampleRate = log.sampleRate
    self.init(try RecordingSource(path: log.path, options: options, speed: .infinity, isPaused: true))
  }

  /// Plays to the end, and returns after the pending operations of the main queue.
  func play() async {
    source.resume()
    await source.waitForEnd()
  }

  /// Plays up to a time of the recording, in seconds, and returns like `play`.
  func play(upTo time: Double) async {
    let (source, stopper) = (source, stopper)
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        stopper.stop(at: time)
        source.resume()
        stopper.waitUntilStopped()
        OperationQueue.main.addOperation { continuation.resume() }
      }
    }
  }
}

/// A receiver that pauses a source at a given time.
private final class Stopper: SensorReceiver, @unchecked Sendable {
  private weak var source: RecordingSource?
  private let condition = NSCondition()
  private var time = Double.infinity

  init(_ source: RecordingSource) { self.source = source }

  func stop(at time: Double) {
    condition.lock()
    self.time = time
    condition.unlock()
  }

  func waitUntilStopped() {
    condition.lock()
    while time < .infinity { condition.wait() }
    condition.unlock()
  }

  func receive(_ event: SensorEvent) {
    condition.lock()
    defer { condition.unlock() }
    switch event {
    case .samples(let samples) where (samples.last?.time ?? -.infinity) >= time: source?.pause()
    case .end: break
    default: return
    }
    time = .infinity
    condition.broadcast()
  }
}
