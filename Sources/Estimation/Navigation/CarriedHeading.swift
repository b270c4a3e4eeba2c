internal import InertialNumerics
internal import InertialSystem

/// The direction of a person who carries a device, up to a constant: how far the device has turned about the vertical.
///
/// The gyroscope's bias is what it measures while the device lies or is held still; without that it is found by straight ways
/// (`WalkingDrift`). While the device is tilted over by much, it is taken up or put away: what it turns about the vertical
/// meanwhile is not the person's turn.
struct CarriedHeading: Sendable {
  /// A direction by the gyroscope as it is, and what it needs to be put right later.
  struct Reading: Sendable, Equatable {
    /// From the frame's X, rad, unwrapped, since the device was last taken another way up.
    var turned: Double
    /// Seconds of drift in that.
    var elapsed: Double
    /// Which time it was taken another way up.
    var hold: Int
  }

  /// A way up in which the device was held: the direction and its variance by the time that it was so, and the drift meanwhile
  /// with its standard deviation, rad/s.
  private struct Hold: Sendable {
    var direction: Double
    var variance: Double
    var drift: Double
    var sigma: Double
  }

  private(set) var reading = Reading(turned: 0, elapsed: 0, hold: 0)
  private var holds: [Hold]
  /// Of the latest way up.
  private var drift = WalkingDrift()
  /// As it was seen at rest, rad/s, device axes.
  private var bias: Vector3?
  private var time: Double?
  private var rest = RestingRate(rate: 0.05, force: 0.5, time: 2)
  private var smoothUp: Vector3?
  /// Up in the device as it began to be held so.
  private var heldUp: Vector3?

  /// Angle between up in the device and what it was over the last seconds from which on the device is being handled, rad; and
  /// from which on another bias is about the vertical.
  private static let handlingAngle = 0.8
  private static let otherWayUp = 0.5
  private static let upMemory = 2.0
  private static let longestPause = 0.5
  /// Standard deviation of a bias before the first rest, rad/s.
  private static let unknownBias = 0.06
  /// What drifts beside a bias, rad/s: scale and axes, as a person goes round.
  private static let unmodelled = 0.002

  init() { holds = [Hold(direction: 0, variance: 0, drift: drift.mean, sigma: drift.sigma)] }

  /// From the frame's X, rad, unwrapped, as far as it is known now.
  var direction: Double { direction(of: reading) }
  /// Its standard deviation, rad, but for what it began with.
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
    guard dt > 0, dt <= Self.longestPause else { return }
    let wasResting = rest.mean
    rest.update(sample, bias: bias ?? .zero, biasSigma: bias == nil ? Self.unknownBias : 0)
    if let rate = wasResting, rest.mean == nil {
      // The device is taken up again.
      bias = rate
      drift.rest(rate.dot(heldUp!))
      note()
    }
    let weight = dt / (Self.upMemory + dt)
    let mean = (smoothUp! + weight * (sample.up - smoothUp!))
    smoothUp = mean
    guard mean.angle(to: sample.up) <= Self.handlingAngle else { return }
    if mean.angle(to: heldUp!) > Self.otherWayUp { hold(mean) }
    // At rest nobody turns.
    guard rest.mean == nil else { return }
    reading.turned += sample.up.dot(sample.rate) * dt
    reading.elapsed += dt
  }

  /// Takes a step in a direction.
  mutating func step(_ reading: Reading) {
    guard reading.hold == holds.count - 1 else { return }
    drift.add(reading.turned, after: reading.elapsed)
    note()
  }

  private mutating func note() {
    (holds[holds.count - 1].drift, holds[holds.count - 1].sigma) = (drift.mean, drift.sigma)
  }

  /// The device is held another way up from now on.
  private mutating func hold(_ up: Vector3) {
    let (direction, sigma) = (direction, sigma)
    drift = WalkingDrift()
    if let bias { drift.rest(bias.dot(up)) }
    holds.append(Hold(direction: direction, variance: sigma * sigma, drift: drift.mean, sigma: drift.sigma))
    reading = Reading(turned: 0, elapsed: 0, hold: holds.count - 1)
    heldUp = up
  }
}
