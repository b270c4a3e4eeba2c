internal import InertialNumerics
internal import InertialRotations

/// The robust fit of a yaw on the earth's side and a rotation on the sensor's side.
///
/// Residuals are rotation vectors r = log(conj(q_reference) ⊗ qz(ψ) ⊗ q_estimate ⊗ q_sensor). A grid of yaws, each with
/// its best sensor rotation, finds the start; Gauss-Newton with Huber's weights finds the minimum.
struct FrameFit {
  private let pairs: [(estimate: Quaternion, reference: Quaternion)]
  private(set) var alignment: OrientationAlignment = .identity

  init(_ pairs: [(estimate: Quaternion, reference: Quaternion)]) {
    self.pairs = pairs
    alignment = start()
    refine()
  }

  /// Returns the best of 36 yaws by the median residual, over at most 400 of the pairs.
  private func start() -> OrientationAlignment {
    let stride = max(1, pairs.count / 400)
    let sample = Swift.stride(from: 0, to: pairs.count, by: stride).map { pairs[$0] }
    var best = (alignment: OrientationAlignment.identity, cost: Double.infinity)
    for step in 0..<36 {
      let yaw = Double(step - 18) * .pi / 18
      let turn = Quaternion(angle: yaw, axis: .unitZ)
      let rotations = sample.map { (turn * $0.estimate).conjugate * $0.reference }
      let candidate = OrientationAlignment(yaw: yaw, sensorRotation: Self.dominant(rotations))
      let residuals = rotations.map { $0.angle(to: candidate.sensorRotation) }
      let cost = Statistics.median(residuals) ?? .infinity
      if cost < best.cost { best = (candidate, cost) }
    }
    return best.alignment
  }

  /// Returns the quaternion q with the largest Σ (q · qᵢ)²: a mean that is independent of signs and follows the
  /// majority (Markley, Cheng, Crassidis and Oshman, "Averaging quaternions", JGCD 30(4), 2007). Power iteration is
  /// precise enough for a start.
  private static func dominant(_ rotations: [Quaternion]) -> Quaternion {
    var q = rotations[0]
    for _ in 0..<30 {
      var sum = Quaternion(x: 0, y: 0, z: 0, w: 0)
      for r in rotations {
        let s = r.dot(q)
        sum = Quaternion(x: sum.x + s * r.x, y: sum.y + s * r.y, z: sum.z + s * r.z, w: sum.w + s * r.w)
      }
      guard let next = sum.normalized else { break }
      q = next
    }
    return q
  }

  private mutating func refine() {
    var huber = HuberWeights(threshold: 0)
    for iteration in 0..<200 {
      let residuals = pairs.map { ($0.reference.conjugate * alignment.apply($0.estimate)).rotationVector }
      // A scale that follows the fit could make it cycle, so it is fixed after a few iterations.
      if iteration < 10 {
        let median = Statistics.median(residuals.map(\.norm)) ?? 0
        // The norm of three normal errors has the median 1.538 σ and the 90 % point 2.5 σ.
        huber = HuberWeights(threshold: 2.5 * median / 1.538)
      }
      guard step(residuals, huber) > 1e-12 else { return }
    }
  }

  /// Performs one Gauss-Newton step and returns its size in radians.
  ///
  /// To first order r changes by δ for q_sensor ⊗ exp(δ) and by u dψ for the yaw, where u is the vertical in the
  /// reference's body axes. The gradient Σ w (r; u·r) is exact, because r is an eigenvector of the exact Jacobian with
  /// eigenvalue 1, so the fixed point is the same as in the full problem.
  private mutating func step(_ residuals: [Vector3], _ huber: HuberWeights) -> Double {
    var weights = 0.0
    var (meanResidual, meanVertical, turn) = (Vector3.zero, Vector3.zero, 0.0)
    for (pair, r) in zip(pairs, residuals) {
      let w = huber.weight(r.norm)
      let vertical = alignment.apply(pair.estimate).rotateInverse(.unitZ)
      weights += w
      meanResidual += w * r
      meanVertical += w * vertical
      turn += w * vertical.dot(r)
    }
    meanResidual /= weights
    meanVertical /= weights
    // The normal equations [I, ū; ūᵀ, 1], with δ eliminated. Their determinant is the spread of the vertical.
    let spread = 1 - meanVertical.squaredNorm
    let yawStep = spread > 1e-9 ? -(turn / weights - meanVertical.dot(meanResidual)) / spread : 0
    let sensorStep = -meanResidual - yawStep * meanVertical
    let sensorRotation = alignment.sensorRotation * Quaternion(rotationVector: sensorStep)
    alignment.sensorRotation = sensorRotation.normalized ?? sensorRotation
    alignment.yaw = wrapped(alignment.yaw + yawStep)
    return max(abs(yawStep), sensorStep.norm)
  }
}
