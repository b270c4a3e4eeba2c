internal import InertialNumerics
internal import InertialSystem

/// The direction of a person who carries a device, up to a constant: the device's rotation about the vertical.
///
/// The gyroscope's bias is measured while the device lies or is held still, and before that estimated from straight
/// segments (`DriftFilterBank`). While the device is tilted by a large angle, it is being taken up or put away, and its
/// rotation about the vertical is not the person's.
struct PedestrianHeading: Sendable, Codable {
  /// A direction from the uncorrected gyroscope, with the data to correct it later.
  struct Reading: Sendable, Equatable, Codable {
    /// The angle from the frame's X in radians, unwrapped, since the start of the hold.
    var turned: Double
    /// The duration of drift in the angle, in seconds.
    var elapsed: Double
    /// The index of the hold.
    var hold: Int
  }

  /// A period in which the same side of the device is up: the direction and its variance at its start, and the drift
  /// during it with its standard deviation, in rad/s.
  private struct HoldInterval: Sendable, Codable {
    var direction: Double
    var variance: Double
    var drift: Double
    var sigma: Double
  }

  private(set) var reading = Reading(turned: 0, elapsed: 0, hold: 0)
  private var holds: [HoldInterval]
  /// The drift in the current hold.
  private var drift = DriftFilterBank()
  /// The gyroscope's bias as measured at rest, in rad/s, device axes.
  private var bias: Vector3?
  private var time: Double?
  private var rest = StationaryBiasEstimator(rate: 0.05, force: 0.5, time: 2)
  private var smoothUp: Vector3?
  /// The up direction at the start of the current hold, device axes.
  private var heldUp: Vector3?

  /// The minimum angle between up and the mean of up over the last seconds while the device is handled, and between
  /// that mean and up at the hold's start for another hold, in radians, device axes.
  private static let handlingAngle = 0.8
  private static let otherWayUp = 0.5
  private static let upMemory = 2.0
  private static let maximumPause = 0.5
  /// The standard deviation of a bias before the first rest, in rad/s.
  private static let unknownBias = 0.06
  /// The standard deviation of other drift, in rad/s, from scale factor and misalignment during rotation.
  private static let unmodelled = 0.002

  init() { holds = [HoldInterval(direction: 0, variance: 0, drift: drift.mean, sigma: drift.sigma)] }

  /// The corrected angle from the frame's X in radians, unwrapped.
  var direction: Double { direction(of: reading) }
  /// The standard deviation of the direction in radians, without that of the initial direction.
  var sigma: Double { sigma(of: reading) }

  func direction(of reading: Reading) -> Double {
    let hold = holds[reading.hold]
    return hold.direction + reading.turned - hold.drift * reading.elapsed
  }

  func sigma(of reading: Reading) -> Double {
    let hold = holds[reading.hold]
    let drift = hold.sigma * hold.sigma + Self.unmodelled * Self.unmodelled
    return (hold.variance + drift * reading.elapsed * reading.elapsed).squareRoot()
  }

  mutating func update(_ sample: TrackSample) {
    defer { time = sample.time }
    guard let time else {
      holds[0].direction = sample.heading
      (smoothUp, heldUp) = (sample.up, sample.up)
      return
    }
    let dt = sample.time - time
    guard dt > 0, dt <= Self.maximumPause else { return }
    let wasResting = rest.mean
    rest.update(sample, bias: bias ?? .zero, biasSigma: bias == nil ? Self.unknownBias : 0)
    if let rate = wasResting, rest.mean == nil {
      // The device has just been taken up.
      bias = rate
      drift.rest(rate.dot(heldUp!))
      note()
    }
    let weight = dt / (Self.upMemory + dt)
    let mean = (smoothUp! + weight * (sample.up - smoothUp!))
    smoothUp = mean
    guard mean.angle(to: sample.up) <= Self.handlingAngle else { return }
    if mean.angle(to: heldUp!) > Self.otherWayUp { hold(mean) }
    // At rest, the person does not turn.
    guard rest.mean == nil else { return }
    reading.turned += sample.up.dot(sample.rate) * dt
    reading.elapsed += dt
  }

  /// Adds a step with its direction.
  mutating func step(_ reading: Reading) {
    guard reading.hold == holds.count - 1 else { return }
    drift.add(reading.turned, after: reading.elapsed)
    note()
  }

  private mutating func note() {
    (holds[holds.count - 1].drift, holds[holds.count - 1].sigma) = (drift.mean, drift.sigma)
  }

  /// Starts a hold, with another side of the device up.
  private mutating func hold(_ up: Vector3) {
    let (direction, sigma) = (direction, sigma)
    drift = DriftFilterBank()
    if let bias { drift.rest(bias.dot(up)) }
    holds.append(HoldInterval(direction: direction, variance: sigma * sigma, drift: drift.mean, sigma: drift.sigma))
    reading = Reading(turned: 0, elapsed: 0, hold: holds.count - 1)
    heldUp = up
  }
}
