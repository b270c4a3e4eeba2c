import Dispatch
import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import Synchronization
import TestSupport
import Testing

@testable import InertialCalibration

/// A device with random errors, and its log.
private struct Device {
  var suite = SensorSuite()
  /// The expected result of a calibration, in the axes of the accelerometer's symmetric matrix.
  var accelerometer: LinearModel
  var gyroscope: LinearModel
  var magnetometer: LinearModel

  init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed ^ 0xD0_0D)
    func random(_ size: Double) -> Vector3 { generator.vector(size) }
    func symmetric(_ size: Double) -> Matrix3 {
      let (d, o) = (random(size), random(size))
      return Matrix3(rows: Vector3(1 + d.x, o.x, o.y), Vector3(o.x, 1 + d.y, o.z), Vector3(o.y, o.z, 1 + d.z))
    }
    func any(_ size: Double) -> Matrix3 {
      Matrix3(rows: .unitX + random(size), .unitY + random(size), .unitZ + random(size))
    }
    var force = SensorModel(rate: 50)
    (force.misalignment, force.bias, force.noiseDensity) = (symmetric(0.01), random(0.02), 2e-4)
    var rate = SensorModel(rate: 50)
    (rate.misalignment, rate.bias, rate.noiseDensity) = (any(0.01), random(0.02), 2e-4)
    var field = SensorModel(rate: 20)
    field.noiseDensity = 0.1
    var magnetometer = MagnetometerModel(sensor: field)
    (magnetometer.softIron, magnetometer.hardIron) = (any(0.04), random(80))
    suite = SensorSuite(gyroscope: rate, accelerometer: force, magnetometer: magnetometer, referenceRate: nil)
    accelerometer = LinearModel(bias: force.bias, matrix: force.misalignment.inverse!)
    gyroscope = LinearModel(bias: rate.bias, matrix: rate.misalignment.inverse!)
    let iron = magnetometer.softIron.inverse!
    self.magnetometer = LinearModel(bias: magnetometer.hardIron, matrix: iron * (1 / Foundation.cbrt(iron.determinant)))
  }

  struct Log {
    var accelerometer = SensorColumn()
    var gyroscope = SensorColumn()
    var magnetometer = SensorColumn()

    init(_ samples: some Sequence<SensorSample>) {
      for sample in samples {
        switch sample.channel {
        case .accelerometer: accelerometer.append(sample.vector, at: sample.time)
        case .gyroscope: gyroscope.append(sample.vector, at: sample.time)
        case .magnetometer: magnetometer.append(sample.vector, at: sample.time)
        default: break
        }
      }
    }
  }

  func log(_ trajectory: any Trajectory, duration: Double, seed: UInt64) -> Log {
    Log(Simulation(trajectory: trajectory, sensors: suite, duration: duration, seed: seed))
  }
}

/// A device that is rotated by hand between attitudes: its poses, and the rates between them.
private struct HandTurns {
  var poses: [StillPose] = []
  var accelerometer = SensorColumn()
  var gyroscope = SensorColumn()
  var magnetometer = SensorColumn()

  /// - Parameters:
  ///   - lowest: The minimum upward part of each pose's attitude along z, −1 to 1.
  ///   - step: The resolution of the gyroscope, in rad/s.
  ///   - noise: The noise of a sample of the gyroscope, in rad/s.
  ///   - swap: The permutation of the gyroscope's axes.
  init(
    _ device: Device, count: Int, lowest: Double = -1, step: Double = 0, noise: Double = 1e-3, swap: [Int] = [0, 1, 2],
    seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    func random(_ size: Double) -> Vector3 { generator.vector(size) }
    var attitudes: [Quaternion] = []
    while attitudes.count < count {
      let attitude = Quaternion(rotationVector: (random(1).normalized ?? .unitX) * (generator.uniform() * 2 * .pi))
      if attitude.rotateInverse(.unitZ).z >= lowest { attitudes.append(attitude) }
    }
    let (force, rate) = (device.suite.accelerometer!, device.suite.gyroscope!)
    let iron = device.suite.magnetometer!
    var time = 0.0
    for (index, attitude) in attitudes.enumerated() {
      let turn = index + 1 < count ? (attitude.conjugate * attitudes[index + 1]).rotationVector : .zero
      for sample in 0..<(index + 1 < count ? 400 : 200) {
        let fraction = max(0, Double(sample - 200) / 200)
        let way = fraction - sin(2 * .pi * fraction) / (2 * .pi)
        let now = attitude * Quaternion(rotationVector: way * turn)
        let true3 = (0.5 * (1 - cos(2 * .pi * fraction))) * turn
        let measured = rate.misalignment * true3 + rate.bias + random(noise)
        let swapped = Vector3(measured[swap[0]], measured[swap[1]], measured[swap[2]])
        gyroscope.append(step > 0 ? Vector3((0..<3).map { step * (swapped[$0] / step).rounded() }) : swapped, at: time)
        accelerometer.append(force.misalignment * now.rotateInverse(-.unitZ) + force.bias + random(2e-3), at: time)
        if sample % 5 == 0 {
          magnetometer.append(
            iron.softIron * now.rotateInverse(Vector3(20, 0, -44)) + iron.hardIron + random(0.6), at: time)
        }
        time += 0.01
      }
    }
    poses = StillPose.find(accelerometer: accelerometer, gyroscope: gyroscope, magnetometer: magnetometer)
  }

