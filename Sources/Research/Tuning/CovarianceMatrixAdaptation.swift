internal import InertialNumerics
internal import InertialSystem

/// The evolution strategy with covariance matrix adaptation, CMA-ES: a normal distribution that moves toward small
/// values and adapts to the shape of the function.
///
/// It follows Hansen, "The CMA evolution strategy: a tutorial" (arXiv 1604.00772), with the constants of its table 1,
/// including negative weights. A sample outside the box has the value at the box's nearest point, plus a penalty that
/// grows with the square of its distance (the tutorial's section B.5).
public struct CovarianceMatrixAdaptation: Minimizer {
  /// The standard deviation that no coordinate exceeds at convergence.
  public var pointTolerance = 1e-8

  private let box: SearchBox
  private let constants: Constants
  private var generator: SeededGenerator
  private var mean: [Double]
  private var stepSize: Double
  private var covariance: Matrix
  /// The eigenvectors of the covariance and the square roots of its eigenvalues.
  private var axes: Matrix
  private var lengths: [Double]
  private var stepPath: [Double]
  private var covariancePath: [Double]
  private var generation = 0
  /// The samples as drawn, before they are clamped to the box.
  private var population: [[Double]] = []
  private var bestSoFar: (point: [Double], value: Double)?

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - start: The first mean.
  ///   - stepSize: The first standard deviation along every coordinate: about a third of the expected distance of the
  ///     minimum.
  ///   - box: The box.
  ///   - seed: The seed of the samples.
  ///   - populationSize: The samples per generation, or `nil` for 4 + ⌊3 ln n⌋.
  public init(start: [Double], stepSize: Double, box: SearchBox, seed: UInt64, populationSize: Int? = nil) {
    precondition(start.count == box.count, "start and box differ in size")
    precondition(stepSize > 0 && stepSize.isFinite, "a step size of \(stepSize)")
    let n = box.count
    self.box = box
    self.stepSize = stepSize
    constants = Constants(n, populationSize ?? 4 + Int(3 * log(Double(n))))
    generator = SeededGenerator(seed: seed)
    mean = box.clamped(start)
    covariance = .identity(n)
    axes = .identity(n)
    lengths = Array(repeating: 1, count: n)
    stepPath = Array(repeating: 0, count: n)
    covariancePath = Array(repeating: 0, count: n)
  }

  public var best: (point: [Double], value: Double)? { bestSoFar }

  public var isConverged: Bool {
    generation > 0 && stepSize * (lengths.max() ?? 0) <= pointTolerance
  }

  public mutating func ask() -> [[Double]] {
    if population.isEmpty {
      for _ in 0..<constants.populationSize {
        let z = mean.indices.map { _ in generator.normal() }
        let y = axes * zip(z, lengths).map { $0 * $1 }
        population.append(zip(mean, y).map { $0 + stepSize * $1 })
      }
    }
    return population.map(box.clamped)
  }

  public mutating func tell(_ values: [Double]) {
    precondition(values.count == population.count, "\(values.count) values for \(population.count) points")
    let feasible = population.map(box.clamped)
    for (point, value) in zip(feasible, values) where ranked(value) < bestSoFar?.value ?? .infinity {
      bestSoFar = (point, value)
    }
    let penalized = penalized(values, feasible)
    // Equal values are sorted by index, so that the order never depends on the sorting algorithm.
    let order = penalized.indices.sorted { (penalized[$0], $0) < (penalized[$1], $1) }
    let steps = order.map { index in zip(population[index], mean).map { ($0 - $1) / stepSize } }
    update(steps)
    population = []
    generation += 1
  }

  /// Returns the values with a penalty: the spread of the values for each squared standard deviation outside the box.
  private func penalized(_ values: [Double], _ feasible: [[Double]]) -> [Double] {
    let finite = values.filter(\.isFinite)
    let quarter = Statistics.percentile(25, of: finite) ?? 0
    let threeQuarters = Statistics.percentile(75, of: finite) ?? 1
    let spread = max(threeQuarters - quarter, 1e-12)
    return zip(values, zip(population, feasible)).map { value, points in
      let distance = points.0.indices.reduce(0.0) { sum, index in
        let sigma = stepSize * covariance[index, index].squareRoot()
        let outside = (points.0[index] - points.1[index]) / sigma
        return sum + outside * outside
      }
      return ranked(value) + (distance > 0 ? spread * distance : 0)
    }
  }

