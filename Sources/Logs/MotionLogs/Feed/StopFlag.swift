internal import Synchronization

/// Asks for the end of what takes long, from any thread.
///
/// Whoever reads a log looks at it between blocks of samples; see `LogOptions.stop`.
package final class StopFlag: Sendable, Equatable {
  private let value = Atomic(false)

  package init() {}

  /// Whether the end was asked for.
  package var isRaised: Bool { value.load(ordering: .relaxed) }

  package func raise() { value.store(true, ordering: .relaxed) }

  package static func == (a: StopFlag, b: StopFlag) -> Bool { a === b }
}

extension LogOptions {
  /// - Throws: where the end was asked for.
  func checkStop(_ name: String) throws(LogError) {
    guard stop?.isRaised == true else { return }
    throw LogError(path: name, problem: "stopped before its end", remedy: "nothing was made of it; start again")
  }
}
