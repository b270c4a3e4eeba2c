/// The destination of a writer's bytes.
protocol OutputFile: AnyObject {
  /// Writes all bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError)
  /// Waits until all written bytes are safely on disk.
  func prepare() throws(OutputError)
  /// Completes the output. Nothing can be written afterwards.
  func commit() throws(OutputError)
}

extension AtomicFile: OutputFile {}

extension OutputFile {
  /// Writes a string as UTF-8.
  func write(_ text: String) throws(OutputError) { try write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) throws(OutputError) {
    try bytes.withUnsafeBufferPointer { bytes throws(OutputError) in try write(UnsafeRawBufferPointer(bytes)) }
  }
}
