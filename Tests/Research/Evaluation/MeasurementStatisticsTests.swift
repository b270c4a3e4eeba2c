import InertialSensors
import Testing

@testable import InertialEvaluation

@Suite("Measurement statistics") struct MeasurementStatisticsTests {
  private func outcome(
    _ kind: MeasurementKind = .gravity, squared: Double?, gate: Double = .infinity, weight: Double = 1
  ) -> MeasurementOutcome {
    MeasurementOutcome(
      kind, count: 3, innovation: Vector3(1, 1, 1), variance: Vector3(1, 1, 1), normalizedSquared: squared, gate: gate,
      weight: weight, reason: .motion)
  }

  @Test("normal innovations have a mean NIS in its band and 95 % in theirs, but not with 10 % more sigma")
  func consistency() throws {
    for (factor, isConsistent) in [(1.0, true), (1.1, false)] {
      var generator = SeededGenerator(seed: 5)
      var tally = MeasurementStatistics(.gravity)
      for index in 0..<4000 {
        let squared = (0..<3).reduce(0.0) { sum, _ in sum + pow(factor * generator.normal(), 2) }
        tally.add(outcome(squared: squared), at: 0.1 * Double(index))
      }
      let consistency = tally.consistency
      #expect(consistency.count == 4000 && consistency.components == 12_000)
      #expect(try #require(consistency.band).contains(try #require(consistency.meanNIS)) == isConsistent)
      #expect((abs(try #require(consistency.fractionWithin) - 0.95) < 0.01) == isConsistent)
    }
  }

  @Test("verdicts are counted; the NIS includes measurements beyond the gate, but not those with hardly any weight")
  func verdicts() {
    var tallies: [MeasurementStatistics] = []
    tallies.add([outcome(squared: 3), outcome(squared: 30, gate: 20), outcome(squared: 9, weight: 0.01)], at: 0)
    tallies.add([MeasurementOutcome(.heading, leftOut: .unusable), outcome(.heading, squared: nil)], at: 1)
    tallies.add(nil, at: 2)
    #expect(tallies.map(\.kind) == [.gravity, .heading])
    #expect(tallies[0].verdicts == [1, 1, 0, 1, 0, 0] && tallies[0].count == 3)
    #expect(tallies[0].consistency.meanNIS == 33.0 / 6)
    #expect(tallies[1].count(.unusable) == 1 && 2 * tallies[1].count(.accepted) == tallies[1].count)
    #expect(tallies[1].consistency.meanNIS == nil && tallies[1].consistency.band == nil)
  }

  @Test("a recording of any length has at most twenty parts, which sum to the total")
  func parts() {
    for duration in [5.0, 199, 201, 7000] {
      var tally = MeasurementStatistics(.velocity)
      for second in stride(from: 100.0, to: 100 + duration, by: 1) {
        tally.add(outcome(.velocity, squared: second), at: second)
      }
      #expect(tally.parts.count <= MeasurementStatistics.maximumPartCount)
      #expect(tally.parts.reduce(0) { $0 + $1.consistency.count } == tally.count)
      for (index, part) in tally.parts.enumerated() {
        #expect(part.start == 100 + Double(index) * tally.partLength)
        // Later seconds have a larger NIS.
        if index > 0 { #expect(part.consistency.meanNIS! > tally.parts[index - 1].consistency.meanNIS!) }
      }
    }
  }

  @Test("recordings add up, and a document contains the figures in addition to the sums")
  func documents() throws {
    var one: [MeasurementStatistics] = []
    one.add([outcome(squared: 3)], at: 0)
    var all = one
    all.add(one)
    #expect(all[0].count == 2 && all[0].consistency.meanNIS == 1)
    let data = try JSONEncoder().encode(all)
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains("\"meanNIS\":1") && text.contains("\"band\":["))
    #expect(try JSONDecoder().decode([MeasurementStatistics].self, from: data) == all)
  }
}
