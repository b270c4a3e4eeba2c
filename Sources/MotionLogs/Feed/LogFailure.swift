/// An error of whoever takes a log's samples, which can say as well what is wrong with the log.
public protocol LogFailure: Error {
  init(_ error: LogError)
}

extension LogError: LogFailure {
  public init(_ error: LogError) { self = error }
}
