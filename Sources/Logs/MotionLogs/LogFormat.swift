internal import InertialSensors
internal import InertialSystem

/// The input of format recognition: the first bytes of a file, or the contents of a folder.
struct LogCandidate {
  let path: String
  /// The file's first bytes, at most 64 KiB; empty for a folder.
  var head: [UInt8] = []
  /// The folder; nil for a file.
  var folder: LogFolder?

  static let headSize = 1 << 16

  /// Creates a candidate from the first bytes of an input that is not a file.
  init(path: String, head: [UInt8]) {
    self.path = path
    self.head = Self.decoded(head)
  }

  /// Returns the head in UTF-8, converted from UTF-16 or UTF-32.
  private static func decoded(_ head: [UInt8]) -> [UInt8] {
    guard let encoding = TextEncoding(head: head) else { return head }
    var text: [UInt8] = []
    _ = encoding.decode(head, into: &text, isAtEnd: false)
    return text
  }

  /// Examines a file or folder.
  init(path: String) throws(LogError) {
    self.path = path
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      if status.st_mode & S_IFMT == S_IFDIR { folder = try LogFolder(path: path) }
      // The bytes of a pipe can be read only once, by the reader.
      return
    }
    head = Self.decoded(try InputFile(path: path).readBytes(upTo: Self.headSize))
  }
}

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
  let recognizes: @Sendable (LogCandidate) -> Bool
  let open: @Sendable (String, LogOptions) throws(LogError) -> any LogReader
}

extension LogFormat {
  /// Returns the first format that recognizes a file or folder, or `nil` if no format does.
  static func of(_ candidate: LogCandidate) -> LogFormat? { all.first { $0.recognizes(candidate) } }

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

/// Opens a log of any known format, recognized by its content, not by its name; "-" is standard input.
///
/// The same bytes yield the same log through a pipe, except that companion files (metadata, events) are not read.
///
/// Requested events that are missing in the log are read from the companion file, such as `walk.events.csv` for
/// `walk.csv`, if it exists.
///
/// Throws ``LogError`` if the log cannot be read, has an unknown format, or lacks a property that must be specified in
/// `options`.
public func openLog(path: String, options: LogOptions = LogOptions()) throws(LogError) -> any LogReader {
  if let table = options.held { return try InMemoryTableReader(table, path: path, options: options) }
  guard options.auxiliary.contains(where: \.isEvent) else { return try openLogAlone(path: path, options: options) }
  return try EventMergingReader(path: path, options: options) { (options) throws(LogError) in
    try openLogAlone(path: path, options: options)
  }
}

/// Opens a log without its events file.
private func openLogAlone(path: String, options: LogOptions) throws(LogError) -> any LogReader {
  do throws(LogError) {
    return try openUnguessed(path: path, options: options)
  } catch {
    throw LogGuess.completed(error, path: path, options: options)
  }
}

/// Opens a log without its events file and without guessing unspecified properties.
func openUnguessed(path: String, options: LogOptions) throws(LogError) -> any LogReader {
  let reader =
    InputFile.isStream(path)
    ? try openPipe(path: path, options: options) : try openFile(LogCandidate(path: path), options: options)
  if let condition = options.conditions?.first, !(reader is CSVLogReader) {
    throw LogError(
      path: path,
      problem:
        "--where \(condition.column)=\(condition.value) selects rows of a table, and this log is not a table in one file",
      remedy: "omit --where, or give the table itself")
  }
  return reader
}

/// Opens a file or folder, which can be read more than once.
func openFile(_ candidate: LogCandidate, options: LogOptions) throws(LogError) -> any LogReader {
  let path = candidate.path
  let foreign = ForeignFile(head: candidate.head)
  if let foreign, !ZipArchive.begins(candidate.head) { throw foreign.error(path: path) }
  if let format = LogFormat.of(candidate) { return try format.open(path, options) }
  if let foreign { throw foreign.error(path: path) }
  if let folder = candidate.folder {
    let folders = LogFormat.all.filter(\.isFolder).map(\.title).joined(separator: ", ")
    // For an incomplete folder of CSV files, the error names the missing part.
    let files = CSVFolderFiles(folder)
    if let obstacle = files.obstacle, !files.sensors.isEmpty {
      throw LogError(
        path: path, problem: "is a folder of no known format: \(obstacle.problem)",
        remedy: "\(obstacle.remedy); known folders are: \(folders)")
    }
    throw LogError(path: path, problem: "is a folder of no known format", remedy: "known folders are: \(folders)")
  }
  // The error names the missing part.
  return try CSVLogReader(path: path, options: options)
}
