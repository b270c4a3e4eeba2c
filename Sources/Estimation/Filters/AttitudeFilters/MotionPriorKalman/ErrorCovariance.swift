internal import InertialNumerics

/// The indices of the error state.
///
/// The attitude error θ is a rotation vector in earth axes, q_true = exp(θ) ⊗ q, so that heading is exactly one
/// component. Every other error is the true value minus the estimated one.
enum ErrorIndex {
  /// The attitude about the earth's X, Y (tilt) and Z (heading), in rad.
  static let attitude = 0
  static let heading = 2
  /// The gyroscope bias, in rad/s, in device axes.
  static let gyroscopeBias = 3
  /// The velocity, in m/s, in earth axes.
  static let velocity = 6
  /// The gyroscope scale and misalignment S, column by column: ω = (I + S)(measured − bias).
  static let scale = 9
  /// The accelerometer bias, in m/s², in device axes.
  static let accelerometerBias = 18
  /// The residual hard iron, in µT, in device axes.
  static let magnetometerBias = 21
  /// The horizontal part of the earth's field, in µT.
  static let fieldHorizontal = 24
  /// The downward part of the earth's field, in µT.
  static let fieldDown = 25
  /// The delay of the magnetometer relative to the gyroscope, in s.
  static let fieldDelay = 26
  /// An unused element that fills the last quad and never changes.
  static let none = 27
  static let count = 28

  static let attitudes = attitude..<gyroscopeBias
  static let tilt = attitude..<heading
  static let headings = heading..<gyroscopeBias
  static let gyroscopeBiases = gyroscopeBias..<velocity
  static let velocities = velocity..<scale
  static let scales = scale..<accelerometerBias
  static let accelerometerBiases = accelerometerBias..<magnetometerBias
  static let magnetometerBiases = magnetometerBias..<fieldHorizontal
  static let fieldParts = fieldHorizontal..<fieldDelay
  /// The scale, misalignment and accelerometer bias.
  static let fading = scale..<magnetometerBias
}

/// The covariance of the 27 errors.
///
/// It is stored in quads: a row ends with the quad that contains its diagonal element. Every element is stored once,
/// except in the 4 by 4 squares on the diagonal, which are complete and exactly symmetric.
struct ErrorCovariance: Sendable {
  private typealias Elements = UnsafeMutablePointer<Double>

  private static let count = ErrorIndex.count
  private var elements = [Double](repeating: 0, count: count * count)

  @inline(__always)
  private static func position(_ row: Int, _ column: Int) -> Int {
    row >= column ? row * count + column : column * count + row
  }

  subscript(row: Int, column: Int) -> Double {
    get { elements[Self.position(row, column)] }
    set {
      elements[Self.position(row, column)] = newValue
      if row / 4 == column / 4 { elements[min(row, column) * Self.count + max(row, column)] = newValue }
    }
  }

  /// Returns the 3 by 3 diagonal block that begins at an index.
  func block(at start: Int) -> Matrix3 {
    func row(_ index: Int) -> Vector3 {
      Vector3(self[start + index, start], self[start + index, start + 1], self[start + index, start + 2])
    }
    return Matrix3(rows: row(0), row(1), row(2))
  }

  @inline(__always)
  private mutating func withElements<Result>(_ body: (Elements) -> Result) -> Result {
    elements.withUnsafeMutableBufferPointer { body($0.baseAddress.unsafelyUnwrapped) }
  }

  // MARK: Changes of single errors

  /// Adds independent noise with one variance to consecutive errors.
  @inline(__always)
  mutating func add(_ variance: Double, to indices: Range<Int>) {
    for index in indices { elements[index * (Self.count + 1)] += variance }
  }

  /// Adds independent noise with a covariance to three consecutive errors.
  mutating func add(_ covariance: Matrix3, at start: Int) {
    for row in 0..<3 { for column in 0...row { self[start + row, start + column] += covariance[row, column] } }
  }

  /// Computes P ← P + e eᵀ.
  mutating func add(squareOf held: HeldValues) {
    // Heading and gyroscope bias are consecutive.
    let first = Quad(held.heading, held.gyroscope.x, held.gyroscope.y, held.gyroscope.z)
    let (start, last) = (ErrorIndex.heading, ErrorIndex.accelerometerBias)
    withElements { p in
      @inline(__always) func add(_ value: Double, _ row: Int, _ column: Int) {
        p[row * Self.count + column] += value
        if row != column, row / 4 == column / 4 { p[column * Self.count + row] += value }
      }
      for row in 0..<4 { for column in 0...row { add(first[row] * first[column], start + row, start + column) } }
      for row in 0..<3 {
        for column in 0...row { add(held.force[row] * held.force[column], last + row, last + column) }
        for column in 0..<4 { p[(last + row) * Self.count + start + column] += held.force[row] * first[column] }
      }
    }
  }

