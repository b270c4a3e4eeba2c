public import InertialNumerics
public import InertialSensors

/// What a rule says about one sample.
public struct ShakeReading: Sendable, Equatable, Codable {
  /// Whether the rule's condition holds: an open gesture goes on.
  public var isActive = false
  /// Whether the rule reports a shake with this sample. It may follow an interval of its own.
  public var isDetected = false
  /// The rule's measure against its threshold, 1 at the threshold; the reference detector's probability, 0 to 1.
  public var score = 0.0
  /// Direction of the motion, a unit vector in device axes; zero where unknown, or where the condition does not hold.
  public var axis = Vector3.zero
  /// First moment of the motion, seconds; nil: this sample.
  public var start: Double?
  /// Last moment of the motion, seconds; nil: this sample where it is active.
  public var end: Double?

  /// Nothing: no motion, no shake.
  public init() {}
}

/// A rule that finds shakes in a stream of samples: the state machine without events, pauses and thinning.
///
/// Those are `ShakeDetector`'s, so every rule has them. Samples come in order of time, all numbers finite. A rule that
/// was saved and read back goes on as if it had not been.
public protocol ShakeRule: Sendable, Codable {
  /// The rule's numbers.
  associatedtype Parameters: ShakeParameters

  /// The detector's name in the registry.
  static var name: String { get }
  /// The numbers that it runs with.
  var parameters: Parameters { get }
  /// What the rule saw last, where it tells that.
  var reason: ShakeReason? { get }

  /// A rule at its start; it counts intervals from the first sample.
  init(parameters: Parameters)
  /// Takes the next sample and says whether it is one of a shake.
  mutating func update(_ sample: MotionSample) -> ShakeReading
  /// Forgets every sample, but not when the last shake was: detection was paused or the stream had a gap.
  mutating func forgetSamples()
}

extension ShakeRule {
  public var reason: ShakeReason? { nil }
}

/// A rule's numbers, with their defaults.
public protocol ShakeParameters: Sendable, Codable, Equatable {
  /// The defaults: the published or customary values.
  init()
  /// Seconds between the samples that the rule is given; 0 gives it all. The default is what it was written for.
  var updateInterval: Double { get set }
  /// Whether the original stops at the first detection.
  static var isOneShot: Bool { get }
  /// Every number that a user can set, with its unit, range and meaning.
  static var descriptions: [ShakeParameter<Self>] { get }
}

extension ShakeParameters {
  public static var isOneShot: Bool { false }

  static var updateIntervalDescription: ShakeParameter<Self> {
    .init("updateInterval", \.updateInterval, unit: "s", range: 0...10, "Input is thinned to this interval; 0: not.")
  }

  /// Of a rule with an interval of its own; the others get that of `GestureOptions` under the same name.
  static func intervalDescription(
    _ path: any WritableKeyPath<Self, Double> & Sendable, _ meaning: String = "Least time between two detections."
  ) -> ShakeParameter<Self> {
    .init(ShakeDetectorKind.intervalName, path, unit: "s", range: 0...3600, meaning)
  }
}

/// A parameter of a rule: name, unit, range and meaning, and the band of values that is told for it.
public struct ShakeParameter<Parameters: Sendable>: Sendable {
  /// The word for `--set`.
  public let name: String
  /// The unit of the values.
  public let unit: String
  /// The values that are taken, in `unit`.
  public let range: ClosedRange<Double>
  /// What it is, and what a bigger value does.
  public let meaning: String
  /// The values that are published or customary; nil where nothing is told.
  public let band: ClosedRange<Double>?
  private let path: any WritableKeyPath<Parameters, Double> & Sendable

  /// A parameter: its name, where it is kept, its unit, the values that are taken, those that are customary, and its
  /// meaning.
  public init(
    _ name: String, _ path: any WritableKeyPath<Parameters, Double> & Sendable, unit: String,
    range: ClosedRange<Double>, band: ClosedRange<Double>? = nil, _ meaning: String
  ) {
    self.name = name
    self.path = path
    self.unit = unit
    self.range = range
    self.band = band
    self.meaning = meaning
  }

  /// The parameter's value, in `unit`.
  public func value(in parameters: Parameters) -> Double { parameters[keyPath: path] }

  /// Sets the parameter; the value is one of `range`, which is not checked here.
  public func set(_ value: Double, in parameters: inout Parameters) { parameters[keyPath: path] = value }
}

/// Stamps that mean the same moment differ by rounding: what is closer than a microsecond is equal.
enum Clock {
  static let tolerance = 1e-6

  /// a ≥ b for two spans of time.
  static func isAtLeast(_ a: Double, _ b: Double) -> Bool { a > b - tolerance }

  /// a > b for two spans of time.
  static func isMore(_ a: Double, than b: Double) -> Bool { a > b + tolerance }
}
