#if HDF5
  internal import InertialSystem

  /// The bytes of an HDF5 file, for the check of its structure: no read leaves the file.
  final class HDF5Bytes {
    let path: String
    let size: Int
    private let descriptor: Int32

    /// Opens a file of `size` bytes whose signature has been seen.
    init(path: String, size: Int) throws(LogError) {
      self.path = path
      self.size = size
      descriptor = open(path, O_RDONLY)
      guard descriptor >= 0 else {
        throw LogError(
          path: path, problem: "cannot be opened: \(systemMessage(errno))",
          remedy: "check the path and its permissions")
      }
    }

    deinit { _ = close(descriptor) }

    /// The error for a structure that is not as it must be.
    func damaged(_ what: String, at offset: UInt64) -> LogError {
      LogError(
        path: path, problem: "this HDF5 file is truncated or damaged: \(what) at byte \(offset)",
        remedy: "fetch or copy the file again")
    }

    /// The error for a structure that may be sound, but that this reader does not take.
    func unsupported(_ what: String) -> LogError {
      LogError(
        path: path, problem: "this HDF5 file has \(what), which this reader does not take",
        remedy: "write it anew with plain datasets, uncompressed or with deflate")
    }

    /// Where `count` bytes from `offset` on end, or an error where the file ends before.
    func end(of count: UInt64, at offset: UInt64, _ what: String) throws(LogError) -> UInt64 {
      let (end, overflow) = offset.addingReportingOverflow(count)
      guard !overflow, end <= UInt64(size) else { throw damaged("the \(what) is cut off", at: offset) }
      return end
    }

    /// The `count` bytes at `offset`, or an error that names the structure they belong to.
    func read(_ count: Int, at offset: UInt64, _ what: String) throws(LogError) -> HDF5Cursor {
      guard count >= 0 else { throw damaged("the \(what) is wrong", at: offset) }
      _ = try end(of: UInt64(count), at: offset, what)
      var bytes = [UInt8](repeating: 0, count: count)
      guard pread(descriptor, &bytes, count, off_t(offset)) == count else {
        throw damaged("the \(what) cannot be read", at: offset)
      }
      return HDF5Cursor(file: self, bytes: bytes[...], origin: offset, what: what)
    }
  }

  /// Little-endian fields one after the other, none beyond the end of the structure they belong to.
  struct HDF5Cursor {
    let file: HDF5Bytes
    private(set) var bytes: ArraySlice<UInt8>
    /// Place of index 0 of `bytes` in the file, for messages.
    let origin: UInt64
    let what: String

    var count: Int { bytes.count }
    var offset: UInt64 { origin + UInt64(bytes.startIndex) }
    var damaged: LogError { file.damaged("the \(what) is wrong", at: offset) }

    /// The next `size` bytes (1 to 8) as an unsigned number.
    mutating func number(_ size: Int) throws(LogError) -> UInt64 {
      guard size <= bytes.count else { throw file.damaged("the \(what) is cut off", at: offset) }
      var value: UInt64 = 0
      for (place, byte) in bytes.prefix(size).enumerated() { value |= UInt64(byte) << (8 * UInt64(place)) }
      bytes = bytes.dropFirst(size)
      return value
    }

    mutating func int(_ size: Int) throws(LogError) -> Int {
      guard let value = Int(exactly: try number(size)) else { throw damaged }
      return value
    }

    mutating func skip(_ count: Int) throws(LogError) {
      guard count >= 0, count <= bytes.count else { throw file.damaged("the \(what) is cut off", at: offset) }
      bytes = bytes.dropFirst(count)
    }

    /// The next `count` bytes as a structure of their own.
    mutating func part(_ count: Int, _ what: String) throws(LogError) -> HDF5Cursor {
      let start = bytes
      try skip(count)
      return HDF5Cursor(file: file, bytes: start.prefix(count), origin: origin, what: what)
    }

    /// Requires the next bytes to be these characters.
    mutating func signature(_ text: String) throws(LogError) {
      guard bytes.starts(with: text.utf8) else { throw damaged }
      try skip(text.utf8.count)
    }

    /// Requires the next number to be one of these.
    @discardableResult
    mutating func one(of values: ClosedRange<UInt64>, _ size: Int = 1) throws(LogError) -> Int {
      let place = self
      let value = try number(size)
      guard values.contains(value) else { throw place.damaged }
      return Int(truncatingIfNeeded: value)
    }
  }
#endif
