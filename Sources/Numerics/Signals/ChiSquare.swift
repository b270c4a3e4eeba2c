internal import InertialSystem

/// The χ² distribution of the sum of the squares of independent standard normal numbers.
public struct ChiSquare: Sendable, Hashable {
  /// The degrees of freedom; more than 0.
  public let degreesOfFreedom: Double

  /// Creates the distribution with a number of degrees of freedom, which need not be an integer; more than 0.
  public init(degreesOfFreedom: Double) {
    precondition(degreesOfFreedom > 0, "χ² with \(degreesOfFreedom) degrees of freedom")
    self.degreesOfFreedom = degreesOfFreedom
  }

  /// Returns the value that the distribution stays below with a probability.
  ///
  /// Up to 100 degrees of freedom, it uses bisection of the incomplete gamma function, to 12 digits; beyond, Wilson and
  /// Hilferty's cube (1931), accurate to 0.1 % for probabilities of 0.001 to 0.999.
  public func quantile(_ probability: Double) -> Double {
    let spread = 2 / (9 * degreesOfFreedom)
    let root = 1 - spread + ChiSquare.normalQuantile(probability) * spread.squareRoot()
    let cube = degreesOfFreedom * max(0, root) * max(0, root) * max(0, root)
    guard degreesOfFreedom < 100 else { return cube }
    // Logarithmic, as a quantile for few degrees of freedom can be arbitrarily small.
    var (low, high) = (-700.0, log(max(cube, degreesOfFreedom) + 40 * (1 + degreesOfFreedom)))
    while true {
      let middle = 0.5 * (low + high)
      guard middle > low, middle < high, high - low > 1e-13 else { return exp(middle) }
      if probabilityBelow(exp(middle)) < probability { low = middle } else { high = middle }
    }
  }

  /// Returns the regularised incomplete gamma function P(k / 2, x / 2), by its series or its continued fraction
  /// (Abramowitz and Stegun, 6.5.29 and 6.5.31), for fewer than 100 degrees of freedom.
  private func probabilityBelow(_ value: Double) -> Double {
    let (a, x) = (0.5 * degreesOfFreedom, 0.5 * value)
    let scale = exp(a * log(x) - x) / tgamma(a)
    guard x > a + 1 else {
      var (term, sum, divisor) = (1 / a, 1 / a, a)
      while term > sum * 1e-16 {
        divisor += 1
        term *= x / divisor
        sum += term
      }
      return scale * sum
    }
    // Lentz's method.
    var b = x + 1 - a
    var (c, d) = (1e300, 1 / b)
    var fraction = d
    for n in 1...1000 {
      let factor = Double(n) * (a - Double(n))
      b += 2
      d = 1 / (factor * d + b)
      c = b + factor / c
      fraction *= c * d
      if abs(c * d - 1) < 1e-15 { break }
    }
    return 1 - scale * fraction
  }

  /// Returns the interval with equal tails that contains a probability.
  public func band(_ probability: Double) -> ClosedRange<Double> {
    quantile(0.5 - 0.5 * probability)...quantile(0.5 + 0.5 * probability)
  }

  /// Returns the quantile of the standard normal distribution, by bisection of erfc.
  static func normalQuantile(_ probability: Double) -> Double {
    precondition(probability > 0 && probability < 1, "a quantile of \(probability)")
    var low = -40.0
    var high = 40.0
    while true {
      let middle = 0.5 * (low + high)
      guard middle > low, middle < high else { return middle }
      if 0.5 * erfc(-middle / 2.0.squareRoot()) < probability { low = middle } else { high = middle }
    }
  }
}
