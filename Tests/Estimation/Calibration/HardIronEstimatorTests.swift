import CBLASCalls
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

  /// Returns an estimator that has learned from fields.
  private func learned(_ fields: some Sequence<Vector3>, from start: HardIronEstimator = .init()) -> HardIronEstimator {
    with(start) { for field in fields { $0.add(field) } }
  }

  /// Returns the raw fields of a simulated phone that is rotated.
  private func fields(
    offset: Vector3 = offset, duration: Double = 30, seed: UInt64 = 1,
    trajectory: (any Trajectory)? = nil, change: (inout SensorSuite) -> Void = { _ in }
  ) -> [Vector3] {
    var suite = SensorSuite.phone
    (suite.gyroscope, suite.accelerometer, suite.referenceRate) = (nil, nil, nil)
    suite.magnetometer!.hardIron = offset
    change(&suite)
    let motion = trajectory ?? RandomSplineTrajectory(duration: 1e3, restDuration: 0, seed: seed)
    return Simulation(trajectory: motion, sensors: suite, duration: duration, seed: seed)
      .filter { $0.channel == .magnetometer }.map(\.vector)
  }

  @Test(
    "a tumbling phone's offset of hundreds of µT is found to 1 µT in half a minute",
    arguments: [Vector3(35, -70, -110), Vector3(400, -300, 250), Vector3(-551, 205, 85), Vector3(0, 0, 1900), .zero])
  func recovers(offset: Vector3) {
    for seed in 1...3 {
      let estimator = learned(fields(offset: offset, seed: UInt64(seed)) { $0.magnetometer!.softIron = .identity })
      #expect(isNear(estimator.offset, offset, within: 1) && isNear(estimator.fieldStrength, 49, within: 1))
      #expect(estimator.accuracy == .high)
    }
  }

  @Test("the normal equations are solved by LAPACK, once per sample", .needs(.linux))
  func factorization() {
    let fields = fields(offset: Vector3(35, -70, -110))
    let before = blas_calls_of_this_thread()
    _ = learned(fields)
    let calls = blas_calls_of_this_thread() - before
    #expect(calls > 100 && calls <= fields.count)
  }

  @Test("a soft iron of 3 %, which is not part of the model, costs less than 2 µT")
  func softIron() {
    for seed in 1...3 {
      let offset = Vector3(35, -70, -110)
      let estimator = learned(fields(offset: offset, seed: UInt64(seed)))
      #expect(isNear(estimator.offset, offset, within: 2) && estimator.accuracy >= .medium)
    }
  }

  @Test("the accuracy rises from uncalibrated over low and medium to high, in this order, as sigma falls")
  func levels() {
    for seed in 1...5 {
      var estimator = HardIronEstimator()
      var levels: [MagneticFieldAccuracy] = [estimator.accuracy]
      for field in fields(offset: Vector3(35, -70, -110), seed: UInt64(seed)) {
        estimator.add(field)
        if estimator.accuracy != levels.last { levels.append(estimator.accuracy) }
        switch estimator.accuracy {
        case .high: #expect(estimator.sigma <= estimator.parameters.highSigma)
        case .medium: #expect(estimator.sigma <= estimator.parameters.mediumSigma)
        case .low: #expect(estimator.sigma <= estimator.parameters.lowSigma)
        case .uncalibrated: break
        }
        if estimator.accuracy >= .medium { #expect(isNear(estimator.offset, Vector3(35, -70, -110), within: 8)) }
      }
      #expect(levels == [.uncalibrated, .low, .medium, .high])
    }
  }

  @Test("at rest nothing is learned, at any noise", arguments: [0.05, 0.2, 0.4])
  func atRest(noiseDensity: Double) {
    for attitude in Quaternion.random(5, seed: 4) {
      var estimator = HardIronEstimator()
      let still = fields(duration: 60, trajectory: RestTrajectory(attitude: attitude)) {
        $0.magnetometer!.sensor.noiseDensity = noiseDensity
      }
      for field in still {
        estimator.add(field)
        #expect(estimator.accuracy == .uncalibrated)
      }
    }
  }

  @Test("rotation about one axis does not determine the offset along it, and is not classified as accurate")
  func oneAxis() {
    var estimator = HardIronEstimator()
    for field in fields(duration: 120, trajectory: CircleTrajectory(radius: 1, speed: 1)) {
      estimator.add(field)
      #expect(estimator.accuracy < .medium)
    }
  }

  @Test("a calibrated phone that lies still, or rotates about one axis, keeps the learned offset")
  func keeps() {
    var estimator = learned(fields() + fields(duration: 60, trajectory: RestTrajectory()))
    #expect(estimator.accuracy == .high)
    for field in fields(duration: 120, trajectory: CircleTrajectory(radius: 1, speed: 1)) {
      estimator.add(field)
      #expect((estimator.offset - Self.offset).norm < 5)
    }
  }

  @Test("after a change the offset is classified as inaccurate, and the new one is found in 20 s")
  func followsChange() {
    let new = Vector3(180, 140, 0)
    var estimator = learned(fields())
    var wrongButTrusted = 0
    for field in fields(offset: new, duration: 20, seed: 9) {
      estimator.add(field)
      if (estimator.offset - new).norm > 10, estimator.accuracy >= .medium { wrongButTrusted += 1 }
    }
    #expect(isNear(estimator.offset, new, within: 2) && estimator.accuracy >= .medium)
    #expect(wrongButTrusted == 0)
  }

  @Test("a passing magnetic object lowers the accuracy, and the old offset returns after it")
  func passing() {
    let passed = fields(duration: 60) { suite in
      suite.magnetometer!.softIron = .identity
      suite.disturbances = [MagneticDisturbance(start: 30, end: 33, field: Vector3(10, 20, -15), ramp: 0.5)]
    }
    var estimator = HardIronEstimator()
    var lowest = MagneticFieldAccuracy.high
    for (index, field) in passed.enumerated() {
      estimator.add(field)
      let time = Double(index) / 50
      if (30.5..<33).contains(time) { lowest = min(lowest, estimator.accuracy) }
    }
    #expect(lowest <= .low)
    #expect(estimator.accuracy >= .medium && isNear(estimator.offset, Self.offset, within: 2))
  }

  @Test("fields that are not finite, zero or impossible change nothing")
  func ignores() {
    let before = learned(fields(duration: 5))
    #expect(learned([Double.nan, .infinity, 0, 1e5].map { Vector3(repeating: $0) }, from: before) == before)
  }

  @Test("an estimator saved as JSON and resumed continues bit for bit")
  func resume() throws {
    let all = fields(duration: 10)
    let whole = learned(all)
    for cut in [0, 1, 2, 100, 499] {
      #expect(learned(all[cut...], from: try savedAndRestored(learned(all[..<cut]))) == whole)
    }
  }

  @Test(
    "on recordings of an iPhone 5 the offset matches a sphere fitted to the whole recording to 3 µT",
    .needs(.data),
    arguments: [("d3", Vector3(103, 290, 63)), ("d4", Vector3(127, 264, 27))])
  func recordings(day: String, center: Vector3) throws {
    let url = TestData.url("calibration/calib_mag_iPhone5_\(day)/magnetometer.txt")
    var estimator = HardIronEstimator()
    var reachedHigh: Double?
    let rows = try String(contentsOf: url, encoding: .utf8).split(whereSeparator: \.isNewline).map { line in
      line.split(separator: " ").compactMap { Double($0) }
    }
    for row in rows {
      try #require(row.count == 4)
      estimator.add(Vector3(row[1], row[2], row[3]))
      if reachedHigh == nil, estimator.accuracy == .high { reachedHigh = row[0] - rows[0][0] }
    }
    print(
      "iPhone 5 \(day): \(rows.count) samples, offset \(estimator.offset), strength \(estimator.fieldStrength) µT,",
      "sigma \(estimator.sigma) µT, high after \(reachedHigh.map { "\($0) s" } ?? "never"),",
      "\((estimator.offset - center).norm) µT from the fit")
    #expect(rows.count > 500)
    #expect(isNear(estimator.offset, center, within: 3) && isNear(estimator.fieldStrength, 46.1, within: 2))
    #expect(estimator.accuracy >= .medium)
  }
}
