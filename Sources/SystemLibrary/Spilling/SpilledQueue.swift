/// A queue for more elements than memory should hold: those beyond the first wait in a temporary file without a name.
package struct SpilledQueue<Element: BitwiseCopyable & Sendable>: Sendable {
  @usableFromInline var array = SpilledArray<Element>()
  @usableFromInline var reader = SpilledArray<Element>.Reader()
  @usableFromInline var position = 0

  @inlinable package init() {}

  @inlinable package var isEmpty: Bool { position == array.count }

  @inlinable package mutating func append(_ element: Element) { array.append(element) }

  /// - Throws: where the file cannot be read.
  @inlinable package mutating func first() throws(SpillError) -> Element? {
    isEmpty ? nil : try reader.at(position, of: array)
  }

  /// The queue must have an element.
  @inlinable package mutating func removeFirst() {
    position += 1
    guard position == SpilledArray<Element>.blockLength else { return }
    array.removeFirstBlock()
    reader.moveBack()
    position = 0
  }
}
