internal import InertialNumerics
internal import InertialSystem

/// The linear model of altitude h, vertical speed v, acceleration bias b and lagged altitude l:
///
///     h' = v,  v' = a − b + w,  b' = u,  l' = (h − l) / τ
///
/// with white noises w and u. The model does not depend on the motion, so the covariance can be propagated over any
/// duration in one step.
struct VerticalModel {
  /// The lag τ, in seconds; 0 if the barometer does not lag.
  var lag: Double
  /// The spectral density of w, in m²/s³.
  var accelerationDensity: Double
  /// The spectral density of u, in m²/s⁵.
  var biasDensity: Double
  /// Whether the acceleration is known, so that its bias acts.
  var isDriven: Bool

  /// Returns the lagged altitude after `time` seconds for a unit of altitude, of speed and of acceleration at time 0.
  private func laggedResponse(_ time: Double) -> (altitude: Double, speed: Double, acceleration: Double) {
    guard lag > 0 else { return (1, time, time * time / 2) }
    let reached = -expm1(-time / lag)
    return (reached, time - lag * reached, time * time / 2 - lag * time + lag * lag * reached)
  }

  /// Propagates a state over `time` seconds without acceleration.
  func propagate(_ x: inout VerticalState, over time: Double) {
    let (lagged, before) = (laggedResponse(time), x)
    let bias = isDriven ? before.bias : 0
    x.altitude += time * before.speed - time * time / 2 * bias
    x.speed -= time * bias
    x.lagged +=
      lagged.altitude * (before.altitude - before.lagged) + lagged.speed * before.speed - lagged.acceleration * bias
  }

  /// Propagates a covariance over `time` seconds, P ← F P Fᵀ + Q: equations (5) to (7) of docs/theory/error-state.md.
  func propagate(_ kalman: inout ErrorKalman, over time: Double) {
    typealias Index = VerticalState.Index
    let lagged = laggedResponse(time)
    var transition = ErrorTransition()
    transition.add(time, of: Index.speed, to: Index.altitude)
    transition.add(lagged.altitude, of: Index.altitude, to: Index.lagged)
    transition.add(lagged.speed, of: Index.speed, to: Index.lagged)
    transition.add(-lagged.altitude, of: Index.lagged, to: Index.lagged)
    if isDriven {
      transition.add(-time * time / 2, of: Index.bias, to: Index.altitude)
      transition.add(-time, of: Index.bias, to: Index.speed)
      transition.add(-lagged.acceleration, of: Index.bias, to: Index.lagged)
    }
    kalman.propagate(by: transition)
    addNoise(to: &kalman, over: time)
  }

  /// Returns the variances of altitude and speed, in m² and (m/s)², `time` seconds after a covariance.
  func variances(_ p: ErrorKalman, after time: Double) -> (altitude: Double, speed: Double) {
    let (square, cube) = (time * time, time * time * time)
    let (toSpeed, toAltitude) = isDriven ? (-time, -square / 2) : (0, 0)
    let cross = p[0, 1] + toAltitude * p[1, 2] + time * p[1, 1]
    let altitude =
      p[0, 0] + time * (p[0, 1] + cross) + toAltitude * (2 * p[0, 2] + time * p[1, 2] + toAltitude * p[2, 2])
    let speed = p[1, 1] + toSpeed * (2 * p[1, 2] + toSpeed * p[2, 2])
    let driven = isDriven ? biasDensity : 0
    return (
      altitude + accelerationDensity * cube / 3 + driven * cube * square / 20,
      speed + accelerationDensity * time + driven * cube / 3
    )
  }

  /// Adds ∫ g gᵀ dt with the responses g to the two noises.
  ///
  /// With a lag, the integral is computed by three-node Gauss-Legendre quadrature, whose result is always a valid
  /// covariance. Without a lag, the integrals are written out; the quadrature would be exact.
  private func addNoise(to kalman: inout ErrorKalman, over time: Double) {
    typealias Index = VerticalState.Index
    if lag > 0 {
      addNode(0.5 - Self.node, 5.0 / 18, of: time, to: &kalman)
      addNode(0.5, 8.0 / 18, of: time, to: &kalman)
      addNode(0.5 + Self.node, 5.0 / 18, of: time, to: &kalman)
    } else {
      let (square, cube) = (time * time, time * time * time)
      let bias = isDriven ? biasDensity : 0
      kalman.add(altitudeVariance: accelerationDensity * cube / 3 + bias * cube * square / 20)
      let speed = accelerationDensity * square / 2 + bias * square * square / 8
      for altitude in [Index.altitude, Index.lagged] {
        kalman[altitude, Index.speed] += speed
        kalman[altitude, Index.bias] -= bias * cube / 6
      }
      kalman[Index.speed, Index.speed] += accelerationDensity * time + bias * cube / 3
      kalman[Index.speed, Index.bias] -= bias * square / 2
      kalman[Index.bias, Index.bias] += biasDensity * time
    }
    // Without a lag the last state repeats the first; this term keeps their covariance regular.
    kalman[Index.lagged, Index.lagged] += Self.laggedDensity * time
  }

  private func addNode(_ node: Double, _ weight: Double, of time: Double, to kalman: inout ErrorKalman) {
    let age = time * node
    let lagged = laggedResponse(age)
    add(
      [age, 1, 0, lagged.speed], weight * time * accelerationDensity, to: &kalman)
    if isDriven {
      add([-age * age / 2, -age, 1, -lagged.acceleration], weight * time * biasDensity, to: &kalman)
    } else {
      kalman[VerticalState.Index.bias, VerticalState.Index.bias] += weight * time * biasDensity
    }
  }

  /// Adds g gᵀ times a factor.
  private func add(_ g: InlineArray<4, Double>, _ factor: Double, to kalman: inout ErrorKalman) {
    for row in 0..<4 { for column in 0...row { kalman[row, column] += factor * g[row] * g[column] } }
  }

  /// The outer nodes of the Gauss-Legendre quadrature, relative to the middle of the interval.
  private static let node = 0.5 * 0.6.squareRoot()
  /// The spectral density that keeps the covariance regular, in m²/s.
  private static let laggedDensity = 1e-8
}
