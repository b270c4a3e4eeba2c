public import InertialFilters
internal import InertialNumerics
public import InertialSensors

/// The reference detector. It defines a shake as a fast, strong, reversing motion along one axis, in place, with the
/// wrist.
///
/// It uses user acceleration and rotation rate at 25 to 400 Hz, in any orientation. Every 40 ms, the last 0.8 s are
/// evaluated: the strength of the motion, the fraction along one axis, the number of reversals, its periodicity and
/// frequency, the periodicity of the rotation (a runner's body rotates in the opposite direction with every step),
/// and the displacement. See `ShakeReason` for the measurements and `ShakeScore` for the weights. Motion that was
/// caused for 2.56 s by the ground under a runner's feet is not a shake; see `GaitForce`.
///
/// Without a rotation rate, that term is omitted. Without a user acceleration, gravity is removed from the raw
/// acceleration by a low-pass of half a second. The first decision is available 0.48 s after the start or a pause.
public struct ReferenceRule: ShakeRule {
  public static let name = "reference"
  public let parameters: Parameters
  /// The measurements of the last evaluated window, or `nil` before the first one and after a gap.
  public private(set) var reason: ShakeReason?
  private let threshold: Double
  private var cells = MotionBins()
  private var window = MotionWindow()
  private var gait = GaitForce()
  /// The time of the last detected gait, in seconds.
  private var gaitTime: Double?
  private var gravity = VectorExponentialLowPass(timeConstant: 0.5)
  private var lastTime: Double?
  private var reading = ShakeReading()
  /// The start of the current motion, and the time at which it was last strong, in seconds.
  private var motionStart = 0.0
  private var lastMotion: Double?

  /// The parameters of the rule.
  public struct Parameters: ShakeParameters {
    public var updateInterval = 0.0
    /// The sensitivity, 0...1; a larger value finds more shakes.
    ///
    /// Development data: 4.1 h of walking, running, pockets, swinging, falls, skiing, cycling, driving, stairs and
    /// lifts, and 64 windows of 3 s of shaking. At 0 no false alarm and 55 windows found, at 0.25 none and 63, at 0.5
    /// none (at most 0.7 per hour with 95 % confidence) and all, at 0.75 0.7 per hour, at 1 1.5 per hour.
    public var sensitivity = 0.5

    public init() {}

    public static var descriptions: [ParameterDescription<Self>] {
      [
        updateIntervalDescription,
        .init("sensitivity", \.sensitivity, "1", 0...1, "Bigger finds more, and more false alarms."),
      ]
    }
  }

  public init(parameters: Parameters) {
    self.parameters = parameters
    threshold = ShakeScore.threshold(sensitivity: parameters.sensitivity)
  }

  /// The amount by which the evidence of a continuing shake may be lower than that of a new one.
  private static let hysteresis = 6.0
  /// The minimum acceleration of a cell in a motion, in g.
  private static let motion = 0.35
  /// The minimum pause that separates two motions, in seconds.
  private static let pauseOfMotion = 0.25
  /// The maximum interval between samples, in seconds. After a longer gap the rule restarts.
  private static let gap = 0.3

  public mutating func update(_ sample: MotionSample) -> ShakeReading {
    let interval = lastTime.map { sample.time - $0 } ?? 0
    if interval > Self.gap { forgetSamples() }
    lastTime = sample.time
    reading.isDetected = false
    guard let (acceleration, gravity) = parts(of: sample, after: interval) else { return reading }
    let point = MotionPoint(
      time: sample.time, acceleration: acceleration, gravity: gravity, rotationRate: sample.rotationRate ?? .zero,
      hasRotationRate: sample.rotationRate != nil)
    while let cell = cells.nextCell(towards: point) {
      follow(cell)
      weigh(at: cell.end)
    }
    return reading
  }

  private mutating func follow(_ cell: MotionBin) {
    window.append(cell)
    gait.append(cell)
    guard cell.acceleration.squaredNorm > Self.motion * Self.motion else { return }
    if lastMotion.map({ cell.end - $0 > Self.pauseOfMotion }) ?? true { motionStart = cell.end - MotionBins.period }
    lastMotion = cell.end
  }

  private mutating func weigh(at end: Double) {
    reading.isActive = false
    guard let evaluation = window.evaluate() else { return }
    var seen = evaluation.reason
    var evidence = seen.exclusion == nil ? seen.evidence : -.infinity
    // The gait test is only run if it affects the decision.
    if evidence > threshold - Self.hysteresis, isGait(at: end) { (seen.exclusion, evidence) = (.gait, -.infinity) }
    reading.isActive = evidence > threshold - Self.hysteresis
    // A sample can complete several cells, and any of them can be the detection.
    reading.isDetected = reading.isDetected || evidence > threshold
    reading.score = seen.probability
    reading.axis = evaluation.axis
    reading.start = max(motionStart, end - Double(window.count) * MotionBins.period)
    reading.end = lastMotion
    reason = seen
  }

  /// Whether the motion is gait. Gait is detected in a motion without a pause, and then held for a short time, as
  /// swinging arms can hide it temporarily.
  private mutating func isGait(at end: Double) -> Bool {
    if end - motionStart >= GaitForce.length, gait.holds { gaitTime = end }
    return gaitTime.map { motionStart <= $0 && end - $0 <= GaitForce.length / 2 } ?? false
  }

  /// Returns user acceleration and gravity, in g, or `nil` without an acceleration. Gravity is zero if it is unknown.
  private mutating func parts(
    of sample: MotionSample, after interval: Double
  ) -> (acceleration: Vector3, gravity: Vector3)? {
    if let acceleration = sample.userAcceleration { return (acceleration, sample.gravity ?? .zero) }
    guard let acceleration = sample.acceleration else { return nil }
    let slow = gravity.update(acceleration, after: interval)
    return (acceleration - slow, slow)
  }

  public mutating func forgetSamples() {
    cells.restart()
    window.removeAll()
    gait.removeAll()
    gaitTime = nil
    gravity.reset()
    reading = ShakeReading()
    reason = nil
    lastTime = nil
    lastMotion = nil
  }
}
