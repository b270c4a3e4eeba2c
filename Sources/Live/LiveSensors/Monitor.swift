internal import InertialSystem

/// A lock with a condition: threads change shared state under the lock and wait for changes by other threads.
///
/// The lock is optionally recursive; no thread may then wait on it.
package final class Monitor: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init(isRecursive: Bool = false) {
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    if isRecursive { pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE)) }
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
    #if canImport(Darwin)
      pthread_cond_init(condition, nil)
    #else
      var conditionAttributes = pthread_condattr_t()
      pthread_condattr_init(&conditionAttributes)
      // The time of day may be set during a wait.
      pthread_condattr_setclock(&conditionAttributes, CLOCK_MONOTONIC)
      pthread_cond_init(condition, &conditionAttributes)
      pthread_condattr_destroy(&conditionAttributes)
    #endif
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  package func lock() { pthread_mutex_lock(mutex) }
  package func unlock() { pthread_mutex_unlock(mutex) }

  package func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock()
    defer { unlock() }
    return try body()
  }

  /// Releases the lock until `broadcast` or a spurious wakeup; the caller has to check its condition again.
  package func wait() { pthread_cond_wait(condition, mutex) }

  /// Waits like `wait`, at most until a time of `MonotonicClock`.
  package func wait(until deadline: Double) {
    guard deadline < MonotonicClock.maximumWait else { return wait() }
    #if canImport(Darwin)
      var span = timespec(seconds: max(0, deadline - MonotonicClock.now))
      pthread_cond_timedwait_relative_np(condition, mutex, &span)
    #else
      var time = timespec(seconds: max(0, deadline))
      pthread_cond_timedwait(condition, mutex, &time)
    #endif
  }

  /// Wakes all waiting threads.
  package func broadcast() { pthread_cond_broadcast(condition) }
}

extension timespec {
  fileprivate init(seconds: Double) {
    let whole = seconds.rounded(.down)
    // In range: waits end at `maximumWait` at the latest, and a fraction is below 1.
    self.init(tv_sec: Int(whole), tv_nsec: min(999_999_999, Int((seconds - whole) * 1e9)))
  }
}
