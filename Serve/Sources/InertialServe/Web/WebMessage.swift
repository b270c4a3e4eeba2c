internal import NIOCore

/// A message to all readers, whose encodings are created only once.
final class WebMessage {
  let text: ByteBuffer
  private(set) lazy var event: ByteBuffer = {
    var event = ByteBuffer(string: "data: ")
    event.writeImmutableBuffer(text)
    event.writeString("\n\n")
    return event
  }()

  /// Creates a message.
  ///
  /// - Parameter text: JSON in a single line; for readers of lines, complete lines.
  init(_ text: String) { self.text = ByteBuffer(string: text) }
}
