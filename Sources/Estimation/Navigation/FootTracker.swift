internal import InertialNumerics
internal import InertialRotations
package import InertialSensors
internal import InertialSystem

/// The path of a foot-mounted sensor: strapdown integration with zero-velocity updates at each step.
///
/// No threshold detects stances. A foot on the ground rotates about a point some centimetres away, so the sensor's
/// speed is at most about its rotation rate times that lever. If it accelerates, it has not come to rest. A zero
/// velocity with that much noise is measured at all times: exact in mid-stance, without effect in mid-swing, and graded
/// in between, for walking, running and climbing. A floor at nearly the height of the previous one is treated as the
/// same floor.
public struct FootTracker: Sendable, Codable {
  /// The settings of the tracker. The optimum is flat: halving or doubling one changes errors by some per cent.
  public struct Parameters: Sendable, Equatable, Codable {
    /// The interval between measurements, in seconds.
    package var epoch = 0.02
    /// The velocity noise of a standing foot, in m/s.
    package var stillSpeed = 0.004
    /// The distance from the sensor to the point about which a foot on the ground rotates, in metres.
    package var lever = 0.1
    /// The assumed duration of a measured acceleration, in seconds.
    package var settling = 0.03
    /// The speed above which a foot is more likely in the air, in m/s; the noise then grows with the square.
    package var liftSpeed = 0.1
    /// The correlation time of a standing foot's velocity error, in seconds.
    package var correlation = 0.3
    /// The standard deviation of the gyroscope's bias at the start, in rad/s.
    package var gyroscopeBiasSigma = 0.06
    /// The standard deviation of the accelerometer's bias at the start, in m/s².
    package var accelerometerBiasSigma = 0.1
    /// The minimum duration of rest after which the rate is the gyroscope's bias, in seconds.
    package var restTime = 0.1
    /// The noise of that rate, in rad/s.
    package var restRate = 0.003
    /// The unevenness of a floor, in metres.
    package var floorSigma = 0.02
    /// The maximum height difference of successive steps on the same floor, in metres: below a stair or a 2 % ramp.
    package var floorGate = 0.03
    /// The standard deviation of a closed path's end from its start, in metres.
    package var closing = 0.1

    /// The default settings.
    public init() {}
  }

  /// The settings of the tracker.
  public let parameters: Parameters
  /// The causal path's newest estimate, or `nil` until the first samples have determined the vertical. The standard
  /// deviations are those at the last measurement, at most `epoch` earlier.
  public var estimate: TrackEstimate? {
    guard let navigator, var newest = path.estimate else { return nil }
    (newest.time, newest.position, newest.velocity) =
      (navigator.time, navigator.state.position, navigator.state.velocity)
    return withFloors(newest)
  }

  private var start: [TrackSample] = []
  var navigator: InertialNavigator?
  var epoch = EpochSums()
  /// The start of the present rest of the device.
  var quietSince: Double?
  /// The start of the present stance.
  var stanceSince: Double?
  /// The number of stances at the height of the previous step's floor, and at another.
  var (sameFloorCount, newFloorCount) = (0, 0)
  /// The start of the last counted stance, in seconds.
  var countedStance: Double?
  private var strideCount = 0
  private var hasSwung = false
  private let keepsTrace: Bool
  private var path = PathRecorder()

  /// Creates a tracker.
  ///
  /// - Parameters:
  ///   - parameters: The settings of the tracker.
  ///   - keepsTrace: Whether to keep the data for `smoothed`, about 100 kB per second.
  public init(_ parameters: Parameters = Parameters(), keepsTrace: Bool = false) {
    self.parameters = parameters
    self.keepsTrace = keepsTrace
  }

  /// The sums over an epoch that measure rotation and acceleration of the foot.
  struct EpochSums: Sendable, Codable {
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

    /// The mean square of the rate, in (rad/s)².
    var turning: Double { rateSquare / count }
    /// The mean square of the force's deviation from a constant force of gravity's magnitude, in (m/s²)².
    var shaking: Double {
      let mean = force / count
      let excess = mean.norm - InertialNavigator.gravity
      return max(0, forceSquare / count - mean.squaredNorm) + excess * excess
    }
  }

  /// The duration of the sensor average for the initial attitude, in seconds.
  private static let startTime = 0.3
  /// The longest pause that is integrated over, in seconds.
  private static let maximumPause = 0.1
  /// The maximum rate, in rad/s, and force deviation, in m/s², of a device at rest.
  static let quietRate = 0.06
  static let quietForce = 0.3
  /// The maximum velocity noise of a stance, in m/s.
  private static let stanceSpeed = 0.05
  /// The speed, in m/s, and rotation rate, in rad/s, assumed for a foot during a pause.
  private static let pauseSpeed = 2.0
  private static let pauseRate = 1.0

