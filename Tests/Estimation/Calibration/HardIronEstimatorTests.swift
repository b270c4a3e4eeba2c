import Foundation
import InertialCalibration
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@Suite("Hard iron estimator")
struct HardIronEstimatorTests {
  private static let offset = Vector3(100, 200, -50)

  /// Returns the rotation rates and raw fields of a simulated phone that is rotated, in chronological order.
  private func samples(
    offset: Vector3 = offset, duration: Double = 60, start: Double = 0, seed: UInt64 = 1,
    trajectory: (any Trajectory)? = nil, change: (inout SensorSuite) -> Void = { _ in }
  ) -> [SensorSample] {
    var suite = SensorSuite.phone
    (suite.accelerometer, suite.referenceRate) = (nil, nil)
    suite.gyroscope!.bias = .zero
    suite.magnetometer!.hardIron = offset
    suite.magnetometer!.output = .raw
    change(&suite)
    let motion = trajectory ?? RandomSplineTrajectory(duration: 1e3, restDuration: 0, seed: seed)
    return Simulation(trajectory: motion, sensors: suite, duration: duration, seed: seed)
      .filter { $0.channel == .magnetometer || $0.channel == .gyroscope }
      .map { sample in with(sample) { $0.time += start } }
  }

  private func learned(
    _ samples: some Sequence<SensorSample>, from start: HardIronEstimator = .init()
  ) -> HardIronEstimator {
    with(start) { for sample in samples { $0.add(sample) } }
  }

  @Test(
    "an offset that makes the field too strong for the earth's is subtracted after two segments",
    arguments: [Vector3(35, -70, -110), Vector3(400, -300, 250), Vector3(-551, 205, 85), Vector3(0, 0, 1900)])
  func recovers(offset: Vector3) {
    for seed in 1...3 {
      let estimator = learned(
        samples(offset: offset, duration: 21, seed: UInt64(seed)) { $0.magnetometer!.softIron = .identity })
      #expect(estimator.decision == .offset && isNear(estimator.offset, offset, within: 1.5))
      #expect(estimator.accuracy >= .medium)
    }
  }

  @Test("an offset of 15 µT, which the strength alone does not reveal, is subtracted within a minute")
  func smallOffset() {
    for seed in 1...5 {
      let offset = Vector3(9, -9, 8)
      let estimator = learned(samples(offset: offset, seed: UInt64(seed)) { $0.magnetometer!.softIron = .identity })
      #expect(estimator.decision == .offset && isNear(estimator.offset, offset, within: 1.5))
      #expect(estimator.evidence > 6 && estimator.decisionTime != nil)
    }
  }

  @Test("a field that is too strong keeps an offset away that leaves it as strong, or that predicted worse")
  func changingOffset() {
    var estimator = HardIronEstimator()
    var rotation = Quaternion.identity
    for step in 0...12_000 {
      let time = Double(step) / 100
      let rate = Vector3(0.4 * sin(1.3 * time), 0.5 * cos(0.9 * time), 0.8 * sin(0.7 * time))
      rotation = rotation * Quaternion(rotationVector: 0.01 * rate)
      estimator.add(rate: rate, at: time)
      let side: Double = Int(time / 10).isMultiple(of: 2) ? 1 : -1
      estimator.add(field: rotation.conjugate.rotate(Vector3(60, 0, -90)) + Vector3(10 * side, 0, 0), at: time)
      #expect(estimator.decision == .unchanged && estimator.accuracy == .uncalibrated || time < 10)
    }
  }

  @Test("a calibrated field is used unchanged, and the evidence is against an offset")
  func calibrated() {
    for seed in 1...5 {
      let estimator = learned(samples(offset: .zero, duration: 120, seed: UInt64(seed)))
      #expect(estimator.decision == .unchanged && estimator.offset == .zero && estimator.decisionTime == nil)
      #expect(estimator.evidence < 6)
    }
  }

  @Test("a soft iron of 3 %, which is not part of the model, costs less than 3 µT")
  func softIron() {
    for seed in 1...3 {
      let offset = Vector3(35, -70, -110)
      let estimator = learned(samples(offset: offset, seed: UInt64(seed)))
      #expect(isNear(estimator.offset, offset, within: 3) && estimator.accuracy >= .medium)
    }
  }

  @Test("at rest nothing is learned, at any noise", arguments: [0.05, 0.2, 0.4])
  func atRest(noiseDensity: Double) {
    for attitude in Quaternion.random(5, seed: 4) {
      let still = samples(duration: 60, trajectory: RestTrajectory(attitude: attitude)) {
        $0.magnetometer!.sensor.noiseDensity = noiseDensity
      }
      let estimator = learned(still)
      #expect(estimator.accuracy == .uncalibrated && estimator.decision == .unchanged)
    }
  }

