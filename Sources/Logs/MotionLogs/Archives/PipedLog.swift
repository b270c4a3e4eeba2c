/// A log that comes through a pipe, whose bytes can be read but once: told by its first bytes, as a file is.
///
/// A CSV whose header names its columns is read as it comes, however long it is. Readers of every other format may look at
/// a file several times: for them it is first copied into a private file (in TMPDIR or /tmp), and then read by the same
/// reader as from its own path.
enum PipedLog {
  /// Opens "-", which is standard input, or a pipe that has a path. The description and the errors name that.
  static func open(path: String, options: LogOptions) throws(LogError) -> any LogReader {
    let input = try InputFile(path: path, mayBeStream: true)
    // What a terminal or a device has to give may have no end.
    guard !input.isDevice else {
      return try CSVLogReader(scanner: LineScanner(input), path: path, options: options)
    }
    let head = try input.readBytes(upTo: LogCandidate.headSize)
    if let foreign = ForeignFile(head: head), !ZipArchive.begins(head) { throw foreign.error(path: input.name) }
    // Without a path, so that nobody opens the pipe a second time.
    let candidate = LogCandidate(path: "", head: head)
    guard let format = LogFormat.of(candidate), CSVFormat(rawValue: format.id) == nil else {
      return try CSVLogReader(scanner: LineScanner(input, after: head), path: path, options: options)
    }
    if format.id == LogFormat.floatRows.id { try FloatRowsReader.requireColumns(options, path: input.name) }
    let scratch = try ScratchFolder(for: input.name)
    try copy(head, input, into: scratch)
    let root = scratch.path
    return try UnpackedReader(
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