  /// Adds the next sample. Samples with impossible values are skipped.
  public mutating func update(_ sample: TrackSample) {
    guard sample.isPossible else { return }
    guard navigator != nil else {
      begin(sample)
      return
    }
    guard sample.time > navigator!.time else { return }
    let pause = sample.time - navigator!.time
    guard pause <= Self.maximumPause else {
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
    // The heading of the attitude filter aligns the path with its frame.
    let turn = Quaternion(angle: first.heading - TrackSample.heading(of: level, up: first.up), axis: .unitZ)
    var kalman = ErrorKalman.navigation(hasFloor: true, keepsTrace: keepsTrace)
    let tilt = isQuiet ? 0.02 : 0.2
    kalman.add(Vector3(tilt * tilt, tilt * tilt, 1e-8), to: .attitude)
    kalman.add(isQuiet ? 1e-4 : 1, to: .velocity)
    kalman.add(1e-8, to: .position)
    kalman.add(sigma: parameters.gyroscopeBiasSigma, to: .gyroscopeBias)
    kalman.add(sigma: parameters.accelerometerBiasSigma, to: .accelerometerBias)
    navigator = InertialNavigator(
      state: NavigationState(earthFromDevice: turn * level), kalman: kalman, noise: NavigationNoise(), rate: first.rate,
      force: first.force, at: first.time)
    path.add(navigator!, isStanding: isQuiet)
    let pending = start.dropFirst()
    start = []
    for sample in pending { update(sample) }
  }

  /// Resumes after a pause, with an uncertain position of the foot.
  private mutating func resume(behind pause: Double, _ sample: TrackSample) {
    if navigator!.elapsed > 0 { closeEpoch() }
    navigator!.restart(rate: sample.rate, force: sample.force, at: sample.time)
    let (speed, angle) = (Self.pauseSpeed, Self.pauseRate * min(pause, 1))
    navigator!.kalman.add(sigma: speed * pause, to: .position)
    navigator!.kalman.add(sigma: speed, to: .velocity)
    navigator!.kalman.add(sigma: angle, to: .attitude)
    navigator!.state.floor = nil
    (epoch, quietSince, stanceSince) = (EpochSums(), nil, nil)
  }

  private mutating func closeEpoch() {
    let duration = navigator!.elapsed
    navigator!.closeEpoch()
    let repeats = max(1, parameters.correlation / duration)
    let square = takeZeroVelocity(repeats: repeats)
    takeRestRate(over: duration, repeats: repeats)
    let isStanding = square < Self.stanceSpeed * Self.stanceSpeed
    if isStanding {
      if hasSwung { (strideCount, hasSwung) = (strideCount + 1, false) }
      takeFloor()
    } else {
      stanceSince = nil
    }
    if square > 100 * Self.stanceSpeed * Self.stanceSpeed { hasSwung = true }
    epoch = EpochSums()
    path.add(navigator!, isStanding: isStanding, stepCount: strideCount)
  }

  /// The decisions about the floors of the steps, or none without stances.
  package var decisions: [AutomaticDecision] {
    guard sameFloorCount > 0 else { return [] }
    return [
      AutomaticDecision(
        "floors", "\(sameFloorCount) stances at the height of the previous step, \(newFloorCount) at another",
        basis: String(cFormat: "height differences below and above %.0f mm", 1000 * parameters.floorGate),
        values: ["same": Double(sameFloorCount), "new": Double(newFloorCount)])
    ]
  }

  /// Adds the unevenness of floors, which does not average out.
  private func withFloors(_ estimate: TrackEstimate) -> TrackEstimate {
    var estimate = estimate
    let (z, floor) = (estimate.positionSigma.z, parameters.floorSigma)
    estimate.positionSigma.z = (z * z + floor * floor).squareRoot()
    return estimate
  }

  /// Returns the smoothed path of the whole recording; empty unless the trace was kept.
  ///
  /// - Parameter isClosed: Whether the foot ends where it started, within `closing`.
  public func smoothed(isClosed: Bool = false) -> [TrackEstimate] {
    guard var navigator else { return [] }
    if isClosed {
      navigator.take(
        ErrorMeasurement(
          .position, residual: -navigator.state.position,
          variance: Vector3(repeating: parameters.closing * parameters.closing)))
    }
    return path.smoothed(navigator).map(withFloors)
  }
}
