internal import InertialSystem

/// The decomposition that both orders of Euler angles of this module (Z-X-Y and Z-Y-X) share.
///
/// For three different axes, the quaternion's components combine into two phasors whose phases are half the
/// sum and half the difference of the outer angles, and whose lengths are √2 sin(μ/2 + π/4) and
/// √2 cos(μ/2 + π/4) of the middle angle μ; the two initialisers that use this spell it out. (The idea of
/// Bernardes and Viollet, "Quaternion to Euler angles conversion", PLoS ONE 17(11), 2022.) No asin, and no
/// loss of digits anywhere near ±90°.
struct TaitBryan {
  /// The first angle of the product (about Z), in (−π, π].
  var outer: Double
  /// The middle angle, in [−π/2, π/2].
  var middle: Double
  /// The difference of the two phases times two: the last angle up to a sign, in (−π, π].
  var inner: Double

  /// Below this ratio of the phasors' lengths, half the distance from ±90° in radians, the shorter phasor's
  /// phase is noise: gimbal lock. There the last angle is 0 by definition. The rotation so described is
  /// wrong by at most 3e-10 rad; just outside, the noise of a double's last digit moves the two outer
  /// angles against each other by about 1e-6 rad.
  static let gimbalLockRatio = 1e-10

  /// - Parameters:
  ///   - plus: the phasor that vanishes at −90°, (cosine part, sine part).
  ///   - minus: the phasor that vanishes at +90°.
  init(plus: (c: Double, s: Double), minus: (c: Double, s: Double)) {
    let (long, short) = (hypot(plus.c, plus.s), hypot(minus.c, minus.s))
    var plusPhase = atan2(plus.s, plus.c)
    var minusPhase = atan2(minus.s, minus.c)
    // The outer angle is the sum of both phases and the last their difference: equal phases make it 0.
    if short < Self.gimbalLockRatio * long {
      minusPhase = plusPhase
    } else if long < Self.gimbalLockRatio * short {
      plusPhase = minusPhase
    }
    outer = wrap(plusPhase + minusPhase)
    middle = 2 * atan2(long, short) - .pi / 2
    inner = wrap(plusPhase - minusPhase)
  }
}

/// An angle between −3π and 3π brought into (−π, π].
func wrap(_ angle: Double) -> Double {
  if angle > .pi { return angle - 2 * .pi }
  if angle <= -.pi { return angle + 2 * .pi }
  return angle
}
