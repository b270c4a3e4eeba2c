import LinearAlgebra
import Rotations
import Sensors
import Signals
import Simulation
import TestSupport
import Testing

@testable import AttitudeFilters

@Suite("Filters in lockstep")
struct LaneBankTests {
  /// Recordings that differ in rates, length, clock, gaps, losses and bad samples: eleven for eight lanes.
  private static let recordings: [MotionColumns] = {
    let rates: [(Double, Double, Double)] = [
      (100, 100, 100), (94, 101, 25), (50, 50, 10), (200, 100, 50), (60, 130, 60), (100, 100, 20),
    ]
    var result: [MotionColumns] = []
    for (index, rate) in rates.enumerated() {
      var suite = SensorSuite.phone.forFilters(rates: rate)
      if index.isMultiple(of: 2) { suite.gyroscope!.gaps = [2.5...3.3] }
      if index == 1 { suite.accelerometer!.gaps = [2...3.1] }
      suite.accelerometer!.lossProbability = 0.03
      suite.gyroscope!.lossProbability = index == 3 ? 0.05 : 0
      if index == 1 { suite.accelerometer!.startOffset = 0.1 }
      var samples = Simulation(
        trajectory: WalkTrajectory(), sensors: suite, duration: 3.5 + 0.4 * Double(index), seed: UInt64(index)
      ).samples()
      samples = samples.injecting(.notANumber, into: .accelerometer, at: 1.7, count: 9)
        .injecting(.impossible, into: .gyroscope, at: 2.2)
        .injecting(.notANumber, into: .calibratedMagneticField, at: 2.0, count: 5)
      result.append(MotionColumns(Recording(samples)))
    }
    // One clock, and the field in one row of five.
    var shared = result[0]
    shared.magneticField.values.indices.filter { !$0.isMultiple(of: 5) }.forEach {
      shared.magneticField.values[$0] = Vector3(repeating: .nan)
    }
    result.append(shared)
    // A field that comes late, and none.
    var late = result[0]
    late.magneticField.values.indices.prefix(170).forEach { late.magneticField.values[$0] = .zero }
    result.append(late)
    var sixAxis = result[5]
    sixAxis.magneticField = SensorColumn()
    result.append(sixAxis)
    // Stamps that come twice, of each sensor.
    var doubled = result[0]
    for index in [150, 151, 200] {
      doubled.gyroscope.times[index] = doubled.gyroscope.times[index - 1]
      doubled.accelerometer.times[index + 20] = doubled.accelerometer.times[index + 19]
      doubled.magneticField.times[index + 40] = doubled.magneticField.times[index + 39]
    }
    result.append(doubled)
    result.append(MotionColumns())
    return result
  }()

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
      worstBias = max(worstBias, (lanes.gyroscopeBiases[row] - alone.gyroscopeBiases[row]).maximumMagnitude)
    }
    #expect(worst <= 1e-12, "\(name)")
    #expect(worstBias <= 1e-12, "\(name)")
  }

  private func alone<Filter: BankedFilter>(_ parameters: Filter.Parameters, _ motion: MotionColumns, _: Filter.Type)
    throws -> AttitudeColumns
  {
    var filter = Filter(parameters: parameters)
    return try filter.estimates(of: motion)
  }

  private func checkRecordings<Filter: BankedFilter>(_ type: Filter.Type, _ width: LaneWidth) throws {
    for reference in HeadingReference.allCases {
      var parameters = Filter.Parameters()
      parameters.headingReference = reference
      let result = try LaneBank<Filter>(width: width).estimates(of: Self.recordings, parameters: parameters)
      #expect(result.count == Self.recordings.count)
      for (index, (lanes, motion)) in zip(result, Self.recordings).enumerated() {
        expectSame(lanes, try alone(parameters, motion, type), "recording \(index), \(reference)")
      }
    }
  }

  @Test(
    "every recording's columns are those of its own filter: rates, lengths, gaps, bad samples and late fields differ",
    arguments: LaneWidth.allCases)
  func recordings(width: LaneWidth) throws {
    try checkRecordings(MahonyFilter.self, width)
    try checkRecordings(MadgwickFilter.self, width)
  }

  private func checkParameters<Filter: BankedFilter>(_ type: Filter.Type, _ width: LaneWidth) throws {
    var random = SeededGenerator(seed: 7)
    let sets = (0..<9).map { _ in
      var parameters = Filter.Parameters()
      for description in Filter.Parameters.descriptions {
        let value = description.value(in: parameters) * Double.random(in: 0.5...2, using: &random)
        description.set(
          min(max(value, description.range.lowerBound), description.range.upperBound), in: &parameters)
      }
      return parameters
    }
    for motion in [Self.recordings[0], Self.recordings[1]] {
      let result = try LaneBank<Filter>(width: width).estimates(of: motion, parameters: sets)
      #expect(result.count == sets.count)
      for (lanes, parameters) in zip(result, sets) {
        expectSame(lanes, try alone(parameters, motion, type), "\(parameters)")
      }
      #expect(result[0].quaternions.last != result[1].quaternions.last)
    }
  }

  @Test("sets of parameters over one recording each give what a filter with them gives", arguments: LaneWidth.allCases)
  func parameterSets(width: LaneWidth) throws {
    try checkParameters(MahonyFilter.self, width)
    try checkParameters(MadgwickFilter.self, width)
  }

  @Test("columns that are no recording are refused")
  func refused() {
    var motion = Self.recordings[0]
    motion.gyroscope.times[5] = -1
    let broken = motion
    #expect(throws: MotionColumnsError.timesFall(.gyroscope, row: 5)) {
      try LaneBank<MahonyFilter>().estimates(of: [Self.recordings[1], broken])
    }
    #expect(throws: MotionColumnsError.timesFall(.gyroscope, row: 5)) {
      try LaneBank<MahonyFilter>().estimates(of: broken, parameters: [Mahony.Parameters()])
    }
  }

  @Test("the lanes' roots are those of the library, from the smallest normal number to the largest")
  func roots() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      let value =
        Double.random(in: 1...4, using: &random)
        * Double(sign: .plus, exponent: .random(in: -1020...1020, using: &random), significand: 1)
      let lanes = SIMD8<Double>(repeating: value)
      #expect(abs(lanes.reciprocalRoot[3] * value.squareRoot() - 1) < 1e-15)
      #expect(abs(SIMD4<Double>(repeating: value).root[1] / value.squareRoot() - 1) < 1e-15)
    }
    #expect(SIMD8<Double>(repeating: 0).root[7] == 0)
  }
}
