/// A person's activity derived from motion, with the semantics of Core Motion's `CMMotionActivity`.
///
/// The flags are not exclusive: in a waiting car, stationary and automotive are both set. No flag is set if there is
/// enough data but no activity matches; `unknown` is set if there is not enough data yet.
public struct MotionActivity: Sendable, Hashable, Codable {
  /// The confidence of an activity, in Core Motion's three levels.
  public enum Confidence: String, Sendable, Codable, CaseIterable {
    /// The activity is little more likely than others.
    case low
    /// The activity is likely.
    case medium
    /// The activity is as good as certain.
    case high
  }

  /// The time since which the flags have been the same, in seconds on the log's clock.
  public var start: Double
  /// The time of the last evaluated sample, in seconds on the log's clock.
  public var end: Double
  /// The activities of the person; several may be set.
  public var flags: ActivityFlags
  /// The confidence of the activity.
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

  /// The device is not moved by a person's own motion; it may be in a vehicle.
  public static let stationary = ActivityFlags(rawValue: 1)
  /// Walking.
  public static let walking = ActivityFlags(rawValue: 2)
  /// Running.
  public static let running = ActivityFlags(rawValue: 4)
  /// Riding in a vehicle that moves or waits.
  public static let automotive = ActivityFlags(rawValue: 8)
  /// Cycling.
  public static let cycling = ActivityFlags(rawValue: 16)
  /// Insufficient data so far.
  public static let unknown = ActivityFlags(rawValue: 32)
  /// Walking or running upwards, as steeply as on stairs. Requires a barometer; set in addition to walking or
  /// running.
  public static let stairsUp = ActivityFlags(rawValue: 64)
  /// Walking or running downwards, as steeply as on stairs. Requires a barometer; set in addition to walking or
  /// running.
  public static let stairsDown = ActivityFlags(rawValue: 128)

  private static let named: [(ActivityFlags, String)] = [
    (.stationary, "stationary"), (.walking, "walking"), (.running, "running"), (.automotive, "automotive"),
    (.cycling, "cycling"), (.unknown, "unknown"), (.stairsUp, "stairsUp"), (.stairsDown, "stairsDown"),
  ]

  /// The names of the flags that are set, in a fixed order.
  public var names: [String] { Self.named.filter { contains($0.0) }.map(\.1) }

  package init(_ activity: ActivityClass) {
    switch activity {
    case .stationary: self = .stationary
    case .walking: self = .walking
    case .running: self = .running
    case .cycling: self = .cycling
    case .automotive: self = .automotive
    case .other: self = []
    }
  }
}

extension ActivityFlags: Codable {
  /// Encodes the flags as names, so that a document is readable without a table of bits.
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
