import Signals
import Testing

@Suite("χ² distribution")
struct ChiSquareTests {
  @Test(
    "quantiles are those of the tables, to 0.1 % from 100 degrees of freedom and to 1 % from 30",
    arguments: [
      (30.0, 0.001, 11.588, 0.01), (30, 0.05, 18.493, 0.01), (30, 0.95, 43.773, 0.01), (30, 0.999, 59.703, 0.01),
      (100, 0.001, 61.918, 0.001), (100, 0.05, 77.929, 0.001), (100, 0.5, 99.334, 0.001),
      (100, 0.95, 124.342, 0.001), (100, 0.999, 149.449, 0.001),
    ])
  func tables(degrees: Double, probability: Double, value: Double, tolerance: Double) {
    let quantile = ChiSquare(degreesOfFreedom: degrees).quantile(probability)
    #expect(abs(quantile / value - 1) < tolerance)
  }

  @Test("a band leaves the same probability on both sides")
  func band() {
    let distribution = ChiSquare(degreesOfFreedom: 180)
    let band = distribution.band(0.99)
    #expect(band.lowerBound == distribution.quantile(0.005))
    #expect(abs(band.upperBound / distribution.quantile(0.995) - 1) < 1e-12)
  }

  @Test("far below what the approximation reaches a quantile is 0 and not negative")
  func farTail() { #expect(ChiSquare(degreesOfFreedom: 0.5).quantile(0.001) == 0) }
}
