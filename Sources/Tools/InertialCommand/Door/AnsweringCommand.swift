import ArgumentParser
import Inertial

/// A subcommand whose JSON document other programs can have in their own process: nothing is printed for it.
protocol AnsweringCommand: ParsableCommand {
  associatedtype Document: Encodable
  /// What `--json` prints.
  ///
  /// - Parameter progress: called now and then with the share that is done, 0 to 1.
  func document(_ access: LogAccess, progress: (Double) -> Void) throws -> Document
}

/// How a caller's program reaches the log, where it is not only a path.
struct LogAccess {
  /// The log itself, where it is in the caller's memory.
  var held: HeldTable?
  /// Ends the reading early.
  var stop: StopFlag?

  func applied(to options: LogOptions) -> LogOptions {
    var options = options
    (options.held, options.stop) = (held, stop)
    return options
  }
}

extension AnsweringCommand {
  /// The document, with a bar on a terminal meanwhile.
  func documentWithBar(_ title: String) throws -> Document {
    var bar = ProgressBar(title)
    defer { bar.end() }
    return try document(LogAccess()) { bar.show($0) }
  }
}
