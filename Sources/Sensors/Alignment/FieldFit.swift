internal import InertialNumerics

/// The fit of a magnetic field's vectors to a rotation; the hard iron is estimated with it.
struct FieldFit: Sendable {
  /// The width of the bins in which vectors and their times are averaged, in seconds. It bounds the work.
  private static let binWidth = 0.02

  private let vectors: [OffsetSegment.Vector]
  private let middle: Double
  let meanSquare: Double

  init?(_ samples: [OffsetSegment.Vector], start: Double, end: Double) {
    guard let vectors = OffsetSegment.means(samples, start: start, end: end, width: Self.binWidth) else { return nil }
    self.vectors = vectors
    middle = vectors.reduce(0) { $0 + $1.time } / Double(vectors.count)
    meanSquare = vectors.reduce(0) { $0 + $1.vector.squaredNorm } / Double(vectors.count)
  }

  /// Returns the mean square of the residual of v = Rᵀ (m + m′ t) + b.
  func residual(_ track: RotationTrack, offset: Double) -> Double {
    // The sums use u = R v, which is m + m′ t + R b.
    var (sumU, sumTU, sumV) = (Vector3.zero, Vector3.zero, Vector3.zero)
    var (sumR, sumTR) = (Matrix3.zero, Matrix3.zero)
    var timeSquares = 0.0
    let count = Double(vectors.count)
    for sample in vectors {
      let rotation = track.matrix(at: sample.time - offset)
      let (t, v) = (sample.time - middle, sample.vector)
      let u = rotation * v
      sumU += u
      sumTU += t * u
      sumV += v
      sumR.add(rotation, scaledBy: 1)
      sumTR.add(rotation, scaledBy: t)
      timeSquares += t * t
    }
    // Elimination of m and m′ leaves three equations for b. They get a tiny ridge: without rotation, b and m are
    // indistinguishable.
    let (turnedR, turnedTR) = (sumR.transpose, sumTR.transpose)
    let ridge = Matrix3(diagonal: Vector3(repeating: count * (1 + 1e-9)))
    let normal = ridge - turnedR * sumR * (1 / count) - turnedTR * sumTR * (1 / timeSquares)
    let right = sumV - turnedR * sumU / count - turnedTR * sumTU / timeSquares
    let b = (normal.inverse ?? .zero) * right
    let left =
      count * meanSquare - sumU.squaredNorm / count - sumTU.squaredNorm / timeSquares - b.dot(right)
    return max(0, left) / count
  }
}
