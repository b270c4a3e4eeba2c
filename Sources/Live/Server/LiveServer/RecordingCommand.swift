internal import InertialEssentials
internal import InertialSystem

/// What a page or a program asks of the recording: a small object of JSON.
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

  /// nil of anything else.
  init?(body: [UInt8]) {
    guard body.count < 4096, let document = try? JSONDecoder().decode(Document.self, from: Data(body)) else {
      return nil
    }
    func short(_ text: String?) -> String { String((text ?? "").trimmed().prefix(LiveOptions.longestText)) }
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
