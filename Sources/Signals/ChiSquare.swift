internal import SystemLibrary

/// The χ² distribution: of the sum of the squares of independent standard normal numbers.
public struct ChiSquare: Sendable, Hashable {
  /// More than 0.
  public let degreesOfFreedom: Double

  /// The distribution of a number of degrees of freedom, which need not be whole; more than 0.
  public init(degreesOfFreedom: Double) {
    precondition(degreesOfFreedom > 0, "χ² with \(degreesOfFreedom) degrees of freedom")
    self.degreesOfFreedom = degreesOfFreedom
  }

  /// The value that the distribution stays below with a probability, by Wilson and Hilferty's cube (1931): right to
  /// 1 % from 30 degrees of freedom and to 0.1 % from 100, for probabilities of 0.001 to 0.999.
  public func quantile(_ probability: Double) -> Double {
    let spread = 2 / (9 * degreesOfFreedom)
    let root = 1 - spread + ChiSquare.normalQuantile(probability) * spread.squareRoot()
    return degreesOfFreedom * max(0, root) * max(0, root) * max(0, root)
  }

  /// The interval, with equal tails, that holds a probability.
  public func band(_ probability: Double) -> ClosedRange<Double> {
    quantile(0.5 - 0.5 * probability)...quantile(0.5 + 0.5 * probability)
  }

  /// The quantile of the standard normal distribution, by bisection of erfc.
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