  /// Returns the errors of the gyroscope's matrix and bias divided by the stated deviations, or `nil` if they are not
  /// found.
  func gyroscope(_ device: Device) -> (matrix: [Double], bias: [Double], fit: GyroscopeFit)? {
    guard let force = AccelerometerFit(poses),
      let fit = GyroscopeFit(
        poses, gyroscope: gyroscope, accelerometer: force.result.model, errors: force.gravityErrors)
    else { return nil }
    let errors = fit.result.errors(device.gyroscope)
    return (Array(errors[3...]), Array(errors[..<3]), fit)
  }
}

extension CalibratedModel {
  /// Returns the errors of the biases, and then of the matrix, divided by the stated deviations.
  fileprivate func errors(_ truth: LinearModel) -> [Double] {
    (0..<3).map { (model.bias[$0] - truth.bias[$0]) / biasSigma[$0] }
      + (0..<9).map { (model.matrix[$0 / 3, $0 % 3] - truth.matrix[$0 / 3, $0 % 3]) / matrixSigma[$0 / 3, $0 % 3] }
  }
}

private func fraction(_ numbers: [Double]) -> Double {
  Double(numbers.count { abs($0) <= 1.96 }) / Double(max(1, numbers.count))
}

private func calibrated(_ series: SensorColumn, _ model: LinearModel) -> SensorColumn {
  SensorColumn(times: series.times, values: series.values.map(model.calibrated))
}

@Suite("Calibration of simulated devices")
struct CalibrationFitTests {
  @Test("the true parameters are in the stated 95 % intervals as often as stated, over 30 devices or 200")
  func coverage() {
    let devices = TestData.isLong ? 200 : 30
    // The short form accepts the 99.9 % interval of the binomial distribution of 95 % of 360.
    let band = TestData.isLong ? 0.9...0.99 : 327.0 / 360...354.0 / 360
    let found = Mutex([[Double]](repeating: [], count: 3))
    DispatchQueue.concurrentPerform(iterations: devices) { index in
      let seed = UInt64(index + 1)
      let device = Device(seed: seed)
      let motion = PosesTrajectory(count: 24, restDuration: 1.5, turnDuration: 1.2, seed: seed)
      let log = device.log(motion, duration: motion.duration, seed: seed)
      let poses = StillPose.find(accelerometer: log.accelerometer, gyroscope: log.gyroscope)
      guard poses.count > 20, let force = AccelerometerFit(poses),
        let rate = GyroscopeFit(poses, gyroscope: log.gyroscope, accelerometer: force.result.model),
        let field = MagnetometerFit(
          log.magnetometer, accelerometer: calibrated(log.accelerometer, force.result.model),
          gyroscope: calibrated(log.gyroscope, rate.result.model))
      else { return }
      let errors = [
        force.result.errors(device.accelerometer), rate.result.errors(device.gyroscope),
        field.result.errors(device.magnetometer),
      ]
      found.withLock { for position in 0..<3 { $0[position] += errors[position] } }
    }
    for (name, errors) in zip(["accelerometer", "gyroscope", "magnetometer"], found.withLock { $0 }) {
      print("calibration coverage, \(name): \(fraction(errors)) of \(errors.count) parameters in their 95 % interval")
      #expect(errors.count == devices * 12)
      #expect(band.contains(fraction(errors)), "\(name): \(fraction(errors))")
    }
  }

  @Test(
    "with few poses, and with poses of half a sphere, the gyroscope's matrix has its stated uncertainty",
    arguments: [(5, -1.0), (6, -1.0), (7, -1.0), (18, 0.0), (24, 0.77)])
  func gyroscopeWithoutSupport(count: Int, lowest: Double) {
    let numbers = Mutex<[Double]>([])
    DispatchQueue.concurrentPerform(iterations: 30) { index in
      let device = Device(seed: UInt64(index + 1))
      let turns = HandTurns(device, count: count, lowest: lowest, seed: UInt64(index + 100))
      guard let found = turns.gyroscope(device) else { return }
      numbers.withLock { $0 += found.matrix }
    }
    let all = numbers.withLock { $0 }
    print("gyroscope's matrix, \(count) poses above \(lowest): \(fraction(all)), worst \(all.map(abs).max() ?? 0)")
    #expect(all.count >= 25 * 9)
    #expect(fraction(all) > 0.9 && all.allSatisfy { abs($0) < 6 })
  }

