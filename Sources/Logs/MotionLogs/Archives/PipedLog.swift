/// A log from a pipe, whose bytes can be read only once. Its format is detected from its first bytes, as for a file.
///
/// A CSV whose header names its columns is streamed, regardless of its length. Readers of all other formats may read a
/// file several times: the pipe is first copied to a private file (in TMPDIR or /tmp), which the same reader as for a
/// path then reads.
enum PipedLog {
  /// Opens standard input ("-") or a named pipe. The description and the errors contain this path.
  static func open(path: String, options: LogOptions) throws(LogError) -> any LogReader {
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
    try copy(head, input, into: scratch)
    let root = scratch.path
    return try ExtractedLogReader(
      in: scratch,
      open: { () throws(LogError) in try openFile(LogCandidate(path: root + "/" + file), options: options) },
      describe: { inner in
        var description = inner
        description.path = path
        return description
      },
      rename: { error in
        var renamed = error
        if error.path.hasPrefix(root) { renamed.path = input.name }
        renamed.problem.replace(root + "/" + file, with: input.name)
        renamed.remedy.replace(root + "/" + file, with: input.name)
        return renamed
      })
  }

  private static let file = "log"

  private static func copy(_ head: [UInt8], _ input: InputFile, into scratch: ScratchFolder) throws(LogError) {
    let copy = try scratch.makeFile([file], for: input.name)
    try head.withUnsafeBufferPointer { bytes throws(LogError) in
      try copy.append(UnsafeRawBufferPointer(bytes))
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 1)
    defer { buffer.deallocate() }
    while true {
      let count = try input.read(into: buffer)
      if count == 0 { return }
      try copy.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }
}
