/// Decompression of Snappy's raw format (google/snappy, `format_description.txt`), used in pages of other programs.
enum Snappy {
  static func decompress(_ bytes: ArraySlice<UInt8>, count: Int) throws(ParquetError) -> [UInt8] {
    let damage = ParquetError.damaged("a page that cannot be decompressed")
    var position = bytes.startIndex
    func next() throws(ParquetError) -> Int {
      guard position < bytes.endIndex else { throw damage }
      defer { position += 1 }
      return Int(bytes[position])
    }
    var length = 0
    for shift in stride(from: 0, to: 35, by: 7) {
      let byte = try next()
      length |= (byte & 0x7F) << shift
      if byte < 0x80 { break }
    }
    guard length == count else { throw damage }
    var output: [UInt8] = []
    output.reserveCapacity(count)
    while position < bytes.endIndex {
      let tag = try next()
      if tag & 3 == 0 {
        var size = tag >> 2
        if size >= 60 {
          let extra = size - 59
          size = 0
          for index in 0..<extra { size |= try next() << (8 * index) }
        }
        size += 1
        guard size <= bytes.endIndex - position, size <= count - output.count else { throw damage }
        output += bytes[position..<position + size]
        position += size
      } else {
        var (size, offset) = (0, 0)
        switch tag & 3 {
        case 1:
          size = 4 + (tag >> 2 & 7)
          offset = (tag >> 5) << 8 | (try next())
        case 2:
          size = 1 + tag >> 2
          offset = try next()
          offset |= try next() << 8
        default:
          size = 1 + tag >> 2
          for index in 0..<4 { offset |= try next() << (8 * index) }
        }
        guard offset > 0, offset <= output.count, size <= count - output.count else { throw damage }
        // Source and destination of a copy may overlap.
        for _ in 0..<size { output.append(output[output.count - offset]) }
      }
    }
    guard output.count == count else { throw damage }
    return output
  }
}
