extension [UInt8] {
  /// Appends a number in little-endian order.
  @inline(__always)
  mutating func add(_ value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }
}