  /// Moves and reshapes the distribution; `steps` are (x − m)/σ, best first (the tutorial's appendix A).
  private mutating func update(_ steps: [[Double]]) {
    let n = Double(mean.count)
    let c = constants
    var meanStep = [Double](repeating: 0, count: mean.count)
    for (weight, step) in zip(c.weights, steps) where weight > 0 {
      for index in step.indices { meanStep[index] += weight * step[index] }
    }
    for index in mean.indices { mean[index] += stepSize * meanStep[index] }

    let whitened = whiten(meanStep)
    let stepGain = (c.stepRate * (2 - c.stepRate) * c.effectiveCount).squareRoot()
    stepPath = zip(stepPath, whitened).map { (1 - c.stepRate) * $0 + stepGain * $1 }
    let stepNorm = norm(stepPath)
    // The path of a new search is short, so it is compared with its expected length.
    let age = 1 - pow(1 - c.stepRate, 2 * Double(generation + 1))
    let isStalled = stepNorm / age.squareRoot() >= (1.4 + 2 / (n + 1)) * c.expectedNorm
    let pathGain = isStalled ? 0 : (c.pathRate * (2 - c.pathRate) * c.effectiveCount).squareRoot()
    covariancePath = zip(covariancePath, meanStep).map { (1 - c.pathRate) * $0 + pathGain * $1 }

    let lost = isStalled ? c.pathRate * (2 - c.pathRate) : 0
    let decay = 1 + c.rankOneRate * lost - c.rankOneRate - c.rankManyRate * c.weights.reduce(0, +)
    let weights = zip(c.weights, steps).map { weight, step in
      // A negative weight subtracts no more than the distribution has.
      weight >= 0 ? weight : weight * n / max(squaredNorm(whiten(step)), 1e-300)
    }
    covariance = Matrix(rowCount: mean.count, columnCount: mean.count) { row, column in
      var sum = decay * covariance[row, column]
      sum += c.rankOneRate * covariancePath[row] * covariancePath[column]
      for (weight, step) in zip(weights, steps) { sum += c.rankManyRate * weight * step[row] * step[column] }
      return sum
    }
    stepSize *= exp(min(1, c.stepRate / c.damping * (stepNorm / c.expectedNorm - 1)))
    decompose()
  }

  private mutating func decompose() {
    guard let eigen = try? SymmetricEigen(covariance), eigen.eigenvalues[0] > 0 else {
      // Rounding has made the covariance indefinite: it is reset to the identity, with the current mean.
      covariance = .identity(mean.count)
      axes = .identity(mean.count)
      lengths = Array(repeating: 1, count: mean.count)
      return
    }
    axes = eigen.eigenvectors
    lengths = eigen.eigenvalues.map { $0.squareRoot() }
  }

  /// Returns C^(−1/2) v.
  private func whiten(_ v: [Double]) -> [Double] {
    axes * zip(axes.transposeTimes(v), lengths).map { $0 / $1 }
  }

  private func squaredNorm(_ v: [Double]) -> Double { v.reduce(0) { $0 + $1 * $1 } }
  private func norm(_ v: [Double]) -> Double { squaredNorm(v).squareRoot() }
}

extension CovarianceMatrixAdaptation {
  /// The constants of the tutorial's table 1.
  struct Constants: Sendable {
    let populationSize: Int
    /// The weights by rank, best first: the better half positive with sum 1.
    let weights: [Double]
    /// μ_eff: the number of equally weighted samples with the same variance as the positive weights.
    let effectiveCount: Double
    /// c_σ and d_σ.
    let stepRate: Double
    let damping: Double
    /// c_c, c_1 and c_μ.
    let pathRate: Double
    let rankOneRate: Double
    let rankManyRate: Double
    /// E‖N(0, I)‖.
    let expectedNorm: Double

    init(_ coordinateCount: Int, _ populationSize: Int) {
      precondition(populationSize >= 4, "a population of \(populationSize) is too small")
      self.populationSize = populationSize
      let n = Double(coordinateCount)
      let raw = (1...populationSize).map { rank in
        log((Double(populationSize) + 1) / 2) - log(Double(rank))
      }
      func effective(_ weights: [Double]) -> Double {
        let sum = weights.reduce(0, +)
        return sum * sum / weights.reduce(0) { $0 + $1 * $1 }
      }
      let half = populationSize / 2
      let muEff = effective(Array(raw[..<half]))
      let muEffNegative = effective(Array(raw[half...]))
      let rankOne = 2 / ((n + 1.3) * (n + 1.3) + muEff)
      let rankMany = min(1 - rankOne, 2 * (0.25 + muEff + 1 / muEff - 2) / ((n + 2) * (n + 2) + muEff))
      // The sum of the negative weights is the smallest of three bounds, so that the covariance stays positive
      // definite.
      let negativeSum = min(
        1 + rankOne / rankMany, 1 + 2 * muEffNegative / (muEff + 2), (1 - rankOne - rankMany) / (n * rankMany))
      let positive = raw.reduce(0) { $0 + max(0, $1) }
      let negative = raw.reduce(0) { $0 - min(0, $1) }
      weights = raw.map { $0 >= 0 ? $0 / positive : $0 * negativeSum / negative }
      effectiveCount = muEff
      stepRate = (muEff + 2) / (n + muEff + 5)
      damping = 1 + 2 * max(0, ((muEff - 1) / (n + 1)).squareRoot() - 1) + stepRate
      pathRate = (4 + muEff / n) / (n + 4 + 2 * muEff / n)
      rankOneRate = rankOne
      rankManyRate = rankMany
      expectedNorm = n.squareRoot() * (1 - 1 / (4 * n) + 1 / (21 * n * n))
    }
  }
}