  @Test("coarse steps leave the bias uncertain by a step only if the noise does not exceed a step")
  func rounding() throws {
    for (noise, isCoarse) in [(1e-4, true), (0.02, false)] {
      var numbers: [Double] = []
      for seed in 1...10 {
        let device = Device(seed: UInt64(seed))
        let turns = HandTurns(device, count: 12, step: 0.01, noise: noise, seed: UInt64(seed + 50))
        let found = try #require(turns.gyroscope(device))
        numbers += found.bias
        let sigma = found.fit.result.biasSigma.maximumMagnitude
        #expect(isCoarse ? sigma > 0.002 && sigma < 0.004 : sigma < 0.001)
      }
      #expect(fraction(numbers) > 0.85, "\(numbers)")
    }
    #expect(SensorColumn().quantum == .zero)
  }

  @Test("rotations that contradict gravity are reported as such, and missing rotations as missing")
  func contradiction() throws {
    let device = Device(seed: 5)
    let (swapped, few) = (HandTurns(device, count: 12, swap: [1, 0, 2], seed: 6), HandTurns(device, count: 5, seed: 8))
    for (turns, words, others) in [
      (swapped, "the rotations contradict gravity", "too few rotations"), (few, "too few rotations", "contradict"),
    ] {
      let unobservable = try #require(turns.gyroscope(device)).fit.result.unobservable
      #expect(unobservable.contains { $0.contains(words) } && !unobservable.contains { $0.contains(others) })
    }
    // A matrix that was not measured has the uncertainty of data sheets.
    let two = try #require(HandTurns(device, count: 2, seed: 8).poses.first)
    let one = try #require(GyroscopeFit([two], gyroscope: SensorColumn(), accelerometer: LinearModel()))
    #expect(one.result.matrix == .identity && one.result.matrixSigma.m11 == 0.02)
  }

  @Test(
    "the magnetometer's bias and matrix have their stated uncertainty, with poses of half a sphere and with few",
    arguments: [(24, -1.0), (18, 0.0), (9, -1.0)])
  func magnetometerCoverage(count: Int, lowest: Double) {
    let numbers = Mutex<[Double]>([])
    let headings = Mutex<[Double]>([])
    DispatchQueue.concurrentPerform(iterations: 30) { index in
      let device = Device(seed: UInt64(index + 1))
      let turns = HandTurns(device, count: count, lowest: lowest, seed: UInt64(index + 300))
      guard let force = AccelerometerFit(turns.poses),
        let rate = GyroscopeFit(
          turns.poses, gyroscope: turns.gyroscope, accelerometer: force.result.model, errors: force.gravityErrors),
        let fit = MagnetometerFit(
          turns.magnetometer, accelerometer: calibrated(turns.accelerometer, force.result.model),
          gyroscope: calibrated(turns.gyroscope, rate.result.model), by: force.result.model,
          leaving: force.gravityErrors, rate.result)
      else { return }
      numbers.withLock { $0 += fit.result.errors(device.magnetometer) }
      headings.withLock { $0.append(fit.headingSigma ?? 0) }
    }
    let all = numbers.withLock { $0 }
    print("magnetometer, \(count) poses above \(lowest): \(fraction(all)), worst \(all.map(abs).max() ?? 0)")
    #expect(all.count >= 25 * 12)
    #expect(fraction(all) > (count > 12 ? 0.9 : 0.8))
    #expect(headings.withLock { $0 }.allSatisfy { $0 > 0 })
  }

