internal import InertialNumerics
internal import InertialSystem

/// The five terms of a sensor's noise, fitted together to its Allan variance.
///
/// Generalised least squares with the covariance that the terms themselves imply (`DeviationCovariance`), so that a
/// coefficient's deviation accounts for the correlation of adjacent points of the curve. A term is included in the
/// result if the likelihood supports it; the others have an upper limit.
public struct NoiseFit: Sendable, Codable, Equatable {
  /// The estimate of one term.
  public struct TermEstimate: Sendable, Codable, Equatable {
    /// The coefficient, in the unit specified by `NoiseProcess`, or `nil` if the term is not significant.
    public var value: Double?
    /// The standard deviation of the coefficient, or `nil` without a value.
    public var sigma: Double?
    /// The 95 % upper limit of a term that is not significant, or `nil` if the series is too short for a limit.
    public var upperLimit: Double?

    /// Creates the estimate of a term, empty by default.
    public init(value: Double? = nil, sigma: Double? = nil, upperLimit: Double? = nil) {
      (self.value, self.sigma, self.upperLimit) = (value, sigma, upperLimit)
    }
  }

  /// Q: quantisation of the integral.
  public var quantization = TermEstimate()
  /// N: angle or velocity random walk.
  public var white = TermEstimate()
  /// B: bias instability; the curve's floor is 0.664 B.
  public var biasInstability = TermEstimate()
  /// K: random walk of the value.
  public var rateRandomWalk = TermEstimate()
  /// R: drift.
  public var rateRamp = TermEstimate()
  /// The shortest averaging time of the fit, in seconds: below it, a sensor's own filters distort the curve.
  public var shortestTime = 0.0
  /// The longest averaging time of the fit, in seconds.
  public var longestTime = 0.0
  /// The χ² of the fit per degree of freedom: above 1, the noise does not consist of the five terms alone, and the
  /// deviations have been multiplied by its root.
  public var misfit = 0.0

  /// Creates an empty fit.
  public init() {}

  /// The finding for a term.
  public subscript(process: NoiseProcess) -> TermEstimate {
    get {
      switch process {
      case .quantization: quantization
      case .white: white
      case .biasInstability: biasInstability
      case .rateRandomWalk: rateRandomWalk
      case .rateRamp: rateRamp
      }
    }
    set {
      switch process {
      case .quantization: quantization = newValue
      case .white: white = newValue
      case .biasInstability: biasInstability = newValue
      case .rateRandomWalk: rateRandomWalk = newValue
      case .rateRamp: rateRamp = newValue
      }
    }
  }

  /// Returns the Allan deviation of the found terms at a time in seconds.
  public func deviation(at time: Double) -> Double {
    NoiseProcess.allCases.reduce(0) { sum, process in
      let value = self[process].value ?? 0
      return sum + value * value * process.variance(at: time)
    }.squareRoot()
  }

  /// The minimum number of averaging times for a fit.
  static let minimumPointCount = 4
  /// The maximum number of octaves that are skipped at the short end.
  private static let maximumSkippedCount = 6

  /// Fits several series of a log, all of one length.
  ///
  /// - Returns: `nil` for a series that is too short (fewer than 64 values) or constant.
  public static func fits(of series: [RegularSeries]) -> [NoiseFit?] {
    guard let count = series.map(\.values.count).max(), count >= 64 else { return series.map { _ in nil } }
    let factors = octaves(sampleCount: count)
    let covariance = DeviationCovariance(factors: factors, sampleCount: count)
    let curves = StabilityCurve.curves(of: series, factors: factors)
    return zip(series, curves).map { series, curves in
      // A series with another length has another covariance, which is rarely needed.
      if series.values.count == count {
        return NoiseFit(curves[0], covariance, sampleCount: count, period: series.period)
      }
      return fits(of: [series])[0]
    }
  }

  /// Returns averaging factors one octave apart, which contain nearly all information. At the longest, a mean covers an
  /// eighth of the series.
  private static func octaves(sampleCount: Int) -> [Int] {
    Array(sequence(first: 1) { $0 * 2 }.prefix { $0 <= sampleCount / 8 })
  }

