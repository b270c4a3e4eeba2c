internal import InertialNumerics
internal import InertialSystem

/// The drift of a bias about its mean: a Gauss-Markov process, whose correlation between two times decreases with their
/// distance.
public struct BiasDrift: Sendable, Equatable {
  /// The standard deviation about the mean, in g.
  public var sigma: Double
  /// The time in which the correlation falls to 1/e, in s.
  public var time: Double

  func covariance(_ one: Double, _ other: Double) -> Double { sigma * sigma * exp(-abs(one - other) / time) }
}

/// The solution for poses of an accelerometer with a drifting bias, by generalised least squares.
///
/// Poses within one minute have correlated deviations, so they contain less information than independent ones, and a
/// pose that recurs after minutes determines the drift. The drift's deviation and time, and the excess of each pose,
/// maximize the likelihood of the deviations with the nine parameters integrated out (restricted maximum likelihood; D.
/// A. Harville, "Maximum likelihood approaches to variance component estimation", JASA 72 (1977)).
struct DriftingPoses {
  let solution: RobustLeastSquares.Solution
  let drift: BiasDrift
  /// The independent deviation of each pose beyond the samples' noise, in g.
  let excess: Double

  private let times: [Double]
  private let slopes: [Vector3]
  /// The vector C⁻¹ r at the solution.
  private let weighted: [Double]

  /// The usable numbers of poses: fewer do not determine a drift, and with more it does not improve the mean.
  private static let counts = 20...300
  private static let minimumGain = 2.0
  private static let driftTimes = [10.0, 30, 60, 120, 240, 480, 960]
  /// The deviations of the drift relative to the excess of the poses.
  private static let driftFractions = [0.35, 0.5, 0.7, 1, 1.4, 2, 2.8]
  private static let excessFractions = [0.1, 0.25, 0.4, 0.55, 0.7, 0.85, 1]

  /// - Parameters:
  ///   - poses: The poses, sorted by time.
  ///   - sigmas: The deviation of each pose due to the samples' noise, in g.
  ///   - fitted: The solution without a drift.
  ///   - excess: The deviation of the poses in it beyond their noise, in g.
  ///   - priors: The inverse prior variance 1 / σ² of each parameter.
  /// - Returns: `nil` if a drift does not explain more than its two parameters cost, by Akaike's information criterion.
  init?(
    _ poses: [StillPose], _ sigmas: [Double], _ fitted: RobustLeastSquares.Solution, excess: Double, _ priors: [Double]
  ) {
    guard Self.counts.contains(poses.count), excess > 0 else { return nil }
    let times = poses.map { 0.5 * ($0.start + $0.end) }
    let first = Linear(poses, fitted.parameters)
    // Outliers keep their reduced weight.
    let variances = zip(sigmas, fitted.weights).map { sigma, weight in (sigma * sigma, weight < 0.5 ? 1 / weight : 1) }
    func estimate(_ linear: Linear, _ drift: BiasDrift?, _ own: Double) -> Estimate? {
      Estimate(
        linear, times, variances: variances.map { ($0.0 + own * own) * $0.1 }, drift, parameters: linear.parameters,
        priors)
    }
    var plain = -Double.infinity
    for fraction in Self.excessFractions + [1.2, 1.4] {
      plain = max(plain, estimate(first, nil, fraction * excess)?.likelihood ?? plain)
    }
    var best: (likelihood: Double, drift: BiasDrift, excess: Double)?
    for time in Self.driftTimes {
      for fraction in Self.driftFractions {
        for own in Self.excessFractions {
          let drift = BiasDrift(sigma: fraction * excess, time: time)
          guard let found = estimate(first, drift, own * excess), found.likelihood > best?.likelihood ?? -.infinity
          else {
            continue
          }
          best = (found.likelihood, drift, own * excess)
        }
      }
    }
    guard let best, best.likelihood - plain > Self.minimumGain else { return nil }
    var linear = first
    for _ in 0..<3 {
      guard let next = estimate(linear, best.drift, best.excess) else { return nil }
      linear = Linear(poses, next.parameters)
    }
    guard let last = estimate(linear, best.drift, best.excess) else { return nil }
    var solution = fitted
    solution.parameters = last.parameters
    if solution.unobservable.isEmpty { solution.covariance = last.covariance }
    let end = Linear(poses, last.parameters)
    solution.residuals = end.residuals
    (self.solution, drift, self.excess, self.times, slopes) = (solution, best.drift, best.excess, times, end.slopes)
    weighted = last.root.solve(end.residuals)
  }

