internal import InertialSystem

/// Bytes that are buffered on disk until the output is complete. The file has no name and is removed with this object.
final class SpoolFile {
  /// The number of bytes of a stream that are held in memory before a file is created.
  private static let maximumMemorySize = 1 << 22

  /// The path of the output in messages.
  private let path: String
  private var file: UnnamedFile?
  /// The first bytes; the file continues them.
  private var head: [UInt8] = []
  private(set) var count = 0

  /// Buffers the output of a stream: some megabytes in memory, the rest in the folder of temporary files.
  init(holding path: String) { self.path = path == "-" ? "standard output" : path }

  /// Creates a file in the folder of an output, which needs room for the output anyway.
  init(for path: String) throws(OutputError) {
    self.path = path
    let folder = AtomicFile.folder(of: path)
    // The file briefly has the temporary name of an output; `step` prevents a signal from ending the process meanwhile.
    var made: UnnamedFile?
    AtomicFile.temporaryStep {
      made = UnnamedFile(name: "\(folder).\(path.dropFirst(folder.count)).partial-\(getpid())-XXXXXX")
      return made == nil ? -1 : 0
    }
    guard let made else { throw AtomicFile.error(errno, path: path) }
    file = made
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    if file == nil, head.count + bytes.count <= Self.maximumMemorySize {
      head += bytes
      count += bytes.count
      return
    }
    if file == nil { file = UnnamedFile(name: temporaryFolder + "/inertial-XXXXXX") }
    guard let file else { throw AtomicFile.error(errno, path: temporaryFolder) }
    try AtomicFile.write(bytes, to: file.descriptor, path: path)
    count += bytes.count
  }

  /// Passes all bytes to a closure in order, block by block.
  func forEachPiece(_ body: (UnsafeRawBufferPointer) throws(OutputError) -> Void) throws(OutputError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    try head.withUnsafeBufferPointer { (head) throws(OutputError) in
      if !head.isEmpty { try body(UnsafeRawBufferPointer(head)) }
    }
    var position = 0
    let size = count - head.count
    while let file, position < size {
      let got = pread(file.descriptor, buffer.baseAddress, min(buffer.count, size - position), off_t(position))
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw AtomicFile.error(got < 0 ? errno : EIO, path: path) }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
      position += got
    }
  }
}