  private init?(_ curve: StabilityCurve, _ covariance: DeviationCovariance, sampleCount: Int, period: Double) {
    let factors = curve.points.map(\.factor)
    let variances = curve.points.map { $0.deviation * $0.deviation }
    guard factors.count >= Self.minimumPointCount, Array(covariance.factors.prefix(factors.count)) == factors,
      variances.allSatisfy({ $0 > 0 })
    else { return nil }
    let solver = Solver(factors: factors, variances: variances, covariance: covariance)
    var solutions: [(skipped: Int, Solver.Solution)] = []
    for skipped in 0...min(Self.maximumSkippedCount, factors.count - Self.minimumPointCount) {
      guard let solution = solver.select(skipping: skipped, sampleCount: sampleCount) else { continue }
      solutions.append((skipped, solution))
      if solution.misfit <= 1.5 { break }
    }
    guard let minimum = solutions.map(\.1.misfit).min(),
      let (skipped, found) = solutions.first(where: { $0.1.misfit <= max(1.5, 1.05 * minimum) })
    else { return nil }
    let chosen = solver.widened(found, skipping: skipped)
    misfit = chosen.misfit
    shortestTime = Double(factors[skipped]) * period
    longestTime = Double(factors.last!) * period
    let widening = max(1, misfit).squareRoot()
    for (position, process) in NoiseProcess.allCases.enumerated() {
      if let index = chosen.terms.firstIndex(of: position) {
        let coefficient = chosen.squares[index].squareRoot()
        self[process].value = process.inSeconds(coefficient, period: period)
        self[process].sigma = process.inSeconds(
          widening * chosen.sigmas[index] / (2 * coefficient), period: period)
      } else if let limit = solver.limit(of: position, with: chosen.terms, skipping: skipped) {
        self[process].upperLimit = process.inSeconds(limit, period: period)
      }
    }
  }
}

/// Fits of some of the five terms to Allan variances, with the time in sample periods.
private struct Solver {
  let factors: [Int]
  let variances: [Double]
  let covariance: DeviationCovariance

  /// The model error relative to the variance: no sensor follows the five terms more closely.
  private static let modelError = 0.01
  /// The minimum increase of twice the log likelihood for a further term.
  private static let minimumGain = 6.0
  private static let iterations = 5
  private static let limitIterations = 40
  /// The number of octaves of short times that are left out in the check of the white noise.
  private static let furtherSkips = 3
  /// The index of white noise in `NoiseProcess.allCases`.
  private static let white = 1
  /// The index of the ramp in `NoiseProcess.allCases`.
  private static let ramp = 4
  /// The minimum size of a ramp, in deviations of the slope due to noise.
  private static let minimumRamp = 3.0

  struct Solution {
    /// The indices in `NoiseProcess.allCases`.
    var terms: [Int]
    /// The squared coefficients, and their standard deviations.
    var squares: [Double]
    var sigmas: [Double]
    var chiSquare: Double
    /// Minus twice the log likelihood, except for a constant.
    var cost: Double
    var points: Int

    var misfit: Double { chiSquare / Double(max(1, points - terms.count)) }
    /// Whether each term is significant.
    var isSignificant: Bool { zip(squares, sigmas).allSatisfy { $0 > 2 * $1 } }
  }

  /// Returns the terms supported by the likelihood, added one at a time: starting from white noise, which nearly every
  /// sensor has, and from the term that explains most alone.
  func select(skipping skipped: Int, sampleCount: Int) -> Solution? {
    let all = Array(NoiseProcess.allCases.indices)
    guard let best = select(of: all, skipping: skipped) else { return nil }
    guard let index = best.terms.firstIndex(of: Self.ramp) else { return best }
    var certain = best
    guard let sigma = rampSigma(with: best, skipping: skipped, sampleCount: sampleCount) else { return best }
    let value = best.squares[index].squareRoot()
    guard value > Self.minimumRamp * sigma else { return select(of: all.dropLast(), skipping: skipped) ?? best }
    certain.sigmas[index] = max(best.sigmas[index], 2 * value * sigma)
    return certain
  }

