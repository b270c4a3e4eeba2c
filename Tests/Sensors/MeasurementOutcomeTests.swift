import Testing

@Suite struct MeasurementOutcomeTests {
  private func outcome(_ squared: Double?, gate: Double = .infinity, weight: Double = 1) -> MeasurementOutcome {
    MeasurementOutcome(
      .magneticField, count: 3, innovation: Vector3(1, 2, 3), variance: Vector3(4, 4, 4), normalizedSquared: squared,
      gate: gate, weight: weight, reason: .disturbedField)
  }

  @Test func `A measurement within the filter's own gate is accepted, and the test ratio is its fraction of the gate`()
  {
    let found = outcome(5, gate: 10)
    #expect(found.verdict == .accepted && found.testRatio == 0.5 && found.weight == 1)
  }

  @Test func `A measurement beyond the filter's own gate is rejected for that, with any weight`() {
    let found = outcome(10.5, gate: 10, weight: 0.01)
    #expect(found.verdict == .beyondGate && found.testRatio == 1.05 && found.weight == 0)
  }

  @Test func `Without a gate nothing is rejected for its innovation, and the usual gate is the yardstick`() {
    let found = outcome(1000)
    #expect(found.verdict == .accepted && found.gate == MeasurementOutcome.usualGate(3) && found.testRatio! > 1)
  }

  @Test func `A measurement that keeps less than a tenth of its weight is rejected for the reason given`() {
    #expect(outcome(1, weight: 0.099).verdict == .disturbedField)
    #expect(outcome(1, weight: 0.1).verdict == .accepted && outcome(nil, weight: 0).verdict == .disturbedField)
    #expect(outcome(nil, weight: 0).testRatio == nil)
  }

  @Test func `The usual gates are the χ² that three standard deviations leave out`() {
    let fraction = 0.997_300_203_936_74
    for count in 1...3 {
      let quantile = ChiSquare(degreesOfFreedom: Double(count)).quantile(fraction)
      #expect(abs(MeasurementOutcome.usualGate(count) - quantile) < 1e-3)
    }
  }

  @Test func `A measurement that was left out has no innovation, and has a reason`() {
    let found = MeasurementOutcome(.heading, leftOut: .unusable)
    #expect(found.count == 0 && found.verdict == .unusable && found.variance == nil)
  }
}

@Suite struct MeasurementLogTests {
  private let gravity = MeasurementOutcome(.gravity, leftOut: .motion)
  private let field = MeasurementOutcome(.magneticField, leftOut: .disturbedField)

  @Test func `What comes with a gyroscope sample or between it and the next belongs to it until the one after`() {
    var log = MeasurementLog()
    log.begin(at: 1)
    log.add(gravity, at: 1)
    #expect(log.outcomes == [gravity])
    log.add(field, at: 1.004)
    #expect(log.outcomes == [gravity, field])
    log.begin(at: 1.01)
    // The first was reported with the sample at 1; the second was too late for it.
    #expect(log.outcomes == [field])
    log.add(gravity, at: 1.01)
    #expect(log.outcomes == [field, gravity])
    log.begin(at: 1.02)
    #expect(log.outcomes.isEmpty)
  }

  @Test func `What comes before the first gyroscope sample belongs to it`() {
    var log = MeasurementLog()
    log.add(gravity, at: 0.5)
    log.begin(at: 1)
    #expect(log.outcomes == [gravity])
  }
}
