/// The way from a source to one receiver, which can be cut from any thread.
final class Delivery: Sendable {
  // Held during a delivery, so that whoever cancels waits for its end; recursive, as the receiver itself may cancel.
  private let lock = Monitor(isRecursive: true)
  nonisolated(unsafe) private var receiver: (any SensorReceiver)?

  init(_ receiver: any SensorReceiver) { self.receiver = receiver }

  func deliver(_ event: SensorEvent) {
    lock.withLock { receiver?.receive(event) }
  }

  /// When this returns, nothing more is delivered.
  func cancel() {
    // The receiver may go with this, and with it whatever it owns: not under the lock.
    let last = lock.withLock {
      defer { receiver = nil }
      return receiver
    }
    withExtendedLifetime(last) {}
  }
}
