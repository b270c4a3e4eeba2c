internal import InertialNumerics
internal import InertialRotations
internal import InertialSystem

/// Rest: rate and acceleration have stayed near their own low-pass for some time, and the rate is one a bias can be.
///
/// After Laidig and Seel, "VQF: Highly accurate IMU orientation estimation with bias estimation and magnetic
/// disturbance rejection", Information Fusion 91 (2023), section 3.5; first-order low-passes on true time steps.
struct RestDetector: Sendable, Codable, Equatable {
  struct Thresholds: Sendable, Equatable {
    /// Largest deviation of the rate from its low-pass, rad/s.
    var rate: Double
    /// Largest deviation of the acceleration from its low-pass, g.
    var acceleration: Double
    /// Seconds that both must hold.
    var duration: Double
    /// Largest rate about any axis that may be a bias, rad/s: a steady turn must not be learned as one.
    var biasBound: Double
  }

  static let timeConstant = 0.5

  /// Low-passed rate, rad/s: the bias while at rest.
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

  /// The rate of a moment and then its acceleration, which mostly have the same weight.
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

  /// 1 − exp(−x), x = dt/τ, by its series for the usual sampling intervals: the first term left out is x⁸/8!.
  @inline(__always)
  private func weight(of dt: Double) -> Double {
    let x = dt * (1 / Self.timeConstant)
    guard x < 0.05 else { return -expm1(-x) }
    let (third, fifth, sixth, seventh) = (1.0 / 3, 1.0 / 5, 1.0 / 6, 1.0 / 7)
    return x
      * (1 - x * 0.5 * (1 - x * third * (1 - x * 0.25 * (1 - x * fifth * (1 - x * sixth * (1 - x * seventh))))))
  }
}
