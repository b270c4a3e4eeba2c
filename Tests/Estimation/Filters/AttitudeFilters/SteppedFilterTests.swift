import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFilters

@Suite("Filters of one step per gyroscope sample")
struct SteppedFilterTests {
  /// The kinds with an algorithm in a `SteppedFilter`.
  static let kinds = ["mahony", "madgwick", "revised-madgwick"].map { FilterKind.all[$0]! }

  /// Returns samples of three synchronous sensors at 100 Hz.
  private func rows(_ duration: Double) -> [SensorSample] {
    var suite = SensorSuite.researchIMU.forFilters(rates: (100, 100, 100))
    for path in [\SensorSuite.gyroscope, \.accelerometer] {
      suite[keyPath: path]!.intervalJitter = 0
      suite[keyPath: path]!.startOffset = 0
    }
    suite.magnetometer!.sensor.intervalJitter = 0
    suite.magnetometer!.sensor.startOffset = 0
    let trajectory = RandomSplineTrajectory(duration: duration, restDuration: 0.5, seed: 4)
    return Simulation(trajectory: trajectory, sensors: suite, duration: duration).samples()
  }

  private static let channels: [SensorChannel] = [.gyroscope, .accelerometer, .calibratedMagneticField]

  private func rowsInTime(_ samples: [SensorSample]) -> [[SensorSample]] {
    let gyroscope = samples.filter { $0.channel == .gyroscope }
    let others = Self.channels[1...].map { channel in samples.filter { $0.channel == channel } }
    return gyroscope.indices.map { index in [gyroscope[index], others[0][index], others[1][index]] }
  }

