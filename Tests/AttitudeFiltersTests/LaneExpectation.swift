import LinearAlgebra
import Rotations
import Sensors
import Signals
import Testing

@testable import AttitudeFilters

/// That filters in lockstep give what each gives on its own.
struct LaneExpectation<Filter: BankedFilter> {
  /// For each recording by itself, with either reference of the heading.
  func holds(over recordings: [MotionColumns], parameters: Filter.Parameters = Filter.Parameters()) throws {
    for reference in HeadingReference.allCases {
      var parameters = parameters
      parameters.headingReference = reference
      let result = try LaneBank<Filter>().estimates(of: recordings, parameters: parameters)
      #expect(result.count == recordings.count)
      for (index, (lanes, motion)) in zip(result, recordings).enumerated() {
        expectSame(lanes, try alone(parameters, motion), "\(Filter.name), recording \(index), \(reference)")
      }
    }
  }

  /// For sets of parameters, drawn around the defaults, over one recording.
  func holdsForSets(over motion: MotionColumns, count: Int = 9) throws {
    var random = SeededGenerator(seed: 7)
    let sets = (0..<count).map { _ in
      var parameters = Filter.Parameters()
      for description in Filter.Parameters.descriptions {
        let value = description.value(in: parameters) * Double.random(in: 0.5...2, using: &random)
        description.set(
          min(max(value, description.range.lowerBound), description.range.upperBound), in: &parameters)
      }
      return parameters
    }
    try holds(of: sets, over: motion)
  }

  /// For each of several sets of parameters over one recording.
  func holds(of sets: [Filter.Parameters], over motion: MotionColumns) throws {
    let result = try LaneBank<Filter>().estimates(of: motion, parameters: sets)
    #expect(result.count == sets.count)
    for (lanes, parameters) in zip(result, sets) { expectSame(lanes, try alone(parameters, motion), "\(parameters)") }
    #expect(result[0].quaternions.last != result[1].quaternions.last)
  }

  private func alone(_ parameters: Filter.Parameters, _ motion: MotionColumns) throws -> AttitudeColumns {
    var filter = Filter(parameters: parameters)
    return try filter.estimates(of: motion)
  }

  private func expectSame(_ lanes: AttitudeColumns, _ alone: AttitudeColumns, _ name: String) {
    #expect(lanes.times == alone.times)
    #expect(lanes.flags == alone.flags, "\(name)")
    #expect(lanes.firstKnownRow == alone.firstKnownRow)
    guard lanes.count == alone.count else { return }
    var (worst, worstBias) = (0.0, 0.0)
    for row in alone.firstKnownRow..<alone.count {
      let (a, b) = (lanes.quaternions[row], alone.quaternions[row])
      // Written so that NaN fails.
      let difference = max(abs(a.x - b.x), abs(a.y - b.y), abs(a.z - b.z), abs(a.w - b.w))
      worst = difference <= worst ? worst : difference
      let bias = (lanes.gyroscopeBiases[row] - alone.gyroscopeBiases[row]).maximumMagnitude
      worstBias = bias <= worstBias ? worstBias : bias
    }
    #expect(worst <= 1e-12, "\(name)")
    #expect(worstBias <= 1e-12, "\(name)")
  }
}
