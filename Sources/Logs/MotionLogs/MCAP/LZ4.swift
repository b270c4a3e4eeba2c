/// The first bytes of an LZ4 frame (LZ4 frame format 1.6.3).
private let magic: UInt32 = 0x184D_2204

/// Returns the decompressed bytes of an LZ4 frame, `count` in number. The frame's own checksums are skipped, as chunks
/// have one.
func expandLZ4(_ frame: ArraySlice<UInt8>, count: Int) throws(ContainerError) -> [UInt8] {
  var fields = ContainerFields(frame)
  guard try fields.number(UInt32.self) == magic else { throw damage }
  let flags = try fields.number(UInt8.self)
  _ = try fields.number(UInt8.self)
  guard flags >> 6 == 1 else { throw damage }
  if flags & 0x08 != 0 { _ = try fields.bytes(8) }
  if flags & 0x01 != 0 { _ = try fields.bytes(4) }
  _ = try fields.number(UInt8.self)
  var output: [UInt8] = []
  while true {
    let size = try fields.number(UInt32.self)
    if size == 0 { break }
    let block = try fields.bytes(Int(size & 0x7FFF_FFFF))
    if size >> 31 == 1 { output += block } else { try expandBlock(block, into: &output, limit: count) }
    if flags & 0x10 != 0 { _ = try fields.bytes(4) }
    guard output.count <= count else { throw damage }
  }
  guard output.count == count else { throw damage }
  return output
}

private var damage: ContainerError { .damaged("a chunk that cannot be decompressed") }

/// Appends the decompressed bytes of a block: literals, and copies of up to 65535 bytes earlier output.
private func expandBlock(
  _ block: ArraySlice<UInt8>, into output: inout [UInt8], limit: Int
) throws(ContainerError) {
  var fields = ContainerFields(block)
  /// Returns a length; a value of 15 continues in the following bytes.
  func length(_ start: UInt8) throws(ContainerError) -> Int {
    var length = Int(start)
    guard start == 15 else { return length }
    while true {
      let more = try fields.number(UInt8.self)
      length += Int(more)
      if more < 255 { return length }
    }
  }
  while !fields.rest.isEmpty {
    let token = try fields.number(UInt8.self)
    output += try fields.bytes(try length(token >> 4))
    // The last sequence has literals only.
    if fields.rest.isEmpty { return }
    let offset = Int(try fields.number(UInt16.self))
    let count = try length(token & 15) + 4
    guard offset > 0, offset <= output.count, output.count + count <= limit else { throw damage }
    for _ in 0..<count { output.append(output[output.count - offset]) }
  }
}
