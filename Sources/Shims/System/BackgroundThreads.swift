/// Determines whether this process may use background threads.
package enum BackgroundThreads {
  /// The process that accessed this type first.
  private static let owner = getpid()

  /// Whether background threads are available: `false` in a child that was forked after its parent had accessed this
  /// type. A fork copies only the calling thread, and libdispatch in the child waits for the other threads
  /// indefinitely. The child therefore does all work in the caller's thread, with the same result.
  package static var areAvailable: Bool { getpid() == owner }
}
