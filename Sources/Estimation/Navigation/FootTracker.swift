internal import InertialNumerics
internal import InertialRotations
internal import InertialSystem

/// The path of a foot, from a sensor on it: strapdown integration that learns at each step that the foot stands still.
///
/// No threshold decides about that. A foot on the ground turns about a point that is some centimetres away, so that the
/// velocity of the sensor is at most about its rate of turn times that lever; where it accelerates, it has not come to rest.
/// A velocity of zero with that much noise is measured all the time: exactly in the middle of a stance, not at all in
/// the middle of a swing, and whatever is right for the one who walks, runs or climbs in between. A floor that
/// is as high as the one before is taken for the same.
public struct FootTracker: Sendable {
  /// What a user may set. The optimum is flat: halving or doubling one changes errors by some per cent.
  public struct Parameters: Sendable, Equatable {
    /// Seconds between measurements.
    package var epoch = 0.02
    /// Noise of a standing foot's velocity, m/s.
    package var stillSpeed = 0.004
    /// Distance from the sensor to the point that a foot on the ground turns about, m.
    package var lever = 0.1
    /// For how long an acceleration that is measured has lasted, s.
    package var settling = 0.03
    /// Speed from which on a foot is more likely in the air, m/s: beyond, noise grows with its square.
    package var liftSpeed = 0.1
    /// For how long the error of a standing foot's velocity stays the same, s.
    package var correlation = 0.3
    /// Standard deviation of the gyroscope's bias at the start, rad/s.
    package var gyroscopeBiasSigma = 0.06
    /// Standard deviation of the accelerometer's bias at the start, m/s².
    package var accelerometerBiasSigma = 0.1
    /// For how long a device must be quiet for its rate to be the gyroscope's bias, s.
    package var restTime = 0.1
    /// Noise of that, rad/s.
    package var restRate = 0.003
    /// Unevenness of a floor, m.
    package var floorSigma = 0.02
    /// A height that differs by less from that of the step before is the same floor, m: no stair, and no ramp of 2 %.
    package var floorGate = 0.03
    /// How far from its start a closed path may end, m.
    package var closing = 0.1

    /// The defaults.
    public init() {}
  }

  /// What the tracker runs with.
  public let parameters: Parameters
  /// The path so far; nil until the first moments have shown which way is up.
  public var estimate: TrackEstimate? { path.estimate.map(withFloors) }

  private var start: [TrackSample] = []
  private var navigator: InertialNavigator?
  private var epoch = EpochSums()
  private var quietSince: Double?
  private var stanceSince: Double?
  /// The height of the floor that the last step was on, m.
  private var floor: Double?
  private var strideCount = 0
  private var hasSwung = false
  private var path: PathRecorder

  /// A tracker at its start.
  ///
  /// - Parameters:
  ///   - parameters: the settings of the tracker.
  ///   - keepsTrace: whether `smoothed` is wanted, which takes about 60 kB a second.
  public init(_ parameters: Parameters = Parameters(), keepsTrace: Bool = false) {
    self.parameters = parameters
    path = PathRecorder(keepsTrace: keepsTrace)
  }

  /// Squares of what a standing foot does not do, over an epoch.
  private struct EpochSums: Sendable {
    var count = 0.0
    var force = Vector3.zero
    var forceSquare = 0.0
    var rate = Vector3.zero
    var rateSquare = 0.0

    mutating func add(_ sample: TrackSample, bias: Vector3) {
      let rate = sample.rate - bias
      count += 1
      force += sample.force
      forceSquare += sample.force.squaredNorm
      self.rate += sample.rate
      rateSquare += rate.squaredNorm
    }

    /// Mean square of the rate, (rad/s)².
    var turning: Double { rateSquare / count }
    /// Mean square of the force's deviation from a constant one as strong as gravity, (m/s²)².
    var shaking: Double {
      let mean = force / count
      let excess = mean.norm - InertialNavigator.gravity
      return max(0, forceSquare / count - mean.squaredNorm) + excess * excess
    }
  }

