internal import InertialNumerics

extension OffsetSegment {
  /// The width of the bins in which vectors and their times are averaged, in seconds. It bounds the work.
  private static let fieldBinWidth = 0.02

  /// Returns the fit of a magnetic field's vectors to a rotation, or `nil` if the stream covers only a part. The hard
  /// iron is estimated with it.
  static func fieldFit(_ samples: [Vector], _ track: RotationTrack, start: Double, end: Double) -> Fit? {
    guard let vectors = means(samples, start: start, end: end, width: fieldBinWidth) else { return nil }
    let meanSquare = vectors.reduce(0) { $0 + $1.vector.squaredNorm } / Double(vectors.count)
    return (meanSquare, { fieldResidual(vectors, track, meanSquare: meanSquare, offset: $0) })
  }

  /// Returns the mean square of the residual of v = Rᵀ (m + m′ t) + b.
  private static func fieldResidual(
    _ vectors: [Vector], _ track: RotationTrack, meanSquare: Double, offset: Double
  ) -> Double {
    let middle = vectors.reduce(0) { $0 + $1.time } / Double(vectors.count)
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
