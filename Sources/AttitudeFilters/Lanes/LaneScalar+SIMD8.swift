internal import CLanes

/// Eight numbers at a time.
extension SIMD8: LaneScalar where Scalar == Double {
  typealias Mask = LaneMask8

  static var laneCount: Int { 8 }

  @inline(__always)
  static func + (a: Self, b: Self) -> Self { lanes8_add(a, b) }
  @inline(__always)
  static func - (a: Self, b: Self) -> Self { lanes8_subtract(a, b) }
  @inline(__always)
  static func * (a: Self, b: Self) -> Self { lanes8_multiply(a, b) }
  @inline(__always)
  static func / (a: Self, b: Self) -> Self { lanes8_divide(a, b) }
  @inline(__always)
  static prefix func - (a: Self) -> Self { lanes8_negate(a) }

  @inline(__always)
  static func .< (a: Self, b: Self) -> LaneMask8 { LaneMask8(lanes8_less(a, b)) }
  @inline(__always)
  static func .<= (a: Self, b: Self) -> LaneMask8 { LaneMask8(lanes8_at_most(a, b)) }
  @inline(__always)
  static func .== (a: Self, b: Self) -> LaneMask8 { LaneMask8(lanes8_equal(a, b)) }

  @inline(__always)
  static func select(_ mask: LaneMask8, _ yes: Self, _ no: Self) -> Self { lanes8_select(mask.lanes, yes, no) }

  @inline(__always)
  var root: Self { lanes8_root(self) }
  @inline(__always)
  var reciprocalRoot: Self { lanes8_divide(Self(repeating: 1), lanes8_root(self)) }
  @inline(__always)
  var magnitude: Self { lanes8_magnitude(self) }

  @inline(__always)
  static func gathered(_ columns: LaneInputs, _ index: Int) -> Self { lanes8_gather(columns, index) }
  @inline(__always)
  static func gatheredVectors(_ columns: LaneInputs, _ index: Int) -> LaneVector3<Self> {
    LaneVector3(
      lanes8_gather_of_vectors(columns, index, 0), lanes8_gather_of_vectors(columns, index, 1),
      lanes8_gather_of_vectors(columns, index, 2))
  }
  @inline(__always)
  static func put(_ x: Self, _ y: Self, _ z: Self, _ w: Self, to columns: LaneOutputs, at index: Int) {
    lanes8_put_four(columns, index, x, y, z, w)
  }
  @inline(__always)
  static func put(_ value: Self, to columns: LaneWholeOutputs, at index: Int) {
    lanes8_put_short(columns, index, value)
  }
}

struct LaneMask8: LaneMask {
  /// −1 where true, 0 where false.
  fileprivate var lanes: SIMD8<Int64>

  @inline(__always)
  fileprivate init(_ lanes: SIMD8<Int64>) { self.lanes = lanes }
  @inline(__always)
  init(repeating value: Bool) { lanes = SIMD8(repeating: value ? -1 : 0) }
  subscript(lane: Int) -> Bool {
    get { lanes[lane] != 0 }
    set { lanes[lane] = newValue ? -1 : 0 }
  }
  @inline(__always)
  static func .& (a: Self, b: Self) -> Self { Self(lanes8_and(a.lanes, b.lanes)) }
  @inline(__always)
  static func .| (a: Self, b: Self) -> Self { Self(lanes8_or(a.lanes, b.lanes)) }
  @inline(__always)
  static prefix func .! (a: Self) -> Self { Self(lanes8_not(a.lanes)) }
  @inline(__always)
  var isAny: Bool { lanes8_any(lanes) != 0 }
}
