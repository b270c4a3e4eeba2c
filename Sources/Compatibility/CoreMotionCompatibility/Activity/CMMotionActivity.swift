public import Foundation
internal import InertialRecognition

/// How sure an activity is.
public enum CMMotionActivityConfidence: Int, Sendable {
  /// The activity is little more likely than others.
  case low = 0
  /// The activity is likely.
  case medium = 1
  /// The activity is as good as certain.
  case high = 2
}

/// What the motion says a person does. The flags are not exclusive; with none set there are data enough and no activity
/// fits.
open class CMMotionActivity: CMLogItem, @unchecked Sendable {
  private let sureness: CMMotionActivityConfidence
  private let start: Date
  private let flags: ActivityFlags

  /// How sure the activity is.
  open var confidence: CMMotionActivityConfidence { sureness }
  /// Since when the activity is as it is.
  open var startDate: Date { start }
  /// There are not data enough yet.
  open var unknown: Bool { flags.contains(.unknown) }
  /// The device does not move.
  open var stationary: Bool { flags.contains(.stationary) }
  /// The person walks.
  open var walking: Bool { flags.contains(.walking) }
  /// The person runs.
  open var running: Bool { flags.contains(.running) }
  /// In a vehicle, moving or waiting.
  open var automotive: Bool { flags.contains(.automotive) }
  /// On a bicycle.
  open var cycling: Bool { flags.contains(.cycling) }

  /// An unknown activity of the reference date.
  public override init() {
    sureness = .low
    start = Date(timeIntervalSinceReferenceDate: 0)
    flags = .unknown
    super.init()
  }

  /// The activity of a value.
  init(_ activity: MotionActivity, startDate: Date) {
    sureness =
      switch activity.confidence {
      case .low: .low
      case .medium: .medium
      case .high: .high
      }
    start = startDate
    flags = activity.flags
    super.init(timestamp: activity.start)
  }

  private static let names: [(ActivityFlags, String)] = [
    (.unknown, "unknown"), (.stationary, "stationary"), (.walking, "walking"), (.running, "running"),
    (.automotive, "automotive"), (.cycling, "cycling"),
  ]

  /// Reads an archived item; nil where it is none.
  public required init?(coder: NSCoder) {
    sureness = CMMotionActivityConfidence(rawValue: coder.decodeInteger(forKey: "confidence")) ?? .low
    start = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "startDate"))
    flags = Self.names.reduce(into: []) { if coder.decodeBool(forKey: $1.1) { $0.insert($1.0) } }
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(confidence.rawValue, forKey: "confidence")
    coder.encode(startDate.timeIntervalSinceReferenceDate, forKey: "startDate")
    coder.encode(unknown, forKey: "unknown")
    coder.encode(stationary, forKey: "stationary")
    coder.encode(walking, forKey: "walking")
    coder.encode(running, forKey: "running")
    coder.encode(automotive, forKey: "automotive")
    coder.encode(cycling, forKey: "cycling")
  }

  /// As Apple prints it, in the order of the prints of iOS 12 to 16; later systems have cycling before automotive.
  open override var description: String {
    let told = [
      ("unknown", unknown), ("stationary", stationary), ("walking", walking), ("running", running),
      ("automotive", automotive), ("cycling", cycling),
    ].map { "\($0),\($1 ? 1 : 0)" }.joined(separator: ",")
    return String(format: "CMMotionActivity @ %f,", timestamp)
      + "<startDate,\(startDate),confidence,\(confidence.rawValue),\(told)>"
  }
}
