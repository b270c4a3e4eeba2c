internal import CLanes

/// Four numbers at a time.
extension SIMD4: LaneScalar where Scalar == Double {
  typealias Mask = LaneMask4

  static var laneCount: Int { 4 }

  @inline(__always)
  static func + (a: Self, b: Self) -> Self { lanes4_add(a, b) }
  @inline(__always)
  static func - (a: Self, b: Self) -> Self { lanes4_subtract(a, b) }
  @inline(__always)
  static func * (a: Self, b: Self) -> Self { lanes4_multiply(a, b) }
  @inline(__always)
  static func / (a: Self, b: Self) -> Self { lanes4_divide(a, b) }
  @inline(__always)
  static prefix func - (a: Self) -> Self { lanes4_negate(a) }

  @inline(__always)
  static func .< (a: Self, b: Self) -> LaneMask4 { LaneMask4(lanes4_less(a, b)) }
  @inline(__always)
  static func .<= (a: Self, b: Self) -> LaneMask4 { LaneMask4(lanes4_at_most(a, b)) }
  @inline(__always)
  static func .== (a: Self, b: Self) -> LaneMask4 { LaneMask4(lanes4_equal(a, b)) }

  @inline(__always)
  static func select(_ mask: LaneMask4, _ yes: Self, _ no: Self) -> Self { lanes4_select(mask.lanes, yes, no) }

  @inline(__always)
  var root: Self { lanes4_root(self) }
  @inline(__always)
  var reciprocalRoot: Self { lanes4_divide(Self(repeating: 1), lanes4_root(self)) }
  @inline(__always)
  var magnitude: Self { lanes4_magnitude(self) }

  @inline(__always)
  static func gathered(_ columns: LaneInputs, _ index: Int) -> Self { lanes4_gather(columns, index) }
  @inline(__always)
  static func gatheredVectors(_ columns: LaneInputs, _ index: Int) -> LaneVector3<Self> {
    LaneVector3(
      lanes4_gather_of_vectors(columns, index, 0), lanes4_gather_of_vectors(columns, index, 1),
      lanes4_gather_of_vectors(columns, index, 2))
  }
  @inline(__always)
  static func put(_ x: Self, _ y: Self, _ z: Self, _ w: Self, to columns: LaneOutputs, at index: Int) {
    lanes4_put_four(columns, index, x, y, z, w)
  }
  @inline(__always)
  static func put(_ value: Self, to columns: LaneWholeOutputs, at index: Int) {
    lanes4_put_short(columns, index, value)
  }
}

struct LaneMask4: LaneMask {
  /// −1 where true, 0 where false.
  fileprivate var lanes: SIMD4<Int64>

  @inline(__always)
  fileprivate init(_ lanes: SIMD4<Int64>) { self.lanes = lanes }
  @inline(__always)
  init(repeating value: Bool) { lanes = SIMD4(repeating: value ? -1 : 0) }
  subscript(lane: Int) -> Bool {
    get { lanes[lane] != 0 }
    set { lanes[lane] = newValue ? -1 : 0 }
  }
  @inline(__always)
  static func .& (a: Self, b: Self) -> Self { Self(lanes4_and(a.lanes, b.lanes)) }
  @inline(__always)
  static func .| (a: Self, b: Self) -> Self { Self(lanes4_or(a.lanes, b.lanes)) }
  @inline(__always)
  static prefix func .! (a: Self) -> Self { Self(lanes4_not(a.lanes)) }
  @inline(__always)
  var isAny: Bool { lanes4_any(lanes) != 0 }
}
