/// An error of a consumer of a log's samples that can also represent an error of the log.
public protocol LogFailure: Error {
  /// Creates the error for an invalid log.
  init(_ error: LogError)
}

extension LogError: LogFailure {
  /// Creates a copy of the error.
  public init(_ error: LogError) { self = error }
}
