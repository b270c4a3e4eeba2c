internal import InertialNumerics
internal import InertialSystem

/// A filter of a path's position east and north in metres; the numbers a and b that transform a displacement (x, y) into
/// a (x, y) + b (-y, x); an additional velocity, east and north, in m/s, that fades; and the slow part of the error of
/// fixes, in units of its standard deviation. It is linear, so its errors have the same eight indices as its state.
struct FixedPathFilter: Sendable, Codable {
  /// The state after a prediction's fixes, and the last epoch of the trace then.
  struct End: Sendable, Codable {
    var state: ErrorValues
    var epoch: Int
  }

  /// The standard deviation of the additional velocity, in m/s.
  private let sigma: Double
  private(set) var state = ErrorValues()
  private(set) var kalman: ErrorKalman
  /// The logarithm of the likelihood of the fixes; the caller may fade it.
  var evidence = 0.0
  /// The end of each prediction; empty without a trace.
  private(set) var ends: [End] = []

  private static let position = ErrorLayout.Block(start: 0, count: 2)
  private static let numbers = ErrorLayout.Block(start: 2, count: 2)
  private static let velocity = ErrorLayout.Block(start: 4, count: 2)
  private static let fixError = ErrorLayout.Block(start: 6, count: 2)
  /// The standard deviation of each of the two numbers that rotate and scale a path of unknown direction.
  private static let anySigma = 0.75
  /// The time constant of the additional velocity, in seconds.
  private static let fading = 10.0

  /// Creates a filter near a fix.
  ///
  /// - Parameters:
  ///   - distance: The standard deviation of the distance from the fix in each direction, in metres.
  ///   - sigma: The standard deviation of the additional velocity, in m/s.
  init(_ fix: PositionFix, within distance: Double, sigma: Double, keepsTrace: Bool) {
    self.sigma = sigma
    (state[0], state[1]) = (fix.position.x, fix.position.y)
    var layout = ErrorLayout()
    let all = layout.add(8)
    kalman = ErrorKalman(layout)
    for (index, sigma) in [distance, distance, Self.anySigma, Self.anySigma, sigma, sigma, 1, 1].enumerated() {
      kalman[index, index] = sigma * sigma
    }
    guard keepsTrace else { return }
    kalman.trace = ErrorTrace(layout, keeping: [all])
    kalman.close()
    ends = [End(state: state, epoch: 0)]
  }

  /// Propagates the state over a displacement of the path: equation (5) of docs/theory/error-state.md.
  ///
  /// The process noise is at least 1 cm/√s for positions and 0.001/√s for the two numbers.
  ///
  /// - Parameter way: The path's displacement, in metres.
  mutating func predict(_ way: Vector3, over dt: Double) {
    let x = state
    let (left, leftError) = (exp(-dt / Self.fading), exp(-dt / PositionFix.slowTime))
    state[0] += way.x * x[2] - way.y * x[3] + dt * x[4]
    state[1] += way.y * x[2] + way.x * x[3] + dt * x[5]
    (state[4], state[5]) = (left * x[4], left * x[5])
    (state[6], state[7]) = (leftError * x[6], leftError * x[7])
    var transition = ErrorTransition()
    transition.add(way.x, of: Self.numbers, to: Self.position)
    transition.add(-way.y, of: 3, to: 0)
    transition.add(way.y, of: 2, to: 1)
    transition.add(dt, of: Self.velocity, to: Self.position)
    transition.fade(Self.velocity, by: left)
    transition.fade(Self.fixError, by: leftError)
    kalman.propagate(by: transition)
    kalman.add(1e-4 * dt, to: Self.position)
    kalman.add(1e-6 * dt, to: Self.numbers)
    kalman.add(sigma * sigma * (1 - left * left), to: Self.velocity)
    kalman.add(1 - leftError * leftError, to: Self.fixError)
    guard kalman.trace != nil else { return }
    ends.append(End(state: state, epoch: 0))
    close()
  }

  /// Takes a fix, fix = p + c σ b + n with the slow part b of its error, and its velocity, fix = a (v_x, v_y) + b (-v_y, v_x) + v + n for the path's velocity
  /// (v_x, v_y): equation (9) of docs/theory/error-state.md.
  ///
  /// - Parameters:
  ///   - repeats: The number of fixes for which the noise n persists.
  ///   - velocity: The path's velocity, in m/s.
  mutating func take(_ fix: PositionFix, repeats: Double, velocity: Vector3) {
    for place in 0..<2 {
      take(
        fix.row(place, (state[place], place), error: (state[6 + place], 6 + place), repeats: repeats))
      guard let speed = fix.velocity else { continue }
      let (a, b) = place == 0 ? (velocity.x, -velocity.y) : (velocity.y, velocity.x)
      var motion = MeasurementRow(
        residual: speed[place] - (a * state[2] + b * state[3] + state[4 + place]),
        variance: fix.velocitySigma * fix.velocitySigma)
      motion.add(a, at: 2)
      motion.add(b, at: 3)
      motion.add(1, at: 4 + place)
      take(motion)
    }
    close()
  }

  private mutating func take(_ row: MeasurementRow) {
    let innovation = kalman.take(row)
    if innovation.outcome == .taken { evidence += innovation.logLikelihood }
  }

  /// Applies the measurements to the state.
  private mutating func close() {
    let correction = kalman.close()
    for index in 0..<kalman.count { state[index] += correction[index] }
    guard let trace = kalman.trace, !ends.isEmpty else { return }
    ends[ends.count - 1] = End(state: state, epoch: trace.count - 1)
  }
}
