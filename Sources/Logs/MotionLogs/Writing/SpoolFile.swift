internal import InertialSystem

/// Bytes that wait on the disk until all of them are known. The file has no name and goes with this object.
final class SpoolFile {
  /// Bytes that are held in memory before a stream's file is begun.
  private static let mostInMemory = 1 << 22

  /// The output that messages blame.
  private let path: String
  private var file: UnnamedFile?
  /// The first bytes; the file continues them.
  private var head: [UInt8] = []
  private(set) var count = 0

  /// Holds what goes to a stream: some megabytes in memory, and the rest in the folder of temporary files.
  init(holding path: String) { self.path = path == "-" ? "standard output" : path }

  /// Makes a file in the folder of an output, where there must be room for the output anyway.
  init(for path: String) throws(OutputError) {
    self.path = path
    let folder = AtomicFile.folder(of: path)
    // Where it is named for a moment, as a leftover of the output is, no signal ends the process in that moment.
    var made: UnnamedFile?
    Unfinished.step {
      made = UnnamedFile(name: "\(folder).\(path.dropFirst(folder.count)).partial-\(getpid())-XXXXXX")
      return made == nil ? -1 : 0
    }
    guard let made else { throw AtomicFile.error(errno, path: path) }
    file = made
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    if file == nil, head.count + bytes.count <= Self.mostInMemory {
      head += bytes
      count += bytes.count
      return
    }
    if file == nil { file = UnnamedFile(name: temporaryFolder + "/inertial-XXXXXX") }
    guard let file else { throw AtomicFile.error(errno, path: temporaryFolder) }
    try AtomicFile.write(bytes, to: file.descriptor, path: path)
    count += bytes.count
  }

  /// Gives all bytes, in their order, a piece at a time.
  func forEachPiece(_ body: (UnsafeRawBufferPointer) throws(OutputError) -> Void) throws(OutputError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    try head.withUnsafeBufferPointer { (head) throws(OutputError) in
      if !head.isEmpty { try body(UnsafeRawBufferPointer(head)) }
    }
    var place = 0
    let size = count - head.count
    while let file, place < size {
      let got = pread(file.descriptor, buffer.baseAddress, min(buffer.count, size - place), off_t(place))
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw AtomicFile.error(got < 0 ? errno : EIO, path: path) }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
      place += got
    }
  }
}
