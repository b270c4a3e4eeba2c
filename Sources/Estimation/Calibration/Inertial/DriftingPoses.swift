internal import InertialNumerics
internal import InertialSystem

/// How a bias wanders about its mean: a process of Gauss and Markov, by which two times have the less in common the further
/// they are apart.
public struct BiasDrift: Sendable, Equatable {
  /// Standard deviation about the mean, g.
  public var sigma: Double
  /// After which two times have 1/e in common, s.
  public var time: Double

  func covariance(_ one: Double, _ other: Double) -> Double { sigma * sigma * exp(-abs(one - other) / time) }
}

/// Poses of an accelerometer whose bias drifts while they are made, by generalised least squares.
///
/// Poses of one minute deviate alike: so they are worth fewer than they are many, and a pose that comes back after minutes
/// tells the drift. The drift's deviation and time, and what is left of each pose for itself, are those that the deviations are
/// likeliest with, the nine numbers integrated out (restricted maximum likelihood; D. A. Harville, "Maximum likelihood
/// approaches to variance component estimation", JASA 72 (1977)).
struct DriftingPoses {
  let solution: RobustLeastSquares.Solution
  let drift: BiasDrift
  /// Of each pose for itself, beyond the samples' noise, g.
  let excess: Double

  private let times: [Double]
  private let slopes: [Vector3]
  /// C⁻¹ r at the solution.
  private let weighted: [Double]

  /// Fewer tell no drift, and of more the mean is known as well without it.
  private static let counts = 20...300
  private static let leastGain = 2.0
  private static let driftTimes = [10.0, 30, 60, 120, 240, 480, 960]
  /// Of what poses deviate by beyond noise.
  private static let driftShares = [0.35, 0.5, 0.7, 1, 1.4, 2, 2.8]
  private static let excessShares = [0.1, 0.25, 0.4, 0.55, 0.7, 0.85, 1]

  /// - Parameters:
  ///   - poses: in order of time.
  ///   - sigmas: of each by its samples' noise, g.
  ///   - told: the solution without a drift.
  ///   - excess: by which poses deviate in it beyond their noise, g.
  ///   - priors: 1 / σ² of what is expected of each parameter.
  /// - Returns: nil where a drift explains no more than its two numbers cost: by Akaike's information criterion.
  init?(
    _ poses: [StillPose], _ sigmas: [Double], _ told: RobustLeastSquares.Solution, excess: Double, _ priors: [Double]
  ) {
    guard Self.counts.contains(poses.count), excess > 0 else { return nil }
    let times = poses.map { 0.5 * ($0.start + $0.end) }
    let first = Linear(poses, told.parameters)
    // Poses that did not belong have as little say as before.
    let variances = zip(sigmas, told.weights).map { sigma, weight in (sigma * sigma, weight < 0.5 ? 1 / weight : 1) }
    func estimate(_ linear: Linear, _ drift: BiasDrift?, _ own: Double) -> Estimate? {
      Estimate(
        linear, times, variances: variances.map { ($0.0 + own * own) * $0.1 }, drift, parameters: linear.parameters,
        priors)
    }
    var plain = -Double.infinity
    for share in Self.excessShares + [1.2, 1.4] {
      plain = max(plain, estimate(first, nil, share * excess)?.likelihood ?? plain)
    }
    var best: (likelihood: Double, drift: BiasDrift, excess: Double)?
    for time in Self.driftTimes {
      for share in Self.driftShares {
        for own in Self.excessShares {
          let drift = BiasDrift(sigma: share * excess, time: time)
          guard let found = estimate(first, drift, own * excess), found.likelihood > best?.likelihood ?? -.infinity
          else {
            continue
          }
          best = (found.likelihood, drift, own * excess)
        }
      }
    }
    guard let best, best.likelihood - plain > Self.leastGain else { return nil }
    var linear = first
    for _ in 0..<3 {
      guard let next = estimate(linear, best.drift, best.excess) else { return nil }
      linear = Linear(poses, next.parameters)
    }
    guard let last = estimate(linear, best.drift, best.excess) else { return nil }
    var solution = told
    solution.parameters = last.parameters
    if solution.untold.isEmpty { solution.covariance = last.covariance }
    let end = Linear(poses, last.parameters)
    solution.residuals = end.residuals
    (self.solution, drift, self.excess, self.times, slopes) = (solution, best.drift, best.excess, times, end.slopes)
    weighted = last.root.solve(end.residuals)
  }

  /// What the drift is likely to do to the length of another pose's acceleration, as a share of g.
  func expectedDeviation(of pose: StillPose) -> Double {
    let slope = AccelerometerFit.row(pose.acceleration, AccelerometerFit.model(solution.parameters)).slope
    let time = 0.5 * (pose.start + pose.end)
    return times.indices.reduce(0) { sum, index in
      sum + weighted[index] * drift.covariance(times[index], time) * slope.dot(slopes[index])
    }
  }

  /// The deviations of the poses' lengths and their derivatives.
  private struct Linear {
    var parameters: [Double]
    var residuals: [Double] = []
    var jacobian: Matrix
    /// By what is added to the acceleration.
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

  /// The parameters that are likeliest with given variances, and how likely the deviations are with those.
  private struct Estimate {
    var parameters: [Double]
    var covariance: Matrix
    var likelihood: Double
    /// Of the deviations' covariance.
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
