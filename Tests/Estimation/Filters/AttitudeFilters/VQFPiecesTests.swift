import Foundation
import InertialNumerics
import InertialRotations
import TestSupport
import Testing

@testable import InertialFilters

@Suite("VQF's pieces")
struct VQFPiecesTests {
  // MARK: Low-pass

  @Test("the low-pass is the mean of all samples for its first time constant, then its difference equation")
  func lowPass() {
    let design = LowPassDesign(timeConstant: 0.5, interval: 0.01)
    var filter = MeanStartLowPass<Vector3>()
    var generator = SeededGenerator(seed: 1)
    var inputs: [Double] = []
    var outputs: [Double] = []
    for count in 1...200 {
      inputs.append(3 + generator.normal())
      outputs.append(filter.update(Vector3(inputs[count - 1], 0, -1), design).x)
      let mean = inputs.prefix(min(count, 50)).reduce(0, +) / Double(min(count, 50))
      if count <= 50 {
        #expect(isNear(outputs[count - 1], mean, within: 1e-14))
      } else {
        // Before sample 51, the signal counts as a constant equal to the mean.
        func past(_ values: [Double], _ lag: Int) -> Double {
          count - lag <= 50 ? inputs.prefix(50).reduce(0, +) / 50 : values[count - 1 - lag]
        }
        let c = design.butterworth
        let expected =
          c.b0 * inputs[count - 1] + c.b1 * past(inputs, 1) + c.b2 * past(inputs, 2) - c.a1 * past(outputs, 1)
          - c.a2 * past(outputs, 2)
        #expect(isNear(outputs[count - 1], expected, within: 1e-12), "sample \(count)")
      }
    }
  }

  @Test("a low-pass with a cutoff above 90 % of half the sample rate passes samples unchanged, one below does not")
  func passesAll() {
    for (timeConstant, passes) in [(0.0049, true), (0.0051, false)] {
      let design = LowPassDesign(timeConstant: timeConstant, interval: 0.01)
      var filter = MeanStartLowPass<Vector3>()
      _ = filter.update(.zero, design)
      #expect((filter.update(Vector3(1, 2, 3), design) == Vector3(1, 2, 3)) == passes)
    }
  }

  @Test("a low-pass that continues at another rate does not jump", arguments: [0.005, 0.0101, 0.05])
  func retuned(interval: Double) {
    let old = LowPassDesign(timeConstant: 0.5, interval: 0.01)
    let new = LowPassDesign(timeConstant: 0.5, interval: interval)
    var filter = MeanStartLowPass<Vector3>()
    // A ramp, so that it is not in a steady state.
    var last = 0.0
    for index in 0..<300 { last = filter.update(Vector3(0.01 * Double(index), 0, 0), old).x }
    filter.retune(from: old, to: new)
    let next = filter.update(Vector3(3, 0, 0), new).x
    // The ramp rises by 1 per second, and lags by at most half a second.
    #expect(isNear(next, last, within: 2 * interval))
    for _ in 0..<Int(5 / interval) { last = filter.update(Vector3(3, 0, 0), new).x }
    #expect(isNear(last, 3, within: 1e-3))
  }

  // MARK: Intervals

  @Test("the interval of regular timestamps is known with the second sample and never changes")
  func evenStamps() {
    var interval = SampleInterval()
    #expect(interval.value == 0)
    var changes = 0
    for index in 1..<5000 where interval.add(Double(index) / 286 - Double(index - 1) / 286) { changes += 1 }
    #expect(changes == 1)
    #expect(isNear(interval.value, 1 / 286, within: 1e-12))
  }

  @Test("the interval of timestamps with jitter is correct to 1 %, and changes at most a dozen times")
  func jitter() {
    var interval = SampleInterval()
    var generator = SeededGenerator(seed: 3)
    var changes = 0
    var previous = 0.0
    for index in 1..<20000 {
      let time = 0.01 * (Double(index) + 0.3 * (generator.uniform() - 0.5))
      if interval.add(time - previous) { changes += 1 }
      previous = time
    }
    #expect(changes <= 12)
    #expect(isNear(interval.value, 0.01, within: 0.0001))
  }

