internal import InertialNumerics
internal import InertialSystem

/// The Levenberg-Marquardt least squares method with reduced weights of outliers.
///
/// It uses Cauchy's weights, with the scale of each kind of residual from the residuals themselves (their median
/// absolute value). Weak priors on the parameters make every problem solvable; the covariance shows which parameters
/// are determined by the residuals, and which only by the priors.
struct RobustLeastSquares {
  /// A group of residuals that share a scale: rows of the problem, in blocks that are weighted together.
  struct Group {
    var rows: Range<Int>
    /// The number of residuals of one observation.
    var blockSize = 1
    /// The minimum scale: 1 if residuals are given in units of their known deviations.
    var minimumScale = 1e-12
    /// Whether the rows are sorted by time, so that adjacent errors may be correlated: then their total weight is
    /// reduced.
    var isSeries = false
  }

  /// The residuals and their derivatives with respect to the parameters.
  struct Linearization {
    var residuals: [Double]
    var jacobian: Matrix
  }

  struct Solution {
    var parameters: [Double]
    var covariance: Matrix
    /// The standard deviation of a residual of each group, without outliers.
    var scales: [Double]
    /// The residuals at the solution.
    var residuals: [Double]
    /// The weight of each row, 0...1; below 0.1 the row is an outlier.
    var weights: [Double]

    /// The indices of the parameters that were kept near their expected values.
    var unobservable: Set<Int> = []

    func sigma(_ index: Int) -> Double { covariance[index, index].standardDeviation }
  }

  var groups: [Group]
  /// The expected value of each parameter, and its standard deviation.
  var expected: [Double]
  var expectedSigmas: [Double]
  /// The number of parameters at the end that are errors of previous estimates, in units of their deviations. They are
  /// included only for their effect on the others' covariance.
  var nuisanceCount = 0
  /// Cauchy's constant: the residual, in scales, that has half its weight.
  private static let constant = 3.0
  private static let rounds = 8
  private static let steps = 6

  /// Returns the solution in which parameters with a too large uncertainty are kept near their expected values.
  ///
  /// - Parameters:
  ///   - free: The solution in which all parameters are free.
  ///   - limit: The largest standard deviation of a parameter that is changed, and the prior deviation of those that
  ///     are kept.
  ///   - linearize: Returns the residuals and derivatives at given parameters.
  /// - Returns: `free` if it determines all parameters, or `nil` if a number is not finite.
  func keeping(_ free: Solution, beyond limit: Double, _ linearize: ([Double]) -> Linearization) -> Solution? {
    let unobservable = free.parameters.indices.dropLast(nuisanceCount).filter { free.sigma($0) > limit }
    guard !unobservable.isEmpty else { return free }
    var (problem, start) = (self, free.parameters)
    for index in unobservable {
      start[index] = expected[index]
      problem.expectedSigmas[index] = limit
    }
    guard var solution = problem.solve(from: start, linearize) else { return nil }
    // The covariance about the kept values equals the free solution's, plus the square of the difference between the
    // two.
    solution.covariance = free.covariance
    let change = zip(free.parameters, solution.parameters).map { $0 - $1 }
    for row in change.indices {
      for column in change.indices { solution.covariance[row, column] += change[row] * change[column] }
    }
    solution.unobservable = Set(unobservable)
    return solution
  }

