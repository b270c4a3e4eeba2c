public import Foundation

/// Waits until other threads make a condition true; false if it is not true within a minute.
///
/// For tests: a machine that runs many of them at once may leave a thread without a core for a second and more, so what
/// must come is waited for, and never given some milliseconds.
public func eventually(within timeout: TimeInterval = 60, _ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = Date(timeIntervalSinceNow: timeout)
  while try !condition() {
    guard Date() < deadline else { return false }
    Thread.sleep(forTimeInterval: 0.0005)
  }
  return true
}
