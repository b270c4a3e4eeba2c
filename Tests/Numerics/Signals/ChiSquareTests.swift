import Testing

@Suite("χ² distribution") struct ChiSquareTests {
  @Test(
    "quantiles match the tables, to five digits for few degrees of freedom, to 1 % from 30 and to 0.1 % from 100",
    arguments: [
      (1.0, 0.95, 3.841459, 1e-5), (1, 0.05, 0.003932140, 1e-5), (2, 0.5, 1.386294, 1e-5), (3, 0.025, 0.2157953, 1e-5),
      (5, 0.975, 12.83250, 1e-5), (10, 0.001, 1.478743, 1e-5), (30, 0.999, 59.70306, 1e-5), (90, 0.5, 89.33422, 1e-5),
      (30, 0.001, 11.588, 0.01), (30, 0.05, 18.493, 0.01), (30, 0.95, 43.773, 0.01), (100, 0.001, 61.918, 0.001),
      (100, 0.05, 77.929, 0.001), (100, 0.5, 99.334, 0.001), (100, 0.95, 124.342, 0.001), (100, 0.999, 149.449, 0.001),
    ])
  func tables(degrees: Double, probability: Double, value: Double, tolerance: Double) {
    #expect(abs(ChiSquare(degreesOfFreedom: degrees).quantile(probability) / value - 1) < tolerance)
  }

  @Test("a band leaves the same probability on both sides")
  func band() {
    let distribution = ChiSquare(degreesOfFreedom: 180)
    let band = distribution.band(0.99)
    #expect(band.lowerBound == distribution.quantile(0.005))
    #expect(abs(band.upperBound / distribution.quantile(0.995) - 1) < 1e-12)
  }

  @Test("a far tail of half a degree of freedom is small but not 0")
  func farTail() {
    // P(1/4, x/2) is nearly (x/2)^(1/4) / Γ(5/4) there.
    #expect(abs(ChiSquare(degreesOfFreedom: 0.5).quantile(0.001) / 1.3498e-12 - 1) < 1e-3)
  }
}
