internal import LinearAlgebra

extension LaneVector3 {
  static var zero: Self { Self(.zero) }

  /// Each component brought to −bound ... bound.
  @inline(__always)
  func clipped(to bound: Scalar) -> Self {
    Self(x.clipped(to: bound), y.clipped(to: bound), z.clipped(to: bound))
  }
}

extension LaneScalar {
  @inline(__always)
  static var none: Self { Self(repeating: 0) }

  /// Brought to −bound ... bound.
  @inline(__always)
  fileprivate func clipped(to bound: Self) -> Self { .lesser(.greater(self, -bound), bound) }

  /// What the quick root leaves is found without rounding, from halves of the digits (Dekker, "A floating-point
  /// technique for extending the available precision", Numer. Math. 18 (1971)), and added: where a low-pass of many
  /// samples follows, a last bit comes out a thousand times larger.
  @inline(__always)
  var exactRoot: Self {
    let isNone = self .< 1e-200
    let inverse = Self.select(isNone, Self(repeating: 1), self).reciprocalRoot
    let root = self * inverse
    let spread = 134_217_729 * root
    let high = spread - (spread - root)
    let low = root - high
    let square = root * root
    let rounding = ((high * high - square) + 2 * high * low) + low * low
    return .select(isNone, .none, root + 0.5 * inverse * ((self - square) - rounding))
  }

  /// Takes another value in the lanes of a mask.
  @inline(__always)
  mutating func set(_ value: Self, where mask: Mask) { self = .select(mask, value, self) }
}

extension LaneVector3 {
  /// Takes another value in the lanes of a mask.
  @inline(__always)
  mutating func set(_ value: Self, where mask: Scalar.Mask) { self = .select(mask, value, self) }
}

extension LaneQuaternion {
  /// Takes another value in the lanes of a mask.
  @inline(__always)
  mutating func set(_ value: Self, where mask: Scalar.Mask) { self = .select(mask, value, self) }
}

extension LaneMask {
  /// Takes another truth in the lanes of a mask.
  @inline(__always)
  mutating func set(_ value: Self, where mask: Self) { self = (mask .& value) .| (.!mask .& self) }
}
