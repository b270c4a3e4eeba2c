import Dispatch
import Inertial
import InertialLive

/// A receiver that counts the samples of a stream until its end.
///
/// It is sendable because its values are written on the stream's thread before `ended` is signalled, and read afterwards.
final class StreamCounter: SensorReceiver, @unchecked Sendable {
  private(set) var count = 0
  /// The error that ended the stream, or `nil` without an error.
  private(set) var error: LogError?
  let ended = DispatchSemaphore(value: 0)

  func receive(_ event: SensorEvent) {
    switch event {
    case .samples(let samples): count += samples.count
    case .auxiliary(let samples): count += samples.count
    case .end(let error):
      self.error = error
      ended.signal()
    default: break
    }
  }
}
