#if HDF5
  internal import CInertialHDF5
  internal import InertialSystem

  /// The only access to the HDF5 C library.
  ///
  /// The library, as built by Debian and Homebrew, has unprotected process-wide tables: two threads that use it at the
  /// same time corrupt them, even for different files. All calls therefore use `exclusively`.
  enum HDF5Library {
    private static let gate: RecursiveLock = {
      // Objects that a damaged file leaves open in the library cannot be closed, and cause messages on standard error
      // when the process exits. Inertial closes its own files individually.
      _ = H5dont_atexit()
      return RecursiveLock()
    }()

    /// Runs `body` as the only user of the library in the process, without the library's own error messages.
    static func exclusively<Value, Failure: Error>(
      _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
      gate.lock()
      defer { gate.unlock() }
      chdf5_silence_errors()
      return try body()
    }
  }

  /// A lock that its owner may acquire again: handles are released under the lock, also inside `exclusively`.
  private final class RecursiveLock: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() {
      var attributes = pthread_mutexattr_t()
      pthread_mutexattr_init(&attributes)
      pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
      pthread_mutex_init(mutex, &attributes)
      pthread_mutexattr_destroy(&attributes)
    }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    func lock() { pthread_mutex_lock(mutex) }
    func unlock() { pthread_mutex_unlock(mutex) }
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
    /// inside `HDF5Library.exclusively`.
    func shut() -> Bool {
      guard isOpen else { return true }
      isOpen = false
      return close(id) >= 0
    }

    deinit {
      if isOpen { HDF5Library.exclusively { _ = close(id) } }
    }
  }
#endif
