/// An array for more elements than should be held in memory: the first ones stay in memory, the others are stored in an
/// unnamed temporary file.
///
/// Elements are added at the end and read by a `Reader`, one after the other in either direction. Functions called once per
/// element are `public`: inlinable code of `package` access is not specialised in other modules (`.ci/gate/check-specialised`).
public struct SpilledArray<Element: BitwiseCopyable & Sendable>: Sendable {
  /// The number of elements per block, a power of two.
  @usableFromInline static var blockLength: Int { 1 << 12 }

  @usableFromInline var blocks: SpilledBlocks
  /// The number of blocks, which is read for every element.
  @usableFromInline var blockCount = 0
  /// The elements after the last block.
  @usableFromInline var tail: [Element] = []

  /// Creates an empty array.
  ///
  /// - Parameter memory: The number of bytes that stay in memory; `Int.max` for all.
  @inlinable public init(memory: Int = 1 << 20) {
    blocks = SpilledBlocks(size: Self.blockLength * MemoryLayout<Element>.stride, memory: memory)
  }

  /// The number of elements.
  @inlinable public var count: Int { blockCount * Self.blockLength + tail.count }

  /// The number of bytes in the file.
  @inlinable public var spilledBytes: Int { blocks.spilledBytes }

  /// Appends an element.
  @inlinable public mutating func append(_ element: Element) {
    tail.append(element)
    guard tail.count == Self.blockLength else { return }
    tail.withUnsafeBytes { blocks.append($0) }
    blockCount += 1
    tail.removeAll(keepingCapacity: true)
  }

  /// Appends elements.
  @inlinable public mutating func append(contentsOf elements: UnsafeBufferPointer<Element>) {
    var rest = elements[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.blockLength - tail.count - 1)
      tail.append(contentsOf: part)
      rest = rest[part.endIndex...]
      guard let next = rest.popFirst() else { return }
      append(next)
    }
  }

  /// Removes the elements of the first block, which must exist.
  @inlinable mutating func removeFirstBlock() {
    blocks.removeFirst()
    blockCount -= 1
  }

  /// Reads elements of an array; fast if consecutive indices are adjacent.
  public struct Reader: Sendable {
    @usableFromInline var block = -1
    @usableFromInline var elements: [Element] = []

    /// Creates a reader without a loaded block.
    @inlinable public init() {}

    /// Adjusts the reader after the removal of the array's first block.
    @inlinable mutating func moveBack() { block = max(block - 1, -1) }

    /// Returns an element of the array.
    ///
    /// - Parameter index: The index, from 0 to below the array's count.
    /// - Throws: ``SpillError`` if the file cannot be read.
    @inlinable public mutating func at(_ index: Int, of array: borrowing SpilledArray) throws(SpillError) -> Element {
      let wanted = index / SpilledArray.blockLength
      if wanted == array.blockCount { return array.tail[index % SpilledArray.blockLength] }
      if wanted != block { try load(wanted, of: array) }
      return elements[index % SpilledArray.blockLength]
    }

    /// Replaces the contents of an array by elements.
    ///
    /// - Parameters:
    ///   - start: The index of the first one.
    ///   - count: Their number. All indices are below the array's count.
    /// - Throws: ``SpillError`` if the file cannot be read.
    @inlinable public mutating func copy(
      from start: Int, count: Int, of array: borrowing SpilledArray, to elements: inout [Element]
    ) throws(SpillError) {
      elements.removeAll(keepingCapacity: true)
      while elements.count < count {
        let (wanted, position) = (start + elements.count).quotientAndRemainder(dividingBy: SpilledArray.blockLength)
        let end = min(SpilledArray.blockLength, position + count - elements.count)
        if wanted == array.blockCount {
          elements += array.tail[position..<end]
        } else {
          if wanted != block { try load(wanted, of: array) }
          elements += self.elements[position..<end]
        }
      }
    }

    @inlinable mutating func load(_ wanted: Int, of array: borrowing SpilledArray) throws(SpillError) {
      block = -1
      var failure: SpillError?
      elements = Array(unsafeUninitializedCapacity: SpilledArray.blockLength) { buffer, count in
        do throws(SpillError) {
          try array.blocks.load(wanted, into: UnsafeMutableRawBufferPointer(buffer))
          count = SpilledArray.blockLength
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      block = wanted
    }
  }
}
