/// A queue for more elements than memory should hold: those beyond the first wait in a temporary file without a name.
public struct SpilledQueue<Element: BitwiseCopyable & Sendable>: Sendable {
  @usableFromInline var array = SpilledArray<Element>()
  @usableFromInline var reader = SpilledArray<Element>.Reader()
  @usableFromInline var position = 0

  /// A queue without elements.
  @inlinable public init() {}

  /// Whether the queue has no element.
  @inlinable public var isEmpty: Bool { position == array.count }

  /// Adds an element at the end.
  @inlinable public mutating func append(_ element: Element) { array.append(element) }

  /// The first element, which stays in the queue; nil if the queue is empty.
  ///
  /// - Throws: where the file cannot be read.
  @inlinable public mutating func first() throws(SpillError) -> Element? {
    isEmpty ? nil : try reader.at(position, of: array)
  }

  /// Removes the first element; the queue must have an element.
  @inlinable public mutating func removeFirst() {
    position += 1
    guard position == SpilledArray<Element>.blockLength else { return }
    array.removeFirstBlock()
    reader.moveBack()
    position = 0
  }
}
