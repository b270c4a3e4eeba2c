import ArgumentParser
import Inertial

/// A subcommand whose JSON document other programs can obtain in their own process, without printing.
protocol DocumentCommand: ParsableCommand {
  associatedtype Document: Encodable
  /// Returns the document that `--json` prints.
  ///
  /// - Parameter progress: A closure that is called periodically with the completed fraction, 0 to 1.
  func document(_ access: LogAccess, progress: (Double) -> Void) throws -> Document
}

/// The access to a log that may be in a caller's memory.
struct LogAccess {
  /// The log in the caller's memory, or `nil` if it is a file.
  var held: InMemoryTable?
  /// A flag that stops the reading early.
  var stop: StopFlag?

  func applied(to options: LogOptions) -> LogOptions {
    var options = options
    (options.held, options.stop) = (held, stop)
    return options
  }
}

extension DocumentCommand {
  /// Returns the document, and shows a progress bar on a terminal meanwhile.
  func documentWithBar(_ title: String) throws -> Document {
    try ProgressBar.during(title) { try document(LogAccess(), progress: $0) }
  }
}
