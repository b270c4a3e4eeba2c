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
