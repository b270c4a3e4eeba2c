internal import InertialNumerics
internal import InertialSystem

/// Levenberg and Marquardt's least squares in which residuals that do not belong lose their weight.
///
/// Cauchy's weights, with the scale of each kind of residual taken from the residuals themselves (their median absolute
/// value). Weak expectations of the parameters make every problem solvable; which parameters the residuals decided, and
/// which only the expectations, the covariance tells.
struct RobustLeastSquares {
  /// Residuals of one kind, which share a scale: rows of the whole, in blocks that are weighted together.
  struct Group {
    var rows: Range<Int>
    /// Residuals of one observation.
    var blockSize = 1
    /// The scale is no smaller: 1 where residuals are given in their known deviations.
    var leastScale = 1e-12
    /// Whether the rows are in order of time, so that neighbours may err alike: then they are worth fewer.
    var isSeries = false
  }

  /// Residuals and their derivatives by the parameters.
  struct Linearization {
    var residuals: [Double]
    var jacobian: Matrix
  }

  struct Solution {
    var parameters: [Double]
    var covariance: Matrix
    /// The standard deviation of a residual of each group, outliers apart.
    var scales: [Double]
    /// The residuals at the solution.
    var residuals: [Double]
    /// 0 to 1 for each row: below 0.1 it is an outlier.
    var weights: [Double]

    /// Parameters that were kept near what is expected.
    var untold: Set<Int> = []

    func sigma(_ index: Int) -> Double { covariance[index, index].standardDeviation }
  }

  var groups: [Group]
  /// What each parameter is expected to be, and its standard deviation.
  var expected: [Double]
  var expectedSigmas: [Double]
  /// How many of the last parameters are errors of what was known before, in their deviations: found only so that the others'
  /// covariance has them.
  var nuisanceCount = 0
  /// Cauchy's constant: a residual of so many scales has half its weight.
  private static let constant = 3.0
  private static let rounds = 8
  private static let steps = 6

  /// The solution with the parameters kept near what is expected that the residuals do not tell well enough.
  ///
  /// - Parameters:
  ///   - free: the solution in which nothing is left.
  ///   - limit: the largest standard deviation of a parameter that is worth a change, and that of what is kept.
  /// - Returns: `free` where it tells all; nil where something is not finite.
  func keeping(_ free: Solution, beyond limit: Double, _ linearize: ([Double]) -> Linearization) -> Solution? {
    let untold = free.parameters.indices.dropLast(nuisanceCount).filter { free.sigma($0) > limit }
    guard !untold.isEmpty else { return free }
    var (problem, start) = (self, free.parameters)
    for index in untold {
      start[index] = expected[index]
      problem.expectedSigmas[index] = limit
    }
    guard var solution = problem.solve(from: start, linearize) else { return nil }
    // About what is kept, the truth deviates as it does about the free solution, and by the way from there.
    solution.covariance = free.covariance
    let change = zip(free.parameters, solution.parameters).map { $0 - $1 }
    for row in change.indices {
      for column in change.indices { solution.covariance[row, column] += change[row] * change[column] }
    }
    solution.untold = Set(untold)
    return solution
  }

  /// - Returns: nil where something is not finite.
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

  /// The solution at which the residuals are across given derivatives, which need not be those of the residuals: where noise
  /// is in both, derivatives at what the residuals' noise does not touch make no error of them (instrumental variables).
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

  /// How many rows of each group are worth one beside what was known before.
  private func worths(_ residuals: [Double], _ scales: [Double]) -> [Double] {
    zip(groups, scales).map { group, scale in
      group.isSeries && nuisanceCount > 0 ? correlation(residuals, group, scale) : 1
    }
  }

  private func solution(_ now: Linearization, _ parameters: [Double], _ robust: [Double]) -> Solution? {
    let relative = relativeWeights(now.residuals, robust)
    // Of the parameters, what the residuals decide and not the expectations.
    let decided = weights(now.residuals, robust, worths(now.residuals, robust))
    guard let told = try? Cholesky(normal(now, decided, damping: 0)) else { return nil }
    let inverse = told.inverse
    let count = parameters.indices.reduce(0.0) {
      $0 + 1 - inverse[$1, $1] / (expectedSigmas[$1] * expectedSigmas[$1])
    }
    let share = count / Double(max(1, now.residuals.count))
    // Without the outliers, and with the parameters that the residuals have paid for.
    let scales = groups.enumerated().map { index, group -> Double in
      var (sum, count) = (0.0, 0.0)
      for row in group.rows {
        sum += relative[row] * now.residuals[row] * now.residuals[row]
        count += relative[row]
      }
      let free = count - share * Double(group.rows.count)
      return free > 0 ? max((sum / free).squareRoot(), group.leastScale) : robust[index]
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

  /// How many neighbours are worth one independent residual: the sum of the autocorrelation while it lasts.
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

  /// Never 0, so that exact data can be fitted, too.
  private func scale(of residuals: [Double], _ group: Group) -> Double {
    let sizes = group.rows.map { abs(residuals[$0]) }
    let median = Statistics.median(sizes) ?? 0
    return max(1.4826 * median, group.leastScale)
  }
}
