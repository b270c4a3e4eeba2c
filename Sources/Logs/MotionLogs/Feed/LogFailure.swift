/// An error of whoever takes a log's samples, which can say as well what is wrong with the log.
public protocol LogFailure: Error {
  /// The error for a log that is wrong.
  init(_ error: LogError)
}

extension LogError: LogFailure {
  /// The error itself.
  public init(_ error: LogError) { self = error }
}
