internal import InertialNumerics
internal import InertialSystem

/// The angle between straight segments and a grid of directions, and its drift, with their covariance: a filter of two
/// errors, with one measurement for each segment.
struct GridAngle: Sendable, Codable {
  private(set) var time: Double
  /// The angle in radians, and its rate in rad/s.
  private(set) var angle: Double
  private var rate = 0.0
  private(set) var kalman: ErrorKalman
  /// The logarithm of the likelihood ratio of the grid to chance.
  private(set) var evidence = 0.0
  /// The number of segments.
  private(set) var segmentCount = 1

  /// The angle between the grid's directions.
  private static let grid = Double.pi / 2
  /// The noise of a segment's direction, rad; drift at the start, rad/s; its random walk, rad/s/√s; random walk of the
  /// angle, rad/√s.
  private static let noise = 0.07
  private static let drift = 0.005
  private static let driftNoise = 3.5e-4
  private static let angleNoise = 0.005
  /// The fraction of segments that do not follow the grid.
  private static let stray = 0.1
  /// The maximum normalised innovation squared of a segment along the grid.
  private static let gate = 9.0

  /// Creates the angle of the first segment.
  init(time: Double, direction: Double, keepsTrace: Bool) {
    (self.time, angle) = (time, direction)
    var layout = ErrorLayout()
    let errors = layout.add(2)
    kalman = ErrorKalman(layout)
    kalman[0, 0] = Self.noise * Self.noise
    kalman[1, 1] = Self.drift * Self.drift
    guard keepsTrace else { return }
    kalman.trace = ErrorTrace(layout, keeping: [errors])
    kalman.close()
  }

  /// The standard deviation of the angle, in radians.
  var sigma: Double { kalman[0, 0].standardDeviation }

  /// Propagates to a later time: angle' = angle + T rate.
  mutating func propagate(to time: Double) {
    let (dt, walk) = (max(0, time - self.time), Self.driftNoise * Self.driftNoise)
    self.time = time
    angle += rate * dt
    var transition = ErrorTransition()
    transition.add(dt, of: 1, to: 0)
    kalman.propagate(by: transition)
    kalman[0, 0] += Self.angleNoise * Self.angleNoise * dt + walk * dt * dt * dt / 3
    kalman[1, 0] += walk * dt * dt / 2
    kalman[1, 1] += walk * dt
  }

  /// Takes a segment's direction, direction = angle + n up to a multiple of a right angle: equation (9) of
  /// docs/theory/error-state.md.
  ///
  /// The evidence compares it with a direction by chance. A segment beyond the gate does not follow the grid.
  mutating func take(_ direction: Double) {
    var row = MeasurementRow(
      residual: (direction - angle).remainder(dividingBy: Self.grid), variance: Self.noise * Self.noise)
    row.add(1, at: 0)
    let innovation = kalman.take(row, gate: .reject(above: Self.gate))
    let likelihood = exp(-innovation.normalizedSquared / 2) / (2 * Double.pi * innovation.variance.x).squareRoot()
    evidence += log((1 - Self.stray) * likelihood * Self.grid + Self.stray)
    segmentCount += 1
    let correction = kalman.close()
    angle += correction[0]
    rate += correction[1]
  }
}
