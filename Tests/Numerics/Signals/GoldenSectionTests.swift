import Foundation
import InertialNumerics
import Testing

@Suite("Golden-section search")
struct GoldenSectionTests {
  @Test(
    "the minimum is found to half the tolerance, within the interval and at its ends",
    arguments: [-2, -1.3, 0, 0.7, 3], [1e-3, 1e-6])
  func minimum(place: Double, tolerance: Double) {
    let found = goldenSectionMinimum(in: -2...3, tolerance: tolerance) { abs($0 - place) + pow($0 - place, 2) }
    #expect(abs(found - place) <= tolerance / 2 + 1e-15)
  }

  @Test("each step calls the function once and shortens the interval by the golden ratio")
  func calls() {
    var count = 0
    _ = goldenSectionMinimum(in: 0...1, tolerance: 1e-3) {
      count += 1
      return $0 * $0
    }
    // 0.618¹⁴ = 0.0012 and 0.618¹⁵ = 0.0007.
    #expect(count == 2 + 15)
  }

  @Test("an interval shorter than the tolerance yields its middle")
  func short() {
    #expect(goldenSectionMinimum(in: 1...1.5, tolerance: 1) { $0 } == 1.25)
  }
}