  @Test("rotation about one axis does not determine the offset along it, and is not classified as accurate")
  func oneAxis() {
    let estimator = learned(samples(duration: 120, trajectory: CircleTrajectory(radius: 1, speed: 1)))
    #expect(estimator.accuracy < .medium && estimator.sigma > 100)
  }

  @Test("rotation about the vertical determines the horizontal part of the offset, which a heading needs, until a tilt")
  func verticalAxis() {
    var estimator = HardIronEstimator()
    for sample in samples(duration: 120, trajectory: CircleTrajectory(radius: 1, speed: 1)) {
      estimator.add(sample, up: .unitZ)
    }
    #expect(estimator.accuracy == .low && estimator.sigma > 100)
    let error = estimator.offset - Self.offset
    #expect(hypot(error.x, error.y) < 12)
    estimator.add(rate: .zero, up: Vector3(1, 0, 1).normalized!, at: 120)
    #expect(estimator.accuracy == .uncalibrated)
  }

  @Test("a constant error of the rate of 1 °/s does not change the decision")
  func rateError() {
    for (offset, decision) in [(Vector3.zero, HardIronEstimator.Decision.unchanged), (Self.offset, .offset)] {
      let estimator = learned(samples(offset: offset) { $0.gyroscope!.bias = Vector3(0.01, -0.01, 0.01) })
      #expect(estimator.decision == decision && isNear(estimator.offset, offset, within: 6))
    }
  }

  @Test("a device that lies still, or rotates about one axis, keeps the learned offset")
  func keeps() {
    var estimator = learned(samples() + samples(duration: 60, start: 60, trajectory: RestTrajectory()))
    estimator = learned(
      samples(duration: 120, start: 120, trajectory: CircleTrajectory(radius: 1, speed: 1)), from: estimator)
    #expect(estimator.decision == .offset && isNear(estimator.offset, Self.offset, within: 5))
  }

  @Test("a new offset is learned from scratch within 40 s")
  func followsChange() {
    let new = Vector3(180, 140, 0)
    let estimator = learned(samples(offset: new, duration: 41, start: 60, seed: 9), from: learned(samples()))
    #expect(estimator.decision == .offset && isNear(estimator.offset, new, within: 3))
  }

  @Test("an offset that disappears is no longer subtracted")
  func disappears() {
    let small = Vector3(12, -12, 10)
    let before = learned(samples(offset: small, duration: 120))
    let estimator = learned(samples(offset: .zero, duration: 120, start: 120, seed: 9), from: before)
    #expect(before.decision == .offset && isNear(estimator.offset, .zero, within: 2))
  }

  @Test("a gap in the rotation rates starts a new segment")
  func gap() {
    let all = samples(duration: 120)
    let estimator = learned(all.filter { $0.channel == .magnetometer || !(55..<65).contains($0.time) })
    #expect(isNear(estimator.offset, Self.offset, within: 3))
  }

  @Test("an estimator saved as JSON and resumed continues bit for bit")
  func resume() throws {
    let all = samples(duration: 25)
    let whole = learned(all)
    for cut in [0, 1, 2, 100, 1_499] {
      #expect(learned(all[cut...], from: try savedAndRestored(learned(all[..<cut]))) == whole)
    }
  }

  @Test(
    "on recordings of an iPhone 5 the offset matches a sphere fitted to the whole recording to 3 µT",
    .needs(.data),
    arguments: [("d3", Vector3(103, 290, 63)), ("d4", Vector3(127, 264, 27))])
  func recordings(day: String, center: Vector3) throws {
    let folder = TestData.url("calibration/calib_mag_iPhone5_\(day)")
    func rows(_ name: String, _ channel: SensorChannel) throws -> [SensorSample] {
      try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(whereSeparator: \.isNewline).map {
        let values = $0.split(separator: " ").compactMap { Double($0) }
        return SensorSample(time: values[0], channel: channel, x: values[1], y: values[2], z: values[3])
      }
    }
    let samples = try (rows("gyroscope.txt", .gyroscope) + rows("magnetometer.txt", .magnetometer)).sorted {
      $0.time < $1.time
    }
    let estimator = learned(samples)
    print("iPhone 5 \(day): offset \(estimator.offset), sigma \(estimator.sigma) µT,")
    #expect(isNear(estimator.offset, center, within: 3) && estimator.accuracy >= .medium)
  }
}

extension HardIronEstimator {
  fileprivate mutating func add(_ sample: SensorSample, up: Vector3 = .zero) {
    if sample.channel == .gyroscope { add(rate: sample.vector, up: up, at: sample.time) }
    if sample.channel == .magnetometer { add(field: sample.vector, at: sample.time) }
  }
}
