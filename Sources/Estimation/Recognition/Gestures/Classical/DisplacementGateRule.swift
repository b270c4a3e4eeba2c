package import InertialFilters
internal import InertialNumerics
package import InertialSensors

/// A rule that detects a displacement of the device: the user acceleration is integrated to velocity and displacement
/// over the gesture.
///
/// A knock is strong but short, so it causes hardly any displacement. The integrals run during a motion and decay
/// with a time constant, since they would otherwise grow without bound with the acceleration's offset.
package struct DisplacementGateRule: ShakeRule {
  package static let name = "displacement"
  package let parameters: Parameters
  /// The velocity in m/s and the displacement in m since the start of the gesture, in device axes.
  private var velocity = Vector3.zero
  private var displacement = Vector3.zero
  private var before: Moment?
  private var start: Double?
  private var lastMotion = 0.0
  private var last: Double?

  private struct Moment: Sendable, Codable {
    var time: Double
    var acceleration: Vector3
  }

  /// The parameters of the rule, with the published or customary values as defaults.
  package struct Parameters: ShakeParameters {
    package var updateInterval = 0.01
    /// The acceleration above which a motion continues, in g.
    package var threshold = 1.0
    /// The time below the threshold after which a motion ends, in seconds.
    package var quietTime = 0.25
    /// The displacement above which a shake is detected, in m.
    package var minimumDisplacement = 0.05
    /// The time constant of the decay of velocity and displacement, in seconds.
    package var timeConstant = 0.5
    /// The minimum interval between two detections, in seconds.
    package var minimumInterval = 1.0

    package init() {}

    package static var descriptions: [ParameterDescription<Self>] {
      [
        updateIntervalDescription,
        .init("threshold", \.threshold, "g", 0...100, "User acceleration that is a motion."),
        .init("quietTime", \.quietTime, "s", 0.01...10, "Time without it after which the motion is over."),
        .init("minimumDisplacement", \.minimumDisplacement, "m", 0...10, "Displacement that is a shake."),
        .init("timeConstant", \.timeConstant, "s", 0.01...100, "Time constant of the integrals' decay."),
        intervalDescription(\.minimumInterval),
      ]
    }
  }

  package init(parameters: Parameters) { self.parameters = parameters }

  package mutating func update(_ sample: MotionSample) -> ShakeReading {
    guard let acceleration = sample.userAcceleration else { return ShakeReading() }
    var reading = ShakeReading(acceleration, magnitude: acceleration.norm, above: parameters.threshold)
    let isStrong = reading.isActive
    if isStrong { lastMotion = sample.time }
    if start != nil, Clock.isMore(sample.time - lastMotion, than: parameters.quietTime) { endMotion() }
    if isStrong, start == nil { start = sample.time }
    guard let start else {
      before = Moment(time: sample.time, acceleration: acceleration)
      return reading
    }
    integrate(to: sample.time, acceleration)
    let path = displacement.norm
    reading.score = parameters.minimumDisplacement > 0 ? path / parameters.minimumDisplacement : path
    reading.start = start
    reading.isActive = true
    reading.axis = acceleration.normalized ?? .zero
    reading.end = lastMotion
    let isFree = last.map { Clock.isAtLeast(sample.time - $0, parameters.minimumInterval) } ?? true
    reading.isDetected = isFree && isStrong && path > parameters.minimumDisplacement
    if reading.isDetected { last = sample.time }
    return reading
  }

  /// Integrates with the trapezoidal rule. The sign of the acceleration does not affect a distance.
  private mutating func integrate(to time: Double, _ acceleration: Vector3) {
    defer { before = Moment(time: time, acceleration: acceleration) }
    guard let before else { return }
    let step = time - before.time
    // The decay 1 / (1 + Δt/τ) matches exp(−Δt/τ) for short steps, and is stable for long steps.
    let memory = 1 / (1 + step / parameters.timeConstant)
    let old = velocity
    velocity = memory * (velocity + standardGravity * step / 2 * (before.acceleration + acceleration))
    displacement = memory * (displacement + step / 2 * (old + velocity))
  }

  private mutating func endMotion() {
    (velocity, displacement) = (.zero, .zero)
    start = nil
  }

  package mutating func forgetSamples() {
    endMotion()
    before = nil
  }
}
