/// Opens a log from standard input ("-") or a named pipe, whose bytes can be read only once. Its format is detected from
/// its first bytes, as for a file. The description and the errors contain this path.
///
/// A CSV whose header names its columns is streamed, regardless of its length. Readers of all other formats may read a
/// file several times: the pipe is first copied to a private file (in TMPDIR or /tmp), which the same reader as for a
/// path then reads.
func openPipe(path: String, options: LogOptions) throws(LogError) -> any LogReader {
  let input = try InputFile(path: path, mayBeStream: true)
  // The input from a terminal or a device may have no end.
  guard !input.isDevice else {
    return try CSVLogReader(scanner: LineScanner(input), path: path, options: options)
  }
  let head = try input.readBytes(upTo: LogCandidate.headSize)
  if let foreign = ForeignFile(head: head), !ZipArchive.begins(head) { throw foreign.error(path: input.name) }
  // The empty path keeps the formats from opening the pipe a second time.
  let candidate = LogCandidate(path: "", head: head)
  guard let format = LogFormat.of(candidate), CSVFormat(rawValue: format.id) == nil else {
    return try CSVLogReader(scanner: LineScanner(input, after: head), path: path, options: options)
  }
  if format.id == LogFormat.floatRows.id { try FloatRowsReader.requireColumns(options, path: input.name) }
  let scratch = try ScratchFolder(for: input.name)
  let copy = try scratch.makeFile(["log"], for: input.name)
  try head.withUnsafeBufferPointer { bytes throws(LogError) in try copy.append(UnsafeRawBufferPointer(bytes)) }
  try copy.append { (buffer) throws(LogError) in try input.read(into: buffer) }
  let root = scratch.path
  let file = root + "/log"
  return try ExtractedLogReader(
    in: scratch,
    open: { () throws(LogError) in try openFile(LogCandidate(path: file), options: options) },
    describe: { $0.path = path },
    rename: { error in
      if error.path.hasPrefix(root) { error.path = input.name }
      error.problem.replace(file, with: input.name)
      error.remedy.replace(file, with: input.name)
    })
}
