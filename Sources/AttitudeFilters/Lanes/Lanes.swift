internal import CLanes

/// A number of each of four filters in lockstep.
///
/// A type of its own, as the operators of `SIMD4` are other functions: they go lane by lane.
struct Lanes: LaneScalar {
  typealias Mask = LaneMask4

  private var lanes: SIMD4<Double>

  @inline(__always)
  private init(_ lanes: SIMD4<Double>) { self.lanes = lanes }
  @inline(__always)
  init(_ a: Double, _ b: Double, _ c: Double, _ d: Double) { lanes = SIMD4(a, b, c, d) }
  @inline(__always)
  init(repeating value: Double) { lanes = SIMD4(repeating: value) }
  subscript(lane: Int) -> Double {
    @inline(__always) get { lanes[lane] }
    @inline(__always) set { lanes[lane] = newValue }
  }

  static var laneCount: Int { 4 }

  @inline(__always)
  static func + (a: Self, b: Self) -> Self { Self(lanes4_add(a.lanes, b.lanes)) }
  @inline(__always)
  static func - (a: Self, b: Self) -> Self { Self(lanes4_subtract(a.lanes, b.lanes)) }
  @inline(__always)
  static func * (a: Self, b: Self) -> Self { Self(lanes4_multiply(a.lanes, b.lanes)) }
  @inline(__always)
  static func / (a: Self, b: Self) -> Self { Self(lanes4_divide(a.lanes, b.lanes)) }
  @inline(__always)
  static prefix func - (a: Self) -> Self { Self(lanes4_negate(a.lanes)) }

  @inline(__always)
  static func .< (a: Self, b: Self) -> LaneMask4 { LaneMask4(lanes4_less(a.lanes, b.lanes)) }
  @inline(__always)
  static func .<= (a: Self, b: Self) -> LaneMask4 { LaneMask4(lanes4_at_most(a.lanes, b.lanes)) }
  @inline(__always)
  static func .== (a: Self, b: Self) -> LaneMask4 { LaneMask4(lanes4_equal(a.lanes, b.lanes)) }

  @inline(__always)
  static func select(_ mask: LaneMask4, _ yes: Self, _ no: Self) -> Self {
    Self(lanes4_select(mask.lanes, yes.lanes, no.lanes))
  }

  @inline(__always)
  var root: Self { Self(lanes4_root(lanes)) }
  @inline(__always)
  var reciprocalRoot: Self { Self(repeating: 1) / root }
  @inline(__always)
  var magnitude: Self { Self(lanes4_magnitude(lanes)) }

  @inline(__always)
  static func gathered(_ columns: LaneInputs, _ index: Int) -> Self { Self(lanes4_gather(columns, index)) }
  @inline(__always)
  static func gatheredVectors(_ columns: LaneInputs, _ index: Int) -> LaneVector3<Self> {
    LaneVector3(
      Self(lanes4_gather_of_vectors(columns, index, 0)), Self(lanes4_gather_of_vectors(columns, index, 1)),
      Self(lanes4_gather_of_vectors(columns, index, 2)))
  }
  @inline(__always)
  static func put(_ x: Self, _ y: Self, _ z: Self, _ w: Self, to columns: LaneOutputs, at index: Int) {
    lanes4_put_four(columns, index, x.lanes, y.lanes, z.lanes, w.lanes)
  }
  @inline(__always)
  static func put(_ value: Self, to columns: LaneWholeOutputs, at index: Int) {
    lanes4_put_short(columns, index, value.lanes)
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