  @Test("smooth motion is not rest, and noise is rest")
  func smoothMotion() {
    var generator = SeededGenerator(seed: 4)
    func series(_ noise: Double, _ value: (Double) -> Vector3) -> SensorColumn {
      let times = (0..<3000).map { 0.01 * Double($0) }
      return SensorColumn(times: times, values: times.map { value($0) + generator.vector(noise) })
    }
    let force = series(0.002) { _ in Vector3(0, 0, -1) }
    let quiet = series(0.001) { _ in Vector3(0.09, 0, 0) }
    let swaying = series(0.001) { Vector3(0.3 * sin($0), 0, 0) }
    func poses(_ force: SensorColumn, _ rate: SensorColumn, _ field: SensorColumn = SensorColumn()) -> Int {
      StillPose.find(accelerometer: force, gyroscope: rate, magnetometer: field).count
    }
    #expect(poses(force, quiet) == 1 && poses(force, swaying) == 0)
    #expect(poses(series(0.002) { Vector3(0.2 * sin($0), 0, -1) }, quiet) == 0)
    // A vibrating table: the gyroscope detects when it is rotated.
    let shaken = series(0.002) { Vector3(0.05 * sin(2 * .pi * 23 * $0), 0, -1) }
    let turned = series(0.001) { Vector3(0.09 + ($0 > 10 && $0 < 12 ? 1 - cos(.pi * ($0 - 10)) : 0), 0, 0) }
    #expect(poses(shaken, turned) == 2)
    // Shaken more than any sensor's own noise.
    #expect(poses(series(0.1) { _ in Vector3(0, 0, -1) }, quiet) == 0)
    // Without noise, and rounded to a step by which it jumps.
    let rounded = series(0) { Vector3(0, 0.01 * (Int($0 * 100 + 0.5) % 7 == 0 ? 1 : 0), 0) }
    #expect(poses(force, rounded) == 1)

    // A constant rotation looks like a bias, unless the field rotates with it.
    let turning = series(0.001) { _ in Vector3(0, 0, 0.3) }
    let field = series(0.5) { Vector3(20 * cos(0.3 * $0) + 90, -20 * sin(0.3 * $0), -44) }
    let still = series(0.5) { _ in Vector3(110, 0, -44) }
    #expect(poses(force, turning) == 1 && poses(force, turning, still) == 1 && poses(force, turning, field) == 0)
  }

  @Test("among poses with one bias, a rotating one is not a pose")
  func turningPose() {
    var device = Device(seed: 9)
    device.suite.gyroscope!.bias = Vector3(0.26, 0, 0)
    var turns = HandTurns(device, count: 8, seed: 3)
    #expect(turns.poses.count == 8)
    // An additional 5°/s in the third pose.
    for (position, time) in turns.gyroscope.times.enumerated() where time > 8 && time < 10 {
      turns.gyroscope.values[position].z += 0.087
    }
    #expect(StillPose.find(accelerometer: turns.accelerometer, gyroscope: turns.gyroscope).count == 7)
  }

