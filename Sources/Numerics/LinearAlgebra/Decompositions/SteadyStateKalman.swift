/// The steady state of a Kalman filter of a constant model x⁺ = F x + w, z = H x + v, with covariances Q of w and R of v.
///
/// The covariance P after a prediction solves the discrete algebraic Riccati equation
/// P = F (P − P Hᵀ (H P Hᵀ + R)⁻¹ H P) Fᵀ + Q, with the doubling algorithm of Anderson and Moore, "Optimal Filtering"
/// (1979), section 6.7, on LAPACK (dgetrf, dgetrs): γ after k steps is the covariance of a filter that starts without
/// an error, after 2ᵏ predictions. It only grows, so states of very different variances keep their digits, which an
/// eigenproblem of the symplectic pencil loses if poles are close to 1.
package struct SteadyStateKalman: Sendable, Equatable {
  /// P: the covariance after a prediction, n by n.
  package let predictedCovariance: Matrix

  /// K = P Hᵀ (H P Hᵀ + R)⁻¹: the gain of the update x ← x + K (z − H x), n by m.
  package let gain: Matrix

  /// The maximum number of doublings: poles as close to 1 as the rounding of a `Double` need 58.
  private static let maximumCount = 64

  /// Solves for the steady state of n states and m measurements.
  ///
  /// - Parameters:
  ///   - f: The transition F, n by n.
  ///   - q: The process noise Q of one step, n by n and positive semidefinite, which disturbs every state that H shows.
  ///   - h: The observation H, m by n, which shows every state that does not decay.
  ///   - r: The measurement noise R, m by m and positive definite.
  /// - Throws: `singular`, `nonFinite`, `notConverged` if the filter has no steady state.
  package init(
    transition f: Matrix, processNoise q: Matrix, observation h: Matrix, noise r: Matrix
  ) throws(LinearAlgebraError) {
    BLASThreads.useOne()
    let identity = Matrix.identity(f.rowCount)
    var (α, β, γ) = (f.transpose, h.transposeTimes(try r.solve(h)), q)
    for _ in 0..<Self.maximumCount {
      let w = try LU(identity + β * γ)
      let (wα, wβ) = (w.solve(α), w.solve(β))
      let growth = α.transposeTimes(γ * wα)
      β += (α * wβ).timesTranspose(α)
      γ += growth
      α = α * wα
      β.symmetrize()
      γ.symmetrize()
      // The growth is positive semidefinite, so its diagonal bounds it.
      guard zip(growth.diagonal, γ.diagonal).allSatisfy({ $0 <= 0.5 * Double.ulpOfOne * $1 }) else { continue }
      predictedCovariance = γ
      gain = try (h * γ.timesTranspose(h) + r).solve(h * γ).transpose
      return
    }
    throw .notConverged(decomposition: "Riccati equation", remaining: f.rowCount)
  }
}
