import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFilters

@Suite("Kalman filter with a motion prior")
struct MotionPriorKalmanTests {
  /// Returns a filter after a start-up at rest, with nonzero sensor errors, in an epoch that is not complete.
  private static func started(_ change: (inout MotionPriorKalman.Parameters) -> Void = { _ in }) -> MotionPriorKalman {
    let parameters = with(MotionPriorKalman.Parameters()) { $0.epochDuration = 1 }
    var filter = MotionPriorKalman(parameters: with(parameters, change))
    for index in 0...101 {
      let time = 0.01 * Double(index)
      filter.update(gyroscope: .zero, at: time)
      filter.update(accelerometer: Vector3(0.1, -0.2, -0.95), at: time)
      filter.update(magneticField: Vector3(20, 5, -40), at: time)
    }
    filter.state.epoch = MotionEpoch()
    filter.state.sensors.gyroscopeBias = Vector3(0.01, -0.02, 0.03)
    filter.state.sensors.gyroscopeScale = Matrix3(
      rows: Vector3(0.01, 0.002, 0), Vector3(0, -0.02, 0.003), Vector3(0.001, 0, 0.005))
    filter.state.sensors.accelerometerBias = Vector3(0.1, 0.2, -0.1)
    return filter
  }

  /// Adds a twentieth of a second of motion after `started`.
  private static func move(_ filter: inout MotionPriorKalman) {
    for index in 1...50 {
      let time = 1.01 + 0.001 * Double(index)
      let phase = 0.1 * Double(index)
      filter.update(gyroscope: Vector3(2, 0.6 * phase, -1), at: time)
      filter.update(accelerometer: Vector3(0.5 * phase, -0.3, -0.9), at: time)
    }
  }

  @Test("errors at the start of an epoch propagate to its end as in numeric differentiation", arguments: 0..<24)
  func transition(index: Int) {
    var nominal = Self.started()
    var perturbed = nominal
    let step = 1e-6
    let three = Vector3(index % 3 == 0 ? step : 0, index % 3 == 1 ? step : 0, index % 3 == 2 ? step : 0)
    switch index {
    case 0..<3: perturbed.turn(by: Quaternion(rotationVector: three))
    case 3..<6: perturbed.state.sensors.gyroscopeBias += three
    case 6..<9: perturbed.state.velocity += three
    case 9..<18: perturbed.state.sensors.gyroscopeScale[index % 3, (index - 9) / 3] += step
    case 18..<21: perturbed.state.sensors.accelerometerBias += three
    case 21: perturbed.state.field.horizontal += step
    case 22: perturbed.state.field.down += step
    default: perturbed.state.field.delay += step
    }
    Self.move(&nominal)
    Self.move(&perturbed)
    let attitude = (perturbed.state.northFromDevice * nominal.state.northFromDevice.conjugate).rotationVector / step
    let velocity = (perturbed.state.velocity - nominal.state.velocity) / step
    let transition = nominal.state.epoch.transition(
      scale: nominal.state.gyroscopeScale, hasHeading: true, persistence: 1)
    let change = transition.change { $0 == index ? 1 : 0 }
    let kept = three / step
    #expect(isNear(attitude, change.attitude + (index < 3 ? kept : .zero), within: 1e-4))
    // F is of first order in the epoch: an attitude error that grows within the epoch would also change the velocity,
    // by up to g ω T²/2 = 0.04.
    let growsWithin = (3..<6).contains(index) || (9..<18).contains(index)
    let expected = change.velocity + ((6..<9).contains(index) ? kept : .zero)
    #expect(isNear(velocity, expected, within: growsWithin ? 0.05 : 1e-3))
  }

  // MARK: Covariance

  private static func covariance(_ generator: inout SeededGenerator) -> (ErrorCovariance, Matrix) {
    let count = ErrorIndex.count
    let root = Matrix(rowCount: count, columnCount: count) { _, _ in generator.normal() }
    let dense = root * root.transpose
    var covariance = ErrorCovariance()
    for row in 0..<count { for column in 0...row { covariance[row, column] = dense[row, column] } }
    return (covariance, dense)
  }

  private static let row = FieldObservation(
    attitude: Vector3(1, -2, 0.5), bias: Vector3(0.6, 0.2, -0.7), horizontal: 0.3, down: -1, delay: 4)

  private static func largestDifference(_ a: ErrorCovariance, _ b: Matrix) -> Double {
    var largest = 0.0
    for row in 0..<ErrorIndex.count {
      for column in 0..<ErrorIndex.count { largest = max(largest, abs(a[row, column] - b[row, column])) }
    }
    return largest
  }