  @Test("poses are found in any number and order, and rests without motion between them are one pose")
  func poses() {
    let device = Device(seed: 3)
    for count in [1, 6, 13] {
      let motion = PosesTrajectory(count: count, restDuration: 2, turnDuration: 1, seed: 7)
      let log = device.log(motion, duration: motion.duration, seed: 5)
      let poses = StillPose.find(accelerometer: log.accelerometer, gyroscope: log.gyroscope)
      #expect(poses.count == count)
      for pose in poses { #expect(pose.duration > 1.2) }
    }
    #expect(StillPose.find(accelerometer: SensorColumn(), gyroscope: SensorColumn()).isEmpty)
  }

  @Test("unobservable parameters are reported by axis, and not corrected")
  func unobservable() throws {
    let device = Device(seed: 4)
    // All attitudes are almost level.
    let attitudes = (0..<8).map {
      Quaternion(angle: 0.8 * Double($0), axis: .unitZ) * Quaternion(angle: 0.2, axis: .unitX)
    }
    let poses = attitudes.map { attitude in
      StillPose(
        start: 0, end: 1,
        acceleration: device.suite.accelerometer!.misalignment * (-1 * attitude.rotateInverse(.unitZ))
          + device.suite.accelerometer!.bias, accelerationVariance: 1e-6, accelerationCount: 100)
    }
    let fit = try #require(AccelerometerFit(poses))
    #expect(fit.result.unobservable.contains { $0.hasPrefix("x scale not observable: no pose with x up") })
    #expect(abs(fit.result.model.matrix.m11 - 1) < 0.005 && fit.result.matrixSigma.m11 > 0.005)
    #expect(AccelerometerFit(Array(poses.prefix(2))) == nil)
    #expect(GyroscopeFit(poses, gyroscope: SensorColumn(), accelerometer: LinearModel()) == nil)
  }

  @Test("a bias that drifts during the poses is reported, with the resulting deviation of the mean")
  func drift() throws {
    let results = Mutex((drifts: 0, steady: 0, held: 0, all: 0))
    DispatchQueue.concurrentPerform(iterations: 40) { index in
      var generator = SeededGenerator(seed: UInt64(index + 1))
      let isDrifting = index % 2 == 0
      let matrix = Matrix3(rows: Vector3(1.01, 0.004, 0), Vector3(0.004, 0.99, -0.003), Vector3(0, -0.003, 1.005))
      let inverse = matrix.inverse!
      let size = isDrifting ? 4e-4 : 0
      let kept = exp(-10.0 / 120)
      var drift = generator.vector(size)
      let poses = (0..<48).map { position in
        drift = kept * drift + generator.vector(size * (1 - kept * kept).squareRoot())
        let up = generator.vector().normalized ?? .unitZ
        return StillPose(
          start: 10 * Double(position), end: 10 * Double(position) + 6,
          acceleration: inverse * up + Vector3(0.02, -0.03, 0.01) + drift + generator.vector(1e-4),
          accelerationVariance: 1e-6, accelerationCount: 600)
      }
      guard let fit = AccelerometerFit(poses) else { return }
      results.withLock { results in
        guard isDrifting else {
          results.steady += fit.drift == nil ? 1 : 0
          return
        }
        results.drifts += fit.drift == nil ? 0 : 1
        let errors = fit.result.errors(LinearModel(bias: Vector3(0.02, -0.03, 0.01), matrix: .identity))[..<3]
        results.all += 3
        results.held += errors.count { abs($0) <= 1.96 }
      }
    }
    let result = results.withLock { $0 }
    print(
      "drifting poses: \(result.drifts) of 20 told, steady \(result.steady) of 20, bias held \(result.held) of \(result.all)"
    )
    #expect(result.drifts >= 17 && result.steady >= 16 && result.held >= 50)
  }

  @Test("a gyroscope that is sensitive to acceleration is reported, another is not")
  func sensitivity() throws {
    for size in [0.0, 0.002] {
      var device = Device(seed: 6)
      let truth = Matrix3(rows: Vector3(size, 0, 0), Vector3(0, -size, 0), Vector3(0, size, size))
      device.suite.gyroscope!.accelerationSensitivity = truth
      let motion = PosesTrajectory(count: 24, restDuration: 2, turnDuration: 1, seed: 8)
      let log = device.log(motion, duration: motion.duration, seed: 9)
      let poses = StillPose.find(accelerometer: log.accelerometer, gyroscope: log.gyroscope)
      let force = try #require(AccelerometerFit(poses))
      let rate = try #require(GyroscopeFit(poses, gyroscope: log.gyroscope, accelerometer: force.result.model))
      #expect((rate.accelerationSensitivity == nil) == (size == 0))
      if let found = rate.accelerationSensitivity { #expect((found - truth).maximumMagnitude < 2e-4) }
    }
  }

  @Test("a magnetometer mounted a quarter turn off is aligned to the accelerometer's axes")
  func mounting() throws {
    var device = Device(seed: 11)
    let quarter = Matrix3(rows: .unitY, -.unitX, .unitZ)
    device.suite.magnetometer!.softIron = quarter
    let motion = RandomSplineTrajectory(duration: 1e3, restDuration: 0, positionSpread: 0.02, seed: 12)
    let log = device.log(motion, duration: 60, seed: 13)
    let fit = try #require(
      MagnetometerFit(
        log.magnetometer, accelerometer: calibrated(log.accelerometer, device.accelerometer),
        gyroscope: calibrated(log.gyroscope, device.gyroscope)))
    #expect((fit.result.model.matrix - quarter.transpose).maximumMagnitude < 0.02)
    #expect(abs(fit.fieldStrength - device.suite.earthField.vector.norm) < 0.3 && fit.verdict != .poor)
    // Without an accelerometer, the rotation stays unknown, and this is reported.
    let alone = try #require(
      MagnetometerFit(log.magnetometer, accelerometer: SensorColumn(), gyroscope: SensorColumn()))
    #expect(alone.result.unobservable.contains { $0.hasPrefix("rotation relative to the accelerometer") })
    #expect(alone.headingSigma == nil)
  }

  @Test("logs that cover part of the sphere are classified as poor, and complete ones are not")
  func partialSphere() {
    let results = Mutex((poor: 0, partial: 0, whole: 0, wholePoor: 0))
    DispatchQueue.concurrentPerform(iterations: 60) { index in
      let seed = UInt64(index + 1)
      let device = Device(seed: seed)
      let isPartial = index % 3 != 0
      let motion: any Trajectory =
        isPartial
        ? RandomSplineTrajectory(
          duration: 1e3, restDuration: 0, knotInterval: 0.5, rotationStep: 0.06 + 0.002 * Double(index),
          positionSpread: 0.02, seed: seed)
        : RandomSplineTrajectory(duration: 1e3, restDuration: 0, rotationStep: 0.9, positionSpread: 0.02, seed: seed)
      let log = device.log(motion, duration: isPartial ? 15 : 90, seed: seed)
      let fit = MagnetometerFit(
        log.magnetometer, accelerometer: calibrated(log.accelerometer, device.accelerometer),
        gyroscope: calibrated(log.gyroscope, device.gyroscope))
      let isPoor = fit.map { $0.verdict == .poor } ?? true
      results.withLock { results in
        if isPartial {
          results.partial += 1
          results.poor += isPoor ? 1 : 0
        } else {
          results.whole += 1
          results.wholePoor += isPoor ? 1 : 0
        }
      }
    }
    let result = results.withLock { $0 }
    print(
      "partial sphere: \(result.poor) of \(result.partial) poor; whole: \(result.wholePoor) of \(result.whole) poor")
    #expect(Double(result.poor) >= 0.95 * Double(result.partial))
    #expect(result.wholePoor == 0)
  }

