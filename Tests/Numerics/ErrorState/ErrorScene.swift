/// A random layout with random measurements and transitions, and the same quantities as dense matrices.
struct ErrorScene {
  var random: SeededGenerator
  private(set) var layout = ErrorLayout()
  private(set) var blocks: [ErrorLayout.Block] = []

  /// Creates a layout of blocks with one, two, three or nine errors each.
  init(seed: UInt64, blocks counts: [Int]? = nil) {
    random = SeededGenerator(seed: seed)
    let sizes = counts ?? [3, 1, [1, 2, 3, 9][Int(seed % 4)], 3, 2, [3, 9][Int(seed / 4 % 2)]]
    for size in sizes { blocks.append(layout.add(size)) }
  }

  var count: Int { layout.count }
  var triples: [ErrorLayout.Block] { blocks.filter { $0.count == 3 } }

  mutating func number() -> Double { 2 * random.uniform() - 1 }
  mutating func vector() -> Vector3 { Vector3(number(), number(), number()) }
  mutating func matrix3() -> Matrix3 { Matrix3(rows: vector(), vector(), vector()) }

  mutating func matrix(_ rowCount: Int, _ columnCount: Int) -> Matrix {
    Matrix(rowCount: rowCount, columnCount: columnCount) { _, _ in 2 * random.uniform() - 1 }
  }

  /// Returns a covariance with correlations between all errors.
  mutating func covariance() -> Matrix { matrix(count, count).timesOwnTranspose + 0.1 * .identity(count) }

  /// Returns a filter with a covariance.
  func filter(_ p: Matrix, _ products: ErrorProducts = .standard) -> ErrorKalman {
    var filter = ErrorKalman(layout, products: products)
    for row in 0..<count { for column in 0...row { filter[row, column] = p[row, column] } }
    return filter
  }

  /// Returns a random measurement row with its dense h.
  mutating func row(variance: Double = 0.3) -> (row: MeasurementRow, h: [Double]) {
    var row = MeasurementRow(residual: number(), variance: variance)
    var h = [Double](repeating: 0, count: count)
    for block in triples.shuffled(using: &random).prefix(2) {
      let derivative = vector()
      row.add(derivative, of: block)
      for axis in 0..<3 { h[block.start + axis] = derivative[axis] }
    }
    let single = blocks[1].start
    row.add(0.7, at: single)
    h[single] = 0.7
    return (row, h)
  }

  /// Returns a transition with matrices, factors and a fading block, and the dense F = D (I + G).
  mutating func transition() -> (transition: ErrorTransition, f: Matrix) {
    var (transition, f) = (ErrorTransition(), Matrix.identity(count))
    let triples = triples
    // The last term acts on its own source, and the first target is the source of the second term.
    for (source, target) in [(triples[1], triples[0]), (triples[0], triples[1]), (triples[1], triples[1])] {
      let matrix = 0.3 * matrix3()
      transition.add(matrix, of: source, to: target)
      for i in 0..<3 { for j in 0..<3 { f[target.start + i, source.start + j] += matrix[i, j] } }
    }
    transition.add(0.2, of: triples[0], to: triples[1])
    for axis in 0..<3 { f[triples[1].start + axis, triples[0].start + axis] += 0.2 }
    let last = blocks[blocks.count - 1]
    transition.add(-0.4, of: last.start, to: blocks[1].start)
    f[blocks[1].start, last.start] -= 0.4
    transition.fade(last, by: 0.9)
    for row in last.indices { for column in 0..<count { f[row, column] *= 0.9 } }
    return (transition, f)
  }

  /// Returns the omission of parts of the gain, and the dense matrix L of b = L a.
  mutating func partialGain() -> (holding: PartialGain, l: Matrix) {
    var (holding, l) = (PartialGain(), Matrix(rowCount: count, columnCount: count))
    let (block, direction) = (triples[0], Quaternion(rotationVector: vector()).rotate(.unitX))
    holding.hold(block, along: direction, by: 0.8)
    for i in 0..<3 { for j in 0..<3 { l[block.start + i, block.start + j] = 0.8 * direction[i] * direction[j] } }
    for (indices, fraction) in [(triples[1].indices, 1.0), (blocks[1].indices, 0.3)] {
      holding.hold(indices, by: fraction)
      for index in indices { l[index, index] = fraction }
    }
    return (holding, l)
  }
}

/// A Kalman filter of errors by dense matrices and Joseph's form, which is correct for any gain.
struct DenseKalman {
  var p: Matrix
  /// The estimated errors.
  var e: [Double]

  init(_ p: Matrix) { (self.p, e) = (p, [Double](repeating: 0, count: p.rowCount)) }

  mutating func propagate(_ f: Matrix) { (p, e) = ((f * p).timesTranspose(f), f * e) }

  /// - Parameter l: The matrix of the omitted part of the gain.
  mutating func take(_ h: [Double], residual: Double, variance r: Double, omitting l: Matrix? = nil) {
    let c = p * h
    let s = dot(h, c) + r
    let y = residual - dot(h, e)
    let optimal = c.map { $0 / s }
    let omitted = l.map { $0 * optimal } ?? optimal.map { _ in 0 }
    let k = zip(optimal, omitted).map { $0 - $1 }
    let left = Matrix.identity(e.count) - Matrix(outer: k, h)
    p = (left * p).timesTranspose(left) + r * Matrix(outer: k, k)
    e = zip(e, k).map { $0 + $1 * y }
  }
}

func dot(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }

extension ErrorKalman {
  /// The covariance as a dense matrix.
  var matrix: Matrix { Matrix(rowCount: count, columnCount: count) { self[$0, $1] } }

  var isSymmetric: Bool {
    let m = matrix
    return m == m.transpose
  }
}

extension ErrorValues {
  func list(_ count: Int) -> [Double] { (0..<count).map { self[$0] } }
}

/// Returns the largest difference of two matrices relative to the larger of one and the largest element.
func difference(_ a: Matrix, _ b: Matrix) -> Double { (a - b).maximumMagnitude / max(1, b.maximumMagnitude) }

func difference(_ a: [Double], _ b: [Double]) -> Double { difference(Matrix(column: a), Matrix(column: b)) }

/// Both implementations of the products.
let bothProducts: [ErrorProducts] = [.blas, .loops]
