internal import LinearAlgebra
internal import Rotations

// Goals in their order: 1. right to a rounding or two, so that lanes and single numbers agree; 2. the same operations
// for every argument, so that lanes go in step; 3. speed.

extension LaneScalar {
  /// atan2(y, x), radians in [−π, π]: 0 where both are 0. A y of −0 counts as 0.
  @inline(__always)
  static func arcTangent(_ y: Self, _ x: Self) -> Self {
    let (zero, one) = (Self(repeating: 0), Self(repeating: 1))
    let (across, along) = (y.magnitude, x.magnitude)
    let isSteep = along .< across
    let (small, big) = (select(isSteep, along, across), select(isSteep, across, along))
    // atan a = π/4 + atan((a − 1)/(a + 1)) leaves |t| <= tan(π/8).
    let isFar = 0.414_213_562_373_095_1 * big .< small
    let over = select(isFar, small + big, big)
    let t = select(isFar, small - big, small) / select(over .== zero, one, over)
    let z = t * t
    let angle = t + t * z * arcTangentSeries(z)
    let acute = select(isFar, angle + .pi / 4, angle)
    let upper = select(isSteep, .pi / 2 - acute, acute)
    let half = select(x .< zero, .pi - upper, upper)
    return select(y .< zero, -half, half)
  }

  /// (atan(t)/t − 1)/z for z = t² up to tan²(π/8).
  ///
  /// The polynomial through Chebyshev's points, which leaves 7e-18 of the arc tangent. Even and odd powers are summed
  /// side by side: neither waits for the other.
  @inline(__always)
  private static func arcTangentSeries(_ z: Self) -> Self {
    let w = z * z
    let even = Self(repeating: -0.019_176_885_636_589_053)
      .times(w, plus: -0.050_854_496_960_392_584).times(w, plus: -0.066_645_114_464_602_2)
      .times(w, plus: -0.090_909_045_781_210_85).times(w, plus: -0.142_857_142_846_665_42)
      .times(w, plus: -0.333_333_333_333_333_3)
    let odd = Self(repeating: 0.039_231_657_085_083_686)
      .times(w, plus: 0.058_581_489_047_951_24).times(w, plus: 0.076_921_831_907_606_51)
      .times(w, plus: 0.111_111_110_152_562_92).times(w, plus: 0.199_999_999_999_955_2)
    return even + odd * z
  }

  /// The sine and the cosine of an angle of up to 1e5 radians.
  @inline(__always)
  var sineAndCosine: (sine: Self, cosine: Self) {
    let (zero, one) = (Self(repeating: 0), Self(repeating: 1))
    // A quarter turn in two parts: a whole multiple of the first, of 33 bits, is exact.
    let quarters = (2 / .pi * self).roundedSmall
    let rest = (self - 1.570_796_326_734_125_6 * quarters) - 6.077_100_506_506_192e-11 * quarters
    let z = rest * rest
    // The series to the 15th and the 16th power; the next terms are below 5e-17 for an eighth of a turn.
    let sine = rest + rest * z * z.sineSeries
    let cosine = one - (0.5 * z - z * z * z.cosineSeries)
    // Whole multiples of a quarter turn: half turns change both signs, an odd quarter is left as 1 or −1.
    let halves = (0.5 * quarters).roundedSmall
    let odd = quarters - 2 * halves
    let odds = halves - 2 * (0.5 * halves).roundedSmall
    let sign = 1 - 2 * odds * odds
    let isEven = odd .== zero
    return (sign * select(isEven, sine, odd * cosine), sign * select(isEven, cosine, -odd * sine))
  }

  /// (sin(x)/x − 1)/x² of z = x².
  @inline(__always)
  private var sineSeries: Self {
    let w = self * self
    let even = Self(repeating: -1.0 / 1_307_674_368_000)
      .times(w, plus: -1.0 / 39_916_800).times(w, plus: -1.0 / 5040).times(w, plus: -1.0 / 6)
    let odd = Self(repeating: 1.0 / 6_227_020_800).times(w, plus: 1.0 / 362_880).times(w, plus: 1.0 / 120)
    return even + odd * self
  }

  /// (cos(x) − 1 + x²/2)/x⁴ of z = x².
  @inline(__always)
  private var cosineSeries: Self {
    let w = self * self
    let even = Self(repeating: 1.0 / 20_922_789_888_000)
      .times(w, plus: 1.0 / 479_001_600).times(w, plus: 1.0 / 40320).times(w, plus: 1.0 / 24)
    let odd = Self(repeating: -1.0 / 87_178_291_200).times(w, plus: -1.0 / 3_628_800).times(w, plus: -1.0 / 720)
    return even + odd * self
  }

  @inline(__always)
  fileprivate func times(_ factor: Self, plus term: Double) -> Self { self * factor + term }

  /// The nearest whole number, of two the even one, for magnitudes below 2⁵¹: the sum has no room for a fraction.
  @inline(__always)
  private var roundedSmall: Self {
    let shift = 6_755_399_441_055_744.0
    return (self + shift) - Self(repeating: shift)
  }

  /// An angle of less than three half turns brought to [−π, π].
  @inline(__always)
  var wrappedOnce: Self {
    let (turn, pi) = (Self(repeating: 2 * .pi), Self(repeating: .pi))
    return select(pi .< self, self - turn, select(self .< -pi, self + turn, self))
  }

  @inline(__always)
  private func select(_ mask: Mask, _ yes: Self, _ no: Self) -> Self { Self.select(mask, yes, no) }
}

extension LaneQuaternion {
  /// The exponential map for the turn of one sample interval, as `Quaternion(smallRotation:)`.
  @inline(__always)
  init(smallRotation v: LaneVector3<Scalar>) {
    let u = 0.25 * v.squaredNorm
    // Series in the squared half angle to u⁴: the next terms are below 3e-17 for u < 0.01.
    let c = Scalar(repeating: 1.0 / 40320)
      .times(u, plus: -1.0 / 720).times(u, plus: 1.0 / 24).times(u, plus: -0.5).times(u, plus: 1)
    let s = Scalar(repeating: 0.5 / 362_880)
      .times(u, plus: -0.5 / 5040).times(u, plus: 0.5 / 120).times(u, plus: -0.5 / 6).times(u, plus: 0.5)
    self.init(x: s * v.x, y: s * v.y, z: s * v.z, w: c)
    let isLarge = Scalar(repeating: 0.01) .<= u
    guard isLarge.isAny else { return }
    let half = Scalar.select(isLarge, u, Scalar(repeating: 1)).root
    let (sine, cosine) = half.sineAndCosine
    let scale = sine / (2 * half)
    self = .select(isLarge, Self(x: scale * v.x, y: scale * v.y, z: scale * v.z, w: cosine), self)
  }

  /// As `Quaternion.renormalized`, for a norm that is 1 but for rounding.
  @inline(__always)
  var renormalized: Self { (1.5 - 0.5 * squaredNorm) * self }

  /// This rotation and then one by `angle` radians about Z.
  @inline(__always)
  func turnedAboutZ(_ angle: Scalar) -> Self {
    let (s, c) = (0.5 * angle).sineAndCosine
    return Self(x: c * x - s * y, y: c * y + s * x, z: c * z + s * w, w: c * w - s * z).renormalized
  }
}
