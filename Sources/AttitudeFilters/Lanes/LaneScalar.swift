/// The numbers that a filter's body is written in: one number, or one of each of several filters in lockstep.
///
/// Every lane computes what a single number would, to the rounding of the reciprocal root: no operation mixes lanes.
protocol LaneScalar: Sendable {
  associatedtype Mask: LaneMask

  static var laneCount: Int { get }
  init(repeating value: Double)
  subscript(lane: Int) -> Double { get set }

  static func + (a: Self, b: Self) -> Self
  static func - (a: Self, b: Self) -> Self
  static func * (a: Self, b: Self) -> Self
  static func / (a: Self, b: Self) -> Self
  static prefix func - (a: Self) -> Self

  static func .< (a: Self, b: Self) -> Mask
  static func .<= (a: Self, b: Self) -> Mask
  static func .== (a: Self, b: Self) -> Mask

  /// √x to the last bit, for 0 and positive numbers.
  var root: Self { get }
  /// 1/√x, for positive normal numbers.
  var reciprocalRoot: Self { get }
  var magnitude: Self { get }
  /// `yes` in the lanes of the mask, `no` in the others.
  static func select(_ mask: Mask, _ yes: Self, _ no: Self) -> Self

  /// The number of each lane at an index of its column.
  static func gathered(_ columns: LaneInputs, _ index: Int) -> Self
  /// The three numbers of each lane from an index of its column on. A fourth is read, and has to be there.
  static func gatheredVectors(_ columns: LaneInputs, _ index: Int) -> LaneVector3<Self>
  /// Puts four numbers of each lane side by side into its column, from an index on.
  static func put(_ x: Self, _ y: Self, _ z: Self, _ w: Self, to columns: LaneOutputs, at index: Int)
  /// Puts a whole number, 0 to 32,767, of each lane at an index of its column.
  static func put(_ value: Self, to columns: LaneWholeOutputs, at index: Int)
}

/// A column of each lane.
typealias LaneInputs = UnsafePointer<UnsafePointer<Double>?>
typealias LaneOutputs = UnsafePointer<UnsafeMutablePointer<Double>?>
typealias LaneWholeOutputs = UnsafePointer<UnsafeMutablePointer<UInt16>?>

/// One truth for each lane.
protocol LaneMask: Sendable {
  init(repeating value: Bool)
  subscript(lane: Int) -> Bool { get set }
  static func .& (a: Self, b: Self) -> Self
  static func .| (a: Self, b: Self) -> Self
  static prefix func .! (a: Self) -> Self
  /// Whether any lane is true.
  var isAny: Bool { get }
}

extension LaneMask {
  /// Whether every lane is true.
  @inline(__always)
  var isAll: Bool { !(.!self).isAny }
}

extension LaneScalar {
  @inline(__always)
  static func * (a: Double, b: Self) -> Self { Self(repeating: a) * b }
  @inline(__always)
  static func + (a: Self, b: Double) -> Self { a + Self(repeating: b) }
  @inline(__always)
  static func - (a: Double, b: Self) -> Self { Self(repeating: a) - b }
  @inline(__always)
  static func .< (a: Self, b: Double) -> Mask { a .< Self(repeating: b) }
  @inline(__always)
  static func .<= (a: Double, b: Self) -> Mask { Self(repeating: a) .<= b }

  /// The smaller of two numbers, of which neither is NaN.
  @inline(__always)
  static func lesser(_ a: Self, _ b: Self) -> Self { select(b .< a, b, a) }
  /// The bigger of two numbers, of which neither is NaN.
  @inline(__always)
  static func greater(_ a: Self, _ b: Self) -> Self { select(a .< b, b, a) }
}

// MARK: One lane

extension Double: LaneScalar {
  typealias Mask = Bool

  static var laneCount: Int { 1 }
  @inline(__always)
  init(repeating value: Double) { self = value }
  subscript(lane: Int) -> Double {
    @inline(__always) get { self }
    @inline(__always) set { self = newValue }
  }

  @inline(__always)
  static func .< (a: Double, b: Double) -> Bool { a < b }
  @inline(__always)
  static func .<= (a: Double, b: Double) -> Bool { a <= b }
  @inline(__always)
  static func .== (a: Double, b: Double) -> Bool { a == b }

  @inline(__always)
  var root: Double { squareRoot() }
  @inline(__always)
  var reciprocalRoot: Double { 1 / squareRoot() }
  @inline(__always)
  static func select(_ mask: Bool, _ yes: Double, _ no: Double) -> Double { mask ? yes : no }

  static func gathered(_ columns: LaneInputs, _ index: Int) -> Double { columns[0]?[index] ?? .nan }
  static func gatheredVectors(_ columns: LaneInputs, _ index: Int) -> LaneVector3<Double> {
    LaneVector3(gathered(columns, index), gathered(columns, index + 1), gathered(columns, index + 2))
  }
  static func put(_ x: Double, _ y: Double, _ z: Double, _ w: Double, to columns: LaneOutputs, at index: Int) {
    guard let column = columns[0] else { return }
    (column[index], column[index + 1], column[index + 2], column[index + 3]) = (x, y, z, w)
  }
  static func put(_ value: Double, to columns: LaneWholeOutputs, at index: Int) {
    columns[0]?[index] = UInt16(value)
  }
}

extension Bool: LaneMask {
  @inline(__always)
  init(repeating value: Bool) { self = value }
  subscript(lane: Int) -> Bool {
    @inline(__always) get { self }
    @inline(__always) set { self = newValue }
  }
  @inline(__always)
  static func .& (a: Bool, b: Bool) -> Bool { a && b }
  @inline(__always)
  static func .| (a: Bool, b: Bool) -> Bool { a || b }
  @inline(__always)
  static prefix func .! (a: Bool) -> Bool { !a }
  @inline(__always)
  var isAny: Bool { self }
}
