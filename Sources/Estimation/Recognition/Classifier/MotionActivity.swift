/// What the motion says a person does, with the meaning of Core Motion's CMMotionActivity.
///
/// The flags are not exclusive: in a car that waits, stationary and automotive are both set. No flag means that there
/// are data enough and none of the activities fits; `unknown` means that there are not data enough yet.
public struct MotionActivity: Sendable, Hashable, Codable {
  /// How sure the activity is, in Core Motion's three steps.
  public enum Confidence: String, Sendable, Codable, CaseIterable {
    /// The activity is little more likely than others.
    case low
    /// The activity is likely.
    case medium
    /// The activity is as good as certain.
    case high
  }

  /// Since when the flags are as they are, seconds on the log's clock.
  public var start: Double
  /// Until when the samples were looked at, seconds on the log's clock.
  public var end: Double
  /// What the person does; several may be set.
  public var flags: ActivityFlags
  /// How sure the activity is.
  public var confidence: Confidence
  package var probabilities: ActivityProbabilities

  package init(
    start: Double, end: Double, flags: ActivityFlags, confidence: Confidence, probabilities: ActivityProbabilities
  ) {
    self.start = start
    self.end = end
    self.flags = flags
    self.confidence = confidence
    self.probabilities = probabilities
  }
}

/// The flags of an activity; several may be set.
public struct ActivityFlags: OptionSet, Sendable, Hashable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The device does not move by a person's own motion; it may be in a vehicle.
  public static let stationary = ActivityFlags(rawValue: 1)
  /// Walking.
  public static let walking = ActivityFlags(rawValue: 2)
  /// Running.
  public static let running = ActivityFlags(rawValue: 4)
  /// In a vehicle, moving or waiting.
  public static let automotive = ActivityFlags(rawValue: 8)
  /// On a bicycle.
  public static let cycling = ActivityFlags(rawValue: 16)
  /// There are not data enough yet.
  public static let unknown = ActivityFlags(rawValue: 32)
  /// Beside walking or running, where there is a barometer: the way leads up, or down, as steeply as stairs.
  public static let stairsUp = ActivityFlags(rawValue: 64)
  /// As `stairsUp`, downwards.
  public static let stairsDown = ActivityFlags(rawValue: 128)

  private static let named: [(ActivityFlags, String)] = [
    (.stationary, "stationary"), (.walking, "walking"), (.running, "running"), (.automotive, "automotive"),
    (.cycling, "cycling"), (.unknown, "unknown"), (.stairsUp, "stairsUp"), (.stairsDown, "stairsDown"),
  ]

  /// The words of the flags that are set, in a fixed order.
  public var names: [String] { Self.named.filter { contains($0.0) }.map(\.1) }

  package init(_ activity: ActivityClass) {
    switch activity {
    case .stationary: self = .stationary
    case .walking: self = .walking
    case .running: self = .running
    case .cycling: self = .cycling
    case .automotive: self = .automotive
    }
  }
}

extension ActivityFlags: Codable {
  /// As words, so that a document can be read without a table of bits.
  public func encode(to encoder: any Encoder) throws { try names.encode(to: encoder) }

  public init(from decoder: any Decoder) throws {
    self = []
    for name in try [String](from: decoder) {
      guard let flag = Self.named.first(where: { $0.1 == name })?.0 else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "there is no activity flag '\(name)'"))
      }
      formUnion(flag)
    }
  }
}