  @Test("lost samples hardly change the interval")
  func lostSamples() {
    var interval = SampleInterval()
    for index in 1..<5000 { _ = interval.add(index.isMultiple(of: 100) ? 0.02 : 0.01) }
    #expect(isNear(interval.value, 0.01, within: 0.0003))
  }

  @Test("a new rate is followed within a second", arguments: [0.002, 0.02, 0.04])
  func newRate(dt: Double) {
    var interval = SampleInterval()
    for _ in 1..<1000 { _ = interval.add(0.01) }
    for _ in 0..<Int(1 / dt) { _ = interval.add(dt) }
    #expect(isNear(interval.value, dt, within: 0.02 * dt))
  }

  // MARK: Bias

  @Test("a Kalman step is P Rᵀ (W + R P Rᵀ)⁻¹ with full matrices")
  func kalmanStep() throws {
    var parameters = VQF.Parameters()
    parameters.biasBound = 10
    let design = LowPassDesign(timeConstant: 1e-6, interval: 0.01)
    let noise = VQF.BiasEstimation.Noise(parameters, lowPass: design)
    var estimation = VQF.BiasEstimation(initialSigma: parameters.initialBiasSigma)
    var bias = Vector3.zero
    var p = Matrix3(diagonal: Vector3(repeating: noise.initial))
    var generator = SeededGenerator(seed: 5)
    for (index, attitude) in Quaternion.random(40, seed: 6).enumerated() {
      let up = Vector3(0.001 * generator.normal(), 0.001 * generator.normal(), 1)
      let isResting = index.isMultiple(of: 3)
      let restRate = Vector3(0.01, 0.02, -0.01)
      estimation.update(up: up, rotation: attitude.matrix, restRate: isResting ? restRate : nil, noise)

      // The low-pass passes everything: the low-passed bias in level axes is the bias.
      let r = isResting ? Matrix3.identity : attitude.matrix
      let level = attitude.matrix * bias
      let innovation = isResting ? restRate - bias : Vector3(-up.y / 0.01, up.x / 0.01, -level.z)
      let w = isResting ? Vector3(repeating: noise.rest) : Vector3(noise.motion, noise.motion, noise.vertical)
      for element in 0..<3 where p[element, element] < noise.initial { p[element, element] += noise.process }
      let inverse = try #require((Matrix3(diagonal: w) + r * p * r.transpose).inverse)
      let gain = p * r.transpose * inverse
      bias += gain * innovation
      p = p - gain * r * p
      #expect(isNear(estimation.bias, bias, within: 1e-12))
      let covariance = estimation.covariance
      #expect(isNear(covariance * Vector3(1, 2, 3), p * Vector3(1, 2, 3), within: 1e-9 * noise.initial))
    }
  }

  @Test("neither an innovation nor the bias exceeds its bound")
  func bound() {
    let parameters = VQF.Parameters()
    let noise = VQF.BiasEstimation.Noise(parameters, lowPass: LowPassDesign(timeConstant: 3, interval: 0.01))
    var estimation = VQF.BiasEstimation(initialSigma: parameters.initialBiasSigma)
    for _ in 0..<2000 { estimation.update(up: .unitZ, rotation: .identity, restRate: Vector3(1, -1, 0.01), noise) }
    #expect(isNear(estimation.bias.x, parameters.biasBound, within: 1e-12))
    #expect(isNear(estimation.bias.y, -parameters.biasBound, within: 1e-12))
    #expect(isNear(estimation.bias.z, 0.01, within: 1e-4))
  }

  @Test("at rest the bias's sigma falls to the parameter, and grows again without observations")
  func sigma() {
    var parameters = VQF.Parameters()
    parameters.motionBiasEstimation = 0
    let noise = VQF.BiasEstimation.Noise(parameters, lowPass: LowPassDesign(timeConstant: 3, interval: 0.01))
    var estimation = VQF.BiasEstimation(initialSigma: parameters.initialBiasSigma)
    func sigma() -> Double { estimation.sigma(atMost: parameters.initialBiasSigma) }
    #expect(isNear(sigma(), parameters.initialBiasSigma, within: 1e-15))
    for _ in 0..<20000 { estimation.update(up: .unitZ, rotation: .identity, restRate: .zero, noise) }
    #expect(isNear(sigma(), parameters.restBiasSigma, within: 0.02 * parameters.restBiasSigma))
    // A forgetting time of 100 s adds the variance of 0.1 °/s.
    for _ in 0..<10000 { estimation.update(up: .unitZ, rotation: .identity, restRate: nil, noise) }
    let grown = (0.1 * .pi / 180) * (0.1 * .pi / 180) + parameters.restBiasSigma * parameters.restBiasSigma
    #expect(isNear(sigma() * sigma(), grown, within: 0.02 * grown))
  }

