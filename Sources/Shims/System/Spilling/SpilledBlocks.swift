internal import Synchronization

/// Blocks of equal size, the first ones in memory and the others in an unnamed file.
///
/// If the file cannot be created or is full, blocks stay in memory. A copy shares the file: each copy appends at
/// positions that the other one does not use, and nothing is overwritten while there are two copies.
@usableFromInline package struct SpilledBlocks: Sendable {
  private let size: Int
  /// The number of bytes that stay in memory.
  private let memory: Int
  private var kept: [[UInt8]] = []
  /// The offset of each block in the file, or, if negative, the bitwise complement of its index in `kept`.
  private var places: [Int] = []
  /// The positions of removed blocks, as in `places`.
  private var free: [Int] = []
  private var file: SharedFile?
  private var mayHaveFile = true

  /// Creates an empty sequence of blocks.
  ///
  /// - Parameters:
  ///   - size: The size of each block, in bytes.
  ///   - memory: The minimum number of bytes that stay in memory.
  @usableFromInline package init(size: Int, memory: Int) {
    (self.size, self.memory) = (size, memory)
  }

  /// The number of bytes in the file.
  @usableFromInline package var spilledBytes: Int { places.count { $0 >= 0 } * size }

  @usableFromInline package mutating func append(_ block: UnsafeRawBufferPointer) {
    if let index = free.firstIndex(where: { $0 < 0 }) {
      let position = free.remove(at: index)
      kept[~position] = Array(block)
      places.append(position)
    } else if size > memory - kept.count * size, let offset = spill(block) {
      places.append(offset)
    } else {
      places.append(~kept.count)
      kept.append(Array(block))
    }
  }

  /// Removes the first block; its position can be reused.
  @usableFromInline package mutating func removeFirst() {
    let position = places.removeFirst()
    if position < 0 { kept[~position] = [] }
    free.append(position)
  }

  private mutating func spill(_ block: UnsafeRawBufferPointer) -> Int? {
    guard mayHaveFile else { return nil }
    if file == nil { file = SharedFile() }
    if let position = free.last, isKnownUniquelyReferenced(&file), file!.file.put(block, at: position) {
      free.removeLast()
      return position
    }
    let offset = file?.add(block)
    // Further attempts would fail as well, after the same delay.
    if offset == nil { mayHaveFile = false }
    return offset
  }

  @usableFromInline package func load(
    _ index: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SpillError) {
    let position = places[index]
    guard position >= 0 else {
      kept[~position].withUnsafeBytes { buffer.copyMemory(from: $0) }
      return
    }
    guard let file else { throw SpillError(number: EIO) }
    try file.file.get(buffer, from: position)
  }
}

/// A file that is shared by several copies.
private final class SharedFile: Sendable {
  let file: UnnamedFile
  private let end = Atomic<Int>(0)

  init?() {
    guard let file = UnnamedFile(name: temporaryFolder + "/inertial-XXXXXX") else { return nil }
    self.file = file
  }

  /// Returns the offset of the written bytes, or `nil` if they cannot be written.
  func add(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let offset = end.add(bytes.count, ordering: .relaxed).oldValue
    return file.put(bytes, at: offset) ? offset : nil
  }
}
