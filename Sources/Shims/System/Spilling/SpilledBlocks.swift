internal import Synchronization

/// Blocks of one size, the first of them in memory and the others in a file without a name.
///
/// Where the file cannot be made or has no room, blocks stay in memory. A copy shares the file: what either adds is where the
/// other does not look, and nothing is written over while there are two.
@usableFromInline package struct SpilledBlocks: Sendable {
  private let size: Int
  /// How many bytes stay in memory.
  private let memory: Int
  private var kept: [[UInt8]] = []
  /// Of each block its offset in the file, or, below 0, the bits of its place in `kept` turned over.
  private var places: [Int] = []
  /// Places of blocks that were removed, as in `places`.
  private var free: [Int] = []
  private var file: SharedFile?
  private var mayHaveFile = true

  /// - Parameters:
  ///   - size: of each block, bytes.
  ///   - memory: bytes that stay in memory at least.
  @usableFromInline package init(size: Int, memory: Int) {
    (self.size, self.memory) = (size, memory)
  }

  @usableFromInline package var count: Int { places.count }

  /// Bytes of blocks that are in the file.
  @usableFromInline package var spilledBytes: Int { places.count { $0 >= 0 } * size }

  @usableFromInline package mutating func append(_ block: UnsafeRawBufferPointer) {
    if let index = free.firstIndex(where: { $0 < 0 }) {
      let place = free.remove(at: index)
      kept[~place] = Array(block)
      places.append(place)
    } else if size > memory - kept.count * size, let offset = spill(block) {
      places.append(offset)
    } else {
      places.append(~kept.count)
      kept.append(Array(block))
    }
  }

  /// Removes the first block; its place is another's from now on.
  @usableFromInline package mutating func removeFirst() {
    let place = places.removeFirst()
    if place < 0 { kept[~place] = [] }
    free.append(place)
  }

  private mutating func spill(_ block: UnsafeRawBufferPointer) -> Int? {
    guard mayHaveFile else { return nil }
    if file == nil { file = SharedFile() }
    if let place = free.last, isKnownUniquelyReferenced(&file), file!.file.put(block, at: place) {
      free.removeLast()
      return place
    }
    let offset = file?.add(block)
    // It would fail again, and each time take what it takes to fail.
    if offset == nil { mayHaveFile = false }
    return offset
  }

  @usableFromInline package func load(
    _ index: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SpillError) {
    let place = places[index]
    guard place >= 0 else {
      kept[~place].withUnsafeBytes { buffer.copyMemory(from: $0) }
      return
    }
    guard let file else { throw SpillError(number: EIO) }
    try file.file.get(buffer, from: place)
  }
}

/// A file that several add to.
private final class SharedFile: Sendable {
  let file: UnnamedFile
  private let end = Atomic<Int>(0)

  init?() {
    guard let file = UnnamedFile(name: temporaryFolder + "/inertial-XXXXXX") else { return nil }
    self.file = file
  }

  /// The offset of the bytes; nil where they cannot be written.
  func add(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let offset = end.add(bytes.count, ordering: .relaxed).oldValue
    return file.put(bytes, at: offset) ? offset : nil
  }
}