  /// - Returns: The solution, or `nil` if a number is not finite.
  func solve(from start: [Double], _ linearize: ([Double]) -> Linearization) -> Solution? {
    var parameters = start
    var now = linearize(parameters)
    var scales = groups.map { scale(of: now.residuals, $0) }
    var worths = groups.map { _ in 1.0 }
    for _ in 0..<Self.rounds {
      var damping = 1e-6
      var cost = self.cost(now.residuals, parameters, scales, worths)
      for _ in 0..<Self.steps {
        let weights = weights(now.residuals, scales, worths)
        guard let step = step(now, parameters, weights, damping: damping) else { return nil }
        let next = zip(parameters, step).map { $0 + $1 }
        let linearization = linearize(next)
        let nextCost = self.cost(linearization.residuals, next, scales, worths)
        guard nextCost.isFinite, nextCost <= cost else {
          damping *= 30
          continue
        }
        let gain = cost - nextCost
        (parameters, now, cost) = (next, linearization, nextCost)
        damping /= 10
        if gain < 1e-10 * cost { break }
      }
      scales = groups.map { scale(of: now.residuals, $0) }
      worths = self.worths(now.residuals, scales)
    }
    return solution(now, parameters, scales)
  }

  /// Returns the solution at which the residuals are orthogonal to given derivatives, which may differ from the
  /// derivatives of the residuals: if both contain noise, derivatives at values without the residuals' noise avoid a
  /// bias (instrumental variables).
  func refine(_ first: Solution, _ linearize: ([Double]) -> Linearization) -> Solution? {
    var parameters = first.parameters
    var now = linearize(parameters)
    for _ in 0..<Self.steps {
      let scales = groups.map { scale(of: now.residuals, $0) }
      let weights = weights(now.residuals, scales, worths(now.residuals, scales))
      guard let step = step(now, parameters, weights, damping: 0) else { return nil }
      parameters = zip(parameters, step).map { $0 + $1 }
      now = linearize(parameters)
    }
    return solution(now, parameters, groups.map { scale(of: now.residuals, $0) })
  }

  /// Returns, for each group, the number of rows with the information of one independent row, relative to previous
  /// estimates.
  private func worths(_ residuals: [Double], _ scales: [Double]) -> [Double] {
    zip(groups, scales).map { group, scale in
      group.isSeries && nuisanceCount > 0 ? correlation(residuals, group, scale) : 1
    }
  }

  private func solution(_ now: Linearization, _ parameters: [Double], _ robust: [Double]) -> Solution? {
    let relative = relativeWeights(now.residuals, robust)
    // The covariance due to the residuals alone, without the priors.
    let decided = weights(now.residuals, robust, worths(now.residuals, robust))
    guard let factorization = try? Cholesky(normal(now, decided, damping: 0)) else { return nil }
    let inverse = factorization.inverse
    let count = parameters.indices.reduce(0.0) {
      $0 + 1 - inverse[$1, $1] / (expectedSigmas[$1] * expectedSigmas[$1])
    }
    let fraction = count / Double(max(1, now.residuals.count))
    // The scales exclude the outliers, and account for the parameters that the residuals have determined.
    let scales = groups.enumerated().map { index, group -> Double in
      var (sum, count) = (0.0, 0.0)
      for row in group.rows {
        sum += relative[row] * now.residuals[row] * now.residuals[row]
        count += relative[row]
      }
      let free = count - fraction * Double(group.rows.count)
      return free > 0 ? max((sum / free).squareRoot(), group.minimumScale) : robust[index]
    }
    let worth = zip(groups, scales).map { group, scale in
      group.isSeries ? scale * correlation(now.residuals, group, scale).squareRoot() : scale
    }
    let weights = zip(relative, rowScales(worth)).map { $0 / ($1 * $1) }
    guard let root = try? Cholesky(normal(now, weights, damping: 0)) else { return nil }
    return Solution(
      parameters: parameters, covariance: root.inverse, scales: scales, residuals: now.residuals, weights: relative)
  }

  private func step(
    _ now: Linearization, _ parameters: [Double], _ weights: [Double], damping: Double
  ) -> [Double]? {
    var gradient = now.jacobian.transposeTimes(zip(weights, now.residuals).map { -$0 * $1 })
    for index in parameters.indices {
      gradient[index] += (expected[index] - parameters[index]) / (expectedSigmas[index] * expectedSigmas[index])
    }
    guard gradient.allSatisfy(\.isFinite), let root = try? Cholesky(normal(now, weights, damping: damping)) else {
      return nil
    }
    return root.solve(gradient)
  }

