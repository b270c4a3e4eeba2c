internal import InertialNumerics
public import InertialSensors

/// The reference detector: a shake is a fast, strong, reversing motion along one axis, in place, with the wrist.
///
/// Works on user acceleration and rotation rate at 25 to 400 Hz, and does not depend on how the device is held. Every
/// 40 ms the last 0.8 s are weighed: how strong the motion is, how much of it lies along one axis, how often it
/// reverses, whether it repeats and how fast, whether the rotation repeats with it (a runner's body turns the other
/// way every step), and how far it goes. See `ShakeReason` for what is seen and `ShakeScore` for the weights. What the
/// ground under a runner's feet has moved for 2.56 s is no shake: see `GaitForce`.
///
/// Without a rotation rate it goes on without that term. Without a user acceleration it takes gravity off the raw one
/// by a low-pass of half a second. The first decision comes 0.48 s after the start or a pause.
public struct ReferenceRule: ShakeRule {
  public static let name = "reference"
  public let parameters: Parameters
  /// What was seen when the window was weighed last; nil before it was, and behind a gap.
  public private(set) var reason: ShakeReason?
  private let threshold: Double
  private var cells = MotionCells()
  private var window = MotionWindow()
  private var gait = GaitForce()
  /// When a gait was seen last, seconds.
  private var gaitTime: Double?
  private var gravity = VectorExponentialLowPass(timeConstant: 0.5)
  private var lastTime: Double?
  private var reading = ShakeReading()
  /// When the motion that goes on has begun, and when it was strong last, seconds.
  private var motionStart = 0.0
  private var lastMotion: Double?

  /// The numbers of the rule.
  public struct Parameters: ShakeParameters {
    public var updateInterval = 0.0
    /// 0 to 1; bigger finds more.
    ///
    /// In development, on 4.1 h of walking, running, pockets, swinging, falls, skiing, cycling, driving, stairs and
    /// lifts, and 64 windows of 3 s of shaking: at 0 no false alarm and 55 windows found, at 0.25 none and 63, at 0.5 none
    /// (at most 0.7 an hour with 95 % confidence) and all, at 0.75 0.7 an hour, at 1 1.5 an hour.
    public var sensitivity = 0.5

    public init() {}

    public static var descriptions: [ShakeParameter<Self>] {
      [
        updateIntervalDescription,
        .init("sensitivity", \.sensitivity, unit: "1", range: 0...1, "Bigger finds more, and more false alarms."),
      ]
    }
  }

  public init(parameters: Parameters) {
    self.parameters = parameters
    threshold = ShakeScore.threshold(sensitivity: parameters.sensitivity)
  }

  /// An open shake goes on down to so much less evidence than a new one needs.
  private static let hysteresis = 6.0
  /// g: what the cells of a motion have.
  private static let motion = 0.35
  /// Seconds without it that part two motions.
  private static let pauseOfMotion = 0.25
  /// Seconds between two samples from which nothing is assumed about the time between.
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

  private mutating func follow(_ cell: MotionCell) {
    window.append(cell)
    gait.append(cell)
    guard cell.acceleration.squaredNorm > Self.motion * Self.motion else { return }
    if lastMotion.map({ cell.end - $0 > Self.pauseOfMotion }) ?? true { motionStart = cell.end - MotionCells.period }
    lastMotion = cell.end
  }

  private mutating func weigh(at end: Double) {
    reading.isActive = false
    guard let evaluation = window.evaluate() else { return }
    var seen = evaluation.reason
    var evidence = seen.exclusion == nil ? seen.evidence : -.infinity
    // The gait is asked for only where it decides.
    if evidence > threshold - Self.hysteresis, isGait(at: end) { (seen.exclusion, evidence) = (.gait, -.infinity) }
    reading.isActive = evidence > threshold - Self.hysteresis
    // Of several cells that one sample completes, any may be the detection.
    reading.isDetected = reading.isDetected || evidence > threshold
    reading.score = seen.probability
    reading.axis = evaluation.axis
    reading.start = max(motionStart, end - Double(window.count) * MotionCells.period)
    reading.end = lastMotion
    reason = seen
  }

  /// A gait is seen in a motion without a pause, and goes on a little longer: arms that swing hide it now and then.
  private mutating func isGait(at end: Double) -> Bool {
    if end - motionStart >= GaitForce.length, gait.holds { gaitTime = end }
    return gaitTime.map { motionStart <= $0 && end - $0 <= GaitForce.length / 2 } ?? false
  }

  /// User acceleration and gravity, g; gravity is zero where it is not known. nil without an acceleration.
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
