import LinearAlgebra
import Rotations
import Sensors
import Signals
import Simulation
import TestSupport
import Testing

@testable import AttitudeFilters

@Suite("VQF in lockstep")
struct VQFLanesTests {
  /// Motion from a rest on, with sensors of different rates, offsets and losses.
  private static func recording(_ index: Int, rates: (Double, Double, Double), duration: Double) -> MotionColumns {
    var suite = SensorSuite.phone.forFilters(rates: rates)
    suite.accelerometer!.lossProbability = 0.02
    if index.isMultiple(of: 2) { suite.gyroscope!.lossProbability = 0.03 }
    if index == 1 { suite.accelerometer!.startOffset = 0.005 }
    let trajectory = RandomSplineTrajectory(
      duration: duration, restDuration: index.isMultiple(of: 3) ? 5 : 1, rotationStep: 0.6, seed: UInt64(index))
    return MotionColumns(
      Recording(
        Simulation(trajectory: trajectory, sensors: suite, duration: duration, seed: UInt64(index)).samples()))
  }

  /// What is done to the samples of a time.
  private static func changed(
    _ column: SensorColumn, _ times: ClosedRange<Double>, _ change: (Vector3) -> Vector3
  ) -> SensorColumn {
    var column = column
    for index in column.times.indices where times.contains(column.times[index]) {
      column.values[index] = change(column.values[index])
    }
    return column
  }

  private static func without(_ column: SensorColumn, _ isLost: (Int, Double) -> Bool) -> SensorColumn {
    var kept = SensorColumn()
    for (index, time) in column.times.enumerated() where !isLost(index, time) {
      kept.append(column.values[index], at: time)
    }
    return kept
  }

  /// Twelve for four lanes. The rest, the disturbances and the gaps begin and end by far more than a rounding: where
  /// a threshold is met to the last bit, a lane and its filter may decide a sample apart.
  private static let recordings: [MotionColumns] = {
    var result = [
      recording(0, rates: (50, 50, 50), duration: 12), recording(1, rates: (47, 51, 13), duration: 11),
      recording(2, rates: (25, 50, 10), duration: 9), recording(3, rates: (50, 25, 20), duration: 10),
    ]
    let plain = recording(6, rates: (40, 40, 40), duration: 13)
    result.append(plain)
    // Magnets near, and far again; a field that differs for good.
    var disturbed = plain
    disturbed.magneticField = changed(plain.magneticField, 6...8) { $0 + Vector3(30, -20, 10) }
    disturbed.magneticField = changed(disturbed.magneticField, 10.5...20) { 1.3 * $0 }
    result.append(disturbed)
    // A gap, bad samples of each sensor, and free fall.
    var broken = plain
    broken.gyroscope = without(plain.gyroscope) { (5...5.8).contains($1) }
    broken.accelerometer = changed(plain.accelerometer, 10...10.5) { _ in Vector3(repeating: .nan) }
    broken.accelerometer = changed(broken.accelerometer, 11...11.3) { _ in Vector3(1e-9, 0, 0) }
    broken.magneticField = changed(plain.magneticField, 9.5...10.2) { _ in Vector3(repeating: .infinity) }
    result.append(broken)
    // Every second sample from a time on: each sensor has another rate there.
    var slower = plain
    slower.gyroscope = without(plain.gyroscope) { $1 > 6 && $0.isMultiple(of: 2) }
    slower.accelerometer = without(plain.accelerometer) { $1 > 7.5 && $0.isMultiple(of: 2) }
    slower.magneticField = without(plain.magneticField) { $1 > 9 && !$0.isMultiple(of: 3) }
    result.append(slower)
    // No field, and one that comes late.
    var sixAxis = plain
    sixAxis.magneticField = SensorColumn()
    result.append(sixAxis)
    var late = plain
    late.magneticField = without(plain.magneticField) { $1 < 7 }
    result.append(late)
    // Stamps that come twice, and an accelerometer that pauses while the device turns.
    var doubled = plain
    for index in [230, 231, 300] {
      doubled.gyroscope.times[index] = doubled.gyroscope.times[index - 1]
      doubled.accelerometer.times[index + 20] = doubled.accelerometer.times[index + 19]
      doubled.magneticField.times[index + 40] = doubled.magneticField.times[index + 39]
    }
    doubled.accelerometer = without(doubled.accelerometer) { (9...10).contains($1) }
    result.append(doubled)
    result.append(MotionColumns())
    return result
  }()

