internal import Synchronization

/// A request to stop a long operation, from any thread.
///
/// Readers of a log check the flag between blocks of samples; see `LogOptions.stop`.
package final class StopFlag: Sendable, Equatable {
  private let value = Atomic(false)

  package init() {}

  /// Whether a stop was requested.
  package var isRaised: Bool { value.load(ordering: .relaxed) }

  package func raise() { value.store(true, ordering: .relaxed) }

  package static func == (a: StopFlag, b: StopFlag) -> Bool { a === b }
}

extension LogOptions {
  /// - Throws: ``LogError`` if a stop was requested.
  func checkStop(_ name: String) throws(LogError) {
    guard stop?.isRaised == true else { return }
    throw LogError(path: name, problem: "stopped before its end", remedy: "no result was produced; start again")
  }
}
