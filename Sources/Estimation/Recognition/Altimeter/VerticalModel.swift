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

  /// Returns the transition matrix over `time` seconds.
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

  /// Propagates a covariance, P ← F P Fᵀ + Q, over `time` seconds. Equivalent to `FixedKalman.predict`, but uses half
  /// of the symmetric matrices and skips the zeros of F, which are most of its elements.
  func carry(_ covariance: inout FixedMatrix<4, 4>, over time: Double) {
    let (p, lagged) = (SymmetricMatrix4(covariance), laggedResponse(time))
    let (toSpeed, toAltitude, toLagged) =
      isDriven ? (-time, -time * time / 2, -lagged.acceleration) : (0, 0, 0)
    let kept = 1 - lagged.altitude
    // The rows of F P.
    let h = (
      p.hh + time * p.hv + toAltitude * p.hb, p.hv + time * p.vv + toAltitude * p.vb,
      p.hb + time * p.vb + toAltitude * p.bb, p.hl + time * p.vl + toAltitude * p.bl
    )
    let v = (p.hv + toSpeed * p.hb, p.vv + toSpeed * p.vb, p.vb + toSpeed * p.bb, p.vl + toSpeed * p.bl)
    let l = (
      lagged.altitude * p.hh + lagged.speed * p.hv + toLagged * p.hb + kept * p.hl,
      lagged.altitude * p.hv + lagged.speed * p.vv + toLagged * p.vb + kept * p.vl,
      lagged.altitude * p.hb + lagged.speed * p.vb + toLagged * p.bb + kept * p.bl,
      lagged.altitude * p.hl + lagged.speed * p.vl + toLagged * p.bl + kept * p.ll
    )
    var result = processNoise(time)
    result.hh += h.0 + time * h.1 + toAltitude * h.2
    result.hv += h.1 + toSpeed * h.2
    result.hb += h.2
    result.hl += lagged.altitude * h.0 + lagged.speed * h.1 + toLagged * h.2 + kept * h.3
    result.vv += v.1 + toSpeed * v.2
    result.vb += v.2
    result.vl += lagged.altitude * v.0 + lagged.speed * v.1 + toLagged * v.2 + kept * v.3
    result.bb += p.bb
    result.bl += l.2
    result.ll += lagged.altitude * l.0 + lagged.speed * l.1 + toLagged * l.2 + kept * l.3
    covariance = result.matrix
  }

  /// Returns the variances of altitude and speed, in m² and (m/s)², `time` seconds after a covariance.
  func variances(_ p: FixedMatrix<4, 4>, after time: Double) -> (altitude: Double, speed: Double) {
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

  /// Returns ∫ g gᵀ dt with the responses g to the two noises.
  ///
  /// With a lag, the integral is computed by three-node Gauss-Legendre quadrature, whose result is always a valid
  /// covariance. Without a lag, the integrals are written out; the quadrature would be exact.
  private func processNoise(_ time: Double) -> SymmetricMatrix4 {
    var q = SymmetricMatrix4()
    if lag > 0 {
      addNode(0.5 - Self.node, 5.0 / 18, of: time, to: &q)
      addNode(0.5, 8.0 / 18, of: time, to: &q)
      addNode(0.5 + Self.node, 5.0 / 18, of: time, to: &q)
    } else {
      let (square, cube) = (time * time, time * time * time)
      let bias = isDriven ? biasDensity : 0
      q.hh = accelerationDensity * cube / 3 + bias * cube * square / 20
      q.hv = accelerationDensity * square / 2 + bias * square * square / 8
      q.hb = -bias * cube / 6
      q.vv = accelerationDensity * time + bias * cube / 3
      q.vb = -bias * square / 2
      q.bb = biasDensity * time
      (q.hl, q.vl, q.bl, q.ll) = (q.hh, q.hv, q.hb, q.hh)
    }
    // Without a lag the last state repeats the first; this term keeps their covariance regular.
    q.ll += Self.laggedDensity * time
    return q
  }

  private func addNode(_ node: Double, _ weight: Double, of time: Double, to q: inout SymmetricMatrix4) {
    let age = time * node
    let lagged = laggedResponse(age)
    q.addOuter(altitude: age, speed: 1, bias: 0, lagged: lagged.speed, weight * time * accelerationDensity)
    if isDriven {
      q.addOuter(
        altitude: -age * age / 2, speed: -age, bias: 1, lagged: -lagged.acceleration, weight * time * biasDensity)
    } else {
      q.bb += weight * time * biasDensity
    }
  }

  /// The outer nodes of the Gauss-Legendre quadrature, relative to the middle of the interval.
  private static let node = 0.5 * 0.6.squareRoot()
  /// The spectral density that keeps the covariance regular, in m²/s.
  private static let laggedDensity = 1e-8

  /// Returns the observation row of a barometric altitude that is `delay` seconds older than the state: l − delay ·
  /// l'.
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
