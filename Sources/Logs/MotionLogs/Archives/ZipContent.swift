internal import CInertialCompression

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
  private var input: UnsafeMutableRawBufferPointer
  /// The zlib stream, at a fixed address as zlib requires, or `nil` if the entry is stored.
  private var inflater: UnsafeMutablePointer<z_stream>?

  private static let stored: UInt16 = 0
  private static let deflated: UInt16 = 8

  /// Creates a reader of an entry, or returns `nil` if its compression method is unsupported.
  ///
  /// - Parameter start: The offset of the entry's data in the archive, in bytes.
  init?(of record: ZipDirectory.Record, at start: UInt64, in file: InputFile) {
    guard [Self.stored, Self.deflated].contains(record.method) else { return nil }
    (self.file, self.record, position, end) = (file, record, start, start + record.packed)
    input = .allocate(byteCount: 1 << 16, alignment: 1)
    guard record.method == Self.deflated else { return }
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // A negative window size selects raw deflate data, without a zlib header and trailer.
    guard inflateInit2_(stream, -MAX_WBITS, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      stream.deallocate()
      return nil
    }
    inflater = stream
  }

  deinit {
    if let inflater {
      inflateEnd(inflater)
      inflater.deallocate()
    }
    input.deallocate()
  }

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
    _ stream: UnsafeMutablePointer<z_stream>, into buffer: UnsafeMutableRawBufferPointer
  ) throws(LogError) -> Int? {
    stream.pointee.next_out = buffer.baseAddress!.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(clamping: buffer.count)
    let room = stream.pointee.avail_out
    while stream.pointee.avail_out == room {
      if stream.pointee.avail_in == 0, position < end {
        let piece = UnsafeMutableRawBufferPointer(rebasing: input[..<Int(min(UInt64(input.count), end - position))])
        let read = try file.read(into: piece, at: position)
        guard read > 0 else { return nil }
        position += UInt64(read)
        stream.pointee.next_in = input.baseAddress!.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(read)
      }
      switch CInertialCompression.inflate(stream, Z_NO_FLUSH) {
      case Z_OK: continue
      case Z_STREAM_END:
        isAtEnd = true
        return Int(room - stream.pointee.avail_out)
      default: return nil
      }
    }
    return Int(room - stream.pointee.avail_out)
  }
}
