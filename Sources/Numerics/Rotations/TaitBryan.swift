internal import InertialSystem

/// The decomposition shared by both orders of Euler angles of this module (Z-X-Y and Z-Y-X).
///
/// For three different axes, the quaternion's components combine into two phasors whose phases are half the sum and
/// half the difference of the outer angles, and whose magnitudes are √2 sin(μ/2 + π/4) and √2 cos(μ/2 + π/4) of the
/// middle angle μ; the two initialisers that use this type contain the formulas. (The idea of Bernardes and Viollet,
/// "Quaternion to Euler angles conversion", PLoS ONE 17(11), 2022.) It needs no asin, and loses no precision near ±90°.
struct TaitBryan {
  /// The first angle of the product (about Z), in (−π, π].
  var outer: Double
  /// The middle angle, in [−π/2, π/2].
  var middle: Double
  /// The difference of the two phases times two: the last angle except for its sign, in (−π, π].
  var inner: Double

  /// The ratio of the phasors' magnitudes, half the distance from ±90° in radians, below which the shorter phasor's
  /// phase is noise: gimbal lock. Then the last angle is 0 by definition. The error of the resulting rotation is at
  /// most 3e-10 rad; just outside, the noise of a double's last digit changes the two outer angles in opposite
  /// directions by about 1e-6 rad.
  static let gimbalLockRatio = 1e-10

  /// - Parameters:
  ///   - plus: The phasor that vanishes at −90°, (cosine part, sine part).
  ///   - minus: The phasor that vanishes at +90°.
  init(plus: (c: Double, s: Double), minus: (c: Double, s: Double)) {
    let (long, short) = (hypot(plus.c, plus.s), hypot(minus.c, minus.s))
    var plusPhase = atan2(plus.s, plus.c)
    var minusPhase = atan2(minus.s, minus.c)
    // The outer angle is the sum of both phases and the last angle their difference: equal phases make it 0.
    if short < Self.gimbalLockRatio * long {
      minusPhase = plusPhase
    } else if long < Self.gimbalLockRatio * short {
      plusPhase = minusPhase
    }
    outer = wrapped(plusPhase + minusPhase)
    middle = 2 * atan2(long, short) - .pi / 2
    inner = wrapped(plusPhase - minusPhase)
  }
}
