internal import InertialNumerics

/// The mean rate of the gyroscope while the device is at rest, which is its bias.
struct StationaryBiasEstimator: Sendable, Codable {
  /// The maximum rate, in rad/s, and the maximum deviation of the force from gravity, in m/s², of a device at rest.
  let rate: Double
  let force: Double
  /// The minimum duration of rest, in seconds.
  let time: Double

  /// The mean rate since the device came to rest, in rad/s, or `nil` unless it is at rest.
  private(set) var mean: Vector3?
  private var since: Double?
  private var last: Double?
  private var sum = Vector3.zero
  private var forceSum = Vector3.zero
  private var recentForce = Vector3.zero
  private var count = 0.0

  /// The time constant of the recent force, in seconds, and its maximum deviation from the mean force of the rest, as a
  /// fraction of `force`. This distinguishes a vehicle that pulls away gently from a standing one.
  private static let present = 0.25
  private static let shift = 1.0 / 3

  init(rate: Double, force: Double, time: Double) { (self.rate, self.force, self.time) = (rate, force, time) }

  /// Adds the next sample.
  ///
  /// - Parameters:
  ///   - bias: The current estimate of the bias, with its standard deviation, in rad/s.
  ///   - mayRest: Whether other data allows rest.
  mutating func update(_ sample: TrackSample, bias: Vector3, biasSigma: Double = 0, mayRest: Bool = true) {
    if let last, count > 0 {
      recentForce += (sample.force - recentForce) * min(1, (sample.time - last) / Self.present)
    } else {
      recentForce = sample.force
    }
    last = sample.time
    guard mayRest, (sample.rate - bias).norm < rate + 3 * biasSigma,
      abs(sample.force.norm - InertialNavigator.gravity) < force,
      count == 0
        || (recentForce - forceSum / count).norm < force * Self.shift && (sample.rate - sum / count).norm < rate
    else {
      (mean, since, sum, forceSum, count) = (nil, nil, .zero, .zero, 0)
      return
    }
    let begin = since ?? sample.time
    (since, sum, forceSum, count) = (begin, sum + sample.rate, forceSum + sample.force, count + 1)
    mean = sample.time - begin > time ? sum / count : nil
  }
}
