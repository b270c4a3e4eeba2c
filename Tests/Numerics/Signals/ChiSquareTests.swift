import InertialNumerics
import Testing

@Suite("χ² distribution") struct ChiSquareTests {
  @Test(
    "quantiles match the tables, to 0.1 % from 100 degrees of freedom and to 1 % from 30",
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

  @Test(
    "quantiles of few degrees of freedom match the tables to five digits",
    arguments: [
      (1.0, 0.95, 3.841459), (1, 0.05, 0.003932140), (2, 0.5, 1.386294), (3, 0.025, 0.2157953), (5, 0.975, 12.83250),
      (10, 0.001, 1.478743), (30, 0.999, 59.70306), (90, 0.5, 89.33422),
    ])
  func fewDegrees(degrees: Double, probability: Double, value: Double) {
    let quantile = ChiSquare(degreesOfFreedom: degrees).quantile(probability)
    #expect(abs(quantile / value - 1) < 1e-5)
  }

  @Test("a far tail of half a degree of freedom is small but not 0")
  func farTail() {
    // P(1/4, x/2) is nearly (x/2)^(1/4) / Γ(5/4) there.
    #expect(abs(ChiSquare(degreesOfFreedom: 0.5).quantile(0.001) / 1.3498e-12 - 1) < 1e-3)
  }
}
