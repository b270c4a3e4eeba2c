internal import CInertialCompression

/// The bytes of a zip archive's entry, unpacked piece by piece: stored as they are, or deflated.
final class ZipContent {
  /// What was read so far, unpacked.
  private(set) var count: UInt64 = 0

  private let file: InputFile
  private let record: ZipDirectory.Record
  private var place: UInt64
  private let end: UInt64
  private var checksum = CyclicChecksum()
  private var isAtEnd = false
  private var input: UnsafeMutableRawBufferPointer
  /// Where it stays, as zlib wants it; nil where nothing is deflated.
  private var inflater: UnsafeMutablePointer<z_stream>?

  private static let stored: UInt16 = 0
  private static let deflated: UInt16 = 8

  /// - Parameter start: of the bytes in the archive.
  /// - Returns: nil for a way to pack that is not known.
  init?(of record: ZipDirectory.Record, at start: UInt64, in file: InputFile) {
    guard [Self.stored, Self.deflated].contains(record.method) else { return nil }
    (self.file, self.record, place, end) = (file, record, start, start + record.packed)
    input = .allocate(byteCount: 1 << 16, alignment: 1)
    guard record.method == Self.deflated else { return }
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // Below zero: without a head and an end of its own.
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

  /// Reads at most `buffer.count` bytes; 0 at the end, and nil where they are not what the directory says.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(LogError) -> Int? {
    guard !buffer.isEmpty, !isAtEnd else { return 0 }
    let read: Int
    if let inflater {
      guard let count = try inflate(inflater, into: buffer) else { return nil }
      read = count
    } else {
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(UInt64(buffer.count), end - place))])
      read = try file.read(into: room, at: place)
      place += UInt64(read)
      guard read > 0 || room.isEmpty else { return nil }
      isAtEnd = place == end
    }
    count += UInt64(read)
    checksum.add(UnsafeRawBufferPointer(rebasing: buffer[..<read]))
    return isAtEnd && checksum.value != record.checksum ? nil : read
  }

  /// nil where the bytes are no deflated ones, or end too early.
  private func inflate(
    _ stream: UnsafeMutablePointer<z_stream>, into buffer: UnsafeMutableRawBufferPointer
  ) throws(LogError) -> Int? {
    stream.pointee.next_out = buffer.baseAddress!.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(clamping: buffer.count)
    let room = stream.pointee.avail_out
    while stream.pointee.avail_out == room {
      if stream.pointee.avail_in == 0, place < end {
        let piece = UnsafeMutableRawBufferPointer(rebasing: input[..<Int(min(UInt64(input.count), end - place))])
        let read = try file.read(into: piece, at: place)
        guard read > 0 else { return nil }
        place += UInt64(read)
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
