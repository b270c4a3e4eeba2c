extension [UInt8] {
  /// Appends a number with seven bits per byte, lowest first, as in Thrift's compact protocol and Parquet's runs
  /// (ULEB128).
  mutating func append(varint value: UInt64) {
    var value = value
    while value >= 0x80 {
      append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    append(UInt8(value))
  }
}
