public import InertialNumerics

/// The phase of a gesture.
public enum GesturePhase: String, Sendable, Codable, CaseIterable {
  /// The gesture was detected and is in progress.
  case began
  /// The gesture has ended.
  case ended
  /// The gesture was interrupted: detection was paused, the stream had a gap, or the gesture exceeded the maximum
  /// duration.
  case cancelled

  /// The name that recording apps write to a log for a shake: ShakeBegan, ShakeEnded or ShakeCancelled.
  package var shakeStatusName: String {
    switch self {
    case .began: "ShakeBegan"
    case .ended: "ShakeEnded"
    case .cancelled: "ShakeCancelled"
    }
  }

  /// The method that UIKit calls on a `UIResponder` for a shake.
  package var motionMethodName: String {
    switch self {
    case .began: "motionBegan"
    case .ended: "motionEnded"
    case .cancelled: "motionCancelled"
    }
  }

  /// The code of the name in numeric datasets, in which 0 means no shake yet.
  package var shakeStatusCode: Int {
    switch self {
    case .began: 1
    case .ended: 2
    case .cancelled: 3
    }
  }
}

/// The start, end or cancellation of a gesture.
public struct GestureEvent: Sendable, Equatable, Codable {
  /// The detector's name in the registry.
  public var detector: String
  /// The phase that the gesture has entered.
  public var phase: GesturePhase
  /// The time of detection, in seconds on the log's clock. A start is reported when the rule has detected the
  /// gesture.
  public var time: Double
  /// The start of the motion, in seconds, as far as it is known.
  public var start: Double
  /// The end of the motion, in seconds, as far as it is known.
  public var end: Double
  /// The highest score of the gesture so far. Its unit depends on the rule; see `ShakeReading.score`.
  public var score: Double
  /// The direction of the motion at that score, as a unit vector in device axes. Its sign has no meaning. Zero if
  /// unknown.
  public var axis: Vector3
  /// The number of gestures that have ended since the start, including this one if it has ended.
  public var count: Int
  /// The measurements of the reference detector at that score, or `nil` for other detectors.
  public var reason: ShakeReason?

  /// The duration of the motion, in seconds.
  public var duration: Double { end - start }

  /// Creates an event.
  public init(
    detector: String, phase: GesturePhase, time: Double, start: Double, end: Double, score: Double, axis: Vector3,
    count: Int, reason: ShakeReason? = nil
  ) {
    self.detector = detector
    self.phase = phase
    self.time = time
    self.start = start
    self.end = end
    self.score = score
    self.axis = axis
    self.count = count
    self.reason = reason
  }
}

/// The options of gesture tracking that are independent of the rule.
public struct GestureOptions: Sendable, Codable, Equatable {
  /// Whether detection stops after the first gesture, or `nil` to use the default of the rule.
  public var isOneShot: Bool?
  /// The time without the rule's motion after which a gesture has ended, in seconds.
  public var quietTime = 0.6
  /// The minimum time from a gesture's end to the next start, in seconds, in addition to the rule's own interval.
  public var minimumInterval = 0.0
  /// The duration after which a gesture is cancelled, in seconds, or `nil` for no limit.
  public var maximumDuration: Double?
  /// The interval between samples above which the stream counts as interrupted, in seconds; at least five update
  /// intervals.
  public var maximumGap = 1.0

  /// Creates the default options.
  public init() {}
}
