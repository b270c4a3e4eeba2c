/// The unpacked bytes of a zip archive's entry, which is stored or deflated, read block by block.
final class ZipContent {
  /// The number of unpacked bytes read so far.
  private(set) var count: UInt64 = 0

  private let file: InputFile
  private let entry: ZipDirectory.Entry
  private let damage: LogError
  private var position: UInt64
  private let end: UInt64
  private var checksum = CyclicChecksum()
  private var isAtEnd = false
  private let input: UnsafeMutableRawBufferPointer
  /// The stream that decompresses the entry, or `nil` if the entry is stored.
  private let inflater: ZlibStream?

  private static let stored: UInt16 = 0
  private static let deflated: UInt16 = 8

  /// Creates a reader of an entry, or returns `nil` if its compression method is unsupported.
  ///
  /// - Parameter damage: The error of data that do not match the directory.
  init?(of entry: ZipDirectory.Entry, in file: InputFile, damage: LogError) {
    guard [Self.stored, Self.deflated].contains(entry.method) else { return nil }
    (self.file, self.entry, self.damage) = (file, entry, damage)
    (position, end) = (entry.start, entry.start + entry.packed)
    input = .allocate(byteCount: 1 << 16, alignment: 1)
    inflater = entry.method == Self.deflated ? ZlibStream(inflating: .raw) : nil
  }

  deinit { input.deallocate() }

  /// Reads at most `buffer.count` bytes. Returns 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(LogError) -> Int {
    guard !buffer.isEmpty, !isAtEnd else { return 0 }
    let read: Int
    if let inflater {
      read = try inflate(inflater, into: buffer)
    } else {
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(UInt64(buffer.count), end - position))])
      read = try file.read(into: room, at: position)
      position += UInt64(read)
      guard read > 0 || room.isEmpty else { throw damage }
      isAtEnd = position == end
    }
    count += UInt64(read)
    checksum.add(UnsafeRawBufferPointer(rebasing: buffer[..<read]))
    if isAtEnd && checksum.value != entry.checksum { throw damage }
    return read
  }

  /// Reads the given number of bytes to the start of a buffer. Returns `false` if the entry ends first.
  func fill(_ buffer: inout [UInt8], _ count: Int) throws(LogError) -> Bool {
    var done = 0
    while done < count {
      let more = try buffer.withUnsafeMutableBufferPointer { buffer throws(LogError) in
        try read(into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[done..<count])))
      }
      if more == 0 { return false }
      done += more
    }
    return true
  }

  /// Returns the number of unpacked bytes.
  private func inflate(
    _ stream: ZlibStream, into buffer: UnsafeMutableRawBufferPointer
  ) throws(LogError) -> Int {
    while true {
      if stream.input.isEmpty, position < end {
        let piece = UnsafeMutableRawBufferPointer(rebasing: input[..<Int(min(UInt64(input.count), end - position))])
        let read = try file.read(into: piece, at: position)
        guard read > 0 else { throw damage }
        position += UInt64(read)
        stream.input = UnsafeRawBufferPointer(rebasing: piece[..<read])
      }
      let available = stream.input.count
      guard let count = stream.inflate(into: buffer) else { throw damage }
      isAtEnd = stream.isAtEnd
      if count > 0 || isAtEnd { return count }
      guard stream.input.count < available else { throw damage }
    }
  }
}
