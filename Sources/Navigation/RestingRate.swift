internal import LinearAlgebra

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
  private var sum = Vector3.zero
  private var count = 0.0

  init(rate: Double, force: Double, time: Double) { (self.rate, self.force, self.time) = (rate, force, time) }

  /// Takes the next moment.
  ///
  /// - Parameters:
  ///   - bias: as it is known so far.
  ///   - mayRest: whether what else is known allows rest.
  mutating func update(_ sample: TrackSample, bias: Vector3, mayRest: Bool = true) {
    guard mayRest, (sample.rate - bias).norm < rate, abs(sample.force.norm - InertialNavigator.gravity) < force else {
      (mean, since, sum, count) = (nil, nil, .zero, 0)
      return
    }
    let begin = since ?? sample.time
    (since, sum, count) = (begin, sum + sample.rate, count + 1)
    mean = sample.time - begin > time ? sum / count : nil
  }
}