  /// Returns the standard deviation of the slope of a line through the whole series due to noise alone, in the values'
  /// unit per period: the variance is 12 N² / T³ for white noise, 9 B² / (π T²) for flicker, 6 K² / (5 T) for a random
  /// walk. A random walk with only an upper limit counts with the limit.
  private func rampSigma(with solution: Solution, skipping skipped: Int, sampleCount: Int) -> Double? {
    var squares = [Double](repeating: 0, count: NoiseProcess.allCases.count)
    for (term, square) in zip(solution.terms, solution.squares) { squares[term] = square }
    let walk = Self.ramp - 1
    if !solution.terms.contains(walk) {
      guard let limit = limit(of: walk, with: solution.terms, skipping: skipped) else { return .infinity }
      squares[walk] = limit * limit
    }
    let length = Double(sampleCount)
    return
      (12 * squares[Self.white] / (length * length * length) + 9 / .pi * squares[2] / (length * length) + 1.2
      * squares[walk]
      / length).squareRoot()
  }

  /// Returns the growth of the white noise's square in a fit of the same terms without three octaves of the short
  /// times, and the variance of the growth by chance: if one estimate uses a part of the other's data, their variances
  /// subtract (J. A. Hausman, "Specification tests in econometrics", 1978). A sensor's filters, or repeated values,
  /// reduce noise at short times.
  private func further(
    _ solution: Solution, skipping skipped: Int
  ) -> (index: Int, shift: Double, chance: Double)? {
    guard let index = solution.terms.firstIndex(of: Self.white),
      solution.points > solution.terms.count + Self.furtherSkips,
      let fit = fit(solution.terms, skipping: skipped + Self.furtherSkips), fit.squares[index] > 0
    else { return nil }
    let chance = fit.sigmas[index] * fit.sigmas[index] - solution.sigmas[index] * solution.sigmas[index]
    return (index, fit.squares[index] - solution.squares[index], max(0, chance))
  }

  /// Returns the solution with deviations that account for the model's uncertainty: further terms that the likelihood
  /// does not support, and the shortest times. Terms that are then not significant are left out: a floor and the
  /// beginning of a random walk look alike in a short series.
  func widened(_ solution: Solution, skipping skipped: Int) -> Solution {
    var result = solution
    for other in NoiseProcess.allCases.indices where other != Self.ramp && !solution.terms.contains(other) {
      let terms = (solution.terms + [other]).sorted()
      guard solution.points > terms.count, let fit = fit(terms, skipping: skipped),
        let added = terms.firstIndex(of: other), fit.squares[added] > 0
      else { continue }
      for (index, term) in solution.terms.enumerated() {
        let shift = fit.squares[terms.firstIndex(of: term)!] - solution.squares[index]
        result.sigmas[index] = (result.sigmas[index] * result.sigmas[index] + shift * shift).squareRoot()
      }
    }
    if let further = further(solution, skipping: skipped) {
      let more = max(0, further.shift * further.shift - further.chance)
      result.sigmas[further.index] = (result.sigmas[further.index] * result.sigmas[further.index] + more).squareRoot()
    }
    let kept = result.terms.indices.filter { result.terms[$0] == Self.white || result.squares[$0] > result.sigmas[$0] }
    result.terms = kept.map { result.terms[$0] }
    result.squares = kept.map { result.squares[$0] }
    result.sigmas = kept.map { result.sigmas[$0] }
    return result
  }

  private func select(of allowed: [Int], skipping skipped: Int) -> Solution? {
    let single = allowed.compactMap { significant([$0], skipping: skipped) }
    let starts = [single.first { $0.terms == [Self.white] }, single.min { $0.cost < $1.cost }].compactMap { $0 }
    return starts.map { extended($0, by: allowed, skipping: skipped) }.min { demand($0) < demand($1) }
  }

  private func extended(_ start: Solution, by allowed: [Int], skipping skipped: Int) -> Solution {
    var best = start
    while best.terms.count < allowed.count, best.points > best.terms.count + 1 {
      let candidates = allowed.filter { !best.terms.contains($0) }.compactMap {
        significant((best.terms + [$0]).sorted(), skipping: skipped)
      }
      guard let next = candidates.min(by: { demand($0) < demand($1) }), demand(next) < demand(best) else { break }
      best = next
    }
    return best
  }