  /// How long the sensors are averaged for the first attitude, s.
  private static let startTime = 0.3
  /// The longest pause that is integrated over, s.
  private static let longestPause = 0.1
  /// Normalised innovation squared, of three components, from which on a zero velocity is believed less: 0.1 %.
  private static let gate = 16.0
  /// Largest rate, rad/s, and deviation of the force, m/s², of a device that is quiet.
  private static let quietRate = 0.06
  private static let quietForce = 0.3
  /// Largest noise of the velocity, m/s, of what is called a stance; and for how long it lasts before a floor is known, s.
  private static let stanceSpeed = 0.05
  private static let stanceTime = 0.06
  /// How fast a foot may have gone on during a pause, m/s, and turned, rad/s.
  private static let pauseSpeed = 2.0
  private static let pauseRate = 1.0

  /// Takes the next moment.
  public mutating func update(_ sample: TrackSample) {
    guard navigator != nil else {
      begin(sample)
      return
    }
    guard sample.time > navigator!.time else { return }
    let pause = sample.time - navigator!.time
    guard pause <= Self.longestPause else {
      resume(behind: pause, sample)
      return
    }
    navigator!.integrate(rate: sample.rate, force: sample.force, to: sample.time)
    epoch.add(sample, bias: navigator!.state.gyroscopeBias)
    if navigator!.elapsed >= parameters.epoch - 1e-9 { closeEpoch() }
  }

  private mutating func begin(_ sample: TrackSample) {
    start.append(sample)
    guard let first = start.first, sample.time - first.time >= Self.startTime else { return }
    let count = Double(start.count)
    let mean = start.reduce(Vector3.zero) { $0 + $1.force } / count
    let rate = start.reduce(Vector3.zero) { $0 + $1.rate } / count
    let shaking = start.reduce(0) { $0 + ($1.force - mean).squaredNorm } / count
    guard let level = Quaternion(from: mean, to: .unitZ) else {
      start.removeFirst()
      return
    }
    let isQuiet =
      rate.norm < Self.quietRate + 3 * parameters.gyroscopeBiasSigma && shaking.squareRoot() < Self.quietForce
    // The filter's heading, for the path to be in its frame.
    let turn = Quaternion(angle: first.heading - TrackSample.heading(of: level, up: first.up), axis: .unitZ)
    var covariance = NavigationCovariance()
    let tilt = isQuiet ? 0.02 : 0.2
    covariance.isolate(.attitude, covariance: Matrix3(diagonal: Vector3(tilt * tilt, tilt * tilt, 1e-8)))
    covariance.add(isQuiet ? 1e-4 : 1, to: .velocity)
    covariance.add(1e-8, to: .position)
    covariance.add(parameters.gyroscopeBiasSigma * parameters.gyroscopeBiasSigma, to: .gyroscopeBias)
    covariance.add(parameters.accelerometerBiasSigma * parameters.accelerometerBiasSigma, to: .accelerometerBias)
    navigator = InertialNavigator(
      state: NavigationState(earthFromDevice: turn * level), covariance: covariance, noise: NavigationNoise(),
      rate: first.rate, force: first.force, at: first.time, keepsUpdates: path.keepsTrace)
    path.add(&navigator!, isStanding: isQuiet)
    let waiting = start.dropFirst()
    start = []
    for sample in waiting { update(sample) }
  }

  /// Goes on behind a pause: nobody knows where the foot has gone.
  private mutating func resume(behind pause: Double, _ sample: TrackSample) {
    if navigator!.elapsed > 0 { closeEpoch() }
    navigator!.restart(rate: sample.rate, force: sample.force, at: sample.time)
    let (speed, angle) = (Self.pauseSpeed, Self.pauseRate * min(pause, 1))
    navigator!.covariance.add(speed * speed * pause * pause, to: .position)
    navigator!.covariance.add(speed * speed, to: .velocity)
    navigator!.covariance.add(angle * angle, to: .attitude)
    (epoch, quietSince, stanceSince, floor) = (EpochSums(), nil, nil, nil)
  }

