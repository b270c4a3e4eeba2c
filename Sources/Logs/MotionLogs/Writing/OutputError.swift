/// An error of an output, in one line: the location, the problem and the remedy.
public struct OutputError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The reason why the output cannot be written.
  package enum Kind: Sendable {
    /// A file exists and must not be replaced: a usage error, not a data error.
    case exists
    /// The folder does not exist.
    case noFolder
    case notPermitted
    case diskFull
    /// The reader of standard output has closed it, so the error need not be printed.
    case closedPipe
    case other
  }

  package var kind: Kind
  /// The file or folder that could not be written.
  public var path: String
  /// The problem.
  public var problem: String
  /// The action that the user can take.
  public var remedy: String

  package init(kind: Kind, path: String, problem: String, remedy: String) {
    self.kind = kind
    self.path = path
    self.problem = problem
    self.remedy = remedy
  }

  public var description: String { "\(path): \(problem); \(remedy)" }
}
