internal import InertialSystem

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
