package import InertialNumerics

/// A test whether stated sigmas allow an error with a probability of 95 %, for normal errors with independent
/// components.
///
/// The horizontal test uses χ² with two degrees of freedom, eₓ²/σₓ² + e_y²/σ_y² < 5.991, the vertical test χ² with one,
/// e_z²/σ_z² < 3.841: the normalised estimation error squared (Bar-Shalom, Li and Kirubarajan, "Estimation with
/// applications to tracking and navigation", 2001, section 5.4).
package struct PositionBound: Sendable, Hashable {
  package let isInsideHorizontally: Bool
  package let isInsideVertically: Bool

  private static let level = ChiSquare(degreesOfFreedom: 2).quantile(0.95)
  private static let upright = ChiSquare(degreesOfFreedom: 1).quantile(0.95)

  /// - Parameters:
  ///   - error: The error in m, in the axes of the sigmas.
  ///   - sigma: The standard deviations by component, in m.
  /// - Returns: `nil` for sigmas that are negative or not finite.
  package init?(error: Vector3, sigma: Vector3) {
    guard sigma.isFinite, sigma.x >= 0, sigma.y >= 0, sigma.z >= 0 else { return nil }
    // A zero error is allowed by any sigma, including 0; a sigma of 0 allows no other error.
    func square(_ error: Double, _ sigma: Double) -> Double {
      error == 0 ? 0 : error * error / (sigma * sigma)
    }
    isInsideHorizontally = square(error.x, sigma.x) + square(error.y, sigma.y) <= Self.level
    isInsideVertically = square(error.z, sigma.z) <= Self.upright
  }
}
