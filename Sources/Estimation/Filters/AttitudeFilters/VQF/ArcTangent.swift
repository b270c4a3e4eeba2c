extension Double {
  /// Returns atan2(y, x), in radians in [−π, π], accurate to a rounding or two: 0 if both are 0; a y of −0 counts as 0.
  ///
  /// It takes half the time of the C library's function, which checks its arguments one by one.
  @inline(__always)
  static func arcTangent(_ y: Double, _ x: Double) -> Double {
    let (across, along) = (abs(y), abs(x))
    let isSteep = along < across
    let (small, big) = isSteep ? (along, across) : (across, along)
    // atan a = π/4 + atan((a − 1)/(a + 1)) limits |t| <= tan(π/8).
    let isFar = 0.414_213_562_373_095_1 * big < small
    let over = isFar ? small + big : big
    let t = (isFar ? small - big : small) / (over == 0 ? 1 : over)
    let z = t * t
    let angle = t + t * z * arcTangentSeries(z)
    let acute = isFar ? angle + .pi / 4 : angle
    let upper = isSteep ? .pi / 2 - acute : acute
    let half = x < 0 ? .pi - upper : upper
    return y < 0 ? -half : half
  }

  /// Returns (atan(t)/t − 1)/z for z = t² up to tan²(π/8).
  ///
  /// The polynomial through Chebyshev's points, with an arc tangent error of 7e-18. Even and odd powers are summed in
  /// parallel, to avoid dependencies.
  @inline(__always)
  private static func arcTangentSeries(_ z: Double) -> Double {
    let w = z * z
    var even = -0.019_176_885_636_589_053 * w - 0.050_854_496_960_392_584
    even = even * w - 0.066_645_114_464_602_2
    even = even * w - 0.090_909_045_781_210_85
    even = even * w - 0.142_857_142_846_665_42
    even = even * w - 0.333_333_333_333_333_3
    var odd = 0.039_231_657_085_083_686 * w + 0.058_581_489_047_951_24
    odd = odd * w + 0.076_921_831_907_606_51
    odd = odd * w + 0.111_111_110_152_562_92
    odd = odd * w + 0.199_999_999_999_955_2
    return even + odd * z
  }
}
