/// The parts of the names of a BIDS dataset's files, each of ASCII letters and digits.
public struct BIDSEntities: Sendable, Encodable, Equatable {
  /// The participant, or `nil` for the input's name.
  public var subject: String?
  /// The task of the participant, or `nil` for the input's name.
  public var task: String?
  /// The tracking system, which is the device.
  public var trackingSystem: String?

  /// Creates entities from their labels.
  ///
  /// - Throws: ``FusionError`` if a label is empty or has other characters.
  public init(subject: String? = nil, task: String? = nil, trackingSystem: String? = nil) throws(FusionError) {
    self.init()
    for (name, label) in [("subject", subject), ("task", task), ("tracksys", trackingSystem)] {
      guard let label else { continue }
      guard !label.isEmpty, label == Self.letters(label) else {
        throw .usage("--bids-\(name) takes letters and digits, not '\(label)'; BIDS allows no others in its names")
      }
    }
    (self.subject, self.task, self.trackingSystem) = (subject, task, trackingSystem)
  }

  /// Creates entities that all come from the input's name.
  public init() {}

  /// Returns the labels of a recording. Missing labels come from the input's name in BIDS style (`sub-03_task-walk`).
  /// The defaults are `01`, the letters and digits of the name, and `inertial`.
  func resolved(for input: String) -> (subject: String, task: String, trackingSystem: String) {
    let name = DatasetMetadata.recordingName(of: input)
    let parts = name.split(separator: "_")
    func specified(_ key: String) -> String? {
      parts.first { $0.hasPrefix(key + "-") }.map { Self.letters($0.dropFirst(key.count + 1)) }.flatMap {
        $0.isEmpty ? nil : $0
      }
    }
    let letters = Self.letters(name)
    return (
      subject ?? specified("sub") ?? "01", task ?? specified("task") ?? (letters.isEmpty ? "recording" : letters),
      trackingSystem ?? specified("tracksys") ?? "inertial"
    )
  }

  private static func letters(_ text: some StringProtocol) -> String {
    String(text.filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
  }
}