  @Test("if only the rotation is unknown, hard and soft iron are used, with the stated residual")
  func ironAlone() throws {
    let results = Mutex((uses: 0, squares: 0.0))
    DispatchQueue.concurrentPerform(iterations: 20) { index in
      let seed = UInt64(index + 1)
      var device = Device(seed: seed)
      // A chip that is soldered a quarter turn off, with soft iron that rotates no axis more than another.
      let quarter = Matrix3(rows: .unitY, -.unitX, .unitZ)
      let iron = Matrix3(rows: Vector3(1.04, 0.01, 0.02), Vector3(0.01, 0.97, -0.01), Vector3(0.02, -0.01, 1))
      device.suite.magnetometer!.softIron = iron * quarter
      let motion = RandomSplineTrajectory(
        duration: 1e3, restDuration: 0, rotationStep: 0.9, positionSpread: 0.02, seed: seed)
      let log = device.log(motion, duration: 60, seed: seed)
      guard let fit = MagnetometerFit(log.magnetometer, accelerometer: SensorColumn(), gyroscope: SensorColumn()) else {
        return
      }
      var calibration = DeviceCalibration()
      calibration.sensors = [.init(.magnetometer, fit.result)]
      // The same as the verdict for a log whose gyroscope drifts; the nearest quarter turn is certain.
      (calibration.verdict, calibration.headingSigma) = (.poor, 0.15)
      (calibration.ironVerdict, calibration.ironSigma) = (fit.ironVerdict, fit.ironSigma)
      guard calibration.magnetometerUse == .iron, let applied = calibration.applied.magnetometer else { return }
      let whole = iron * quarter
      let scale = fit.fieldStrength / device.suite.earthField.vector.norm
      var squares = 0.0
      for direction in [Vector3.unitX, .unitY, .unitZ, -.unitX, -.unitY, -.unitZ] {
        // The log's axes, whose quarter turn cannot be determined from the magnetometer alone.
        let truth = quarter * (fit.fieldStrength * direction)
        let raw = whole * ((1 / scale) * (fit.fieldStrength * direction)) + device.suite.magnetometer!.hardIron
        let error = applied.calibrated(raw) - truth
        squares += (error - error.dot(truth.normalized!) * truth.normalized!).squaredNorm / 2
      }
      let size = (squares / 6).squareRoot() / fit.ironSigma
      results.withLock { results in
        results.uses += 1
        results.squares += size * size
      }
    }
    let result = results.withLock { $0 }
    let ratio = (result.squares / Double(max(1, result.uses))).squareRoot()
    print("iron alone: \(result.uses) of 20 used, error over the worst attitude's stated sigma \(ratio)")
    #expect(result.uses == 20)
    #expect(ratio > 0.3 && ratio < 1.3)
  }

  @Test("iron and rotation of a matrix are separated, and so are their changes")
  func turnedIron() throws {
    let iron = Matrix3(rows: Vector3(1.1, 0.02, -0.03), Vector3(0.02, 0.9, 0.04), Vector3(-0.03, 0.04, 1.02))
    let turn = Quaternion(angle: 1.5, axis: Vector3(0.1, -0.2, 1).normalized!).matrix
    let parts = try #require(SoftIronDecomposition(turn * iron))
    #expect((parts.iron - iron).maximumMagnitude < 1e-12 && (parts.turn - turn).maximumMagnitude < 1e-12)
    #expect(parts.quarterTurn == Matrix3(rows: -.unitY, .unitX, .unitZ))
    let skewed = try #require(SoftIronDecomposition(Quaternion(angle: 0.25 * .pi, axis: .unitX).matrix * iron))
    #expect(skewed.quarterTurn == nil)
    let change = Matrix3(rows: Vector3(1, 2, -1), Vector3(0.5, -1, 2), Vector3(3, 1, 0.2))
    let after = try #require(SoftIronDecomposition(turn * iron + change * 1e-6))
    #expect(((after.iron - iron) * 1e6 - parts.ironChange(change)).maximumMagnitude < 1e-4)
    #expect(SoftIronDecomposition(.zero) == nil)
  }

