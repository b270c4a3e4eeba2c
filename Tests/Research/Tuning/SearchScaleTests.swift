import Testing

@testable import InertialFilters
@testable import InertialResearch

@Suite struct SearchScaleTests {
  private func facts(_ value: Double, _ range: ClosedRange<Double>) -> ParameterFacts {
    // Only a filter creates parameter facts; those of a test are decoded from JSON.
    .init(
      name: "p", unit: "s", defaultValue: value, minimum: range.lowerBound, maximum: range.upperBound,
      meaning: "a parameter")
  }

  @Test("a positive range of decades is searched in factors of two, about the default")
  func logarithmic() {
    let scale = SearchScale(facts(4, 0.01...1000))
    #expect(scale.kind == .logarithmic)
    #expect(scale.value(at: 0) == 4 && scale.value(at: 1) == 8 && scale.value(at: -2) == 1)
    #expect(scale.coordinate(of: 16) == 2)
  }

  @Test("a range from zero is logarithmic near the default, and reaches zero")
  func fromZero() {
    let scale = SearchScale(facts(0.05, 0...10))
    #expect(scale.kind == .logarithmicFromZero(bend: 0.005) && abs(scale.value(at: 0) - 0.05) < 1e-15)
    #expect(abs(scale.value(at: 1) / 0.1 - 1) < 0.01)
    #expect(abs(scale.value(at: -1) / 0.025 - 1) < 0.04 && scale.value(at: scale.bounds.lowerBound) == 0)
  }

  @Test("a narrow range is searched linearly, in sixths")
  func linear() {
    let scale = SearchScale(facts(0.5, 0...0.6))
    #expect(scale.kind == .linear && abs(scale.value(at: -1) - 0.4) < 1e-15)
    #expect(SearchScale(facts(0, 0...10)).kind == .linear && SearchScale(facts(3, 1...50)).kind == .linear)
  }

  @Test("every parameter of every filter is recovered from its coordinate, and stays in its range")
  func everyParameter() {
    for kind in FilterKind.all {
      for facts in kind.parameters {
        let scale = SearchScale(facts)
        let tolerance = 1e-12 * max(1, abs(facts.defaultValue))
        #expect(abs(scale.coordinate(of: facts.defaultValue)) < 1e-12)
        #expect(abs(scale.value(at: 0) - facts.defaultValue) <= tolerance, "\(kind.name).\(facts.name)")
        for coordinate in [scale.bounds.lowerBound - 1, scale.bounds.lowerBound, scale.bounds.upperBound, 1e3, -1e3] {
          let value = scale.value(at: coordinate)
          #expect(value >= facts.minimum && value <= facts.maximum, "\(kind.name).\(facts.name): \(value)")
        }
        #expect(scale.bounds.contains(0))
      }
    }
  }
}
