/// The connection from a source to one receiver, which can be cancelled from any thread.
final class Delivery: Sendable {
  // Held during a delivery, so that `cancel` waits for its end; recursive because the receiver itself may cancel.
  private let lock = Monitor(isRecursive: true)
  nonisolated(unsafe) private var receiver: (any SensorReceiver)?

  init(_ receiver: any SensorReceiver) { self.receiver = receiver }

  func deliver(_ event: SensorEvent) {
    lock.withLock { receiver?.receive(event) }
  }

  /// Ends the delivery. No event is delivered after the call returns.
  func cancel() {
    // Releasing the receiver may release the objects that it owns, so this happens outside the lock.
    let last = lock.withLock {
      defer { receiver = nil }
      return receiver
    }
    withExtendedLifetime(last) {}
  }
}
