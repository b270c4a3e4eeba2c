internal import InertialSystem

/// A lock with a condition: what several threads share is changed under it, and whoever needs a change waits for it.
///
/// Recursive where asked for; then nobody may wait on it.
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
      // The time of day may be set while somebody waits.
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

  /// Gives the lock up until `broadcast` or, rarely, without reason; the caller looks again at what it waits for.
  package func wait() { pthread_cond_wait(condition, mutex) }

  /// As `wait`, at most until a time of `MonotonicClock`.
  package func wait(until deadline: Double) {
    guard deadline < MonotonicClock.farthest else { return wait() }
    #if canImport(Darwin)
      var span = timespec(seconds: max(0, deadline - MonotonicClock.now))
      pthread_cond_timedwait_relative_np(condition, mutex, &span)
    #else
      var time = timespec(seconds: max(0, deadline))
      pthread_cond_timedwait(condition, mutex, &time)
    #endif
  }

  /// Wakes everybody who waits.
  package func broadcast() { pthread_cond_broadcast(condition) }
}

/// Seconds on a clock that only goes forward, from an origin of its own.
package enum MonotonicClock {
  /// Thirty years: whoever waits for longer waits for ever.
  static let farthest = 1e9

  package static var now: Double { seconds(CLOCK_MONOTONIC) }

  /// UNIX time; somebody may set it.
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
    // In range: those who wait do so until `farthest` at most, and a fraction is below 1.
    self.init(tv_sec: Int(whole), tv_nsec: min(999_999_999, Int((seconds - whole) * 1e9)))
  }
}

/// Threads that nobody joins: a thread that waits for hours must not be one of a pool's.
package enum DetachedThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Bytes; the smallest default of the systems is too small for a filter's matrices.
  private static let stackSize = 1 << 20

  package static func start(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Body(body)).toOpaque()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackSize)
    #if canImport(Glibc)
      var thread = pthread_t()
      let status = pthread_create(
        &thread, &attributes,
        { pointer in
          Unmanaged<Body>.fromOpaque(pointer!).takeRetainedValue().run()
          return nil
        }, box)
    #elseif canImport(Musl)
      var thread: pthread_t?
      let status = pthread_create(
        &thread, &attributes,
        { pointer in
          Unmanaged<Body>.fromOpaque(pointer!).takeRetainedValue().run()
          return nil
        }, box)
    #else
      var thread: pthread_t?
      let status = pthread_create(
        &thread, &attributes,
        { pointer in
          Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
          return nil
        }, box)
    #endif
    precondition(status == 0, "the system has no thread left")
  }
}
