/// Why an output could not be written, in one line: where, what, and what to do.
public struct OutputError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Why nothing can be written.
  package enum Kind: Sendable {
    /// There is a file already, and no leave to replace it: a matter of usage, not of data.
    case exists
    /// The folder is not there.
    case noFolder
    case notPermitted
    case diskFull
    /// The reader of standard output has gone: nobody is left to complain to.
    case closedPipe
    case other
  }

  package var kind: Kind
  /// The file or folder that could not be written.
  public var path: String
  /// What is wrong.
  public var problem: String
  /// What the user can do.
  public var remedy: String

  package init(kind: Kind, path: String, problem: String, remedy: String) {
    self.kind = kind
    self.path = path
    self.problem = problem
    self.remedy = remedy
  }

  public var description: String { "\(path): \(problem); \(remedy)" }
}