  private mutating func closeEpoch() {
    let duration = navigator!.elapsed
    navigator!.closeEpoch()
    let (turning, shaking) = (epoch.turning, epoch.shaking)
    let repeats = max(1, parameters.correlation / duration)
    // Of a foot on the ground that turns and shakes like this.
    var square =
      parameters.stillSpeed * parameters.stillSpeed + parameters.lever * parameters.lever * turning
      + parameters.settling * parameters.settling * shaking
    square *= 1 + square / (parameters.liftSpeed * parameters.liftSpeed)
    navigator!.fuse(
      Measurement(.velocity, innovation: -navigator!.state.velocity, variance: square * repeats), gate: Self.gate)

    let rate = epoch.rate / epoch.count
    let known = navigator!.covariance[.gyroscopeBias, .gyroscopeBias].diagonal
    let unknown = (known.x + known.y + known.z) / 3
    // Of what the bias may still be, half may as well be the foot's own slow turn.
    let largest = Self.quietRate + 3 * unknown.squareRoot()
    if turning < largest * largest, shaking < Self.quietForce * Self.quietForce {
      let since = quietSince ?? navigator!.time - duration
      quietSince = since
      if navigator!.time - since > parameters.restTime {
        navigator!.fuse(
          Measurement(
            .gyroscopeBias, innovation: rate - navigator!.state.gyroscopeBias,
            variance: (parameters.restRate * parameters.restRate + unknown / 4) * repeats))
      }
    } else {
      quietSince = nil
    }

    let isStanding = square < Self.stanceSpeed * Self.stanceSpeed
    if isStanding { stand() } else { stanceSince = nil }
    if square > 100 * Self.stanceSpeed * Self.stanceSpeed { hasSwung = true }
    epoch = EpochSums()
    path.add(&navigator!, isStanding: isStanding, stepCount: strideCount)
  }

  /// A foot on the floor that it was on before is as high as then.
  private mutating func stand() {
    let time = navigator!.time
    let since = stanceSince ?? time
    stanceSince = since
    if hasSwung { (strideCount, hasSwung) = (strideCount + 1, false) }
    guard time - since > Self.stanceTime else { return }
    let height = navigator!.state.position.z
    guard let floor, abs(floor - height) < parameters.floorGate else {
      self.floor = height
      return
    }
    var level = Measurement()
    // The floor's own error is the same for as long as the foot is on it.
    let variance = parameters.floorSigma * parameters.floorSigma * max(1, 0.2 / parameters.epoch)
    level.append(
      MeasurementRow(
        jacobian: NavigationError(position: .unitZ), innovation: floor - height, variance: variance))
    navigator!.fuse(level)
  }

  /// With the unevenness of floors, which no walk averages out.
  private func withFloors(_ estimate: TrackEstimate) -> TrackEstimate {
    var estimate = estimate
    let (z, floor) = (estimate.positionSigma.z, parameters.floorSigma)
    estimate.positionSigma.z = (z * z + floor * floor).squareRoot()
    return estimate
  }

  /// The whole path by the whole recording; empty unless the trace was kept.
  ///
  /// - Parameter isClosed: whether the foot is known to stand at the end where it stood at the start, within `closing`.
  public func smoothed(isClosed: Bool = false) -> [TrackEstimate] {
    guard isClosed, var navigator else { return path.smoothed().map(withFloors) }
    var closed = path
    navigator.fuse(
      Measurement(.position, innovation: -navigator.state.position, variance: parameters.closing * parameters.closing))
    closed.add(&navigator, isStanding: path.estimate?.isStanding ?? false, stepCount: strideCount)
    // The last two are of one time, and the same.
    return closed.smoothed().dropLast().map(withFloors)
  }
}
