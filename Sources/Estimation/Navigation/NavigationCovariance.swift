internal import InertialNumerics

/// The transition of the errors over an epoch of T seconds, F = I + G with
/// θ' = θ − A b_g,  v' = v − [u]× θ − A b_a,  p' = p + T v.
struct NavigationTransition: Sendable {
  /// A, the integral of the rotation from device to earth, in seconds.
  var rotation: Matrix3
  /// u, the change of velocity by the specific force, in m/s, earth axes.
  var push: Vector3
  /// T, in seconds.
  var duration: Double

  /// Returns Fᵀ λ.
  func transposed(_ error: NavigationError) -> NavigationError {
    var result = error
    let back = rotation.transpose
    result.gyroscopeBias -= back * error.attitude
    result.accelerometerBias -= back * error.velocity
    // (−[u]×)ᵀ = [u]×.
    result.attitude += push.cross(error.velocity)
    result.velocity += error.position * duration
    return result
  }
}

/// A symmetric matrix of the errors, in blocks of 3 by 3.
struct NavigationCovariance: Sendable {
  /// The number of parts: `ErrorPart.common`, or one more with the mounting.
  let count: Int
  private var blocks: ContiguousArray<Matrix3>

  init(parts: Int = ErrorPart.common) {
    count = parts
    blocks = ContiguousArray(repeating: Matrix3.zero, count: parts * parts)
  }

  var parts: ArraySlice<ErrorPart> { ErrorPart.allCases.prefix(count) }

  /// The block of two parts. Setting it also sets the transposed block.
  subscript(row: ErrorPart, column: ErrorPart) -> Matrix3 {
    get { self[row.rawValue, column.rawValue] }
    set {
      blocks[row.rawValue * count + column.rawValue] = newValue
      if row != column { blocks[column.rawValue * count + row.rawValue] = newValue.transpose }
    }
  }

  /// The block of two parts by their raw values.
  subscript(row: Int, column: Int) -> Matrix3 { blocks[row * count + column] }

  /// Adds independent noise to a part.
  mutating func add(_ variance: Vector3, to part: ErrorPart) {
    self[part, part] = self[part, part] + Matrix3(diagonal: variance)
  }

  mutating func add(_ covariance: Matrix3, to part: ErrorPart) { self[part, part] = self[part, part] + covariance }

  mutating func add(_ variance: Double, to part: ErrorPart) { add(Vector3(repeating: variance), to: part) }

  /// Gives a part a new covariance and no correlation with the others.
  mutating func isolate(_ part: ErrorPart, covariance: Matrix3) {
    for other in parts { self[part, other] = .zero }
    self[part, part] = covariance
  }

  /// Returns P h, at no cost for zero parts of h.
  func times(_ h: NavigationError) -> NavigationError {
    var product = NavigationError()
    blocks.withUnsafeBufferPointer { p in
      for column in 0..<count where h[column] != .zero {
        let part = h[column]
        for row in 0..<count { product[row] += p[row * count + column] * part }
      }
    }
    return product
  }

  /// P ← P + s a aᵀ, at no cost for zero parts of a.
  mutating func add(outer a: NavigationError, scaledBy s: Double) {
    let count = count
    blocks.withUnsafeMutableBufferPointer { p in
      for row in 0..<count where a[row] != .zero {
        for column in row..<count {
          p[row * count + column].add(Matrix3(outer: a[row], a[column]), scaledBy: s)
          if row != column { p[column * count + row] = p[row * count + column].transpose }
        }
      }
    }
  }

  /// P ← P − s (a bᵀ + b aᵀ), at no cost for blocks with both parts of a zero.
  mutating func subtract(outers a: NavigationError, _ b: NavigationError, scaledBy s: Double) {
    let count = count
    blocks.withUnsafeMutableBufferPointer { p in
      for row in 0..<count {
        for column in row..<count where a[row] != .zero || a[column] != .zero {
          p[row * count + column].add(Matrix3(outer: a[row], b[column]), scaledBy: -s)
          p[row * count + column].add(Matrix3(outer: b[row], a[column]), scaledBy: -s)
          if row != column { p[column * count + row] = p[row * count + column].transpose }
        }
      }
    }
  }

  /// P ← F P Fᵀ.
  mutating func propagate(by f: NavigationTransition) {
    let (a, u, t) = (f.rotation, Matrix3(skew: f.push), f.duration)
    let n = count
    blocks.withUnsafeMutableBufferPointer { p in
      // F P, column by column of blocks; then (F P) Fᵀ, row by row.
      for j in 0..<n {
        let (theta, v) = (p[j], p[n + j])
        p[2 * n + j].add(v, scaledBy: t)
        p[n + j] = v - u * theta - a * p[4 * n + j]
        p[j] = theta - a * p[3 * n + j]
      }
      let (transposedA, transposedU) = (a.transpose, u.transpose)
      for i in 0..<n {
        let row = i * n
        let (theta, v) = (p[row], p[row + 1])
        p[row + 2].add(v, scaledBy: t)
        p[row + 1] = v - theta * transposedU - p[row + 4] * transposedA
        p[row] = theta - p[row + 3] * transposedA
      }
      Self.symmetrize(p, n)
    }
  }

  /// P ← Fᵀ P F.
  mutating func propagateBack(by f: NavigationTransition) {
    let (a, u, t) = (f.rotation, Matrix3(skew: f.push), f.duration)
    let n = count
    let (transposedA, transposedU) = (a.transpose, u.transpose)
    blocks.withUnsafeMutableBufferPointer { p in
      for j in 0..<n {
        p[3 * n + j] = p[3 * n + j] - transposedA * p[j]
        p[4 * n + j] = p[4 * n + j] - transposedA * p[n + j]
        p[j] = p[j] - transposedU * p[n + j]
        p[n + j].add(p[2 * n + j], scaledBy: t)
      }
      for i in 0..<n {
        let row = i * n
        p[row + 3] = p[row + 3] - p[row] * a
        p[row + 4] = p[row + 4] - p[row + 1] * a
        p[row] = p[row] - p[row + 1] * u
        p[row + 1].add(p[row + 2], scaledBy: t)
      }
      Self.symmetrize(p, n)
    }
  }

  /// Restores the symmetry that rounding errors destroy over time.
  private static func symmetrize(_ p: UnsafeMutableBufferPointer<Matrix3>, _ count: Int) {
    for i in 0..<count {
      for j in i..<count {
        let mean = (p[i * count + j] + p[j * count + i].transpose) * 0.5
        p[i * count + j] = mean
        p[j * count + i] = mean.transpose
      }
    }
  }
}
