/// An error in a log, in one line: the location, the problem and the remedy.
public struct LogError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file with the error.
  public var path: String
  /// The line, counted from 1, or `nil` if the error does not belong to a line.
  public var line: Int?
  /// The field of the line, counted from 1, or `nil` if the error does not belong to a field.
  public var column: Int?
  /// The problem.
  public var problem: String
  /// The action that the user can take.
  public var remedy: String
  /// The property that the log does not specify, or `nil` for any other error.
  package var question: LogQuestion?

  /// Creates an error; line and column are counted from 1.
  public init(path: String, line: Int? = nil, column: Int? = nil, problem: String, remedy: String) {
    self.path = path
    self.line = line
    self.column = column
    self.problem = problem
    self.remedy = remedy
  }

  package init(path: String, line: Int? = nil, problem: String, remedy: String, question: LogQuestion) {
    self.init(path: path, line: line, problem: problem, remedy: remedy)
    self.question = question
  }

  public var description: String {
    var text = path
    if let line { text += ":\(line)" }
    if let column { text += ":\(column)" }
    text += ": \(problem); \(remedy)"
    // File names may contain line breaks, too.
    return text.contains(where: \.isNewline) ? String(text.map { $0.isNewline ? "?" : $0 }) : text
  }
}
