import CInertialShims
import Dispatch
import Inertial
import InertialSystem
import Synchronization

/// The reaction to Control-C, a process manager or a closed terminal (SIGINT, SIGTERM, SIGHUP).
///
/// Unfinished outputs, which do not have their final name yet, are removed; the process then ends by the signal, as a
/// shell expects.
package enum Interruption {
  private static let other = Mutex<(@Sendable () -> Void)?>(nil)

  /// Starts to watch for signals; to be called once per process.
  static func watch() {
    guard process_watch_signals() != 0 else { return }
    DispatchQueue(label: "inertial.signals").async {
      while case let number = process_next_signal(), number != 0 {
        if let act = other.withLock({ $0 }) {
          act()
        } else {
          AtomicFile.removeTemporaries { process_end_by_signal(number) }
        }
      }
    }
  }

  /// Sets an action that replaces this reaction, or restores it if `nil`.
  package static func instead(_ act: (@Sendable () -> Void)?) { other.withLock { $0 = act } }
}
