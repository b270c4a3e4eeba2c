/// An array for more elements than memory should hold: the first stay there, the others go to a temporary file without a name.
///
/// Elements are added at the end and read by a `Reader`, one after the other in either direction. What runs once an element is
/// `public`: inlinable code of `package` access is not specialised in other modules (`.ci/check-specialised`).
public struct SpilledArray<Element: BitwiseCopyable & Sendable>: Sendable {
  /// Elements in a block, a power of two.
  @usableFromInline static var blockLength: Int { 1 << 12 }

  @usableFromInline var blocks: SpilledBlocks
  /// Behind the blocks.
  @usableFromInline var tail: [Element] = []

  /// An array without elements.
  ///
  /// - Parameter memory: bytes that stay in memory; `Int.max` for all.
  @inlinable public init(memory: Int = 1 << 20) {
    blocks = SpilledBlocks(size: Self.blockLength * MemoryLayout<Element>.stride, memory: memory)
  }

  /// The number of elements.
  @inlinable public var count: Int { blocks.count * Self.blockLength + tail.count }

  /// Bytes that are in the file.
  @inlinable public var spilledBytes: Int { blocks.spilledBytes }

  /// Adds an element at the end.
  @inlinable public mutating func append(_ element: Element) {
    tail.append(element)
    guard tail.count == Self.blockLength else { return }
    tail.withUnsafeBytes { blocks.append($0) }
    tail.removeAll(keepingCapacity: true)
  }

  /// Removes the elements of the first block; the array must have one.
  @inlinable mutating func removeFirstBlock() { blocks.removeFirst() }

  /// Reads elements of an array; quick where the next is beside the last.
  public struct Reader: Sendable {
    @usableFromInline var block = -1
    @usableFromInline var elements: [Element] = []

    /// A reader that holds no block yet.
    @inlinable public init() {}

    /// To be called when the array's first block was removed.
    @inlinable mutating func moveBack() { block = max(block - 1, -1) }

    /// An element of the array.
    ///
    /// - Parameter index: from 0 to below the array's count.
    /// - Throws: where the file cannot be read.
    @inlinable public mutating func at(_ index: Int, of array: borrowing SpilledArray) throws(SpillError) -> Element {
      let wanted = index / SpilledArray.blockLength
      if wanted == array.blocks.count { return array.tail[index % SpilledArray.blockLength] }
      if wanted != block { try load(wanted, of: array) }
      return elements[index % SpilledArray.blockLength]
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
