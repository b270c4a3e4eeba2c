#if HDF5
  internal import CInertialHDF5
  internal import InertialSystem

  /// The one gate to the HDF5 C library.
  ///
  /// The library as Debian and Homebrew build it keeps unguarded process-wide tables: two threads inside it
  /// at once corrupt them, whatever files they work on. Every call therefore goes through `exclusively`.
  enum HDF5Library {
    private static let gate: RecursiveLock = {
      // What a damaged file leaves open inside the library cannot be closed, and at the end of the process it would say so
      // on standard error. Our own files are closed one by one.
      _ = H5dont_atexit()
      return RecursiveLock()
    }()

    /// Runs `body` as the only user of the library in the process, with the library's own error printing off.
    static func exclusively<Value, Failure: Error>(
      _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
      gate.lock()
      defer { gate.unlock() }
      chdf5_silence_errors()
      return try body()
    }
  }

  /// A lock its holder may take again: handles are released, each under the lock, also inside `exclusively`.
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

  /// Owns one HDF5 identifier and closes it when released.
  final class HDF5Handle {
    let id: hid_t
    private let close: (hid_t) -> herr_t
    private var isOpen = true

    /// Takes over an identifier; nil where the library returned an error instead of one.
    init?(_ id: hid_t, close: @escaping (hid_t) -> herr_t) {
      guard id >= 0 else { return nil }
      self.id = id
      self.close = close
    }

    /// Closes what the identifier stands for, and tells whether that has done all that it must; nothing can be done with it
    /// afterwards. Only inside `HDF5Library.exclusively`.
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