  @Test(
    "every recording's columns are those of its own filter: rest, disturbed fields, gaps, other rates, late fields")
  func recordings() throws {
    var quick = VQF.Parameters()
    // That a lane starts soon, and new fields are learned within the recording.
    quick.accelerationTimeConstant = 1.5
    (quick.firstFieldTime, quick.newFieldTime, quick.rejectionTime) = (1, 1.5, 0.5)
    quick.newFieldRate = 0.05
    try LaneExpectation<VQF>().holds(over: Self.recordings, parameters: quick)
    let flags = try LaneBank<VQF>().estimates(of: Self.recordings, parameters: quick).map(\.flags)
    // The inputs show what they are to show.
    #expect(flags[0].contains { $0.contains(.resting) })
    #expect(flags[5].contains { $0.contains(.magneticDisturbance) } && !flags[5].allSatisfy { !$0.isEmpty })
    #expect(flags[6].contains { $0.contains(.gap) } && flags[6].contains { $0.contains(.accelerometerRejected) })
  }

  @Test(
    "each piece switched off, and given rates, leave lanes and filter the same", arguments: [0, 1])
  func variants(recording: Int) throws {
    func variant(_ change: (inout VQF.Parameters) -> Void) -> VQF.Parameters {
      var parameters = VQF.Parameters()
      parameters.accelerationTimeConstant = 1.5
      change(&parameters)
      return parameters
    }
    let sets = [
      variant { _ in }, variant { $0.motionBiasEstimation = 0 }, variant { $0.restBiasEstimation = 0 },
      variant { ($0.motionBiasEstimation, $0.restBiasEstimation) = (0, 0) }, variant { $0.disturbanceRejection = 0 },
      variant { ($0.disturbanceRejection, $0.restBiasEstimation) = (0, 0) },
      variant { ($0.gyroscopeRate, $0.accelerometerRate, $0.magneticFieldRate) = (50, 50, 50) },
      variant { $0.headingReference = .initialHeading },
      variant { $0.accelerationTimeConstant = 0.001 },
    ]
    try LaneExpectation<VQF>().holds(of: sets, over: Self.recordings[recording])
  }

  @Test("sets of parameters over one recording each give what a filter with them gives")
  func parameterSets() throws {
    try LaneExpectation<VQF>().holdsForSets(over: Self.recordings[3])
  }

  @Test("a lane of one recording, and lanes filled one and a bit times over, are the same", arguments: [1, 9, 17])
  func counts(count: Int) throws {
    let motion = Self.recordings[2]
    let motions = (0..<count).map { index in
      var part = motion
      part.magneticField = Self.without(motion.magneticField) { $1 > 4 + 0.2 * Double(index) }
      return part
    }
    var quick = VQF.Parameters()
    quick.accelerationTimeConstant = 1
    try LaneExpectation<VQF>().holds(over: motions, parameters: quick)
  }
}

