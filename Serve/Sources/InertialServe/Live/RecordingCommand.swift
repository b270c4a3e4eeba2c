internal import InertialEssentials
internal import InertialSystem

/// A command of a page or a program for the recording, sent as a small JSON object.
enum RecordingCommand: Equatable {
  case start(name: String, label: String)
  case stop
  case mark(String)

  private struct Document: Decodable {
    var action: String
    var name: String?
    var label: String?
    var text: String?
  }

  /// Parses a command, or returns `nil` if the document is not valid.
  init?(body: [UInt8]) {
    guard body.count < 4096, let document = try? JSONDecoder().decode(Document.self, from: Data(body)) else {
      return nil
    }
    func short(_ text: String?) -> String { String((text ?? "").trimmed().prefix(LiveOptions.maximumTextLength)) }
    switch document.action {
    case "start": self = .start(name: short(document.name), label: short(document.label))
    case "stop": self = .stop
    case "mark":
      guard !short(document.text).isEmpty else { return nil }
      self = .mark(short(document.text))
    default: return nil
    }
  }
}
