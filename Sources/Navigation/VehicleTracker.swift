public import LinearAlgebra
internal import Rotations
internal import SystemLibrary

/// A position fix, as of a satellite receiver.
public struct PositionFix: Sendable, Equatable {
  /// Seconds on the log's clock.
  public var time: Double
  /// m from the first fix: east, north, up.
  public var position: Vector3
  /// Its standard deviation by component, m.
  public var positionSigma: Vector3
  /// m/s, east and north (up is not used); nil where the receiver tells none.
  public var velocity: Vector3?
  /// Its standard deviation, m/s.
  public var velocitySigma: Double

  /// A fix from its parts.
  public init(
    time: Double, position: Vector3, positionSigma: Vector3, velocity: Vector3? = nil, velocitySigma: Double = 0.5
  ) {
    self.time = time
    self.position = position
    self.positionSigma = positionSigma
    self.velocity = velocity
    self.velocitySigma = velocitySigma
  }
}

/// The path of a vehicle by position fixes and inertial sensors: across the time without fixes it goes on by strapdown
/// integration, and a vehicle on wheels slides neither sideways nor up.
///
/// How the device is mounted does not matter: which way it faces north, and which of its directions is the vehicle's forward,
/// is found from the first changes of speed, and from straight driving.
public struct VehicleTracker: Sendable {
  /// What a user may set.
  public struct Parameters: Sendable, Equatable {
    /// Seconds between measurements.
    package var epoch = 0.1
    /// Speed sideways and upwards in the vehicle's axes, m/s, and for how long it stays the same, s.
    package var slip = 0.05
    package var slipTime = 1.0
    /// Whether the vehicle is on wheels: no boat, no drone.
    public var isOnWheels = true
    /// Standard deviations of the biases at the start, rad/s and m/s².
    package var gyroscopeBiasSigma = 0.005
    package var accelerometerBiasSigma = 0.2
    /// Velocity random walk by vibration, m/s/√s.
    package var vibration = 0.03

    /// The defaults.
    public init() {}
  }

  /// What the tracker runs with.
  public let parameters: Parameters
  /// The path so far; nil until fixes and changes of speed have shown where north is.
  public var estimate: TrackEstimate? { path.estimate }

  private var alignment = NorthAlignment()
  private var navigator: InertialNavigator?
  private var rest = RestingRate(rate: 0.03, force: 0.3, time: 1)
  /// The vehicle's forward in device axes, a sum over moments.
  private var forward = Vector3.zero
  private var forwardTime = 0.0
  private var path: PathRecorder

  /// A tracker at its start.
  public init(_ parameters: Parameters = Parameters(), keepsTrace: Bool = false) {
    self.parameters = parameters
    path = PathRecorder(keepsTrace: keepsTrace)
  }

  /// Normalised innovations squared from which on a measurement counts less: 0.1 % of 2 and of 3 components.
  private static let gates = (two: 13.8, three: 16.3)
  private static let longestPause = 0.5
  private static let drivingSpeed = 3.0
  /// For how long forward must have been seen, s.
  private static let forwardTime = 5.0

  /// Takes the next moment.
  public mutating func update(_ sample: TrackSample) {
    guard navigator != nil else {
      alignment.update(sample)
      return
    }
    let pause = sample.time - navigator!.time
    guard pause > 0 else { return }
    guard pause <= Self.longestPause else {
      navigator!.restart(rate: sample.rate, force: sample.force, at: sample.time)
      navigator!.covariance.add(navigator!.state.velocity.squaredNorm * pause * pause + pause * pause, to: .position)
      navigator!.covariance.add(9 * min(pause, 10), to: .velocity)
      navigator!.covariance.add(0.04 * min(pause, 10), to: .attitude)
      return
    }
    navigator!.integrate(rate: sample.rate, force: sample.force, to: sample.time)
    listen(to: sample, over: pause)
    if navigator!.elapsed >= parameters.epoch - 1e-9 { closeEpoch() }
  }

  /// Takes a fix; fixes come in order of time, each before the first moment behind it.
  public mutating func update(_ fix: PositionFix) {
    guard navigator != nil else {
      guard let start = alignment.update(fix) else { return }
      begin(start, fix)
      return
    }
    closeEpoch(fix)
  }

  private mutating func fuse(_ fix: PositionFix) {
    navigator!.fuse(
      Measurement(
        .position, innovation: fix.position - navigator!.state.position, variance: fix.positionSigma.squares),
      gate: Self.gates.three)
    guard let velocity = fix.velocity else { return }
    navigator!.fuse(
      Measurement(
        .velocity, components: 2, innovation: velocity - navigator!.state.velocity,
        variance: Vector3(repeating: fix.velocitySigma * fix.velocitySigma)), gate: Self.gates.two)
  }

  private mutating func begin(_ start: NorthAlignment.Start, _ fix: PositionFix) {
    var covariance = NavigationCovariance()
    covariance.isolate(
      .attitude, covariance: Matrix3(diagonal: Vector3(0.0025, 0.0025, start.headingSigma * start.headingSigma)))
    let variance = fix.velocitySigma * fix.velocitySigma
    covariance.add(Vector3(variance, variance, 1), to: .velocity)
    covariance.add(fix.positionSigma.squares, to: .position)
    covariance.add(parameters.gyroscopeBiasSigma * parameters.gyroscopeBiasSigma, to: .gyroscopeBias)
    covariance.add(parameters.accelerometerBiasSigma * parameters.accelerometerBiasSigma, to: .accelerometerBias)
    var noise = NavigationNoise()
    noise.accelerometer = parameters.vibration
    // The mean over an engine's vibration is the motion.
    noise.aliasing = 0
    navigator = InertialNavigator(
      state: NavigationState(
        earthFromDevice: start.earthFromDevice, velocity: fix.velocity ?? .zero, position: fix.position,
        gyroscopeBias: start.gyroscopeBias),
      covariance: covariance, noise: noise, rate: start.sample.rate, force: start.sample.force, at: start.sample.time,
      keepsUpdates: path.keepsTrace)
    path.add(&navigator!, isStanding: false)
  }

