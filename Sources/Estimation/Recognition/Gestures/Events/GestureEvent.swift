public import InertialNumerics

/// Where a gesture stands.
public enum GesturePhase: String, Sendable, Codable, CaseIterable {
  /// The gesture has been detected, and goes on.
  case began
  /// The gesture is over.
  case ended
  /// Broken off: detection was paused, the stream had a gap, or the gesture outlasted the maximum duration.
  case cancelled

  /// The word that collectors write into a log for a shake: ShakeBegan, ShakeEnded or ShakeCancelled.
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

  /// The number that stands for the word in datasets of numbers; 0 is for no shake yet.
  package var shakeStatusCode: Int {
    switch self {
    case .began: 1
    case .ended: 2
    case .cancelled: 3
    }
  }
}

/// A gesture's beginning, end or cancellation.
public struct GestureEvent: Sendable, Equatable, Codable {
  /// The detector's name in the registry.
  public var detector: String
  /// Whether it begins, ends or is cancelled.
  public var phase: GesturePhase
  /// When this was known: seconds on the log's clock. A beginning is known when the rule has detected the gesture.
  public var time: Double
  /// First and last moment of the motion as far as it is known, seconds.
  public var start: Double
  /// Last moment of the motion as far as it is known, seconds.
  public var end: Double
  /// The highest score of the gesture so far. Its unit is the rule's own: see `ShakeReading.score`.
  public var score: Double
  /// Direction of the motion at that score, device axes, a unit vector; its sign means nothing. Zero where unknown.
  public var axis: Vector3
  /// Gestures that have ended since the start, this one included where it has ended.
  public var count: Int
  /// What the reference detector saw at that score; nil for the others.
  public var reason: ShakeReason?

  /// Seconds from the first to the last moment of the motion.
  public var duration: Double { end - start }

  /// An event from its parts.
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

/// How a stream of gestures is followed, whatever the rule is.
public struct GestureOptions: Sendable, Codable, Equatable {
  /// Whether the first gesture is the last one; nil leaves it to the rule.
  public var isOneShot: Bool?
  /// Seconds without the rule's motion after which a gesture has ended.
  public var quietTime = 0.6
  /// Seconds from a gesture's end before which no other begins, on top of the rule's own interval.
  public var minimumInterval = 0.0
  /// Seconds after which a gesture is cancelled as too long; nil: never.
  public var maximumDuration: Double?
  /// Seconds between two samples from which the stream counts as interrupted; at least five update intervals.
  public var maximumGap = 1.0

  /// The defaults.
  public init() {}
}
