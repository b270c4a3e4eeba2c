internal import InertialSystem

/// A lock of a folder, which ends with the process. File systems without locks do not lock.
final class FolderLock {
  /// Whether another process or server holds the lock.
  let isTaken: Bool
  private var descriptor: Int32

  init(_ folder: String) {
    descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    isTaken = descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  deinit { release() }

  func release() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }
}
