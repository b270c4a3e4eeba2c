internal import InertialNumerics
internal import InertialSystem

/// The fit of an accelerometer's vectors to a rotation, both smoothed.
struct GravityFit: Sendable {
  private static let binWidth = 0.05
  /// Half the width of the smoothing window, in seconds.
  static let halfWidth = 0.25
  /// Half the width of a window twice as wide, in seconds. A result that depends on the width is not a property of the
  /// clocks.
  static let wideHalfWidth = 0.5
  /// The minimum standard deviation of gravity's direction, in g. Below it, a user's accelerations outweigh gravity's
  /// rotations.
  private static let minimumRotation = 0.1
  /// The interval of the second difference that yields the arm's acceleration, in seconds.
  private static let interval = 0.05
  /// The weight of the arm's prior: arms are some tenths of a metre; residuals, some hundredths of a g.
  private static let armWeight = 0.01
  /// The interval between smoothed vectors, in seconds.
  private static let step = 0.1

  /// The index of the first vector in a window and the weights from there on, whose sum is 1, the weighted mean, and the
  /// middle of the window, in seconds.
  private typealias Smoothed = (first: Int, weights: [Double], vector: Vector3, time: Double)

  private let vectors: [OffsetSegment.Vector]
  private let smoothed: [Smoothed]
  private let middle: Double
  let meanSquare: Double

  /// Creates a fit, or `nil` if the stream has missing parts or gravity hardly rotates.
  init?(
    _ samples: [OffsetSegment.Vector], _ track: RotationTrack, halfWidth: Double, start: Double, end: Double
  ) {
    guard let vectors = OffsetSegment.means(samples, start: start, end: end, width: Self.binWidth) else { return nil }
    var smoothed: [Smoothed] = []
    var centre = start + halfWidth
    while centre <= end - halfWidth + 1e-9 {
      if let one = Self.smoothed(vectors, at: centre, halfWidth) { smoothed.append(one) }
      centre += Self.step
    }
    guard smoothed.count > 10, Self.turn(of: smoothed, track) >= Self.minimumRotation else { return nil }
    self.vectors = vectors
    self.smoothed = smoothed
    middle = (start + end) / 2
    meanSquare = smoothed.reduce(0) { $0 + $1.vector.squaredNorm } / Double(smoothed.count)
  }

  private static func smoothed(
    _ vectors: [OffsetSegment.Vector], at centre: Double, _ halfWidth: Double
  ) -> Smoothed? {
    let inside = vectors.indices.filter { abs(vectors[$0].time - centre) < halfWidth }
    guard let first = inside.first else { return nil }
    let weights = inside.map { 1 + cos(.pi * (vectors[$0].time - centre) / halfWidth) }
    let sum = weights.reduce(0, +)
    guard sum > 0 else { return nil }
    let mean = zip(inside, weights).reduce(Vector3.zero) { $0 + $1.1 * vectors[$1.0].vector }
    return (first, weights.map { $0 / sum }, mean / sum, centre)
  }

  /// Returns the standard deviation, in g, of gravity's direction in the device's frame, derived from the gyroscope's
  /// rotation.
  private static func turn(of points: [Smoothed], _ track: RotationTrack) -> Double {
    guard let earth = points.first.map({ track.matrix(at: $0.time) * $0.vector })?.normalized else { return 0 }
    let gravities = points.map { track.matrix(at: $0.time).transpose * earth }
    let mean = gravities.reduce(Vector3.zero, +) / Double(points.count)
    return (gravities.reduce(0) { $0 + ($1 - mean).squaredNorm } / Double(points.count)).squareRoot()
  }

  /// Returns the mean square of the residual of v = Rᵀ (m + m′ t) + Rᵀ R̈ r: gravity, its slow rotation, and the
  /// acceleration due to rotation of a device at a constant arm r from the axis.
  func residual(_ track: RotationTrack, offset: Double) -> Double {
    let rotations = vectors.map { track.matrix(at: $0.time - offset) }
    let arms = zip(vectors, rotations).map { sample, rotation in
      let (before, after) = (
        track.matrix(at: sample.time - offset - Self.interval), track.matrix(at: sample.time - offset + Self.interval)
      )
      return rotation.transpose * (before + after - 2 * rotation)
        * (1 / (Self.interval * Self.interval * standardGravity))
    }
    var normal = [Double](repeating: 0, count: 81)
    var right = [Double](repeating: 0, count: 9)
    for point in smoothed {
      var (still, turning, arm) = (Matrix3.zero, Matrix3.zero, Matrix3.zero)
      for (index, weight) in point.weights.enumerated() {
        let position = point.first + index
        still.add(rotations[position], scaledBy: weight)
        turning.add(rotations[position], scaledBy: weight * (vectors[position].time - middle))
        arm.add(arms[position], scaledBy: weight)
      }
      let (a, b) = (still.transpose, turning.transpose)
      for axis in 0..<3 {
        let (p, q, r) = (a.row(axis), b.row(axis), arm.row(axis))
        let row = (p.x, p.y, p.z, q.x, q.y, q.z, r.x, r.y, r.z)
        withUnsafeBytes(of: row) { bytes in
          let row = bytes.bindMemory(to: Double.self)
          for i in 0..<9 {
            right[i] += row[i] * point.vector[axis]
            for j in 0...i { normal[9 * i + j] += row[i] * row[j] }
          }
        }
      }
    }
    var matrix = FixedMatrix<9, 9> { normal[$0 >= $1 ? 9 * $0 + $1 : 9 * $1 + $0] }
    matrix = matrix + FixedMatrix(diagonal: FixedVector { $0 < 6 ? 1e-9 : Self.armWeight })
    guard let decomposition = try? FixedCholesky(matrix) else { return meanSquare }
    let explained = decomposition.whiten(FixedVector(right))
    return max(0, meanSquare - explained.dot(explained) / Double(smoothed.count))
  }
}
