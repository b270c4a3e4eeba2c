/// A queue for more elements than should be held in memory: further elements are stored in an unnamed temporary file.
public struct SpilledQueue<Element: BitwiseCopyable & Sendable>: Sendable {
  @usableFromInline var array = SpilledArray<Element>()
  @usableFromInline var reader = SpilledArray<Element>.Reader()
  @usableFromInline var position = 0

  /// Creates an empty queue.
  @inlinable public init() {}

  /// Whether the queue is empty.
  @inlinable public var isEmpty: Bool { position == array.count }

  /// Appends an element.
  @inlinable public mutating func append(_ element: Element) { array.append(element) }

  /// Returns the first element, which stays in the queue, or `nil` if the queue is empty.
  ///
  /// - Throws: ``SpillError`` if the file cannot be read.
  @inlinable public mutating func first() throws(SpillError) -> Element? {
    isEmpty ? nil : try reader.at(position, of: array)
  }

  /// Removes the first element, which must exist.
  @inlinable public mutating func removeFirst() {
    position += 1
    guard position == SpilledArray<Element>.blockLength else { return }
    array.removeFirstBlock()
    reader.moveBack()
    position = 0
  }
}
