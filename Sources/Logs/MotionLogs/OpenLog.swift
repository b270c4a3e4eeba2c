internal import InertialSensors

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
  func open(_ options: LogOptions) throws(LogError) -> any LogReader {
    do throws(LogError) {
      return try openUnguessed(path: path, options: options)
    } catch {
      throw LogGuess.completed(error, path: path, options: options)
    }
  }
  guard options.auxiliary.contains(where: \.isEvent) else { return try open(options) }
  return try EventMergingReader(path: path, options: options, open: open)
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
    let obstacle = files.sensors.isEmpty ? nil : files.obstacle
    // Only a BIDS dataset is searched for its logs: another folder may be a disk.
    let inner = folder.names.contains("dataset_description.json") ? try? LogFeed.find(at: path).logs.first : nil
    throw LogError(
      path: path, problem: "is a folder of no known format" + (obstacle.map { ": \($0.problem)" } ?? ""),
      remedy: (obstacle.map { "\($0.remedy); " } ?? inner.map { "give a log in it, such as \($0); " } ?? "")
        + "known folders are: \(folders)")
  }
  // The error names the missing part.
  return try CSVLogReader(path: path, options: options)
}
