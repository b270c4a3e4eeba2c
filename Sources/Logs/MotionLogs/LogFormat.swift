internal import InertialSensors
internal import InertialSystem

/// What the recognition of formats looks at: the beginning of a file, or what is in a folder.
struct LogCandidate {
  let path: String
  /// The file's first bytes, at most 64 KiB; empty for a folder.
  var head: [UInt8] = []
  /// The folder; nil for a file.
  var folder: LogFolder?

  static let headSize = 1 << 16

  /// What begins with these bytes and has no file of its own.
  init(path: String, head: [UInt8]) {
    self.path = path
    self.head = Self.decoded(head)
  }

  /// The head in UTF-8, converted from UTF-16 or UTF-32.
  private static func decoded(_ head: [UInt8]) -> [UInt8] {
    guard let encoding = TextEncoding(head: head) else { return head }
    var text: [UInt8] = []
    _ = encoding.decode(head, into: &text, isAtEnd: false)
    return text
  }

  /// Looks at a file or folder; an error where it cannot be read.
  init(path: String) throws(LogError) {
    self.path = path
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      if status.st_mode & S_IFMT == S_IFDIR { folder = try LogFolder(path: path) }
      // A pipe's bytes can be read only once, by the reader.
      return
    }
    let file = try InputFile(path: path)
    head = [UInt8](repeating: 0, count: Self.headSize)
    var count = 0
    while count < head.count {
      let more = try head.withUnsafeMutableBufferPointer { bytes throws(LogError) in
        try file.read(
          into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: bytes[count...])))
      }
      if more == 0 { break }
      count += more
    }
    head.removeLast(head.count - count)
    head = Self.decoded(head)
  }
}

/// A kind of log that can be read.
public struct LogFormat: Sendable {
  /// The short identifier, as in `LogDescription.format`.
  public let id: String
  /// A few words for people.
  public let title: String
  /// How a log of this kind is recognised.
  package let recognition: String
  /// Units, signs and clock of the logs, and what becomes of them.
  package let units: String
  /// Whether its logs are folders.
  package let isFolder: Bool
  let recognizes: @Sendable (LogCandidate) -> Bool
  let open: @Sendable (String, LogOptions) throws(LogError) -> any LogReader
}

extension LogFormat {
  /// The first format that takes a file or folder for one of its own; nil where none does.
  static func of(_ candidate: LogCandidate) -> LogFormat? { all.first { $0.recognizes(candidate) } }

  /// The format of an identifier; nil where there is none.
  public init?(id: String) {
    guard let format = Self.all.first(where: { $0.id == id }) else { return nil }
    self = format
  }

  /// Opens a log as one of this format, whatever it looks like; an error where it is none.
  public func reader(of path: String, options: LogOptions = LogOptions()) throws(LogError) -> any LogReader {
    try open(path, options)
  }
}

/// Opens a log of any known format, which is told by its content and not by its name; "-" is standard input.
///
/// The same bytes make the same log through a pipe, except that what lies beside a file (metadata, events) is not there.
///
/// Wanted events that the log does not have come from the file beside it, `walk.events.csv` beside `walk.csv`, where there
/// is one.
///
/// Throws where the log cannot be read, is of no known format, or does not say what only `options` can.
public func openLog(path: String, options: LogOptions = LogOptions()) throws(LogError) -> any LogReader {
  if let table = options.held { return try HeldTableReader(table, path: path, options: options) }
  guard options.auxiliary.contains(where: \.isEvent) else { return try openLogAlone(path: path, options: options) }
  return try EventfulLogReader(path: path, options: options) { (options) throws(LogError) in
    try openLogAlone(path: path, options: options)
  }
}

/// Opens a log without what is beside it.
private func openLogAlone(path: String, options: LogOptions) throws(LogError) -> any LogReader {
  do throws(LogError) {
    return try openUnguessed(path: path, options: options)
  } catch {
    throw LogGuess.completed(error, path: path, options: options)
  }
}

/// Opens a log alone, without a guess of the properties that the log does not state.
func openUnguessed(path: String, options: LogOptions) throws(LogError) -> any LogReader {
  let reader =
    InputFile.isStream(path)
    ? try PipedLog.open(path: path, options: options) : try openFile(LogCandidate(path: path), options: options)
  if let condition = options.conditions?.first, !(reader is CSVLogReader) {
    throw LogError(
      path: path,
      problem:
        "--where \(condition.column)=\(condition.value) takes rows of a table, and this log is not a table in one file",
      remedy: "leave --where out, or give the table itself")
  }
  return reader
}

/// Opens what can be looked at more than once.
func openFile(_ candidate: LogCandidate, options: LogOptions) throws(LogError) -> any LogReader {
  let path = candidate.path
  let foreign = ForeignFile(head: candidate.head)
  if let foreign, !ZipArchive.begins(candidate.head) { throw foreign.error(path: path) }
  if let format = LogFormat.of(candidate) { return try format.open(path, options) }
  if let foreign { throw foreign.error(path: path) }
  if let folder = candidate.folder {
    let folders = LogFormat.all.filter(\.isFolder).map(\.title).joined(separator: ", ")
    // What was meant as a folder of CSV files is told what it lacks.
    let files = CSVFolderFiles(folder)
    if let obstacle = files.obstacle, !files.sensors.isEmpty {
      throw LogError(
        path: path, problem: "is a folder of no known format: \(obstacle.problem)",
        remedy: "\(obstacle.remedy); known folders are: \(folders)")
    }
    throw LogError(path: path, problem: "is a folder of no known format", remedy: "known folders are: \(folders)")
  }
  // Its error says what is missing.
  return try CSVLogReader(path: path, options: options)
}
