/// A repeatable generator of random matrices (SplitMix64: Steele, Lea and Flood 2014).
struct SeededMatrices: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Returns a number, uniform in [-1, 1).
  mutating func number() -> Double { Double.random(in: -1..<1, using: &self) }

  mutating func vector(_ count: Int) -> [Double] { (0..<count).map { _ in number() } }

  /// Returns a matrix with elements uniform in [-1, 1).
  mutating func matrix(_ rowCount: Int, _ columnCount: Int) -> Matrix {
    Matrix(rowCount: rowCount, columnCount: columnCount, columnMajor: vector(rowCount * columnCount))
  }

  /// Returns a symmetric matrix with eigenvalues between `floor` and about n + floor.
  mutating func positiveDefinite(_ n: Int, floor: Double = 0.1) -> Matrix {
    matrix(n, n).timesOwnTranspose + floor * Matrix.identity(n)
  }
}

/// Returns whether two matrices have the same shape and differ by at most `within` in every element. Prints
/// differences.
func isNear(_ a: Matrix, _ b: Matrix, within tolerance: Double) -> Bool {
  guard a.rowCount == b.rowCount, a.columnCount == b.columnCount else {
    print("shapes differ: \(a.rowCount) by \(a.columnCount) and \(b.rowCount) by \(b.columnCount)")
    return false
  }
  // A NaN yields false.
  if (a - b).maximumMagnitude <= tolerance { return true }
  print("matrices differ by \((a - b).maximumMagnitude):\n\(a)\nand\n\(b)")
  return false
}

/// Returns whether two vectors have the same length and differ by at most `within` in every element. Prints
/// differences.
func isNear(_ a: [Double], _ b: [Double], within tolerance: Double) -> Bool {
  isNear(Matrix(column: a), Matrix(column: b), within: tolerance)
}
