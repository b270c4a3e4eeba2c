/// Eight numbers at a time.
extension SIMD8: LaneScalar where Scalar == Double {
  typealias Mask = LaneMask8

  static var laneCount: Int { 8 }

  @inline(__always)
  static func .< (a: Self, b: Self) -> LaneMask8 { LaneMask8((a .< b) as SIMDMask<SIMD8<Int64>>) }
  @inline(__always)
  static func .<= (a: Self, b: Self) -> LaneMask8 { LaneMask8((a .<= b) as SIMDMask<SIMD8<Int64>>) }
  @inline(__always)
  static func .== (a: Self, b: Self) -> LaneMask8 { LaneMask8((a .== b) as SIMDMask<SIMD8<Int64>>) }

  @inline(__always)
  static func select(_ mask: LaneMask8, _ yes: Self, _ no: Self) -> Self {
    // The standard library's `replacing` goes lane by lane; this is one instruction where there is one.
    let bits = unsafeBitCast(mask.lanes, to: SIMD8<Int64>.self)
    let (yesBits, noBits) = (
      unsafeBitCast(yes, to: SIMD8<Int64>.self), unsafeBitCast(no, to: SIMD8<Int64>.self)
    )
    return unsafeBitCast(noBits ^ ((yesBits ^ noBits) & bits), to: Self.self)
  }

  @inline(__always)
  var magnitude: Self {
    unsafeBitCast(unsafeBitCast(self, to: SIMD8<Int64>.self) & SIMD8<Int64>(repeating: .max), to: Self.self)
  }

  /// Newton's method from the halved exponent: the vector root of the standard library goes lane by lane.
  ///
  /// The start is off by at most 3.5 %, and each round squares the error times 1.5: after four only rounding is left.
  @inline(__always)
  var reciprocalRoot: Self {
    let start = SIMD8<Int64>(repeating: 0x5FE6_EB50_C7B5_37A9) &- (unsafeBitCast(self, to: SIMD8<Int64>.self) &>> 1)
    var root = unsafeBitCast(start, to: Self.self)
    let half = self * Self(repeating: 0.5)
    for _ in 0..<4 { root = root * (Self(repeating: 1.5) - half * root * root) }
    return root
  }

  @inline(__always)
  var root: Self {
    let safe = Self.select(self .< Self(repeating: .leastNormalMagnitude), Self(repeating: 1), self)
    return Self.select(self .< Self(repeating: .leastNormalMagnitude), Self(repeating: 0), self * safe.reciprocalRoot)
  }
}

struct LaneMask8: LaneMask {
  fileprivate var lanes: SIMDMask<SIMD8<Int64>>

  @inline(__always)
  fileprivate init(_ lanes: SIMDMask<SIMD8<Int64>>) { self.lanes = lanes }
  @inline(__always)
  init(repeating value: Bool) { lanes = SIMDMask(repeating: value) }
  subscript(lane: Int) -> Bool {
    get { lanes[lane] }
    set { lanes[lane] = newValue }
  }
  @inline(__always)
  static func .& (a: Self, b: Self) -> Self { Self(a.lanes .& b.lanes) }
  @inline(__always)
  static func .| (a: Self, b: Self) -> Self { Self(a.lanes .| b.lanes) }
  @inline(__always)
  static prefix func .! (a: Self) -> Self { Self(.!a.lanes) }
  @inline(__always)
  var isAny: Bool { any(lanes) }
}
