internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

/// The prior of a sensor's bias: a normal distribution with an unknown standard deviation.
///
/// A calibrated gyroscope's bias is some tenths of a degree per second, a raw one's several degrees; an accelerometer's is
/// 3 to 50 mg; and a log does not specify which. Gravity soon reveals the gyroscope bias about a level axis; the bias about
/// the vertical is unobservable without a field. But the axes belong to one device: a bias that is small about two of
/// them is likely to be small about the third. Therefore, a grid of standard deviations is weighted by the likelihood of
/// the measurements under each (empirical Bayes; Robbins, "An empirical Bayes approach to statistics", Berkeley Symposium
/// 3 (1956)), and the filter's prior has their mean precision. It is narrowed and widened as the weights change.
struct BiasPrior: Sendable, Codable, Equatable {
  /// The time to the first evaluation in seconds, the interval of later ones as a fraction of the age, and the longest
  /// interval.
  private static let evaluationTimes = (first: 0.2, fraction: 0.02, last: 5.0)

  /// The present information of the prior about each axis, 1 / σ².
  private(set) var information: Double
  /// The logarithm of 1 / σ² of a typical device: the weighted mean over the grid.
  private(set) var typicalLogPrecision: Double
  private var age = 0.0
  private var nextEvaluation = BiasPrior.evaluationTimes.first

  /// - Parameter precisions: The values of 1 / σ² on the grid.
  init(_ precisions: [Double]) {
    information = precisions.reduce(0, +) / Double(precisions.count)
    typicalLogPrecision = precisions.reduce(0) { $0 + log($1) } / Double(precisions.count)
  }

  /// Lets the prior's information decay over an interval, because the bias walks.
  ///
  /// - Returns: Whether the prior is due for evaluation.
  mutating func advance(by duration: Double, walk: Double) -> Bool {
    age += duration
    information = 1 / (1 / information + walk * duration)
    guard age >= nextEvaluation else { return false }
    nextEvaluation =
      age + min(max(Self.evaluationTimes.first, Self.evaluationTimes.fraction * age), Self.evaluationTimes.last)
    return true
  }

  /// Returns the variance that an estimated bias would have with the grid's widest prior instead of the present one.
  func widened(_ variance: Double, _ precisions: [Double]) -> Double {
    let widest = precisions.min() ?? 0
    return max(variance, 1 / max(1 / variance - information + widest, widest))
  }

  /// Returns the information to add about each axis to update the prior, or `nil` if it does not change. The change is
  /// negative if the prior was too narrow.
  ///
  /// With P⁻¹ = J + λ₀ and j = P⁻¹ b, J the information of the measurements and λ₀ the prior's precision, the
  /// likelihood of a precision λ is |J + λ|^−½ λ^(3/2) exp(½ jᵀ (J + λ)⁻¹ j).
  ///
  /// - Parameters:
  ///   - bias: The estimated bias.
  ///   - covariance: The covariance of its errors.
  ///   - precisions: The values of 1 / σ² on the grid.
  mutating func change(bias: Vector3, covariance: Matrix3, _ precisions: [Double]) -> Double? {
    guard let precision = covariance.inverse else { return nil }
    let weighted = precision * bias
    let believed: (mean: Double, logarithm: Double)? = withUnsafeTemporaryAllocation(
      of: Double.self, capacity: precisions.count
    ) { likelihoods in
      for (index, candidate) in precisions.enumerated() {
        let shift = candidate - information
        let posterior = precision + Matrix3(diagonal: Vector3(repeating: shift))
        let determinant = posterior.determinant
        guard determinant > 0, let spread = posterior.inverse else { return nil }
        let likelihood = 0.5 * (3 * log(candidate) - log(determinant) + weighted.dot(spread * weighted))
        likelihoods.initializeElement(at: index, to: likelihood)
      }
      guard let best = likelihoods.max(), best.isFinite else { return nil }
      var (sum, mean, logarithm) = (0.0, 0.0, 0.0)
      for (candidate, likelihood) in zip(precisions, likelihoods) {
        let weight = exp(likelihood - best)
        sum += weight
        mean += weight * candidate
        logarithm += weight * log(candidate)
      }
      return (mean / sum, logarithm / sum)
    }
    guard let believed else { return nil }
    typicalLogPrecision = believed.logarithm
    // At most the existing information is removed: the minimum information about any axis is above 1 / trace P.
    let trace = covariance.m11 + covariance.m22 + covariance.m33
    let minimum = -max(0, 1 / trace - (precisions.min() ?? 0))
    let change = max(believed.mean - information, minimum)
    guard abs(change) > 0.02 * information else { return nil }
    information += change
    return change
  }
}

extension MotionPriorKalman.Parameters {
  /// The values of 1 / σ² for the standard deviations of the gyroscope's bias without a field, in (rad/s)⁻²: with the
  /// default from 0.25 °/s of a calibrated gyroscope to 8 °/s of the worst raw phones, each about twice the previous
  /// one.
  var biasPrecisions: [Double] { Self.precisions(from: 0.0875 * initialBiasSigma, count: 6) }

  /// The values of 1 / σ² for the standard deviations of the accelerometer's bias, in (m/s²)⁻²: with the default from
  /// 3 mg of a calibrated accelerometer to 48 mg of an uncalibrated one, each twice the previous one.
  var forceBiasPrecisions: [Double] {
    Self.precisions(from: 0.25 * accelerationBiasSigma * standardGravity, count: 5)
  }

  private static func precisions(from smallest: Double, count: Int) -> [Double] {
    (0..<count).map { step in
      let sigma = smallest * Double(1 << step)
      return 1 / (sigma * sigma)
    }
  }
}