  /// Sets errors to a new variance without correlation with the others.
  mutating func isolate(_ indices: Range<Int>, variance: Double) {
    for index in indices {
      for other in 0..<ErrorIndex.count { self[index, other] = 0 }
      self[index, index] = variance
    }
  }

  // MARK: Propagation

  /// Propagates P ← F P Fᵀ with F = D (I + G), as P + G P + (G P)ᵀ + (G P) Gᵀ, then D on both sides: G has six rows,
  /// for attitude and velocity, and D differs from 1 for fading errors.
  mutating func propagate(by transition: ErrorTransition) {
    // The rows of G P are one component each; a larger allocation would not be on the stack.
    withErrorVectors(3) { attitudes in
      withErrorVectors(3) { velocities in
        propagate(
          by: transition, ErrorVector(attitudes, 0), ErrorVector(attitudes, 1), ErrorVector(attitudes, 2),
          ErrorVector(velocities, 0), ErrorVector(velocities, 1), ErrorVector(velocities, 2))
      }
    }
    if transition.persistence != 1 { fade(by: transition.persistence) }
  }

  /// Applies P ← D P D.
  private mutating func fade(by persistence: Double) {
    let fading = ErrorIndex.fading
    withElements { p in
      // Rows before the first fading error in the same diagonal square also have elements in its column.
      for row in 4 * (fading.lowerBound / 4)..<Self.count {
        let p = p + row * Self.count
        if fading.contains(row) { for column in 0...(row | 3) { p[column] *= persistence } }
        for column in fading.lowerBound...min(row | 3, fading.upperBound - 1) { p[column] *= persistence }
      }
    }
  }

  @inline(__always)
  private mutating func propagate(
    by transition: ErrorTransition, _ a: ErrorVector, _ b: ErrorVector, _ c: ErrorVector, _ u: ErrorVector,
    _ v: ErrorVector, _ w: ErrorVector
  ) {
    let (attitude, velocity) = (ErrorIndex.attitude, ErrorIndex.velocity)
    withElements { p in
      ErrorVector.forEachQuad { start in
        let change = transition.changes { Self.quad(p, $0, start) }
        (a[quad: start], b[quad: start], c[quad: start]) = (change.attitude.x, change.attitude.y, change.attitude.z)
        (u[quad: start], v[quad: start], w[quad: start]) = (change.velocity.x, change.velocity.y, change.velocity.z)
      }
      // (G P) Gᵀ is symmetric; one column for each component.
      let squares = transition.changes { Quad(a[$0], b[$0], c[$0], u[$0]) }
      let rest = transition.changes { Quad(v[$0], w[$0], 0, 0) }

      for row in 0..<Self.count {
        let p = p + row * Self.count
        p[attitude] += a[row]
        p[attitude + 1] += b[row]
        p[attitude + 2] += c[row]
      }
      p[velocity * (Self.count + 1)] += u[velocity]
      p[(velocity + 1) * Self.count + velocity] += u[velocity + 1]
      p[(velocity + 1) * (Self.count + 1)] += v[velocity + 1]
      for row in velocity + 2..<Self.count {
        let p = p + row * Self.count
        p[velocity] += u[row]
        p[velocity + 1] += v[row]
        p[velocity + 2] += w[row]
      }
      Self.add(a, squares.attitude.x, rest.attitude.x, to: p, attitude)
      Self.add(b, squares.attitude.y, rest.attitude.y, to: p, attitude + 1)
      Self.add(c, squares.attitude.z, rest.attitude.z, to: p, attitude + 2)
      Self.add(u, squares.velocity.x, rest.velocity.x, to: p, velocity)
      Self.add(v, squares.velocity.y, rest.velocity.y, to: p, velocity + 1)
      Self.add(w, squares.velocity.z, rest.velocity.z, to: p, velocity + 2)
      for square in 0..<3 {
        let p = p + 4 * square * (Self.count + 1)
        for row in 1..<4 { for column in 0..<row { p[column * Self.count + row] = p[row * Self.count + column] } }
      }
    }
  }