  private func significant(_ terms: [Int], skipping skipped: Int) -> Solution? {
    fit(terms, skipping: skipped).flatMap { $0.isSignificant ? $0 : nil }
  }

  /// Returns the criterion for the choice between models: each term has a penalty. A ramp has twice the penalty,
  /// because a random walk looks like a ramp in a short series.
  private func demand(_ solution: Solution) -> Double {
    solution.cost + Self.minimumGain * Double(solution.terms.count + (solution.terms.contains(Self.ramp) ? 1 : 0))
  }

  /// Returns the 95 % upper limit of a coefficient, fitted together with others: a term as large as the limit would be
  /// estimated smaller than the found value in one case of twenty. Therefore, the errors are computed for a term of
  /// that size.
  ///
  /// - Returns: `nil` if a term of any size could result in the found value: the series is too short.
  func limit(of term: Int, with others: [Int], skipping skipped: Int) -> Double? {
    let terms = (others + [term]).sorted()
    guard let index = terms.firstIndex(of: term), let first = fit(terms, skipping: skipped) else { return nil }
    func next(_ fit: Solution) -> Double {
      max(0, fit.squares[index]) + 1.645 * max(1, fit.misfit).squareRoot() * fit.sigmas[index]
    }
    var square = next(first)
    for _ in 0..<Self.limitIterations {
      var assumed = first.squares
      assumed[index] = square
      guard square.isFinite, square > 0, let fit = fit(terms, skipping: skipped, assuming: assumed) else { return nil }
      let last = square
      square = max(square, next(fit))
      if square < 1.01 * last { return square.squareRoot() }
    }
    return nil
  }

  /// - Parameter assumed: The squares that determine the errors, or `nil` for those of the fit.
  private func fit(_ terms: [Int], skipping skipped: Int, assuming assumed: [Double]? = nil) -> Solution? {
    let times = factors.dropFirst(skipped).map(Double.init)
    let measured = Array(variances.dropFirst(skipped))
    guard times.count > terms.count else { return nil }
    let design = Matrix(rowCount: times.count, columnCount: terms.count) { row, column in
      NoiseProcess.allCases[terms[column]].variance(at: times[row])
    }
    // At first, each point has the same relative error.
    var errors = Matrix(diagonal: measured.map { 0.09 * $0 * $0 })
    if let assumed { errors = self.errors(terms, assumed, design, skipping: skipped) }
    var squares: [Double] = []
    for iteration in (assumed == nil ? 0 : Self.iterations)...Self.iterations {
      guard let root = try? Cholesky(errors) else { return nil }
      let normal = design.transposeTimes(root.solve(design))
      guard let inverse = try? Cholesky(normal) else { return nil }
      squares = inverse.solve(design.transposeTimes(root.solve(measured)))
      if iteration == Self.iterations {
        let residuals = zip(measured, design * squares).map { $0 - $1 }
        let chiSquare = zip(residuals, root.solve(residuals)).reduce(0) { $0 + $1.0 * $1.1 }
        return Solution(
          terms: terms, squares: squares, sigmas: inverse.inverse.diagonal.map(\.standardDeviation),
          chiSquare: chiSquare, cost: chiSquare + root.logDeterminant, points: times.count)
      }
      errors = self.errors(terms, squares, design, skipping: skipped)
    }
    return nil
  }

  private func errors(_ terms: [Int], _ squares: [Double], _ design: Matrix, skipping skipped: Int) -> Matrix {
    var all = [Double](repeating: 0, count: NoiseProcess.allCases.count)
    // A term with a negative square is absent.
    for (term, square) in zip(terms, squares) { all[term] = max(square, 0) }
    let whole = covariance.matrix(all)
    let model = design * terms.map { all[$0] }
    let count = model.count
    var errors = whole.block(skipped, skipped, rowCount: count, columnCount: count)
    for index in 0..<count {
      let floor = Self.modelError * model[index]
      errors[index, index] += max(floor * floor, .leastNormalMagnitude)
    }
    return errors
  }
}
