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

/// A monotonic clock in seconds, with an arbitrary origin.
package enum MonotonicClock {
  /// Thirty years; a longer wait is treated as indefinite.
  static let maximumWait = 1e9

  package static var now: Double { seconds(CLOCK_MONOTONIC) }

  /// The UNIX time in seconds, which can be set while the program runs.
  static var timeOfDay: Double { seconds(CLOCK_REALTIME) }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

extension timespec {
  fileprivate init(seconds: Double) {
    let whole = seconds.rounded(.down)
    // In range: waits end at `maximumWait` at the latest, and a fraction is below 1.
    self.init(tv_sec: Int(whole), tv_nsec: min(999_999_999, Int((seconds - whole) * 1e9)))
  }
}

/// Detached threads, for work that may wait for hours and must not block a thread pool.
package enum DetachedThread {
  /// The stack size in bytes; the smallest system default is too small for a filter's matrices.
  private static let stackSize = 1 << 20

  package static func start(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(SharedState(body)).toOpaque()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackSize)
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let status = pthread_create(
      &thread, &attributes,
      { argument in
        // Not an optional on Apple's platforms.
        let pointer: UnsafeMutableRawPointer? = argument
        let body = Unmanaged<SharedState<@Sendable () -> Void>>.fromOpaque(pointer!).takeRetainedValue()
        body.withLock { $0 }()
        return nil
      }, box)
    precondition(status == 0, "the system cannot create another thread")
  }
}
