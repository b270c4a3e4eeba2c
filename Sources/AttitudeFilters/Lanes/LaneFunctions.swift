#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension LaneScalar {
  /// 1 − exp(−x), for x ≥ 0: by its series for the usual sampling intervals; the first term left out is x⁸/8!.
  @inline(__always)
  var oneMinusExponential: Self {
    let (third, fifth, sixth, seventh) = (1.0 / 3, 1.0 / 5, 1.0 / 6, 1.0 / 7)
    var sum: Self = 1 - seventh * self
    sum = 1 - sixth * self * sum
    sum = 1 - fifth * self * sum
    sum = 1 - 0.25 * self * sum
    sum = 1 - third * self * sum
    sum = 1 - 0.5 * self * sum
    sum = self * sum
    let isLarge = 0.05 .<= self
    return isLarge.isAny ? .select(isLarge, mapped { -expm1(-$0) }, sum) : sum
  }
}
