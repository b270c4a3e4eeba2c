import ArgumentParser
import Inertial

/// A subcommand whose JSON document other programs can obtain in their own process, without printing.
protocol DocumentCommand: ParsableCommand {
  associatedtype Document: Encodable
  /// Returns the document that `--json` prints.
  ///
  /// - Parameters:
  ///   - base: The options of a log in a caller's memory, and the flag that stops the reading early.
  ///   - progress: A closure that is called periodically with the completed fraction, 0 to 1.
  func document(_ base: LogOptions, progress: (Double) -> Void) throws -> Document
}

extension DocumentCommand {
  /// Returns the document, and shows a progress bar on a terminal meanwhile.
  func documentWithBar(_ title: String) throws -> Document {
    try ProgressBar.during(title) { try document(LogOptions(), progress: $0) }
  }
}