  /// Adds a row of G P and a row of (G P) Gᵀ up to the diagonal.
  @inline(__always)
  private static func add(_ change: ErrorVector, _ square: Quad, _ rest: Quad, to p: Elements, _ row: Int) {
    let p = p + row * count
    for column in 0...row { p[column] += change[column] }
    p[0] += square.a
    if row > 0 { p[1] += square.b }
    if row > 1 { p[2] += square.c }
    if row >= ErrorIndex.velocity { p[ErrorIndex.velocity] += square.d }
    if row > ErrorIndex.velocity { p[ErrorIndex.velocity + 1] += rest.a }
    if row > ErrorIndex.velocity + 1 { p[ErrorIndex.velocity + 2] += rest.b }
  }

  /// Returns four elements of a row from an index that is a multiple of four. After the diagonal's quad they are in a
  /// column.
  @inline(__always)
  private static func quad(_ p: Elements, _ row: Int, _ start: Int) -> Quad {
    let isStored = row >= start
    return Quad(p + (isStored ? row &* count &+ start : start &* count &+ row), stride: isStored ? 1 : count)
  }

  // MARK: Measurements

  /// Computes P Hᵀ of a measurement of one error.
  @inline(__always)
  mutating func product(with index: Int, into product: ErrorVector) {
    withElements { p in
      ErrorVector.forEachQuad { start in product[quad: start] = Self.quad(p, index, start) }
    }
  }

  /// Computes P Hᵀ of a measurement of one component of the field.
  @inline(__always)
  mutating func product(with row: FieldObservation, into product: ErrorVector) {
    withElements { p in
      ErrorVector.forEachQuad { start in
        @inline(__always) func quad(_ index: Int) -> Quad { Self.quad(p, index, start) }
        let attitude = row.attitude.x * quad(0) + row.attitude.y * quad(1) + row.attitude.z * quad(2)
        let field = row.horizontal * quad(ErrorIndex.fieldHorizontal) + row.down * quad(ErrorIndex.fieldDown)
        let bias = ErrorIndex.magnetometerBias
        let own = row.bias.x * quad(bias) + row.bias.y * quad(bias + 1) + row.bias.z * quad(bias + 2)
        product[quad: start] = (attitude + own) + (field + row.delay * quad(ErrorIndex.fieldDelay))
      }
    }
  }

  /// Computes P ← P − a aᵀ − b bᵀ − c cᵀ.
  mutating func subtractSquares(_ a: ErrorVector, _ b: ErrorVector, _ c: ErrorVector) {
    withElements { p in
      for row in 0..<Self.count {
        let p = ErrorVector(p + row * Self.count)
        let (x, y, z) = (a[row], b[row], c[row])
        ErrorVector.forEachQuad(to: row) { start in
          p[quad: start] = p[quad: start] - (x * a[quad: start] + y * b[quad: start] + z * c[quad: start])
        }
      }
    }
  }

  /// Computes P ← P − a aᵀ + b bᵀ.
  mutating func subtractSquare(_ a: ErrorVector, addSquare b: ErrorVector) {
    withElements { p in
      for row in 0..<Self.count {
        let p = ErrorVector(p + row * Self.count)
        let (x, y) = (a[row], b[row])
        ErrorVector.forEachQuad(to: row) { start in
          p[quad: start] = p[quad: start] - (x * a[quad: start] - y * b[quad: start])
        }
      }
    }
  }
}

/// Provides memory for error vectors, on the stack for at most 5 of them.
@inline(__always)
func withErrorVectors<Result>(_ count: Int, _ body: (UnsafeMutableBufferPointer<Double>) -> Result) -> Result {
  withUnsafeTemporaryAllocation(of: Double.self, capacity: count * ErrorIndex.count, body)
}

extension ErrorCovariance: Equatable {}

extension ErrorCovariance: Codable {
  private enum CodingKeys: CodingKey { case elements }

  /// Encodes the lower triangle row by row.
  func encode(to encoder: any Encoder) throws {
    let triangle = (0..<Self.count).flatMap { row in (0...row).map { self[row, $0] } }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(triangle, forKey: .elements)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let triangle = try container.decode([Double].self, forKey: .elements)
    guard triangle.count == Self.count * (Self.count + 1) / 2 else {
      throw DecodingError.dataCorruptedError(
        forKey: .elements, in: container, debugDescription: "\(triangle.count) elements of a covariance")
    }
    self.init()
    for row in 0..<Self.count { for column in 0...row { self[row, column] = triangle[row * (row + 1) / 2 + column] } }
  }
}
