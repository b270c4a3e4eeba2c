internal import InertialNumerics
internal import InertialRotations
internal import InertialSystem

/// A detector of rest: rate and acceleration have stayed near their low-passed values for some time, and the rate is
/// small enough for a bias.
///
/// After Laidig and Seel, "VQF: Highly accurate IMU orientation estimation with bias estimation and magnetic
/// disturbance rejection", Information Fusion 91 (2023), section 3.5; first-order low-passes on true time steps.
struct RestDetector: Sendable, Codable, Equatable {
  struct Thresholds: Sendable, Equatable {
    /// The largest deviation of the rate from its low-pass, in rad/s.
    var rate: Double
    /// The largest deviation of the acceleration from its low-pass, in g.
    var acceleration: Double
    /// The duration for which both must hold, in seconds.
    var duration: Double
    /// The largest rate about any axis that may be a bias, in rad/s: a constant rotation must not be learned as one.
    var biasBound: Double
  }

  static let timeConstant = 0.5

  /// The low-passed rate, in rad/s: the bias while at rest.
  var rate: Vector3?
  var acceleration: Vector3?
  var quietTime = 0.0
  var accelerationIsQuiet = false

  func isResting(_ thresholds: Thresholds) -> Bool { quietTime >= thresholds.duration }

  @inline(__always)
  mutating func add(rate newRate: Vector3, dt: Double, _ thresholds: Thresholds) {
    add(rate: newRate, dt: dt, weight: weight(of: dt), thresholds)
  }

  @inline(__always)
  mutating func add(acceleration newAcceleration: Vector3, dt: Double, _ thresholds: Thresholds) {
    add(acceleration: newAcceleration, weight: weight(of: dt), thresholds)
  }

  /// Adds the rate and then the acceleration of an epoch, which usually have the same weight.
  @inline(__always)
  mutating func add(
    rate newRate: Vector3, dt: Double, acceleration newAcceleration: Vector3, dt accelerationStep: Double,
    _ thresholds: Thresholds
  ) {
    let weight = weight(of: dt)
    add(rate: newRate, dt: dt, weight: weight, thresholds)
    add(
      acceleration: newAcceleration, weight: accelerationStep == dt ? weight : self.weight(of: accelerationStep),
      thresholds)
  }

  @inline(__always)
  private mutating func add(rate newRate: Vector3, dt: Double, weight: Double, _ thresholds: Thresholds) {
    let low = lowPassed(rate, newRate, weight)
    rate = low
    let quiet =
      (newRate - low).maximumMagnitude < thresholds.rate && low.maximumMagnitude < thresholds.biasBound
      && accelerationIsQuiet
    quietTime = quiet ? min(quietTime + dt, thresholds.duration + 1) : 0
  }

  @inline(__always)
  private mutating func add(acceleration newAcceleration: Vector3, weight: Double, _ thresholds: Thresholds) {
    let low = lowPassed(acceleration, newAcceleration, weight)
    acceleration = low
    accelerationIsQuiet = (newAcceleration - low).maximumMagnitude < thresholds.acceleration
  }

  @inline(__always)
  private func lowPassed(_ old: Vector3?, _ new: Vector3, _ weight: Double) -> Vector3 {
    guard let old else { return new }
    return old + weight * (new - old)
  }

  /// Returns 1 − exp(−x), x = dt/τ, by its series for the usual sampling intervals: the first omitted term is x⁸/8!.
  @inline(__always)
  private func weight(of dt: Double) -> Double {
    let x = dt * (1 / Self.timeConstant)
    guard x < 0.05 else { return -expm1(-x) }
    let (third, fifth, sixth, seventh) = (1.0 / 3, 1.0 / 5, 1.0 / 6, 1.0 / 7)
    return x
      * (1 - x * 0.5 * (1 - x * third * (1 - x * 0.25 * (1 - x * fifth * (1 - x * sixth * (1 - x * seventh))))))
  }
}