  @Test("a document is decoded as it was encoded, and describes the processing of samples")
  func document() throws {
    var calibration = DeviceCalibration()
    calibration.device = "left"
    calibration.sources = ["a.csv"]
    var result = CalibratedModel()
    result.model = LinearModel(bias: Vector3(0.01, 0, 0), matrix: Matrix3.identity * 2)
    result.biasSigma = Vector3(1e-4, 1e-4, 1e-4)
    result.unobservable = ["z scale not observable: no pose with z up"]
    (result.observations, result.outliers) = (20, 1)
    calibration.sensors = [.init(.accelerometer, result), .init(.gyroscope, result), .init(.magnetometer, result)]
    (calibration.fieldStrength, calibration.dip, calibration.verdict) = (48, 1.1, .fair)
    calibration.accelerationSensitivity = Matrix3.identity * 0.1
    (calibration.ironSigma, calibration.ironVerdict) = (0.2, .good)
    let rests = (0..<6).map { index in
      with(
        StillPose(
          start: Double(index), end: Double(index) + 1, acceleration: .unitZ, accelerationVariance: 1e-6,
          accelerationCount: 50)
      ) { ($0.rotationRate, $0.rotationRateCount) = (Vector3(0.01 + 0.001 * Double(index), 0, 0), 50) }
    }
    let slope = try #require(TemperatureSlope(rests, times: [0.5, 5.5], temperatures: [20, 30]))
    #expect(slope.isSure && isNear(slope.slope, Vector3(0.0005, 0, 0), within: 1e-12))
    calibration.follow(slope)
    let data = try JSONEncoder().encode(calibration)
    #expect(try JSONDecoder().decode(DeviceCalibration.self, from: data) == calibration)
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains("\"bias_radPerS\"") && text.contains("\"version\":1"))
    // Only parameters that both have measured are compared: no matrix here has a deviation.
    #expect(calibration.differences(from: calibration).count == 9)
    #expect(calibration.differences(from: calibration).allSatisfy { $0.deviations == 0 && $0.isOfTheDay })
    var measured = calibration
    for index in measured.sensors.indices {
      measured.sensors[index].result.matrixSigma = Matrix3.identity * 1e-3
      measured.sensors[index].result.model.bias.x += 0.02
    }
    let differences = measured.differences(from: measured)
    #expect(differences.count == 18 && differences.count { !$0.isOfTheDay } == 9)
    #expect(measured.differences(from: calibration).count { abs($0.deviations) > 3 && $0.isOfTheDay } == 3)
    #expect(calibration.kalibr.contains("gyroscopes:"))

    let poor = with(calibration) { ($0.verdict, $0.ironVerdict) = (.poor, .poor) }
    #expect(poor.applied.magnetometer == nil && poor.applied.accelerometer != nil)
    // For the next day, filters expect the bias's change and the uncertainty of the fit.
    let expected = try #require(calibration.applied.filterSettings["initialBiasSigma"])
    #expect(isNear(expected, 0.5 * .pi / 180, within: 1e-5) && expected > 0.5 * .pi / 180)
    #expect(SensorCalibration().filterSettings.isEmpty)
    calibration.temperatureSlope = nil
    calibration.sensors[1].result.model.bias = Vector3(0.01, 0, 0)

    var pass = SensorCalibration.Pass(calibration.applied)
    // An unknown temperature changes nothing.
    pass.add([with(AuxiliarySample(time: 0, channel: .temperature)) { $0["temperature"] = 40 }])
    var samples = [
      SensorSample(time: 0, channel: .accelerometer, Vector3(0.51, 0, 0)),
      SensorSample(time: 0, channel: .gyroscope, Vector3(0.01, 0, 0)),
      SensorSample(time: 0, channel: .magnetometer, Vector3(10.01, 0, 0)),
      SensorSample(time: 0, channel: .calibratedMagneticField, Vector3(1, 1, 1), w: 1),
    ]
    pass.apply(to: &samples)
    #expect(samples.map(\.channel) == [.accelerometer, .gyroscope, .magnetometer, .calibratedMagneticField])
    #expect(isNear(samples[0].vector, Vector3(1, 0, 0), within: 1e-12))
    // The effect of 1 g on the rate is subtracted before the matrix is applied.
    #expect(isNear(samples[1].vector, Vector3(-0.2, 0, 0), within: 1e-12))
    #expect(isNear(samples[2].vector, Vector3(20, 0, 0), within: 1e-12))
    // Values calibrated by the device are unchanged.
    #expect(samples[3].vector == Vector3(1, 1, 1) && samples[3].w == 1)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(DeviceCalibration.self, from: Data("{}".utf8)) }
  }
}

@Suite("Calibration of recorded devices", .needs(.data))
struct CalibrationRecordingTests {
  /// Returns the times, accelerations and rates of a table, each number converted by a function.
  private func table(
    _ name: String, acceleration: (Double) -> Double, rate: (Double) -> Double
  ) throws -> (SensorColumn, SensorColumn) {
    let text = try String(contentsOf: TestData.url("calibration-imu/\(name).csv"), encoding: .utf8)
    var (forces, rates) = (SensorColumn(), SensorColumn())
    for n in TextTable(text).rows {
      forces.append(Vector3(acceleration(n[1]), acceleration(n[2]), acceleration(n[3])), at: n[0])
      rates.append(Vector3(rate(n[4]), rate(n[5]), rate(n[6])), at: n[0])
    }
    return (forces, rates)
  }

