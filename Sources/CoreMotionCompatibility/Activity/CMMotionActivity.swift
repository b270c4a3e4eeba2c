internal import Activity
public import Foundation

/// How sure an activity is.
public enum CMMotionActivityConfidence: Int, Sendable {
  case low = 0
  case medium = 1
  case high = 2
}

/// What the motion says a person does. The flags are not exclusive; with none set there are data enough and no activity
/// fits.
open class CMMotionActivity: CMLogItem, @unchecked Sendable {
  public let confidence: CMMotionActivityConfidence
  public let startDate: Date
  /// There are not data enough yet.
  public let unknown: Bool
  public let stationary: Bool
  public let walking: Bool
  public let running: Bool
  public let automotive: Bool
  public let cycling: Bool

  /// The activity of a value.
  init(_ activity: MotionActivity, startDate: Date) {
    confidence =
      switch activity.confidence {
      case .low: .low
      case .medium: .medium
      case .high: .high
      }
    self.startDate = startDate
    unknown = activity.flags.contains(.unknown)
    stationary = activity.flags.contains(.stationary)
    walking = activity.flags.contains(.walking)
    running = activity.flags.contains(.running)
    automotive = activity.flags.contains(.automotive)
    cycling = activity.flags.contains(.cycling)
    super.init(timestamp: activity.start)
  }

  public required init?(coder: NSCoder) {
    confidence = CMMotionActivityConfidence(rawValue: coder.decodeInteger(forKey: "confidence")) ?? .low
    startDate = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "startDate"))
    unknown = coder.decodeBool(forKey: "unknown")
    stationary = coder.decodeBool(forKey: "stationary")
    walking = coder.decodeBool(forKey: "walking")
    running = coder.decodeBool(forKey: "running")
    automotive = coder.decodeBool(forKey: "automotive")
    cycling = coder.decodeBool(forKey: "cycling")
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
}