  @Test("the symmetric inverse equals the full one, and does not exist for a matrix that is not positive")
  func symmetricInverse() throws {
    let m = SymmetricMatrix3(xx: 4, xy: 1, xz: -0.5, yy: 3, yz: 0.7, zz: 2)
    let inverse = try #require(m.inverse)
    for v in [Vector3.unitX, .unitY, Vector3(1, -2, 3)] { #expect(isNear(inverse * (m * v), v, within: 1e-14)) }
    #expect(SymmetricMatrix3(scale: 0).inverse == nil)
    #expect(SymmetricMatrix3(xx: -1, xy: 0, xz: 0, yy: 1, yz: 0, zz: 1).inverse == nil)
  }

  // MARK: Rest

  @Test("rest is detected after its duration, and ended by the rate, the force, or a rate above any bias")
  func rest() {
    let parameters = VQF.Parameters()
    let coefficients = VQF.Coefficients(
      parameters,
      VQFIntervals(
        gyroscope: SampleInterval(rate: 100), accelerometer: SampleInterval(rate: 100), field: SampleInterval()))
    let ends: [(rate: Vector3, force: Vector3, ends: Bool)] = [
      (Vector3(0.03, 0, 0), .unitZ, false), (Vector3(0.04, 0, 0), .unitZ, true),
      (.zero, Vector3(0.045, 0, 1), false), (.zero, Vector3(0.06, 0, 1), true),
    ]
    for end in ends {
      var detection = VQF.RestDetection()
      func take(_ rate: Vector3, _ force: Vector3) {
        detection.add(rate: rate, coefficients.restRate, coefficients.rest)
        detection.add(force: force, coefficients.restForce, coefficients.rest)
      }
      for count in 1...200 {
        take(.zero, .unitZ)
        #expect(detection.isResting == (count >= 150), "sample \(count)")
      }
      take(end.rate, end.force)
      #expect(detection.isResting == !end.ends)
    }
    var turning = VQF.RestDetection()
    for _ in 0..<300 {
      turning.add(rate: Vector3(0, 0, 0.036), coefficients.restRate, coefficients.rest)
      turning.add(force: .unitZ, coefficients.restForce, coefficients.rest)
    }
    #expect(!turning.isResting)
  }

  // MARK: Field

  private static let limits = VQF.MagneticDisturbanceDetector.Limits(VQF.Parameters(), interval: 0.01)
  private static let home = Vector3(20, 0, -44)

  /// Returns the comparison after a field for some seconds.
  private func judgement(
    _ field: Vector3, seconds: Double, rate: Double = 1, after start: VQF.MagneticDisturbanceDetector? = nil
  ) -> VQF.MagneticDisturbanceDetector {
    var judgement = start ?? VQF.MagneticDisturbanceDetector(VQF.Parameters())
    for _ in 0..<Int((seconds * 100).rounded()) { judgement.update(field, rate: rate * .unitZ, Self.limits) }
    return judgement
  }

  @Test("the first field is learned after 5 s of motion, and not without motion")
  func firstField() throws {
    #expect(judgement(Self.home, seconds: 4.9).isDisturbed)
    let learned = judgement(Self.home, seconds: 5.1)
    #expect(!learned.isDisturbed)
    let reference = try #require(learned.reference)
    #expect(isNear(reference.norm, Self.home.norm, within: 1e-9))
    #expect(isNear(reference.dip, atan2(44, 20), within: 1e-9))
    #expect(judgement(Self.home, seconds: 60, rate: 0.3).reference == nil)
  }

  @Test("a field of another strength or dip is disturbed immediately, and good half a second after its return")
  func disturbance() {
    let known = judgement(Self.home, seconds: 10)
    for (field, isDisturbed) in [
      (1.08 * Self.home, false), (1.13 * Self.home, true), (0.87 * Self.home, true), (Vector3(26, 0, -41), false),
      (Vector3(32, 0, -36), true),
    ] {
      let after = judgement(field, seconds: 0.3, after: known)
      #expect(after.isDisturbed == isDisturbed, "\(field)")
      // The low-pass needs its 0.05 s.
      #expect(judgement(Self.home, seconds: 0.4, after: after).isDisturbed == isDisturbed)
      #expect(!judgement(Self.home, seconds: 0.8, after: after).isDisturbed)
    }
  }

  @Test("another field that lasts for 20 s of motion becomes the new normal; at rest it does not")
  func newField() throws {
    let known = judgement(Self.home, seconds: 10)
    let other = 1.3 * Self.home
    #expect(judgement(other, seconds: 19.9, after: known).isDisturbed)
    let moved = judgement(other, seconds: 20.5, after: known)
    #expect(!moved.isDisturbed)
    // It follows from at most the tolerance, for 20 s with a time constant of 20 s.
    #expect(isNear(try #require(moved.reference).norm, other.norm, within: 0.1 * exp(-1) * other.norm))
    #expect(judgement(other, seconds: 100, rate: 0.1, after: known).isDisturbed)
  }

  @Test("a disturbed field has no weight for 60 s, then half; a good field compensates two to one")
  func rejection() {
    var rejection = VQF.FieldRejection()
    for count in 0..<6100 {
      let trust = rejection.trust(isDisturbed: true, Self.limits)
      if count < 5990 { #expect(trust == 0) }
      if count > 6010 { #expect(trust == 0.5) }
    }
    for _ in 0..<1500 { #expect(rejection.trust(isDisturbed: false, Self.limits) == 1) }
    // 15 s of an undisturbed field have compensated 30 s.
    #expect(isNear(rejection.time, 30, within: 0.05))
    for _ in 0..<2000 { _ = rejection.trust(isDisturbed: false, Self.limits) }
    #expect(rejection.time == 0)
  }

  // MARK: Rotations

  @Test("levelling rotates any force upright at once, also from below")
  func leveling() {
    for direction in Quaternion.random(50, seed: 8).map({ $0.rotate(.unitZ) }) + [
      -Vector3.unitZ, Vector3(1e-9, 0, -1), Vector3(0.14, 0, -0.99), Vector3(0.1412, 0, -0.9900001), .unitZ,
    ] {
      var leveling = Leveling()
      leveling.add(0.7 * direction)
      // Just above the limit of the half-angle form, its 1 + z has lost two digits.
      #expect(isNear(leveling.levelFromInertial.rotate(direction.normalized!), .unitZ, within: 1e-14))
      #expect(abs(leveling.levelFromInertial.norm - 1) < 4e-16)
    }
    var nothing = Leveling()
    nothing.add(.zero)
    #expect(nothing == Leveling())
  }

  @Test("the heading averages its first samples, and low-passes later ones by the time constant")
  func heading() {
    let gains = HeadingCorrection.Gains(timeConstant: 2, interval: 0.1)
    var correction = HeadingCorrection()
    var generator = SeededGenerator(seed: 2)
    var sum = 0.0
    for count in 1...19 {
      let azimuth = 3 + 0.1 * generator.normal()
      sum += azimuth
      correction.correct(azimuth: azimuth, gains)
      #expect(isNear(correction.northAngle, -sum / Double(count), within: 1e-12))
    }
    for _ in 0..<20 { correction.correct(azimuth: 3, gains) }
    let before = correction.northAngle
    correction.correct(azimuth: 2, gains)
    #expect(isNear(correction.northAngle - before, (1 - exp(-0.05)) * (-2 - before), within: 1e-12))
    // Across ±π on the shorter arc.
    for _ in 0..<2000 { correction.correct(azimuth: -3, gains) }
    #expect(isNear(correction.northAngle, 3, within: 1e-9))
    correction.correct(azimuth: 0, gains, trust: 0)
    #expect(isNear(correction.northAngle, 3, within: 1e-9))
  }
}