  /// Returns the expected effect of the drift on the magnitude of another pose's acceleration, as a fraction of g.
  func expectedDeviation(of pose: StillPose) -> Double {
    let slope = AccelerometerFit.row(pose.acceleration, AccelerometerFit.model(solution.parameters)).slope
    let time = 0.5 * (pose.start + pose.end)
    return times.indices.reduce(0) { sum, index in
      sum + weighted[index] * drift.covariance(times[index], time) * slope.dot(slopes[index])
    }
  }

  /// The deviations of the poses' magnitudes and their derivatives.
  private struct Linear {
    var parameters: [Double]
    var residuals: [Double] = []
    var jacobian: Matrix
    /// The derivatives with respect to the acceleration.
    var slopes: [Vector3] = []

    init(_ poses: [StillPose], _ parameters: [Double]) {
      self.parameters = parameters
      jacobian = Matrix(rowCount: poses.count, columnCount: parameters.count)
      let model = AccelerometerFit.model(parameters)
      for (row, pose) in poses.enumerated() {
        let (residual, derivatives, slope) = AccelerometerFit.row(pose.acceleration, model)
        residuals.append(residual)
        slopes.append(slope)
        for column in derivatives.indices { jacobian[row, column] = derivatives[column] }
      }
    }
  }

  /// The most likely parameters with given variances, and the likelihood of the deviations.
  private struct Estimate {
    var parameters: [Double]
    var covariance: Matrix
    var likelihood: Double
    /// The Cholesky factor of the deviations' covariance.
    var root: Cholesky

    init?(
      _ linear: Linear, _ times: [Double], variances: [Double], _ drift: BiasDrift?, parameters: [Double],
      _ priors: [Double]
    ) {
      let n = variances.count
      let covariance = Matrix(rowCount: n, columnCount: n) { row, column in
        let shared =
          drift.map { $0.covariance(times[row], times[column]) * linear.slopes[row].dot(linear.slopes[column]) } ?? 0
        return row == column ? shared + variances[row] : shared
      }
      guard let root = try? Cholesky(covariance) else { return nil }
      let residuals = root.whiten(linear.residuals)
      var jacobian = linear.jacobian
      for column in parameters.indices {
        let whitened = root.whiten((0..<n).map { linear.jacobian[$0, column] })
        for row in 0..<n { jacobian[row, column] = whitened[row] }
      }
      var normal = jacobian.ownTransposeTimes
      var gradient = jacobian.transposeTimes(residuals.map { -$0 })
      var cost = residuals.reduce(0) { $0 + $1 * $1 }
      for index in parameters.indices {
        let offset = AccelerometerFit.expected[index] - parameters[index]
        normal[index, index] += priors[index]
        gradient[index] += priors[index] * offset
        cost += priors[index] * offset * offset
      }
      guard let inner = try? Cholesky(normal) else { return nil }
      let step = inner.solve(gradient)
      cost -= zip(gradient, step).reduce(0) { $0 + $1.0 * $1.1 }
      likelihood = -0.5 * (cost + root.logDeterminant + inner.logDeterminant)
      self.parameters = zip(parameters, step).map { $0 + $1 }
      self.covariance = inner.inverse
      self.root = root
    }
  }
}
