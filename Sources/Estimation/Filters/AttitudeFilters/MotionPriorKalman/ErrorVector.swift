internal import InertialNumerics

/// One number per error, in memory that is borrowed for a calculation.
struct ErrorVector {
  private let elements: UnsafeMutablePointer<Double>

  @inline(__always)
  init(_ elements: UnsafeMutablePointer<Double>) { self.elements = elements }

  /// Creates a view of the vector at an index in memory that contains several.
  @inline(__always)
  init(_ memory: UnsafeMutableBufferPointer<Double>, _ index: Int = 0) {
    precondition((index + 1) * ErrorIndex.count <= memory.count, "no memory for \(index + 1) vectors of errors")
    elements = memory.baseAddress.unsafelyUnwrapped + index * ErrorIndex.count
  }

  @inline(__always)
  subscript(index: Int) -> Double { elements[index] }

  /// The four elements from an index that is a multiple of four.
  @inline(__always)
  subscript(quad start: Int) -> Quad {
    get { Quad(elements + start) }
    nonmutating set { newValue.store(to: elements + start) }
  }

  /// Calls a function with the start index of each quad.
  ///
  /// - Parameter last: The largest start index.
  @inline(__always)
  static func forEachQuad(to last: Int = ErrorIndex.count - 1, _ body: (Int) -> Void) {
    var start = 0
    while start <= last {
      body(start)
      start &+= 4
    }
  }

  @inline(__always)
  func subtract(_ held: HeldValues, scaledBy factor: Double) {
    elements[ErrorIndex.heading] -= factor * held.heading
    for axis in 0..<3 {
      elements[ErrorIndex.gyroscopeBias + axis] -= factor * held.gyroscope[axis]
      elements[ErrorIndex.accelerometerBias + axis] -= factor * held.force[axis]
    }
  }

  func clear() {
    Self.forEachQuad { start in self[quad: start] = .zero }
  }

  /// Multiplies each element by its own factor.
  @inline(__always)
  func scale(by factors: [Double]) {
    for (index, factor) in factors.enumerated() { elements[index] *= factor }
  }

  /// Sets the vector to the part of another vector that a partial update with these gain factors leaves.
  @inline(__always)
  func set(_ other: ErrorVector, keptBy factors: [Double]?) {
    guard let factors else { return clear() }
    for (index, factor) in factors.enumerated() { elements[index] = (1 - factor) * other.elements[index] }
  }

  @inline(__always)
  func set(_ other: ErrorVector, scaledBy factor: Double) {
    Self.forEachQuad { start in self[quad: start] = factor * other[quad: start] }
  }

  @inline(__always)
  func add(_ other: ErrorVector, scaledBy factor: Double) {
    Self.forEachQuad { start in self[quad: start] = self[quad: start] + factor * other[quad: start] }
  }
}

/// Four numbers for joint calculations, which the compiler turns into vector instructions.
///
/// Not a SIMD type, because those are ten times slower in debug builds.
struct Quad: Sendable, Codable, Equatable {
  var a, b, c, d: Double

  @inline(__always)
  init(_ a: Double, _ b: Double, _ c: Double, _ d: Double) { (self.a, self.b, self.c, self.d) = (a, b, c, d) }

  /// The number at 0, 1, 2 or 3.
  @inline(__always)
  subscript(index: Int) -> Double { index < 2 ? (index == 0 ? a : b) : (index == 2 ? c : d) }

  /// Loads numbers that are `stride` apart in memory.
  @inline(__always)
  init(_ p: UnsafeMutablePointer<Double>, stride: Int = 1) {
    self.init(p[0], p[stride], p[2 * stride], p[3 * stride])
  }

  @inline(__always)
  func store(to p: UnsafeMutablePointer<Double>) {
    p[0] = a
    p[1] = b
    p[2] = c
    p[3] = d
  }
}

/// The values of the error propagation: a number, or several at once.
protocol ErrorValue {
  static var zero: Self { get }
  static func + (a: Self, b: Self) -> Self
  static func - (a: Self, b: Self) -> Self
  static func * (s: Double, a: Self) -> Self
}

extension Double: ErrorValue {}

extension Quad: ErrorValue {
  @inline(__always) static var zero: Quad { Quad(0, 0, 0, 0) }
  @inline(__always) static func + (p: Quad, q: Quad) -> Quad { Quad(p.a + q.a, p.b + q.b, p.c + q.c, p.d + q.d) }
  @inline(__always) static func - (p: Quad, q: Quad) -> Quad { Quad(p.a - q.a, p.b - q.b, p.c - q.c, p.d - q.d) }
  @inline(__always) static func * (s: Double, q: Quad) -> Quad { Quad(s * q.a, s * q.b, s * q.c, s * q.d) }
}
