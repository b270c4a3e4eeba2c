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
  /// Returns the raw fields of a simulated phone that is rotated.
  private func fields(
    offset: Vector3, duration: Double = 30, seed: UInt64 = 1,
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
      var estimator = HardIronEstimator()
      for field in fields(
        offset: offset, seed: UInt64(seed), change: { $0.magnetometer!.softIron = .identity })
      { estimator.add(field) }
      #expect(isNear(estimator.offset, offset, within: 1))
      #expect(isNear(estimator.fieldStrength, 49, within: 1))
      #expect(estimator.accuracy == .high)
    }
  }

  @Test("the normal equations are solved by LAPACK, once per sample", .needs(.linux))
  func factorization() {
    let fields = fields(offset: Vector3(35, -70, -110))
    var estimator = HardIronEstimator()
    let before = blas_calls_of_this_thread()
    for field in fields { estimator.add(field) }
    let calls = blas_calls_of_this_thread() - before
    #expect(calls > 100 && calls <= fields.count)
  }

  @Test("a soft iron of 3 %, which is not part of the model, costs less than 2 µT")
  func softIron() {
    for seed in 1...3 {
      var estimator = HardIronEstimator()
      let offset = Vector3(35, -70, -110)
      for field in fields(offset: offset, seed: UInt64(seed)) { estimator.add(field) }
      #expect(isNear(estimator.offset, offset, within: 2))
      #expect(estimator.accuracy >= .medium)
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
      let still = fields(
        offset: Vector3(100, 200, -50), duration: 60, trajectory: RestTrajectory(attitude: attitude)
      ) { $0.magnetometer!.sensor.noiseDensity = noiseDensity }
      for field in still {
        estimator.add(field)
        #expect(estimator.accuracy == .uncalibrated)
      }
    }
  }

  @Test("rotation about one axis does not determine the offset along it, and is not classified as accurate")
  func oneAxis() {
    var estimator = HardIronEstimator()
    let flat = fields(offset: Vector3(100, 200, -50), duration: 120, trajectory: CircleTrajectory(radius: 1, speed: 1))
    for field in flat {
      estimator.add(field)
      #expect(estimator.accuracy < .medium)
    }
  }

  @Test("a calibrated phone that lies still, or rotates about one axis, keeps the learned offset")
  func keeps() {
    let offset = Vector3(100, 200, -50)
    var estimator = HardIronEstimator()
    for field in fields(offset: offset) { estimator.add(field) }
    for field in fields(offset: offset, duration: 60, trajectory: RestTrajectory()) { estimator.add(field) }
    #expect(estimator.accuracy == .high)
    var worst = (error: 0.0, accuracy: MagneticFieldAccuracy.high)
    for field in fields(offset: offset, duration: 120, trajectory: CircleTrajectory(radius: 1, speed: 1)) {
      estimator.add(field)
      worst.error = max(worst.error, (estimator.offset - offset).norm)
      worst.accuracy = min(worst.accuracy, estimator.accuracy)
    }
    #expect(worst.error < 5)
  }

  @Test("after a change the offset is classified as inaccurate, and the new one is found in 20 s")
  func followsChange() {
    let (old, new) = (Vector3(100, 200, -50), Vector3(180, 140, 0))
    var estimator = HardIronEstimator()
    for field in fields(offset: old) { estimator.add(field) }
    var wrongButTrusted = 0
    for field in fields(offset: new, duration: 20, seed: 9) {
      estimator.add(field)
      if (estimator.offset - new).norm > 10, estimator.accuracy >= .medium { wrongButTrusted += 1 }
    }
    #expect(isNear(estimator.offset, new, within: 2))
    #expect(estimator.accuracy >= .medium)
    #expect(wrongButTrusted == 0)
  }

  @Test("a passing magnetic object lowers the accuracy, and the old offset returns after it")
  func passing() {
    let offset = Vector3(100, 200, -50)
    let passed = fields(offset: offset, duration: 60) { suite in
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
    #expect(estimator.accuracy >= .medium)
    #expect(isNear(estimator.offset, offset, within: 2))
  }

  @Test("fields that are not finite, zero or impossible change nothing")
  func ignores() {
    var estimator = HardIronEstimator()
    for field in fields(offset: Vector3(100, 200, -50), duration: 5) { estimator.add(field) }
    let before = estimator
    for bad in [Double.nan, .infinity, 0, 1e5] { estimator.add(Vector3(repeating: bad)) }
    #expect(estimator == before)
  }

  @Test("an estimator saved as JSON and resumed continues bit for bit")
  func resume() throws {
    let all = fields(offset: Vector3(100, 200, -50), duration: 10)
    var whole = HardIronEstimator()
    for field in all { whole.add(field) }
    for cut in [0, 1, 2, 100, 499] {
      var part = HardIronEstimator()
      for field in all[..<cut] { part.add(field) }
      part = try JSONDecoder().decode(HardIronEstimator.self, from: try JSONEncoder().encode(part))
      for field in all[cut...] { part.add(field) }
      #expect(part == whole)
    }
  }

  @Test(
    "on recordings of an iPhone 5 the offset matches a sphere fitted to the whole recording to 3 µT",
    .needs(.data),
    arguments: [("d3", Vector3(103, 290, 63)), ("d4", Vector3(127, 264, 27))])
  func recordings(day: String, center: Vector3) throws {
    let url = TestData.url("calibration/calib_mag_iPhone5_\(day)/magnetometer.txt")
    var estimator = HardIronEstimator()
    var (count, reachedHigh) = (0, Double?.none)
    var first = Double?.none
    for line in try String(contentsOf: url, encoding: .utf8).split(whereSeparator: \.isNewline) {
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      try #require(numbers.count == 4)
      count += 1
      estimator.add(Vector3(numbers[1], numbers[2], numbers[3]))
      first = first ?? numbers[0]
      if reachedHigh == nil, estimator.accuracy == .high { reachedHigh = numbers[0] - first! }
    }
    print(
      "iPhone 5 \(day): \(count) samples, offset \(estimator.offset), strength \(estimator.fieldStrength) µT,",
      "sigma \(estimator.sigma) µT, high after \(reachedHigh.map { "\($0) s" } ?? "never"),",
      "\((estimator.offset - center).norm) µT from the fit")
    #expect(count > 500)
    #expect(isNear(estimator.offset, center, within: 3))
    #expect(isNear(estimator.fieldStrength, 46.1, within: 2))
    #expect(estimator.accuracy >= .medium)
  }
}
