/// Gauss coefficients g, h and their rates, Schmidt semi-normalised, in nT and nT per year: degree n from 1 and order m
/// from 0 to n, flat in that order.
struct GaussCoefficients: Sendable, Equatable {
  private(set) var g: [Double] = []
  private(set) var h: [Double] = []
  private(set) var gRate: [Double] = []
  private(set) var hRate: [Double] = []

  /// Returns the index of degree n and order m.
  static func index(_ n: Int, _ m: Int) -> Int { n * (n + 1) / 2 - 1 + m }

  /// Returns whether degree n and order m are the next ones in the order of the file.
  func isNext(_ n: Int, _ m: Int) -> Bool {
    (1...100).contains(n) && (0...n).contains(m) && Self.index(n, m) == g.count
  }

  mutating func append(g: Double, h: Double, gRate: Double, hRate: Double) {
    self.g.append(g)
    self.h.append(h)
    self.gRate.append(gRate)
    self.hRate.append(hRate)
  }

  /// The highest degree, or `nil` if there are no coefficients or the last degree is incomplete.
  var completeDegree: Int? {
    (1...100).first { Self.index($0, $0) == g.count - 1 }
  }
}
