/// The latest messages of a session, to recognise those that are received again: a sender repeats a message whose
/// response it has not received.
struct KnownMessages {
  private var files: [Int: RecordingFile] = [:]
  private var order: [Int] = []
  private static let maximumCount = 1024

  /// Returns the file in which a message with the same content was recorded before, or `nil` if no such message was.
  func file(of content: Int) -> RecordingFile? { files[content] }

  /// Stores the file in which a message is recorded.
  mutating func remember(_ content: Int, in file: RecordingFile) {
    if files.updateValue(file, forKey: content) == nil { order.append(content) }
    if order.count > Self.maximumCount { files[order.removeFirst()] = nil }
  }
}
