#if HDF5
  internal import CInertialHDF5
  internal import InertialSystem

  /// The lock of `withHDF5`. Its owner may acquire it again: handles are released under it, also inside `withHDF5`.
  nonisolated(unsafe) private let libraryLock: UnsafeMutablePointer<pthread_mutex_t> = {
    // Objects that a damaged file leaves open in the library cannot be closed, and cause messages on standard error
    // when the process exits. Inertial closes its own files individually.
    _ = H5dont_atexit()
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
    return mutex
  }()

  /// Runs `body` as the only user of the HDF5 C library in the process, without the library's own error messages.
  ///
  /// The library, as built by Debian and Homebrew, has unprotected process-wide tables: two threads that use it at the
  /// same time corrupt them, even for different files. All calls are therefore inside this function.
  func withHDF5<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    pthread_mutex_lock(libraryLock)
    defer { pthread_mutex_unlock(libraryLock) }
    chdf5_silence_errors()
    return try body()
  }

  /// An owner of one HDF5 identifier, which is closed on deinitialization.
  final class HDF5Handle {
    let id: hid_t
    private let close: (hid_t) -> herr_t
    private var isOpen = true

    /// Takes ownership of an identifier. Returns `nil` if the library returned an error.
    init?(_ id: hid_t, close: @escaping (hid_t) -> herr_t) {
      guard id >= 0 else { return nil }
      self.id = id
      self.close = close
    }

    /// Closes the identifier and returns whether closing succeeded. The handle cannot be used afterwards. Use only
    /// inside `withHDF5`.
    func shut() -> Bool {
      guard isOpen else { return true }
      isOpen = false
      return close(id) >= 0
    }

    deinit {
      if isOpen { withHDF5 { _ = close(id) } }
    }
  }
#endif
