extension LaneScalar {
  /// 1 − exp(−x), for x ≥ 0: by its series for the usual sampling intervals; the first term left out is x⁸/8!.
  @inline(__always)
  var oneMinusExponential: Self {
    let isLarge = 0.05 .<= self
    guard isLarge.isAny else { return smallOneMinusExponential }
    // From a small part of x by doublings, 1 − (1 − f)² = f (2 − f), which make no error larger.
    var large = ((1.0 / 1024) * Self.lesser(self, Self(repeating: 40))).smallOneMinusExponential
    for _ in 0..<10 { large = large * (2 - large) }
    return .select(isLarge, large, smallOneMinusExponential)
  }

  @inline(__always)
  private var smallOneMinusExponential: Self {
    let (third, fifth, sixth, seventh) = (1.0 / 3, 1.0 / 5, 1.0 / 6, 1.0 / 7)
    var sum: Self = 1 - seventh * self
    sum = 1 - sixth * self * sum
    sum = 1 - fifth * self * sum
    sum = 1 - 0.25 * self * sum
    sum = 1 - third * self * sum
    sum = 1 - 0.5 * self * sum
    return self * sum
  }
}
