/// A kind of log that can be read.
public struct LogFormat: Sendable {
  /// The short identifier, as in `LogDescription.format`.
  public let id: String
  /// A human-readable name.
  public let title: String
  /// The properties by which a log of this format is recognized.
  package let recognition: String
  /// The units, signs and clock of the logs, and how they are converted.
  package let units: String
  /// Whether its logs are folders.
  package internal(set) var isFolder = false
  /// Whether its logs are of robots, which do not walk.
  package internal(set) var isRobot = false
  let recognizes: @Sendable (LogCandidate) -> Bool
  let open: @Sendable (String, LogOptions) throws(LogError) -> any LogReader
}

extension LogFormat {
  /// Returns the first format that recognizes a file or folder, or `nil` if no format does.
  static func of(_ candidate: LogCandidate) -> LogFormat? { all.first { $0.recognizes(candidate) } }

  /// Whether a file or folder is a log of a robot.
  package static func isRobot(_ path: String) -> Bool {
    (try? LogCandidate(path: path)).flatMap { of($0) }?.isRobot ?? false
  }

  /// Creates the format with an identifier, or `nil` if the identifier is unknown.
  public init?(id: String) {
    guard let format = Self.all.first(where: { $0.id == id }) else { return nil }
    self = format
  }

  /// Opens a log as this format, without recognition. Throws ``LogError`` if the log does not have this format.
  public func reader(of path: String, options: LogOptions = LogOptions()) throws(LogError) -> any LogReader {
    try open(path, options)
  }
}
