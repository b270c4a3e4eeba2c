import InertialFilters
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@Suite("VQF offline")
struct VQFSmoothingTests {
  private static let trajectory = RandomSplineTrajectory(duration: 58, restDuration: 3, seed: 12)

  private func simulation(
    _ rates: (Double, Double, Double) = (50, 50, 50), change: (inout SensorSuite) -> Void = { _ in }
  ) -> Simulation {
    var suite = SensorSuite.phone.forFilters(rates: rates)
    change(&suite)
    return Simulation(trajectory: Self.trajectory, sensors: suite, duration: 60, seed: 4)
  }

  private func errors(_ result: SmoothedAttitudes, from start: Double = 2) -> RunErrors {
    var errors = RunErrors()
    for (time, attitude) in zip(result.times, result.attitudes) where time >= start {
      errors.add(AttitudeError(attitude, truth: Self.trajectory.state(at: time).attitude))
    }
    return errors
  }

  @Test("offline tilt, heading and bias are better than online, from the first sample")
  func better() {
    let simulation = simulation()
    var filter: any AttitudeFilter = VQF()
    let online = run(&filter, over: simulation, skip: 0)
    let result = VQF.smoothed(simulation.recording())
    let offline = errors(result, from: 0)
    #expect(offline.tiltRMS < 0.9 * online.tiltRMS && offline.headingRMS < online.headingRMS)
    let bias = SensorSuite.phone.gyroscope!.bias
    #expect(isNear(result.gyroscopeBiases[0], bias, within: 0.002))
    #expect(result.gyroscopeBiasSigmas.allSatisfy { $0 > 0 && $0 < 0.002 })
  }

  @Test("sensors with their own rates and offsets are as good as synchronous ones")
  func mixedRates() {
    let together = errors(VQF.smoothed(simulation((100, 100, 50)).recording()))
    let mixed = errors(
      VQF.smoothed(
        simulation((101, 94, 25)) { suite in
          suite.accelerometer!.startOffset = 0.0037
          suite.magnetometer!.sensor.startOffset = 0.0081
          suite.gyroscope!.intervalJitter = 0.0005
        }.recording()))
    #expect(mixed.tiltRMS < 1.3 * together.tiltRMS + 0.1 && mixed.headingRMS < 1.3 * together.headingRMS + 0.3)
  }

  @Test("bad samples, and samples out of order, are ignored")
  func badSamples() throws {
    let samples = simulation().samples()
    var recording = Recording(samples)
    let clean = VQF.smoothed(recording)
    for (channel, value) in [
      (SensorChannel.gyroscope, Vector3(.nan, 0, 0)), (.accelerometer, Vector3.zero),
      (.calibratedMagneticField, Vector3(0, 0, .infinity)), (.gyroscope, Vector3(1e4, 0, 0)),
    ] {
      var column = try #require(recording[channel])
      column.times.insert(column.times[700] + 0.003, at: 701)
      column.values.insert(value, at: 701)
      column.times.insert(1, at: 900)
      column.values.insert(Vector3(10, 10, 10), at: 900)
      recording.columns[channel] = column
    }
    #expect(VQF.smoothed(recording) == clean)
  }

  @Test("after a gap with a rotation the attitude is correct immediately, and undisturbed before the gap")
  func gap() {
    let samples = simulation().samples().removing(in: 20...26)
    let result = VQF.smoothed(Recording(samples))
    let errors = errors(result)
    #expect(errors.largestTilt < 4 && errors.largestHeading < 6)
    #expect(!result.times.contains { (20.1..<25.9).contains($0) })
  }

  @Test("the yaw is 0 at the start without a field or with the initial-heading reference, north a constant angle")
  func headingReference() throws {
    let samples = simulation().samples()
    let free = VQF.smoothed(Recording(samples), field: nil)
    #expect(isNear(Attitude(quaternion: try #require(free.attitudes.first)).yaw, 0, within: 1e-9))
    let held = VQF.smoothed(
      Recording(samples), parameters: with(.init()) { $0.headingReference = .initialHeading })
    let north = VQF.smoothed(Recording(samples))
    #expect(isNear(Attitude(quaternion: try #require(held.attitudes.first)).yaw, 0, within: 1e-9))
    let turns = zip(north.attitudes, held.attitudes).map { $0 * $1.conjugate }
    for turn in turns { #expect(isSameRotation(turn, turns[0], within: 1e-9)) }
    #expect(abs(turns[0].x) < 1e-9 && abs(turns[0].y) < 1e-9)
  }

  @Test("a recording without gyroscope or accelerometer has no results; one sample of each is enough")
  func little() {
    #expect(VQF.smoothed(Recording()).count == 0)
    let rate = SensorSample(time: 0, channel: .gyroscope, .zero)
    #expect(VQF.smoothed(Recording([rate, SensorSample(time: 0, channel: .accelerometer, .zero)])).count == 0)
    let one = VQF.smoothed(Recording([rate, SensorSample(time: 0, channel: .accelerometer, Vector3(0, 0, -1))]))
    #expect(one.attitudes == [.identity])
  }

  @Test("rest is detected from its first second, not only after its duration")
  func restFromTheStart() {
    // Rest to 4 s, a rotation to 7 s.
    let simulation = Simulation(
      trajectory: TurnTrajectory(angle: 3, start: 4, duration: 3), sensors: .phone.forFilters(), duration: 8)
    let result = VQF.smoothed(simulation.recording())
    // The backward pass needs 1.5 s for the rotation to leave its low-pass, and then 1.5 s of rest.
    for (time, isResting) in zip(result.times, result.isResting) {
      if time < 1 { #expect(isResting, "at \(time) s") }
      if (4.5..<6.5).contains(time) { #expect(!isResting, "at \(time) s") }
    }
  }
}
