#if HDF5
  /// The bytes of an HDF5 file, for the check of its structure. No read extends beyond the file.
  struct HDF5Bytes {
    let path: String
    let size: Int
    private let file: InputFile

    /// Opens a file of `size` bytes whose signature was checked.
    init(path: String, size: Int) throws(LogError) {
      (self.path, self.size) = (path, size)
      file = try InputFile(path: path)
    }

    /// Returns the error for an invalid structure.
    func damaged(_ what: String, at offset: UInt64) -> LogError {
      LogError(
        path: path, problem: "this HDF5 file is truncated or damaged: \(what) at byte \(offset)",
        remedy: "fetch or copy the file again")
    }

    /// Returns the error for a structure that may be valid but is not supported.
    func unsupported(_ what: String) -> LogError {
      LogError(
        path: path, problem: "this HDF5 file has \(what), which this reader does not support",
        remedy: "rewrite it with plain datasets, uncompressed or with deflate")
    }

    /// Returns the end of `count` bytes at `offset`.
    ///
    /// - Throws: ``LogError`` if the file ends first.
    func end(of count: UInt64, at offset: UInt64, _ what: String) throws(LogError) -> UInt64 {
      let (end, overflow) = offset.addingReportingOverflow(count)
      guard !overflow, end <= UInt64(size) else { throw damaged("the \(what) is cut off", at: offset) }
      return end
    }

    /// Returns the `count` bytes at `offset`.
    ///
    /// - Throws: ``LogError`` that names the structure if the bytes cannot be read.
    func read(_ count: Int, at offset: UInt64, _ what: String) throws(LogError) -> HDF5Cursor {
      guard count >= 0 else { throw damaged("the \(what) is not valid", at: offset) }
      _ = try end(of: UInt64(count), at: offset, what)
      guard let bytes = try? file.bytes(count, at: offset), bytes.count == count else {
        throw damaged("the \(what) cannot be read", at: offset)
      }
      return HDF5Cursor(file: self, bytes: bytes[...], origin: offset, what: what)
    }
  }

  /// A sequence of little-endian fields that does not extend beyond the end of its structure.
  struct HDF5Cursor {
    let file: HDF5Bytes
    private(set) var bytes: ArraySlice<UInt8>
    /// The offset in the file of index 0 of `bytes`, for messages.
    let origin: UInt64
    let what: String

    var count: Int { bytes.count }
    var offset: UInt64 { origin + UInt64(bytes.startIndex) }
    var damaged: LogError { file.damaged("the \(what) is not valid", at: offset) }

    /// Returns the next `size` bytes (1 to 8) as an unsigned number.
    mutating func number(_ size: Int) throws(LogError) -> UInt64 {
      guard size <= bytes.count else { throw file.damaged("the \(what) is cut off", at: offset) }
      var value: UInt64 = 0
      for (position, byte) in bytes.prefix(size).enumerated() { value |= UInt64(byte) << (8 * UInt64(position)) }
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

    /// Returns the next `count` bytes as a separate structure.
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

    /// Requires the next number to be in a range.
    @discardableResult
    mutating func one(of values: ClosedRange<UInt64>, _ size: Int = 1) throws(LogError) -> Int {
      let position = self
      let value = try number(size)
      guard values.contains(value) else { throw position.damaged }
      return Int(truncatingIfNeeded: value)
    }
  }
#endif
