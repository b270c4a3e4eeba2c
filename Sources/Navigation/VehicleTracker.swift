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
    /// How far the body nods on its springs and its tyres slip, rad.
    package var nod = 0.01
    /// Distance of the device from the axle that does not slide, m: the device goes sideways as the vehicle turns.
    package var lever = 1.5
    /// Standard deviation, rad, of the vehicle's axes in the device at the start, and its random walk, rad/√s.
    package var mountingSigma = 0.15
    package var mountingWalk = 1e-4
    /// Faster than this, m/s, and three times what its own error may be, a vehicle does not stand.
    package var standingSpeed = 0.2
    /// How well the time of a fix is known, s, and for how long its error stays the same, s.
    package var fixTimeSigma = 0.1
    package var fixCorrelation = 1.0
    /// Whether the vehicle is on wheels: no boat, no drone.
    public var isOnWheels = true
    /// Standard deviations of the biases at the start, rad/s and m/s².
    package var gyroscopeBiasSigma = 0.005
    package var accelerometerBiasSigma = 0.2
    /// Velocity random walk by vibration, m/s/√s.
    package var vibration = 0.03
    /// Angle random walk per rad/s of turn, 1/√s: scale and axes that are wrong by 1 % over a turn of 4 s.
    package var gyroscopeScale = 0.02

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
  private var lastFix: PositionFix?
  /// The square of the rate, summed over the epoch, rad²/s.
  private var turning = 0.0
  private var path: PathRecorder

  /// A tracker at its start.
  public init(_ parameters: Parameters = Parameters(), keepsTrace: Bool = false) {
    self.parameters = parameters
    path = PathRecorder(keepsTrace: keepsTrace)
  }

  /// Normalised innovations squared from which on a measurement counts less: 0.1 % of 2 and of 3 components.
  private static let gates = (two: 13.8, three: 16.3)
  private static let longestPause = 0.5

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
    var (position, velocity) = (fix.positionSigma.squares, Vector3(repeating: fix.velocitySigma * fix.velocitySigma))
    // What happens in the time by which the fix may be off.
    let timing = parameters.fixTimeSigma * parameters.fixTimeSigma
    let interval = fix.time - (lastFix?.time ?? -.infinity)
    position += navigator!.state.velocity.squares * timing
    if let lastFix, let now = fix.velocity, let before = lastFix.velocity {
      velocity += ((now - before) / interval).squares * timing
    }
    lastFix = fix
    let repeats = max(1, parameters.fixCorrelation / interval)
    (position, velocity) = (position * repeats, velocity * repeats)
    navigator!.fuse(
      Measurement(.position, innovation: fix.position - navigator!.state.position, variance: position),
      gate: Self.gates.three)
    guard let seen = fix.velocity else { return }
    navigator!.fuse(
      Measurement(.velocity, components: 2, innovation: seen - navigator!.state.velocity, variance: velocity),
      gate: Self.gates.two)
  }

  private mutating func begin(_ start: NorthAlignment.Start, _ fix: PositionFix) {
    var covariance = NavigationCovariance(parts: parameters.isOnWheels ? ErrorPart.common + 1 : ErrorPart.common)
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
    noise.gyroscopeScale = parameters.gyroscopeScale
    if parameters.isOnWheels {
      covariance.add(parameters.mountingSigma * parameters.mountingSigma, to: .mounting)
    }
    let velocity = fix.velocity ?? .zero
    let vehicle = Quaternion(angle: atan2(velocity.y, velocity.x), axis: .unitZ)
    navigator = InertialNavigator(
      state: NavigationState(
        earthFromDevice: start.earthFromDevice, velocity: fix.velocity ?? .zero, position: fix.position,
        gyroscopeBias: start.gyroscopeBias,
        deviceFromVehicle: start.earthFromDevice.conjugate * vehicle),
      covariance: covariance, noise: noise, rate: start.sample.rate, force: start.sample.force, at: start.sample.time,
      keepsUpdates: path.keepsTrace)
    path.add(&navigator!, isStanding: false)
  }

  /// Whether the vehicle stands, and how fast it turns.
  private mutating func listen(to sample: TrackSample, over dt: Double) {
    let state = navigator!.state
    let rate = sample.rate - state.gyroscopeBias
    rest.update(sample, bias: state.gyroscopeBias, mayRest: mayStand)
    turning += rate.squaredNorm * dt
  }

  /// Whether the velocity is zero as far as it is known.
  private var mayStand: Bool {
    let known = navigator!.covariance[.velocity, .velocity].diagonal
    return navigator!.state.velocity.squaredNorm
      < 9 * (known.x + known.y + known.z) + parameters.standingSpeed * parameters.standingSpeed
  }

  private mutating func closeEpoch(_ fix: PositionFix? = nil) {
    let duration = navigator!.elapsed
    navigator!.closeEpoch()
    if parameters.isOnWheels {
      navigator!.covariance.add(parameters.mountingWalk * parameters.mountingWalk * duration, to: .mounting)
    }
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

  /// What wheels do not do: 0 = aᵀ Rᵀ v + n for the vehicle's two axes a, in the device, that are at right angles to forward.
  private mutating func slip(_ duration: Double) -> Measurement? {
    guard parameters.isOnWheels, duration > 0 else { return nil }
    let state = navigator!.state
    let velocity = state.earthFromDevice.rotateInverse(state.velocity)
    let square =
      parameters.slip * parameters.slip + parameters.nod * parameters.nod * velocity.squaredNorm
      + parameters.lever * parameters.lever * turning / duration
    turning = 0
    let variance = square * max(1, parameters.slipTime / duration)
    var slip = Measurement()
    for axis in [Vector3.unitY, .unitZ] {
      let axis = state.deviceFromVehicle.rotate(axis)
      let direction = state.earthFromDevice.rotate(axis)
      let jacobian = NavigationError(
        attitude: direction.cross(state.velocity), velocity: direction, mounting: axis.cross(velocity))
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
  /// A tilt that is wrong pushes all the time: what counts is how the changes differ from their means.
  private var totals = (push: Vector3.zero, change: Vector3.zero, count: 0.0)

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
    totals = (totals.push + push, totals.change + change, totals.count + 1)
    let (meanPush, meanChange) = (totals.push / totals.count, totals.change)
    let dot = sums.dot - (meanPush.x * meanChange.x + meanPush.y * meanChange.y)
    let cross = sums.cross - (meanPush.x * meanChange.y - meanPush.y * meanChange.x)
    let felt = sums.felt - (meanPush.x * totals.push.x + meanPush.y * totals.push.y)
    let seen = sums.seen - (meanChange.x * meanChange.x + meanChange.y * meanChange.y) / totals.count
    guard seen > Self.enough, felt > 0, velocity.norm > 2 else { return nil }
    let likeness = (dot * dot + cross * cross) / (felt * seen)
    guard likeness > Self.leastLikeness else { return nil }
    let turn = Quaternion(angle: atan2(cross, dot), axis: .unitZ)
    // As the angle between two noisy vectors.
    let sigma = max(0.05, (1 / likeness - 1).squareRoot() * (2 / seen).squareRoot())
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
