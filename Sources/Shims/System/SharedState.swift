/// Held for a moment by each use of shared state, and while the process is forked, so that a child finds it free.
private nonisolated(unsafe) let lock: UnsafeMutablePointer<pthread_mutex_t> = {
  let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  pthread_mutex_init(mutex, nil)
  pthread_atfork({ pthread_mutex_lock(lock) }, { pthread_mutex_unlock(lock) }, { pthread_mutex_unlock(lock) })
  return mutex
}()

/// A value that all threads of a process share, and those of a forked child.
///
/// `Mutex` is not for that: in a child the thread that forked still has its old number there, and the process traps if two threads
/// want the value. All shared states have one lock, so a closure must not use another one.
package final class SharedState<Value>: @unchecked Sendable {
  private var value: Value

  package init(_ value: sending Value) { self.value = value }

  /// Gives the value to a closure, and to no other thread meanwhile.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value)
  }
}