@Suite("Functions of numbers in lanes")
struct LaneFunctionTests {
  @Test("the arc tangent is the library's in every direction, on the axes and where its form changes")
  func arcTangent() {
    var random = SeededGenerator(seed: 4)
    var angles = (0..<400).map { _ in Double.random(in: -.pi...(.pi), using: &random) }
    for eighth in -8...8 { angles += [-1e-12, 0, 1e-12].map { Double(eighth) * .pi / 8 + $0 } }
    for angle in angles {
      let norm = Double.random(in: 1e-3...1e3, using: &random)
      let (y, x) = (norm * sine(angle), norm * cosine(angle))
      let expected = Vector3(x, y, 0).angle(to: .unitX) * (y < 0 ? -1 : 1)
      #expect(abs(Double.arcTangent(y, x) - expected) < 1e-15, "\(angle)")
      let lanes = Lanes.arcTangent(Lanes(repeating: y), Lanes(repeating: x))
      #expect(lanes[3] == Double.arcTangent(y, x))
    }
    #expect(Double.arcTangent(0, 0) == 0)
    #expect(Double.arcTangent(0, -2) == .pi && Double.arcTangent(0, 3) == 0)
    #expect(Double.arcTangent(1, 0) == .pi / 2 && Double.arcTangent(-1, 0) == -.pi / 2)
  }

  @Test("sine and cosine are the library's over many turns")
  func sineAndCosine() {
    var random = SeededGenerator(seed: 5)
    var angles = (0..<400).map { _ in Double.random(in: -100...100, using: &random) }
    for quarter in -12...12 { angles += [-1e-9, 0, 1e-9].map { Double(quarter) * .pi / 4 + $0 } }
    for angle in angles {
      let (s, c) = angle.sineAndCosine
      #expect(abs(s - sine(angle)) < 2.3e-16 && abs(c - cosine(angle)) < 2.3e-16, "\(angle)")
      let lanes = Lanes(repeating: angle).sineAndCosine
      #expect(lanes.sine[3] == s && lanes.cosine[1] == c)
    }
  }

  @Test("1 − exp(−x) is the library's, on both sides of its series' limit and far out")
  func oneMinusExponential() {
    for x in [0, 1e-9, 0.01, 0.0499, 0.0501, 0.3, 2, 15, 39, 41, 1000] {
      let lanes = Lanes(x, 0.001, x, 0.07).oneMinusExponential
      let expected = firstOrderGain(timeConstant: 1, interval: x)
      // Where the series ends at 0.05, its first term left out is 1e-15.
      #expect(abs(lanes[0] - expected) <= 1.2e-15 && lanes[2] == lanes[0], "\(x)")
      #expect(abs(lanes[3] - firstOrderGain(timeConstant: 1, interval: 0.07)) < 1e-16)
    }
  }

  @Test("the root is the library's to the last bit")
  func root() {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<2000 {
      let value =
        Double.random(in: 1...4, using: &random)
        * Double(sign: .plus, exponent: .random(in: -600...600, using: &random), significand: 1)
      #expect(Lanes(repeating: value).root[2] == value.squareRoot())
      #expect(
        Lanes(repeating: 1 + value.truncatingRemainder(dividingBy: 1)).root[0]
          == (1 + value.truncatingRemainder(dividingBy: 1)).squareRoot())
    }
    #expect(Lanes(repeating: 0).root[3] == 0 && Lanes(repeating: 1e-250).root[3] == 1e-250.squareRoot())
  }

  @Test("lanes select bit for bit, and take magnitudes")
  func select() {
    let (a, b) = (Lanes(1, -2, .nan, -0.0), Lanes(5, 6, 7, 8))
    let mask: LaneMask4 = a .< Lanes(repeating: 2)
    let chosen = Lanes.select(mask, a, b)
    #expect(chosen[0] == 1 && chosen[1] == -2 && chosen[2] == 7 && chosen[3] == 0)
    #expect(a.magnitude[1] == 2 && a.magnitude[2].isNaN && a.magnitude[3].sign == .plus)
  }

  private func sine(_ angle: Double) -> Double { Quaternion(angle: 2 * angle, axis: .unitZ).z }
  private func cosine(_ angle: Double) -> Double { Quaternion(angle: 2 * angle, axis: .unitZ).w }
}
