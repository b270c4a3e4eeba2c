internal import LinearAlgebra

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The linear model of altitude h, vertical speed v, acceleration bias b and lagged altitude l:
///
///     h' = v,  v' = a − b + w,  b' = u,  l' = (h − l) / τ
///
/// with white noises w and u. Nothing in it depends on the motion, so that the covariance can be carried over any time
/// at once.
struct VerticalModel {
  /// τ, seconds; 0: the barometer does not lag.
  var lag: Double
  /// Spectral density of w, m²/s³.
  var accelerationDensity: Double
  /// Spectral density of u, m²/s⁵.
  var biasDensity: Double
  /// Whether the acceleration is known, and with it its bias at work.
  var isDriven: Bool

  /// Answers to a unit at time 0, after `time` seconds: of the lagged altitude to altitude, speed and acceleration.
  private func laggedResponse(_ time: Double) -> (altitude: Double, speed: Double, acceleration: Double) {
    guard lag > 0 else { return (1, time, time * time / 2) }
    let reached = -expm1(-time / lag)
    return (reached, time - lag * reached, time * time / 2 - lag * time + lag * lag * reached)
  }

  /// From one time to another `time` seconds later.
  func transition(_ time: Double) -> FixedMatrix<4, 4> {
    let lagged = laggedResponse(time)
    var f = FixedMatrix<4, 4>.identity
    f[0, 1] = time
    f[3, 0] = lagged.altitude
    f[3, 1] = lagged.speed
    f[3, 3] = 1 - lagged.altitude
    if isDriven {
      f[0, 2] = -time * time / 2
      f[1, 2] = -time
      f[3, 2] = -lagged.acceleration
    }
    return f
  }

  /// ∫ g gᵀ dt with the answers g to the two noises: by Gauss and Legendre's rule with three nodes, which is exact
  /// without a lag, and never gives a matrix that is not one of a covariance.
  func processNoise(_ time: Double) -> FixedMatrix<4, 4> {
    var q = FixedMatrix<4, 4>()
    for (node, weight) in zip(Self.nodes, Self.weights) {
      let age = time * node
      let lagged = laggedResponse(age)
      let toForce = FixedVector(age, 1, 0, lagged.speed)
      q = q.addingOuter(toForce, toForce, scaledBy: weight * time * accelerationDensity)
      let toBias =
        isDriven ? FixedVector(-age * age / 2, -age, 1, -lagged.acceleration) : FixedVector(0, 0, 1, 0)
      q = q.addingOuter(toBias, toBias, scaledBy: weight * time * biasDensity)
    }
    // Without a lag the last state repeats the first; so much keeps their covariance regular.
    q[3, 3] += Self.laggedDensity * time
    return q
  }

  /// m²/s.
  private static let laggedDensity = 1e-8
  private static let nodes = [0.5 - 0.5 * 0.6.squareRoot(), 0.5, 0.5 + 0.5 * 0.6.squareRoot()]
  private static let weights = [5.0 / 18, 8.0 / 18, 5.0 / 18]

  /// How the state shows in a barometric altitude that is `delay` seconds older than it: l − delay · l'.
  func observation(delay: Double) -> FixedVector<4> {
    var row = FixedVector<4>()
    row[3] = 1
    if lag > 0 {
      row[0] = -delay / lag
      row[3] = 1 + delay / lag
    } else {
      row[1] = -delay
    }
    return row
  }
}
