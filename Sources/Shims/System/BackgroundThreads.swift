/// Whether this process may give work to background threads.
package enum BackgroundThreads {
  /// The process that asked first.
  private static let owner = getpid()

  /// False in a child that was forked after its parent had asked. A fork copies only the thread that calls it, and libdispatch
  /// in the child waits for the others without end: the child does all work in the caller's thread, with the same result.
  package static var areAvailable: Bool { getpid() == owner }
}