  private func normal(_ now: Linearization, _ weights: [Double], damping: Double) -> Matrix {
    var weighted = now.jacobian
    let roots = weights.map { $0.squareRoot() }
    for column in 0..<weighted.columnCount {
      for row in 0..<weighted.rowCount { weighted[row, column] *= roots[row] }
    }
    var normal = weighted.ownTransposeTimes
    for index in 0..<normal.rowCount {
      normal[index, index] *= 1 + damping
      normal[index, index] += 1 / (expectedSigmas[index] * expectedSigmas[index])
    }
    return normal
  }

  private func rowScales(_ scales: [Double]) -> [Double] {
    var result = [Double](repeating: 1, count: groups.map(\.rows.upperBound).max() ?? 0)
    for (group, scale) in zip(groups, scales) {
      for row in group.rows { result[row] = scale }
    }
    return result
  }

  private func weights(_ residuals: [Double], _ scales: [Double], _ worths: [Double]) -> [Double] {
    let worth = zip(scales, worths).map { $0 * $1.squareRoot() }
    return zip(relativeWeights(residuals, scales), rowScales(worth)).map { $0 / ($1 * $1) }
  }

  private func relativeWeights(_ residuals: [Double], _ scales: [Double]) -> [Double] {
    var weights = [Double](repeating: 1, count: residuals.count)
    for (group, scale) in zip(groups, scales) {
      for start in stride(from: group.rows.lowerBound, to: group.rows.upperBound, by: group.blockSize) {
        let block = start..<(start + group.blockSize)
        let weight = 1 / (1 + meanSquare(residuals, block) / (Self.constant * Self.constant * scale * scale))
        for row in block { weights[row] = weight }
      }
    }
    return weights
  }

  private func cost(
    _ residuals: [Double], _ parameters: [Double], _ scales: [Double], _ worths: [Double]
  ) -> Double {
    var cost = 0.0
    let squared = Self.constant * Self.constant
    for ((group, scale), worth) in zip(zip(groups, scales), worths) {
      for start in stride(from: group.rows.lowerBound, to: group.rows.upperBound, by: group.blockSize) {
        let z = meanSquare(residuals, start..<(start + group.blockSize)) / (scale * scale)
        cost += Double(group.blockSize) * 0.5 * squared * log(1 + z / squared) / worth
      }
    }
    for index in parameters.indices {
      let z = (parameters[index] - expected[index]) / expectedSigmas[index]
      cost += 0.5 * z * z
    }
    return cost
  }

  /// Returns the number of adjacent residuals with the information of one independent residual: the sum of the
  /// autocorrelation while it is significant.
  private func correlation(_ residuals: [Double], _ group: Group, _ scale: Double) -> Double {
    let values = group.rows.map { min(3 * scale, max(-3 * scale, residuals[$0])) }
    let square = values.reduce(0) { $0 + $1 * $1 }
    guard square > 0 else { return 1 }
    var sum = 1.0
    for lag in 1..<max(2, min(values.count / 4, 500)) {
      var product = 0.0
      for index in lag..<max(lag, values.count) { product += values[index] * values[index - lag] }
      let correlation = product / square
      guard correlation > 0.05 else { break }
      sum += 2 * correlation
    }
    return sum
  }

  private func meanSquare(_ residuals: [Double], _ block: Range<Int>) -> Double {
    block.reduce(0) { $0 + residuals[$1] * residuals[$1] } / Double(block.count)
  }

  /// Returns the scale, which is never 0, so that exact data can be fitted, too.
  private func scale(of residuals: [Double], _ group: Group) -> Double {
    let sizes = group.rows.map { abs(residuals[$0]) }
    let median = Statistics.median(sizes) ?? 0
    return max(1.4826 * median, group.minimumScale)
  }
}
