/// The parts of the names of a BIDS dataset's files. Each is letters and digits of ASCII.
public struct BIDSEntities: Sendable, Encodable, Equatable {
  /// The person; nil: as the input's name says.
  public var subject: String?
  /// What the person did; nil: as the input's name says.
  public var task: String?
  /// The tracking system: the device.
  public var trackingSystem: String?

  /// - Throws: where a label has other characters, or none.
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

  /// Nothing given: all is taken from the input's name.
  public init() {}

  /// The labels of a recording: those that are given, else those that the input's name has as BIDS writes them
  /// (`sub-03_task-walk`), else `01`, the letters and digits of the name, and `inertial`.
  func resolved(for input: String) -> (subject: String, task: String, trackingSystem: String) {
    let name = DatasetMetadata.recordingName(of: input)
    let parts = name.split(separator: "_")
    func told(_ key: String) -> String? {
      parts.first { $0.hasPrefix(key + "-") }.map { Self.letters($0.dropFirst(key.count + 1)) }.flatMap {
        $0.isEmpty ? nil : $0
      }
    }
    let letters = Self.letters(name)
    return (
      subject ?? told("sub") ?? "01", task ?? told("task") ?? (letters.isEmpty ? "recording" : letters),
      trackingSystem ?? told("tracksys") ?? "inertial"
    )
  }

  private static func letters(_ text: some StringProtocol) -> String {
    String(text.filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
  }
}
