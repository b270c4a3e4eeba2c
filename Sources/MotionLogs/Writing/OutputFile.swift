/// Where a writer's bytes go, in order.
protocol OutputFile: AnyObject {
  /// Writes all the bytes; an error where the disk is full or the reader has gone.
  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError)
  /// Waits until all that was written is safe on the disk.
  func prepare() throws(OutputError)
  /// The output is whole. Nothing can be written after it.
  func commit() throws(OutputError)
}

extension AtomicFile: OutputFile {}

extension OutputFile {
  /// Writes a text as UTF-8.
  func write(_ text: String) throws(OutputError) { try write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) throws(OutputError) {
    try bytes.withUnsafeBufferPointer { bytes throws(OutputError) in try write(UnsafeRawBufferPointer(bytes)) }
  }
}
