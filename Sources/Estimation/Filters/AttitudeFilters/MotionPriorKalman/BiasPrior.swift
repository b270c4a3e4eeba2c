internal import InertialNumerics
internal import InertialSystem

/// What is known beforehand of a sensor's bias, here told of the gyroscope's: it is normal with a standard deviation
/// that nobody knows.
///
/// A calibrated gyroscope's bias is some tenths of a degree a second, a raw one's several degrees, and a log does not
/// say which it is. About a level axis gravity shows the bias soon; about the vertical nothing does without a field.
/// But the axes are of one device: a bias that is small about two of them is likely to be small about the third. So
/// the standard deviations of a grid are weighed by how likely each makes what has been measured (empirical Bayes;
/// Robbins, "An empirical Bayes approach to statistics", Berkeley Symposium 3 (1956)), and the filter's prior has
/// their mean precision. It is narrowed and widened as the weights change.
struct BiasPrior: Sendable, Codable, Equatable {
  /// Seconds to the first look, the share of the age between later ones, and the longest wait.
  private static let looks = (first: 0.2, share: 0.02, last: 5.0)

  /// What the prior holds now about each axis, 1 / σ².
  private(set) var information: Double
  /// An earlier pass has found it.
  private(set) var isFinal = false
  private var age = 0.0
  private var nextLook = BiasPrior.looks.first

  /// - Parameter precisions: 1 / σ² of the grid.
  init(_ precisions: [Double]) { information = precisions.reduce(0, +) / Double(precisions.count) }

  /// The prior that an earlier pass over the same samples has found.
  init(found information: Double) {
    self.information = information
    isFinal = true
  }

  /// As the bias walks, the prior is forgotten.
  ///
  /// - Returns: whether it is time to look again.
  mutating func pass(_ duration: Double, walk: Double) -> Bool {
    age += duration
    information = 1 / (1 / information + walk * duration)
    guard !isFinal, age >= nextLook else { return false }
    nextLook = age + min(max(Self.looks.first, Self.looks.share * age), Self.looks.last)
    return true
  }

  /// The information that is to be added about each axis for the prior to be what is now believed; negative where it
  /// was too narrow; nil where there is nothing to change.
  ///
  /// With P⁻¹ = J + λ₀ and j = P⁻¹ b, J what has been measured and λ₀ the prior's precision, the likelihood of a
  /// precision λ is |J + λ|^−½ λ^(3/2) exp(½ jᵀ (J + λ)⁻¹ j).
  ///
  /// - Parameters:
  ///   - bias: estimated, rad/s.
  ///   - covariance: of its errors.
  ///   - precisions: 1 / σ² of the grid.
  mutating func change(bias: Vector3, covariance: Matrix3, _ precisions: [Double]) -> Double? {
    guard let precision = covariance.inverse else { return nil }
    let weighted = precision * bias
    let believed: Double? = withUnsafeTemporaryAllocation(of: Double.self, capacity: precisions.count) { likelihoods in
      for (place, candidate) in precisions.enumerated() {
        let shift = candidate - information
        let posterior = precision + Matrix3(diagonal: Vector3(repeating: shift))
        let determinant = posterior.determinant
        guard determinant > 0, let spread = posterior.inverse else { return nil }
        let likelihood = 0.5 * (3 * log(candidate) - log(determinant) + weighted.dot(spread * weighted))
        likelihoods.initializeElement(at: place, to: likelihood)
      }
      guard let best = likelihoods.max(), best.isFinite else { return nil }
      var (sum, mean) = (0.0, 0.0)
      for (candidate, likelihood) in zip(precisions, likelihoods) {
        let weight = exp(likelihood - best)
        sum += weight
        mean += weight * candidate
      }
      return mean / sum
    }
    guard let believed else { return nil }
    // No more is taken away than is there: the least that is known about any axis is more than 1 / trace P.
    let trace = covariance.m11 + covariance.m22 + covariance.m33
    let least = -max(0, 1 / trace - (precisions.min() ?? 0))
    let change = max(believed - information, least)
    guard abs(change) > 0.02 * information else { return nil }
    information += change
    return change
  }
}
