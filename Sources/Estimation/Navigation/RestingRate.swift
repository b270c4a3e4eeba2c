internal import InertialNumerics

/// What the gyroscope measures while the device is at rest, which is its bias.
struct RestingRate: Sendable {
  /// Largest rate, rad/s, and largest difference of the force from gravity, m/s², of a device at rest.
  let rate: Double
  let force: Double
  /// For how long it must have been that, s.
  let time: Double

  /// The mean rate since the device came to rest, rad/s; nil while it is not known to be at rest.
  private(set) var mean: Vector3?
  private var since: Double?
  private var last: Double?
  private var sum = Vector3.zero
  private var forceSum = Vector3.zero
  private var recentForce = Vector3.zero
  private var count = 0.0

  /// What is felt now is a mean over so long, s; it may differ from that of the whole rest by this share of `force`. So a
  /// vehicle that pulls away gently, as smoothly as it stood, is told from one that stands.
  private static let present = 0.25
  private static let shift = 1.0 / 3

  init(rate: Double, force: Double, time: Double) { (self.rate, self.force, self.time) = (rate, force, time) }

  /// Takes the next moment.
  ///
  /// - Parameters:
  ///   - bias: as it is known so far, with its standard deviation, rad/s.
  ///   - mayRest: whether what else is known allows rest.
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
