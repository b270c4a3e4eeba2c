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
  /// Recordings that differ in rates, length, clock, gaps, losses and bad samples: eleven for four lanes.
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

  @Test(
    "every recording's columns are those of its own filter: rates, lengths, gaps, bad samples and late fields differ"
  )
  func recordings() throws {
    try LaneExpectation<MahonyFilter>().holds(over: Self.recordings)
    try LaneExpectation<MadgwickFilter>().holds(over: Self.recordings)
    try LaneExpectation<ComplementaryFilter>().holds(over: Self.recordings)
  }

  @Test("sets of parameters over one recording each give what a filter with them gives")
  func parameterSets() throws {
    for motion in [Self.recordings[0], Self.recordings[1]] {
      try LaneExpectation<MahonyFilter>().holdsForSets(over: motion)
      try LaneExpectation<MadgwickFilter>().holdsForSets(over: motion)
      try LaneExpectation<ComplementaryFilter>().holdsForSets(over: motion)
    }
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
      let lanes = Lanes(repeating: value)
      #expect(abs(lanes.reciprocalRoot[3] * value.squareRoot() - 1) < 1e-15)
      #expect(abs(Lanes(repeating: value).root[1] / value.squareRoot() - 1) < 1e-15)
    }
    #expect(Lanes(repeating: 0).root[3] == 0)
  }
}
