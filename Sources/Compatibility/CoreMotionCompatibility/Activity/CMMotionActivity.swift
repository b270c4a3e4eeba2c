public import Foundation
internal import InertialRecognition

/// The confidence of an activity.
public enum CMMotionActivityConfidence: Int, Sendable {
  /// The activity is slightly more likely than others.
  case low = 0
  /// The activity is likely.
  case medium = 1
  /// The activity is almost certain.
  case high = 2
}

/// A person's activity as determined from the motion. The flags are not exclusive; if none is set, there is enough
/// data, but no activity fits.
open class CMMotionActivity: CMLogItem, @unchecked Sendable {
  private var flags = ActivityFlags.unknown

  /// The confidence of the activity.
  open private(set) var confidence = CMMotionActivityConfidence.low
  /// The time at which the activity began.
  open private(set) var startDate = Date(timeIntervalSinceReferenceDate: 0)
  /// Whether there is not enough data yet.
  open var unknown: Bool { flags.contains(.unknown) }
  /// Whether the device is stationary.
  open var stationary: Bool { flags.contains(.stationary) }
  /// Whether the person is walking.
  open var walking: Bool { flags.contains(.walking) }
  /// Whether the person is running.
  open var running: Bool { flags.contains(.running) }
  /// Whether the person is in a vehicle, moving or waiting.
  open var automotive: Bool { flags.contains(.automotive) }
  /// Whether the person is on a bicycle.
  open var cycling: Bool { flags.contains(.cycling) }

  /// Creates an unknown activity at the reference date.
  public override init() { super.init() }

  /// Creates an activity from a value.
  init(_ activity: MotionActivity, startDate: Date) {
    confidence =
      switch activity.confidence {
      case .low: .low
      case .medium: .medium
      case .high: .high
      }
    self.startDate = startDate
    flags = activity.flags
    super.init(timestamp: activity.start)
  }

  private static let names: [(ActivityFlags, String)] = [
    (.unknown, "unknown"), (.stationary, "stationary"), (.walking, "walking"), (.running, "running"),
    (.automotive, "automotive"), (.cycling, "cycling"),
  ]

  /// Decodes an archived item, or returns `nil` if the archive is not valid.
  public required init?(coder: NSCoder) {
    confidence = CMMotionActivityConfidence(rawValue: coder.decodeInteger(forKey: "confidence")) ?? .low
    startDate = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "startDate"))
    flags = Self.names.reduce(into: []) { if coder.decodeBool(forKey: $1.1) { $0.insert($1.0) } }
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(confidence.rawValue, forKey: "confidence")
    coder.encode(startDate.timeIntervalSinceReferenceDate, forKey: "startDate")
    for (name, value) in reported { coder.encode(value, forKey: name) }
  }

  /// The names and values of the flags, which a subclass may override.
  private var reported: [(String, Bool)] {
    [
      ("unknown", unknown), ("stationary", stationary), ("walking", walking), ("running", running),
      ("automotive", automotive), ("cycling", cycling),
    ]
  }

  /// A description in Apple's format, in the order of iOS 12 to 16; later systems have cycling before automotive.
  open override var description: String {
    let reported = reported.map { "\($0),\($1 ? 1 : 0)" }.joined(separator: ",")
    return String(format: "CMMotionActivity @ %f,", timestamp)
      + "<startDate,\(startDate),confidence,\(confidence.rawValue),\(reported)>"
  }
}
