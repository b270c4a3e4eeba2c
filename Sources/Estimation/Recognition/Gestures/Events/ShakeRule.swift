public import InertialFilters
public import InertialNumerics
public import InertialSensors

/// The result of a rule for one sample.
public struct ShakeReading: Sendable, Equatable, Codable {
  /// Whether the rule's condition holds, so that an open gesture continues.
  public var isActive = false
  /// Whether the rule reports a shake at this sample. The rule can have its own minimum interval.
  public var isDetected = false
  /// The ratio of the rule's measure to its threshold; for the reference detector, the probability, 0...1.
  public var score = 0.0
  /// The direction of the motion, as a unit vector in device axes; zero if it is unknown or the condition does not
  /// hold.
  public var axis = Vector3.zero
  /// The start of the motion, in seconds, or `nil` for the time of this sample.
  public var start: Double?
  /// The end of the motion, in seconds, or `nil` for the time of this sample if it is active.
  public var end: Double?

  /// Creates a reading without motion and shake.
  public init() {}
}

/// A rule that detects shakes in a stream of samples: a state machine without events, pauses and decimation.
///
/// `ShakeDetector` provides these for all rules. Samples are in chronological order and finite. A rule that is saved
/// and restored continues without interruption.
public protocol ShakeRule: Sendable, Codable {
  /// The parameters of the rule.
  associatedtype Parameters: ShakeParameters

  /// The detector's name in the registry.
  static var name: String { get }
  /// The parameters of this rule.
  var parameters: Parameters { get }
  /// The last measurements, if the rule provides them.
  var reason: ShakeReason? { get }

  /// Creates a rule in its initial state; intervals count from the first sample.
  init(parameters: Parameters)
  /// Adds the next sample and returns whether it is part of a shake.
  mutating func update(_ sample: MotionSample) -> ShakeReading
  /// Discards all samples, but not the time of the last shake, after a pause or a gap in the stream.
  mutating func forgetSamples()
}

extension ShakeRule {
  public var reason: ShakeReason? { nil }
}

/// The parameters of a rule, with their defaults.
public protocol ShakeParameters: Sendable, Codable, Equatable {
  /// Creates the default parameters: the published or customary values.
  init()
  /// The interval to which the input is decimated, in seconds; 0 uses all samples. The default is the interval for
  /// which the rule was designed.
  var updateInterval: Double { get set }
  /// Whether the original implementation stops at the first detection.
  static var isOneShot: Bool { get }
  /// The parameters that a user can set, with unit, range and meaning.
  static var descriptions: [ParameterDescription<Self>] { get }
}

extension ShakeParameters {
  public static var isOneShot: Bool { false }

  static var updateIntervalDescription: ParameterDescription<Self> {
    .init("updateInterval", \.updateInterval, "s", 0...10, "Downsampling interval; 0 keeps all samples.")
  }

  /// Returns the description of a rule's own interval. For other rules, that of `GestureOptions` has the same name.
  static func intervalDescription(
    _ path: any WritableKeyPath<Self, Double> & Sendable, _ meaning: String = "Minimum time between two detections."
  ) -> ParameterDescription<Self> {
    .init(ShakeDetectorKind.intervalName, path, "s", 0...3600, meaning)
  }
}

/// Comparisons of times that tolerate rounding: timestamps that differ by less than a microsecond are equal.
enum Clock {
  static let tolerance = 1e-6

  /// Returns whether a ≥ b for two durations or times.
  static func isAtLeast(_ a: Double, _ b: Double) -> Bool { a > b - tolerance }

  /// Returns whether a > b for two durations or times.
  static func isMore(_ a: Double, than b: Double) -> Bool { a > b + tolerance }
}