  @Test("the Xsens' raw counts give the certificate's scales, without manual settings")
  func xsens() throws {
    // 16 bits about 32768, with a unit for scales of about 1.
    let (forces, rates) = try table(
      "xsens", acceleration: { -($0 - 32768) / 400 / 9.805 }, rate: { ($0 - 32768) / 4800 })
    let poses = StillPose.find(accelerometer: forces, gyroscope: rates)
    #expect(poses.count >= 38)
    let force = try #require(AccelerometerFit(poses))
    let rate = try #require(GyroscopeFit(poses, gyroscope: rates, accelerometer: force.result.model))
    let inverse = try #require(rate.result.model.matrix.inverse)
    let scales = (0..<3).map { 400 / force.result.model.matrix[$0, $0] } + (0..<3).map { 4800 * inverse[$0, $0] }
    print(
      "xsens: \(poses.count) poses, residual \(100 * force.residual) %, held out \(100 * (force.heldOutResidual ?? 0)) % "
        + "(median \(100 * (force.heldOutMedian ?? 0)) %, \(100 * (force.heldOutDriftResidual ?? 0)) % without the drift "
        + "\(force.drift.map { "\($0.sigma) g, \($0.time) s" } ?? "none")), scales \(scales), turns "
        + "\((rate.turnError ?? 0) * 180 / .pi)°, held out \((rate.heldOutTurnError ?? 0) * 180 / .pi)°")
    for (scale, certificate) in zip(scales, [415.0, 413, 415, 4778, 4758, 4766]) {
      #expect(abs(scale / certificate - 1) < 0.002)
    }
    #expect(try #require(force.heldOutResidual) < 0.00013)
    #expect(try #require(force.heldOutDriftResidual) < 0.00011)
    #expect(force.result.unobservable.isEmpty && rate.result.unobservable.isEmpty)
  }

  @Test("the norm error of MPU-9150s is at most 0.03 %", arguments: 0..<3)
  func mpu9150(number: Int) throws {
    let (forces, rates) = try table("mpu9150-\(number)", acceleration: { -$0 / 9.80665 }, rate: { $0 })
    let poses = StillPose.find(accelerometer: forces, gyroscope: rates)
    let force = try #require(AccelerometerFit(poses))
    let rate = try #require(GyroscopeFit(poses, gyroscope: rates, accelerometer: force.result.model))
    print(
      "mpu9150-\(number): \(poses.count) poses, before \(100 * force.rawResidual) %, after \(100 * force.residual) %, held "
        + "out \(100 * (force.heldOutResidual ?? 0)) %, turns \((rate.rawTurnError ?? 0) * 180 / .pi)° to "
        + "\((rate.turnError ?? 0) * 180 / .pi)°")
    #expect(force.residual < 0.0003)
    #expect(try #require(rate.turnError) < 0.3 * (try #require(rate.rawTurnError)))
  }
}

@Suite("Temperature and the gyroscope's bias")
struct TemperatureSlopeTests {
  private func poses(_ count: Int) -> [StillPose] {
    (0..<count).map { index in
      var pose = StillPose(
        start: 10 * Double(index), end: 10 * Double(index) + 2, acceleration: Vector3(0, 0, -1),
        accelerationVariance: 1e-6, accelerationCount: 100)
      // 0.001 rad/s/K about x, with an alternating deviation of 1e-5.
      let warmth = 0.5 * (10 * Double(index) + 1)
      pose.rotationRate = Vector3(0.001 * warmth + (index % 2 == 0 ? 1e-5 : -1e-5), 0.02, 0)
      pose.rotationRateCount = 100
      return pose
    }
  }

  @Test("a bias that depends on temperature has a slope; few rests or one temperature give no slope")
  func slope() throws {
    let times = (0..<200).map(Double.init)
    let warming = times.map { 20 + 0.5 * $0 }
    let found = try #require(TemperatureSlope(poses(10), times: times, temperatures: warming))
    #expect(abs(found.slope.x - 0.001) < 3 * found.sigma.x && found.sigma.x < 1e-5)
    #expect(abs(found.slope.y) < 1e-12 && abs(found.lowest - 20.5) < 1e-9)
    for (count, times, temperatures) in [(3, times, warming), (10, times, times.map { _ in 20 }), (10, [], [])] {
      #expect(TemperatureSlope(poses(count), times: times, temperatures: temperatures) == nil)
    }
  }
}
