internal import SystemLibrary

/// Bytes that wait on the disk until all of them are known. The file has no name and goes with this object.
final class SpoolFile {
  /// The output that messages blame.
  private let path: String
  private let file: UnnamedFile
  private(set) var count = 0

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
    try AtomicFile.write(bytes, to: file.descriptor, path: path)
    count += bytes.count
  }

  /// Gives all bytes, in their order, a piece at a time.
  func forEachPiece(_ body: (UnsafeRawBufferPointer) throws(OutputError) -> Void) throws(OutputError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    var place = 0
    while place < count {
      let got = pread(file.descriptor, buffer.baseAddress, min(buffer.count, count - place), off_t(place))
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw AtomicFile.error(got < 0 ? errno : EIO, path: path) }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
      place += got
    }
  }
}