  /// Whether the vehicle stands, and which way it drives.
  private mutating func listen(to sample: TrackSample, over dt: Double) {
    let state = navigator!.state
    let rate = sample.rate - state.gyroscopeBias
    let speed = state.velocity.norm
    rest.update(sample, bias: state.gyroscopeBias, mayRest: speed < 1)
    if speed > Self.drivingSpeed, rate.norm < 0.1 {
      forward += state.earthFromDevice.rotateInverse(state.velocity / speed)
      forwardTime += dt
    }
  }

  private mutating func closeEpoch(_ fix: PositionFix? = nil) {
    let duration = navigator!.elapsed
    navigator!.closeEpoch()
    if let slip = slip(duration) { navigator!.fuse(slip, gate: Self.gates.two) }
    var isStanding = false
    if let rate = rest.mean, duration > 0 {
      isStanding = true
      let repeats = max(1, 1 / duration)
      navigator!.fuse(
        Measurement(.velocity, innovation: -navigator!.state.velocity, variance: 0.0004 * repeats),
        gate: Self.gates.three)
      let innovation = rate - navigator!.state.gyroscopeBias
      navigator!.fuse(Measurement(.gyroscopeBias, innovation: innovation, variance: 4e-6 * repeats))
    }
    if let fix { fuse(fix) }
    path.add(&navigator!, isStanding: isStanding)
  }

  /// What wheels do not do: 0 = aᵀ Rᵀ v + n for two device axes a that forward is at right angles to.
  private func slip(_ duration: Double) -> Measurement? {
    guard parameters.isOnWheels, duration > 0, forwardTime > Self.forwardTime,
      let forward = forward.normalized
    else { return nil }
    let state = navigator!.state
    let side = (abs(forward.x) < 0.7 ? Vector3.unitX : .unitY).cross(forward).normalized ?? .unitX
    let variance = parameters.slip * parameters.slip * max(1, parameters.slipTime / duration)
    var slip = Measurement()
    for axis in [side, forward.cross(side)] {
      let direction = state.earthFromDevice.rotate(axis)
      let jacobian = NavigationError(attitude: direction.cross(state.velocity), velocity: direction)
      slip.append(
        MeasurementRow(jacobian: jacobian, innovation: -direction.dot(state.velocity), variance: variance))
    }
    return slip
  }

  /// The whole path by the whole recording; empty unless the trace was kept.
  public func smoothed() -> [TrackEstimate] { path.smoothed() }
}

/// Which way a device faces north, by changes of speed: those that it measures, in a level frame that the gyroscope carries,
/// against those of position fixes.
struct NorthAlignment: Sendable {
  struct Start: Sendable {
    var earthFromDevice: Quaternion
    var headingSigma: Double
    var gyroscopeBias: Vector3
    var sample: TrackSample
  }

  private var heading = CarriedHeading()
  private var last: TrackSample?
  private var push = Vector3.zero
  private var before: PositionFix?
  private var sums = (dot: 0.0, cross: 0.0, felt: 0.0, seen: 0.0)

  /// Sum of the squared changes of speed, (m/s)², and how much of them is the same, from which on the angle is known.
  private static let enough = 10.0
  private static let leastLikeness = 0.6
  /// Between two fixes that are compared, s.
  private static let shortestSpan = 0.9
  private static let longestSpan = 3.0

  mutating func update(_ sample: TrackSample) {
    heading.update(sample)
    if let last, sample.time - last.time < 0.5 {
      // Up to the vertical alone: the frame turns with the device's own heading at the start.
      let level = Self.level(sample, heading.direction)
      push += level.rotate(sample.force) * (sample.time - last.time)
    }
    last = sample
  }

  /// - Returns: what to begin with, once it is known.
  mutating func update(_ fix: PositionFix) -> Start? {
    guard let velocity = fix.velocity, let last else { return nil }
    if let before, fix.time - before.time < Self.shortestSpan { return nil }
    defer { (before, push) = (fix, .zero) }
    guard let before, let earlier = before.velocity, fix.time - before.time < Self.longestSpan else { return nil }
    let change = velocity - earlier
    sums.dot += push.x * change.x + push.y * change.y
    sums.cross += push.x * change.y - push.y * change.x
    sums.felt += push.x * push.x + push.y * push.y
    sums.seen += change.x * change.x + change.y * change.y
    let likeness = (sums.dot * sums.dot + sums.cross * sums.cross) / (sums.felt * sums.seen)
    guard sums.seen > Self.enough, likeness > Self.leastLikeness, velocity.norm > 2 else { return nil }
    let turn = Quaternion(angle: atan2(sums.cross, sums.dot), axis: .unitZ)
    // As the angle between two noisy vectors.
    let sigma = max(0.05, (1 / likeness - 1).squareRoot() * (2 / sums.seen).squareRoot())
    return Start(
      earthFromDevice: turn * Self.level(last, heading.direction), headingSigma: sigma, gyroscopeBias: .zero,
      sample: last)
  }

  private static func level(_ sample: TrackSample, _ direction: Double) -> Quaternion {
    guard let level = Quaternion(from: sample.up, to: .unitZ) else { return .identity }
    let ahead = level.rotate(sample.levelAxis)
    return Quaternion(angle: direction - atan2(ahead.y, ahead.x), axis: .unitZ) * level
  }
}
