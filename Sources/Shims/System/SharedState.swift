/// A lock for all shared state. It is also held during a fork, so that it is free in the child.
private nonisolated(unsafe) let lock: UnsafeMutablePointer<pthread_mutex_t> = {
  let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  pthread_mutex_init(mutex, nil)
  pthread_atfork({ pthread_mutex_lock(lock) }, { pthread_mutex_unlock(lock) }, { pthread_mutex_unlock(lock) })
  return mutex
}()

/// A value that is shared by all threads of a process, and by those of a forked child.
///
/// `Mutex` does not support this: in a child, the forking thread's old number remains in it, and the process traps if
/// two threads need the value. All shared states have one lock, so a closure must not use another state.
package final class SharedState<Value>: @unchecked Sendable {
  private var value: Value

  package init(_ value: sending Value) { self.value = value }

  /// Calls a closure with exclusive access to the value.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value)
  }
}
