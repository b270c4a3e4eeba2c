/// The unpacked bytes of a zip archive's entry, which is stored or deflated, read block by block.
final class ZipContent {
  /// The number of unpacked bytes read so far.
  private(set) var count: UInt64 = 0

  private let file: InputFile
  private let record: ZipDirectory.Record
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
  /// - Parameter start: The offset of the entry's data in the archive, in bytes.
  init?(of record: ZipDirectory.Record, at start: UInt64, in file: InputFile) {
    guard [Self.stored, Self.deflated].contains(record.method) else { return nil }
    (self.file, self.record, position, end) = (file, record, start, start + record.packed)
    input = .allocate(byteCount: 1 << 16, alignment: 1)
    inflater = record.method == Self.deflated ? ZlibStream(inflating: .raw) : nil
  }

  deinit { input.deallocate() }

  /// Reads at most `buffer.count` bytes. Returns 0 at the end, or `nil` if the bytes do not match the directory.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(LogError) -> Int? {
    guard !buffer.isEmpty, !isAtEnd else { return 0 }
    let read: Int
    if let inflater {
      guard let count = try inflate(inflater, into: buffer) else { return nil }
      read = count
    } else {
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(UInt64(buffer.count), end - position))])
      read = try file.read(into: room, at: position)
      position += UInt64(read)
      guard read > 0 || room.isEmpty else { return nil }
      isAtEnd = position == end
    }
    count += UInt64(read)
    checksum.add(UnsafeRawBufferPointer(rebasing: buffer[..<read]))
    return isAtEnd && checksum.value != record.checksum ? nil : read
  }

  /// Returns the number of unpacked bytes, or `nil` if the data are not valid deflate data or end too early.
  private func inflate(
    _ stream: ZlibStream, into buffer: UnsafeMutableRawBufferPointer
  ) throws(LogError) -> Int? {
    while true {
      if stream.input.isEmpty, position < end {
        let piece = UnsafeMutableRawBufferPointer(rebasing: input[..<Int(min(UInt64(input.count), end - position))])
        let read = try file.read(into: piece, at: position)
        guard read > 0 else { return nil }
        position += UInt64(read)
        stream.input = UnsafeRawBufferPointer(rebasing: piece[..<read])
      }
      let available = stream.input.count
      guard let count = stream.inflate(into: buffer) else { return nil }
      isAtEnd = stream.isAtEnd
      if count > 0 || isAtEnd { return count }
      guard stream.input.count < available else { return nil }
    }
  }
}
