/// A vector whose length is part of its type, stored in place.
///
/// All functions are inlinable, because code generic over a length is fast only if the compiler can specialise it in
/// the caller's module.
public struct FixedVector<let Count: Int>: Sendable {
  @usableFromInline var elements: InlineArray<Count, Double>

  /// Creates a vector with the same value in all elements.
  @inlinable
  public init(repeating value: Double = 0) {
    elements = InlineArray(repeating: value)
  }

  /// Creates a vector whose element at an index, from 0, is the closure's result.
  @inlinable
  public init(element: (_ index: Int) -> Double) {
    elements = InlineArray { index in element(index) }
  }

  /// Creates a vector from an array with the same number of elements.
  @inlinable
  public init(_ values: [Double]) {
    precondition(values.count == Count, "\(values.count) elements for a vector of \(Count)")
    elements = InlineArray { values[$0] }
  }

  /// The element at an index, from 0.
  @inlinable
  public subscript(index: Int) -> Double {
    get { elements[index] }
    set { elements[index] = newValue }
  }

  /// The elements as an array.
  @inlinable
  public var array: [Double] { (0..<Count).map { elements[$0] } }

  /// Whether all elements are finite.
  @inlinable
  public var isFinite: Bool {
    for index in 0..<Count where !elements[index].isFinite { return false }
    return true
  }

  /// Returns the sum of the products of the elements.
  @inlinable
  public func dot(_ other: FixedVector) -> Double {
    var sum = 0.0
    for index in 0..<Count { sum += elements[index] * other.elements[index] }
    return sum
  }

  /// Returns the sum.
  @inlinable
  public static func + (a: FixedVector, b: FixedVector) -> FixedVector { a.adding(b, scaledBy: 1) }

  /// Returns the difference.
  @inlinable
  public static func - (a: FixedVector, b: FixedVector) -> FixedVector { a.adding(b, scaledBy: -1) }

  /// Returns the vector with all elements multiplied by a number.
  @inlinable
  public static func * (s: Double, a: FixedVector) -> FixedVector { FixedVector().adding(a, scaledBy: s) }

  /// Returns self + scale · other.
  @inlinable
  public func adding(_ other: FixedVector, scaledBy scale: Double) -> FixedVector {
    var sum = elements
    for index in 0..<Count { sum[index] += scale * other.elements[index] }
    var result = self
    result.elements = sum
    return result
  }
}

extension FixedVector where Count == 3 {
  /// Creates a vector from the components of a `Vector3`.
  @inlinable
  public init(_ vector: Vector3) {
    elements = [vector.x, vector.y, vector.z]
  }
}

extension FixedVector: Equatable {
  /// Returns whether all elements are equal; NaN is not equal to any number.
  @inlinable
  public static func == (a: FixedVector, b: FixedVector) -> Bool {
    for index in 0..<Count where a.elements[index] != b.elements[index] { return false }
    return true
  }
}

extension FixedVector: Codable {
  /// Decodes an array of exactly Count numbers.
  public init(from decoder: any Decoder) throws {
    let values = try [Double](from: decoder)
    guard values.count == Count else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "\(values.count) elements for a vector of \(Count)"))
    }
    self.init(values)
  }

  /// Encodes an array of numbers.
  public func encode(to encoder: any Encoder) throws { try array.encode(to: encoder) }
}

extension FixedVector: CustomStringConvertible {
  /// The elements: "[1.0, 2.0]".
  public var description: String { "\(array)" }
}
