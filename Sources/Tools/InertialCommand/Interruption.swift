import CInertialShims
import Dispatch
import Inertial
import InertialSystem
import Synchronization

/// What is done when Control-C, a manager of processes or a lost terminal asks the command to end (SIGINT, SIGTERM, SIGHUP).
///
/// What has been begun and has no name yet is removed; the process then ends by the signal, as a shell expects it.
enum Interruption {
  private static let other = Mutex<(@Sendable () -> Void)?>(nil)

  /// Begins to watch; once in a process.
  static func watch() {
    guard process_watch_signals() != 0 else { return }
    DispatchQueue(label: "inertial.signals").async {
      while case let number = process_next_signal(), number != 0 {
        if let act = other.withLock({ $0 }) {
          act()
        } else {
          Unfinished.removeAll { process_end_by_signal(number) }
        }
      }
    }
  }

  /// What is done in place of that; nil = nothing else.
  static func instead(_ act: (@Sendable () -> Void)?) { other.withLock { $0 = act } }
}