  @Test("the order of the samples of one epoch does not matter", arguments: kinds)
  func orderWithinAMoment(kind: FilterKind) {
    let rows = rowsInTime(rows(3))
    var first = kind.standard()
    for row in rows[..<150] { first.take(row) }
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      var (one, other) = (first, first)
      for row in rows[150...] {
        one.take(row)
        other.take(order.map { row[$0] })
        #expect(one.estimate == other.estimate)
      }
      #expect(haveSameState(one, other))
    }
  }

  @Test("reading the estimate changes nothing, at any point of an epoch", arguments: kinds)
  func reading(kind: FilterKind) {
    var (read, unread) = (kind.standard(), kind.standard())
    var changes = 0
    for sample in rows(3) {
      read.take(sample)
      unread.take(sample)
      let before = read.estimate
      if before != read.estimate { changes += 1 }
    }
    #expect(changes == 0)
    #expect(haveSameState(read, unread))
  }

  @Test("a log in rows equals calling the algorithm directly, bit for bit")
  func byHand() throws {
    try checkByHand(Mahony.self)
    try checkByHand(Madgwick.self)
    try checkByHand(RevisedMadgwick.self)
  }

  private func checkByHand<Algorithm: SteppedAlgorithm>(_ type: Algorithm.Type) throws {
    for startUpDuration in [0, 1.0] {
      for hasField in [true, false] {
        var parameters = Algorithm.Parameters()
        parameters.handling.startUpDuration = startUpDuration
        var filter = SteppedFilter<Algorithm>(parameters: parameters)
        let algorithm = Algorithm(parameters: parameters)
        var state: Algorithm.State?
        var last = 0.0
        for row in rowsInTime(rows(3)) {
          for sample in row where hasField || sample.channel != .calibratedMagneticField { filter.take(sample) }
          let estimate = try #require(filter.estimate)
          let time = row[0].time
          if var now = state {
            let step = MotionStep(
              rate: row[0].vector, acceleration: row[1].vector, magneticField: hasField ? row[2].vector : nil,
              duration: time - last)
            algorithm.advance(&now, by: step)
            state = now
            #expect(estimate.earthFromDevice == now.earthFromDevice, "\(Algorithm.name) at \(time) s")
            #expect(estimate.gyroscopeBias == now.gyroscopeBias)
          } else if time > startUpDuration - 0.005 {
            state = filter.state.algorithm
          }
          last = time
        }
      }
    }
  }

  @Test(
    "a slower field and accelerometer are rotated along: at 3 rad/s they are as good as ones at every step",
    arguments: kinds)
  func slowerSensors(kind: FilterKind) {
    func errors(_ rates: (Double, Double, Double), offset: Double) -> RunErrors {
      var suite = SensorSuite.ideal.forFilters(rates: rates)
      suite.magnetometer!.sensor.startOffset = offset
      let simulation = Simulation(trajectory: CircleTrajectory(radius: 1e-3, speed: 3e-3), sensors: suite, duration: 40)
      var filter = kind.standard()
      return run(&filter, over: simulation, skip: 20)
    }
    let together = errors((100, 100, 100), offset: 0)
    let slower = errors((100, 20, 25), offset: 0.013)
    // A step corrects the attitude of its start by the vectors of its end: 3 rad/s times 10 ms are 1.7°.
    #expect(together.largestHeading < 2)
    // A field with a mean age of 20 ms, used without rotation, would be off by another 3.4°.
    #expect(slower.largestHeading < together.largestHeading + 0.3)
    #expect(slower.largestTilt < together.largestTilt + 0.1)
  }

  @Test("a first field long after the start aligns X to north, and the attitude is then correct", arguments: kinds)
  func lateField(kind: FilterKind) throws {
    let attitude = rotation(aboutZ: 70) * Quaternion(angle: 0.4, axis: Vector3(1, 2, 0))
    var suite = SensorSuite.ideal.forFilters()
    suite.magnetometer!.sensor.startOffset = 4
    let simulation = Simulation(trajectory: RestTrajectory(attitude: attitude), sensors: suite, duration: 5)
    var (filter, held) = (kind.standard(), kind.standard(headingReference: .initialHeading))
    var yaw: Double?
    for sample in simulation {
      filter.take(sample)
      held.take(sample)
      guard sample.channel == .gyroscope, sample.time > 0 else { continue }
      let heading = AttitudeError(filter.estimate!.earthFromDevice, truth: attitude).heading
      // Madgwick's filter dithers by 2 β dt, 0.1°.
      if sample.time < 3.999 { #expect(abs(heading) > 30, "at \(sample.time) s") }
      if sample.time > 4.001 { #expect(abs(heading) < 0.2, "at \(sample.time) s") }
      // With the initial-heading reference, there is no jump.
      let now = AttitudeError(held.estimate!.earthFromDevice, truth: attitude).heading
      if let yaw { #expect(abs(now - yaw) < 0.2, "at \(sample.time) s") }
      yaw = now
    }
  }

  @Test("without a start-up the first acceleration and field give the attitude, without a flag", arguments: kinds)
  func withoutStartUp(kind: FilterKind) throws {
    let attitude = Quaternion.random(1, seed: 12)[0]
    let simulation = Simulation(
      trajectory: RestTrajectory(attitude: attitude), sensors: .ideal.forFilters(), duration: 0.5)
    var filter = try kind.make(["startUpDuration": 0])
    for sample in simulation {
      filter.take(sample)
      guard sample.channel == .calibratedMagneticField else { continue }
      let estimate = filter.estimate!
      // Madgwick's filter dithers by 2 β dt, 0.1°.
      let tolerance = sample.time == 0 ? 1e-9 : 0.01
      #expect(isSameRotation(estimate.earthFromDevice, attitude, within: tolerance))
      // Only the revised form has its own start-up, the ramp of its gain.
      #expect(estimate.flags.contains(.converging) == (kind.name == "revised-madgwick" && sample.time > 0))
    }
  }

  @Test(
    "a gap is flagged until its start-up is over, and not at all without a start-up",
    arguments: ["mahony", "madgwick", "complementary"], [0, 1.0])
  func gapFlag(name: String, startUpDuration: Double) throws {
    var filter = try FilterKind.all.known(name).make(["startUpDuration": startUpDuration])
    let trajectory = RestTrajectory(attitude: Quaternion.random(1, seed: 12)[0])
    for sample in Simulation(trajectory: trajectory, sensors: .ideal.forFilters(), duration: 7)
    where !(2..<4).contains(sample.time) {
      filter.take(sample)
      guard sample.channel == .gyroscope, let estimate = filter.estimate else { continue }
      // The sum of the intervals is rounded: the end is not determined to a sample.
      if startUpDuration > 0, abs(sample.time - 4 - startUpDuration) < 0.02 { continue }
      let isExpected = sample.time >= 4 && sample.time < 4 + startUpDuration
      #expect(estimate.flags.contains(.gap) == isExpected, "at \(sample.time) s")
    }
  }

  @Test("a vector older than the longest gap is not used: the attitude follows only the gyroscope", arguments: kinds)
  func staleVectors(kind: FilterKind) throws {
    var filter = kind.standard()
    for index in 0...200 {
      let time = 0.01 * Double(index)
      filter.update(gyroscope: .zero, at: time)
      filter.update(accelerometer: Vector3(0, 0, -1), at: time)
      filter.update(magneticField: Vector3(20, 0, -40), at: time)
    }
    // From here the device rotates about X, with only the gyroscope.
    for index in 1...300 { filter.update(gyroscope: Vector3(0.5, 0, 0), at: 2 + 0.01 * Double(index)) }
    let estimate = try #require(filter.estimate)
    let expected = Quaternion(angle: 1.5, axis: .unitX)
    // For half a second the vectors are rotated along; a step ahead of the attitude, they change it by 5 mrad times the
    // gain. Vectors that were not rotated, or that were used longer, would cause an error of 86°.
    #expect(isSameRotation(estimate.earthFromDevice, expected, within: 6e-3))
  }

  @Test("without an acceleration only the gyroscope moves the attitude, with or without a field")
  func gyroscopeOnly() {
    func check<Algorithm: SteppedAlgorithm>(_ type: Algorithm.Type) {
      for field in [nil, Vector3(0, 30, 0), .zero] {
        for acceleration in [nil, Vector3.zero] {
          var state = Algorithm.State(earthFromDevice: .identity)
          let rate = Vector3(0, 0.1, 0)
          Algorithm(parameters: .init()).advance(
            &state, by: MotionStep(rate: rate, acceleration: acceleration, magneticField: field, duration: 1))
          #expect(isSameRotation(state.earthFromDevice, Quaternion(angle: 0.1, axis: .unitY), within: 1e-6))
        }
      }
    }
    check(Fourati.self)
    check(ROLEQ.self)
  }

  @Test(
    "without a field, or with one of zero weight, the tilt is corrected and the heading follows the gyroscope",
    arguments: [true, false])
  func tiltOnly(hasField: Bool) {
    func check<Algorithm: SteppedAlgorithm>(_ algorithm: Algorithm) {
      let heading = rotation(aboutZ: 40)
      var state = Algorithm.State(earthFromDevice: heading * Quaternion(angle: 0.3, axis: .unitX))
      let field = hasField ? 50 * EarthField().vector.normalized! : nil
      let step = MotionStep(rate: .zero, acceleration: -.unitZ, magneticField: field, duration: 0.01)
      for _ in 0..<1500 { algorithm.advance(&state, by: step) }
      #expect(isSameRotation(state.earthFromDevice, heading, within: 1e-6))
    }
    check(Fourati(parameters: with(.init()) { ($0.timeConstant, $0.magneticWeight) = (0.5, 0) }))
    check(ROLEQ(parameters: with(.init()) { ($0.timeConstant, $0.magneticWeight) = (0.5, 0) }))
  }

  @Test("a restart sets the attitude and keeps the bias")
  func restart() {
    var (mahony, madgwick) = (Mahony.State(earthFromDevice: .identity), Madgwick.State(earthFromDevice: .identity))
    (mahony.gyroscopeBias, madgwick.gyroscopeBias) = (Vector3(1, 2, 3), Vector3(1, 2, 3))
    mahony.restart(at: rotation(aboutZ: 20))
    madgwick.restart(at: rotation(aboutZ: 20))
    for attitude in [mahony.earthFromDevice, madgwick.earthFromDevice] { #expect(attitude == rotation(aboutZ: 20)) }
    for bias in [mahony.gyroscopeBias, madgwick.gyroscopeBias] { #expect(bias == Vector3(1, 2, 3)) }
  }
}
