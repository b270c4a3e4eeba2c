import Foundation
import Inertial
import InertialNumerics

/// A custom Kalman filter: heading and turn rate from a compass alone, by the constant-turn model
///
///     ψ' = ω,  ω' = w
///
/// with white noise w. A compass reading is the heading plus an error. A gate rejects outliers.
struct CompassTracker {
  /// The spectral density of w, in rad²/s³. Larger values follow turns faster and smooth less.
  var turnDensity = 0.2
  /// The standard deviation of a compass reading, in radians.
  var compassSigma = 0.05
  /// The 99.99 % quantile of χ² with one degree of freedom, the limit for valid readings.
  var gate = 15.1

  /// The heading ψ, in radians counter-clockwise from north.
  private(set) var heading = 0.0
  /// The turn rate ω, in rad/s.
  private(set) var turnRate = 0.0
  /// The covariance of the errors of heading and turn rate, with a record for the smoother.
  private(set) var kalman: ErrorKalman
  /// The headings after each reading.
  private(set) var headings: [Double] = []
  private var time: Double?

  private static let errors: (layout: ErrorLayout, heading: ErrorLayout.Block, turnRate: ErrorLayout.Block) = {
    var layout = ErrorLayout()
    let (heading, turnRate) = (layout.add(1), layout.add(1))
    return (layout, heading, turnRate)
  }()

  init() {
    let errors = Self.errors
    kalman = ErrorKalman(errors.layout)
    kalman.trace = ErrorTrace(errors.layout, keeping: [errors.heading])
    kalman.add(10, to: errors.heading)
    kalman.add(1, to: errors.turnRate)
  }

  /// Adds a compass reading, in radians, at a time, in seconds. Returns `false` if the gate rejects it.
  @discardableResult
  mutating func update(compass: Double, at newTime: Double) -> Bool {
    predict(to: newTime)
    // The shorter direction: 359° and 1° differ by 2°.
    var row = MeasurementRow(residual: remainder(compass - heading, 2 * .pi), variance: compassSigma * compassSigma)
    row.add(1, at: Self.errors.heading.start)
    let innovation = kalman.take(row, gate: .reject(above: gate))
    let correction = kalman.close()
    heading += correction[Self.errors.heading.start]
    turnRate += correction[Self.errors.turnRate.start]
    headings.append(heading)
    return innovation.outcome == .taken
  }

  /// Propagates the state and the covariance to a time.
  private mutating func predict(to newTime: Double) {
    let dt = newTime - (time ?? newTime)
    time = newTime
    heading += dt * turnRate
    let (ψ, ω) = (Self.errors.heading, Self.errors.turnRate)
    var transition = ErrorTransition()
    transition.add(dt, of: ω, to: ψ)
    kalman.propagate(by: transition)
    // ∫ g gᵀ dt with g = (dt, 1), times the density.
    kalman.add(turnDensity * dt * dt * dt / 3, to: ψ)
    kalman[ψ.start, ω.start] += turnDensity * dt * dt / 2
    kalman.add(turnDensity * dt, to: ω)
  }

  /// Returns the headings estimated from all readings, including later ones.
  func smoothedHeadings() -> [Double] {
    guard let trace = kalman.trace else { return headings }
    var adjoint = ErrorAdjoint(Self.errors.layout, hasCovariance: false)
    var smoothed = headings
    for epoch in headings.indices.reversed() {
      smoothed[epoch] += adjoint.error(Self.errors.heading.start, trace, epoch)
      adjoint.cross(trace, epoch)
    }
    return smoothed
  }
}