  @Test(
    "propagation is F P Fᵀ on either core, with constant or fading sensor errors", arguments: [true, false],
    KalmanCore.allCases)
  func propagation(hasHeading: Bool, core: KalmanCore) {
    for persistence in [1, 0.8] { propagation(hasHeading, core, persistence) }
  }

  private func propagation(_ hasHeading: Bool, _ core: KalmanCore, _ persistence: Double) {
    var generator = SeededGenerator(seed: 4)
    var filter = Self.started()
    Self.move(&filter)
    let transition = filter.state.epoch.transition(
      scale: filter.state.gyroscopeScale, hasHeading: hasHeading, persistence: persistence)
    var f = Matrix.identity(ErrorIndex.count)
    for index in 9..<21 { f[index, index] = persistence }
    for column in 0..<ErrorIndex.count {
      let change = transition.change { $0 == column ? 1 : 0 }
      for row in 0..<3 {
        f[row, column] += change.attitude[row]
        f[ErrorIndex.velocity + row, column] += change.velocity[row]
      }
    }
    var (sparse, dense) = Self.covariance(&generator)
    var correction = ErrorCorrection(on: core)
    correction.propagate(&sparse, by: transition)
    dense = f * dense * f.transpose
    #expect(Self.largestDifference(sparse, dense) < 1e-10)
    if !hasHeading { #expect(f[6, 2] == 0 && f[7, 2] == 0) }
  }

  @Test(
    "a scalar measurement is Joseph's form for any gain, and Kalman's gain is the one without factors",
    arguments: KalmanCore.allCases)
  func update(core: KalmanCore) {
    var generator = SeededGenerator(seed: 6)
    let count = ErrorIndex.count
    let row = Self.row
    var h = Matrix(rowCount: 1, columnCount: count)
    for (index, value) in [
      (0, 1.0), (1, -2), (2, 0.5), (21, 0.6), (22, 0.2), (23, -0.7), (24, 0.3), (25, -1), (26, 4),
    ] {
      h[0, index] = value
    }
    for factors in [nil, (0..<count).map { Double($0 % 3) / 2 }] {
      var (p, dense) = Self.covariance(&generator)
      var correction = ErrorCorrection(on: core)
      correction.measure(&p, row, residual: 2, variance: 3, innovationWeight: 0, factors: factors)
      let product = dense * h.transpose
      let total = (h * product)[0, 0] + 3
      let gain = Matrix(rowCount: count, columnCount: 1) { row, _ in product[row, 0] / total * (factors?[row] ?? 1) }
      let kept = Matrix.identity(count) - gain * h
      dense = kept * dense * kept.transpose + 3 * (gain * gain.transpose)
      #expect(Self.largestDifference(p, dense) < 1e-10)
      for index in 0..<count { #expect(isNear(correction.correction[index], 2 * gain[index, 0], within: 1e-12)) }
      // The next measurement includes the corrections of the first.
      let velocity = correction.correction[6]
      let variance = p[6, 6]
      correction.measure(&p, at: 6, residual: Vector3(1, 0, 0), variances: Vector3(2, .infinity, .infinity))
      #expect(isNear(correction.correction[6], velocity + variance / (variance + 2) * (1 - velocity), within: 1e-12))
      correction.clear()
      #expect(correction.correction.allSatisfy { $0 == 0 })
    }
  }

  @Test("three errors measured together equal three consecutive scalar measurements", arguments: KalmanCore.allCases)
  func triple(core: KalmanCore) {
    var generator = SeededGenerator(seed: 7)
    let count = ErrorIndex.count
    let (residual, variances) = (Vector3(1, -2, 0.5), Vector3(0.5, 3, 2))
    var (p, dense) = Self.covariance(&generator)
    var correction = ErrorCorrection(on: core)
    correction.measure(&p, at: ErrorIndex.velocity, residual: residual, variances: variances)
    var expected = [Double](repeating: 0, count: count)
    for axis in 0..<3 {
      let index = ErrorIndex.velocity + axis
      let total = dense[index, index] + variances[axis]
      let gain = Matrix(rowCount: count, columnCount: 1) { row, _ in dense[row, index] / total }
      let innovation = residual[axis] - expected[index]
      for row in 0..<count { expected[row] += gain[row, 0] * innovation }
      dense = dense - total * (gain * gain.transpose)
    }
    #expect(Self.largestDifference(p, dense) < 1e-11)
    for row in 0..<count { #expect(isNear(correction.correction[row], expected[row], within: 1e-12)) }
  }

  @Test(
    "with held heading and biases, P and x are Joseph's form with the remaining gains", arguments: KalmanCore.allCases)
  func held(core: KalmanCore) {
    var generator = SeededGenerator(seed: 9)
    let count = ErrorIndex.count
    let (residual, variances) = (Vector3(1, -2, 0.5), Vector3(0.5, 3, 2))
    let up = Vector3(1, 2, 2) / 3
    var (p, dense) = Self.covariance(&generator)
    var correction = ErrorCorrection(on: core)
    correction.measure(
      &p, at: ErrorIndex.velocity, residual: residual, variances: variances,
      held: .init(direction: up, gyroscopeFraction: 0.7, headingFraction: 0.6, forceFraction: 0.9))
    // The correction of the gyroscope's bias uses 0.3 of the part along `up`, and all of the rest; that of the
    // accelerometer's bias uses 0.1, and that of the heading 0.4.
    var fraction = Matrix.identity(count)
    fraction[2, 2] = 0.4
    for row in 0..<3 {
      for column in 0..<3 { fraction[3 + row, 3 + column] -= 0.7 * up[row] * up[column] }
      fraction[18 + row, 18 + row] = 0.1
    }
    var expected = [Double](repeating: 0, count: count)
    for axis in 0..<3 {
      let index = ErrorIndex.velocity + axis
      var h = Matrix(rowCount: 1, columnCount: count)
      h[0, index] = 1
      let total = dense[index, index] + variances[axis]
      let gain = fraction * Matrix(rowCount: count, columnCount: 1) { row, _ in dense[row, index] / total }
      let innovation = residual[axis] - expected[index]
      for row in 0..<count { expected[row] += gain[row, 0] * innovation }
      let kept = Matrix.identity(count) - gain * h
      dense = kept * dense * kept.transpose + variances[axis] * (gain * gain.transpose)
    }
    #expect(Self.largestDifference(p, dense) < 1e-10)
    for row in 0..<count { #expect(isNear(correction.correction[row], expected[row], within: 1e-11)) }
  }

  @Test("without a field, motion corrects the heading by the requested fraction", arguments: [0, 0.2, 1])
  func headingByMotion(gain: Double) {
    func correction(gain: Double, hasField: Bool) -> Vector3 {
      var filter = Self.started {
        $0.epochDuration = 0.04
        $0.verticalGain = gain
      }
      filter.state.biasPrior = BiasPrior(found: filter.state.biasPrior.information)
      filter.state.field.isKnown = hasField
      filter.state.velocity = Vector3(1, -2, 0)
      let (heading, velocity) = (ErrorIndex.heading, ErrorIndex.velocity)
      let covariance = filter.state.covariance
      filter.state.covariance[velocity, heading] =
        0.5 * (covariance[velocity, velocity] * covariance[heading, heading]).squareRoot()
      Self.move(&filter)
      return filter.correction.vector(at: ErrorIndex.attitude)
    }
    let (whole, held) = (correction(gain: 1, hasField: false), correction(gain: gain, hasField: false))
    #expect(abs(whole.z) > 1e-6 && abs(whole.x) + abs(whole.y) > 1e-6)
    #expect(isNear(held, Vector3(whole.x, whole.y, gain * whole.z), within: 1e-12))
    let withField = correction(gain: gain, hasField: true)
    #expect(abs(withField.z) > 1e-6 && withField == correction(gain: 1, hasField: true))
  }

  @Test("adding and removing information about an error restores the initial state", arguments: KalmanCore.allCases)
  func information(core: KalmanCore) {
    var generator = SeededGenerator(seed: 10)
    let (before, dense) = Self.covariance(&generator)
    var p = before
    var correction = ErrorCorrection(on: core)
    correction.inform(&p, of: 4, residual: -0.5, information: 0.3)
    #expect(isNear(1 / p[4, 4], 1 / dense[4, 4] + 0.3, within: 1e-10))
    #expect(isNear(correction.correction[4], -0.5 * 0.3 * p[4, 4], within: 1e-10))
    correction.inform(&p, of: 4, residual: -0.5, information: -0.3)
    #expect(Self.largestDifference(p, dense) < 1e-9)
    for index in 0..<ErrorIndex.count { #expect(isNear(correction.correction[index], 0, within: 1e-9)) }
    // More than the existing information cannot be removed.
    let kept = p
    correction.inform(&p, of: 4, residual: 1, information: -2 / p[4, 4])
    #expect(p == kept)
  }

  @Test("a covariance is saved as its lower triangle, and another size is rejected")
  func savedCovariance() throws {
    var generator = SeededGenerator(seed: 8)
    let (p, _) = Self.covariance(&generator)
    let saved = try JSONEncoder().encode(p)
    #expect(
      try JSONDecoder().decode([String: [Double]].self, from: saved)["elements"]?.count == ErrorIndex.count
        * (ErrorIndex.count + 1) / 2)
    let read = try JSONDecoder().decode(ErrorCovariance.self, from: saved)
    #expect(read == p)
    var (later, other) = (p, read)
    var (first, second) = (ErrorCorrection(on: .fixed), ErrorCorrection(on: .fixed))
    first.measure(&later, Self.row, residual: 2, variance: 3, innovationWeight: 0, factors: nil)
    second.measure(&other, Self.row, residual: 2, variance: 3, innovationWeight: 0, factors: nil)
    #expect(later == other && first.correction == second.correction)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ErrorCovariance.self, from: Data(#"{"elements": [1, 2]}"#.utf8))
    }
  }

  @Test("the weight of an innovation decreases beyond two sigmas, and is full within them")
  func redescending() {
    let row = FieldObservation(bias: .zero, horizontal: 1)
    func corrected(by residual: Double, weight: Double) -> Double {
      var p = ErrorCovariance()
      p[ErrorIndex.fieldHorizontal, ErrorIndex.fieldHorizontal] = 1
      var correction = ErrorCorrection(on: .fixed)
      correction.measure(&p, row, residual: residual, variance: 1, innovationWeight: weight, factors: nil)
      return correction.correction[ErrorIndex.fieldHorizontal]
    }
    #expect(corrected(by: 1.9, weight: 1) == corrected(by: 1.9, weight: 0))
    #expect(corrected(by: 4, weight: 1) < corrected(by: 4, weight: 0))
    #expect(corrected(by: 100, weight: 1) < corrected(by: 10, weight: 1) && corrected(by: 100, weight: 0) == 50)
  }

  @Test("a measurement that is NaN, or without a positive variance, changes nothing", arguments: KalmanCore.allCases)
  func spoiled(core: KalmanCore) {
    for (residual, variance) in [(Double.nan, 1.0), (.infinity, 1), (1, .nan), (1, -2), (1, .infinity)] {
      var p = ErrorCovariance()
      p[6, 6] = 1
      let before = p
      var correction = ErrorCorrection(on: core)
      correction.measure(&p, at: 6, residual: Vector3(repeating: residual), variances: Vector3(repeating: variance))
      #expect(p == before && correction.correction.allSatisfy { $0 == 0 })
    }
  }

  // MARK: Field

  @Test("the field's derivatives for a delayed measurement match numeric differentiation")
  func fieldObservation() {
    var model = EarthFieldModel()
    (model.horizontal, model.down, model.delay) = (20, 44, 0.03)
    let rate = Vector3(1, -2, 3)
    let field = Vector3(18, 3, -45)
    let step = 1e-6
    // Measured minus predicted, in the axes of the estimated attitude.
    let rotation = Quaternion(angle: 0.7, axis: Vector3(1, 2, -1)).matrix
    func residual(_ model: EarthFieldModel, turnedBy error: Vector3 = .zero, bias: Vector3 = .zero) -> Vector3 {
      Quaternion(rotationVector: error).rotate(field - rotation * bias) - model.predicted(turningAt: rate)
    }
    func changed(_ path: WritableKeyPath<EarthFieldModel, Double>) -> Vector3 {
      (residual(with(model) { $0[keyPath: path] += step }) - residual(model)) / step
    }
    for axis in 0..<3 {
      let row = model.observation(axis, of: field, turningAt: rate, rotation: rotation)
      // The residual decreases by H δ when the estimate is corrected by δ.
      #expect(isNear(row.horizontal, -changed(\.horizontal)[axis], within: 1e-6))
      #expect(isNear(row.down, -changed(\.down)[axis], within: 1e-6))
      #expect(isNear(row.delay, -changed(\.delay)[axis], within: 1e-6))
      for component in 0..<3 {
        let bias = with(Vector3.zero) { $0[component] = step }
        let change = (residual(model, bias: bias) - residual(model)) / step
        #expect(isNear(row.bias[component], -change[axis], within: 1e-6))
      }
      for turned in 0..<3 {
        let error = with(Vector3.zero) { $0[turned] = step }
        let change = (residual(model, turnedBy: error) - residual(model)) / step
        #expect(isNear(row.attitude[turned], -change[axis], within: 1e-4))
      }
    }
  }

  @Test("a field's deviation is in norm and vertical part, and does not depend on the heading")
  func deviation() {
    var model = EarthFieldModel()
    (model.horizontal, model.down) = (30, 40)
    func deviation(_ field: Vector3) -> Double {
      with(model) { $0.compare(field, dipWeight: 2, over: 1e9, memory: 1) }.deviation
    }
    #expect(isNear(deviation(Vector3(30, 0, -40)), 0, within: 1e-12))
    #expect(isNear(deviation(Vector3(18, 24, -40)), 0, within: 1e-12))
    #expect(isNear(deviation(Vector3(60, 0, -80)), (50.0 * 50 + 80 * 80).squareRoot(), within: 1e-9))
    var slow = model
    slow.compare(Vector3(60, 0, -80), dipWeight: 0, over: 0.1, memory: 100)
    #expect((0.0001..<1).contains(slow.deviation))
  }

  // MARK: Motion

  @Test("the mean square of the velocity follows slowly, but quickly at first, and has a limit")
  func speedMemory() {
    var memory = MeanSquareVelocity(guess: 1)
    #expect(memory.horizontal == 1 && memory.vertical == 1)
    memory.add(.zero, over: 0.5, memory: 10, growth: 0)
    #expect(isNear(memory.horizontal, 0.36788, within: 1e-4))
    memory.add(Vector3(3, 4, 2), over: 1e6, memory: 10, growth: 1)
    #expect(isNear(memory.horizontal, 12.5, within: 1e-9) && isNear(memory.vertical, 4, within: 1e-9))
    memory.add(.zero, over: 1, memory: 10, growth: 1)
    #expect(memory.horizontal > 11)
    memory.add(Vector3(1e3, 1e3, 1e3), over: 1e6, memory: 10, growth: 1)
    #expect(memory.horizontal == 100 && memory.vertical == 100)
  }

  @Test("two steps of a rotating rate equal their product, to third order; after a pause there is no correction")
  func coning() {
    let (first, second) = (Vector3(0.1, 0, 0), Vector3(0.1, 0.01, 0))
    var memory = ConingCorrection()
    #expect(memory.correction(first, dt: 0.01) == .zero)
    #expect(memory.correction(second, dt: 0.01) == first.cross(second) / 12)
    for dt in [0.03, 0.01] { #expect(memory.correction(second, dt: dt) == .zero) }
    memory.forget()
    #expect(memory.correction(second, dt: 0.01) == .zero)
  }

  @Test("a step is the exponential map below and above the limit of its series")
  func step() {
    for angle in [0, 1e-9, 0.01, 0.0999, 0.1, 0.1001, 1, 3] {
      let turn = angle * Vector3(2, -1, 2) / 3
      let (step, exact) = (Quaternion(stepBy: turn), Quaternion(rotationVector: turn))
      #expect(isNear(step.vector, exact.vector, within: 1e-15) && isNear(step.w, exact.w, within: 3e-16))
    }
  }

  @Test("the filter is lost if velocity grows while the mean force has gravity's norm and is not upright")
  func lost() {
    func isLost(_ force: Vector3, _ velocity: Vector3, for seconds: Double, restSigma: Double? = nil) -> Bool {
      var detector = TiltDivergenceDetector()
      for _ in 0..<1000 { detector.add(force: force, dt: 0.01) }
      var isLost = false
      for _ in 0..<Int((seconds / 0.1).rounded()) {
        isLost = detector.isLost(velocity: velocity, after: 0.1, speed: 3, angle: 0.61, restSigma: restSigma)
      }
      return isLost
    }
    let (tilted, upright) = (Vector3(7, 0, 7), Vector3(3, 0, 9.5))
    let (fast, slow) = (Vector3(0, 3, 1), Vector3(2, 2, 0))
    #expect(isLost(tilted, fast, for: 0.4) && !isLost(tilted, fast, for: 0.2))
    #expect(!isLost(upright, fast, for: 5) && !isLost(tilted, slow, for: 5))
    // The acceleration of a car is not gravity.
    #expect(!isLost(2 * tilted, fast, for: 5))
    // At rest, a force that is off the vertical by more than five sigmas is an error; a departing train is not.
    #expect(isLost(tilted, .zero, for: 5.2, restSigma: 0.01) && !isLost(tilted, .zero, for: 4, restSigma: 0.01))
    #expect(!isLost(tilted, .zero, for: 10, restSigma: 0.3))
  }
}
