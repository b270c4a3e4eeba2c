import Foundation
import InertialCalibration
import InertialNumerics
import InertialSensors
import TestSupport
import Testing

@Suite("The terms of a sensor's noise")
struct NoiseFitTests {
  @Test("white noise and a random walk are found, within their 95 % intervals in 90 to 99 % of 100 simulations")
  func coverage() {
    let (white, walk) = (0.002, 0.002)
    let fits = NoiseFit.fits(of: Self.walks(100, 30_000, white: white, walk: walk, period: 0.01)).compactMap { $0 }
    #expect(fits.count == 100)
    for (process, truth) in [(NoiseProcess.white, white), (.rateRandomWalk, walk)] {
      let found = fits.compactMap { fit in fit[process].value.map { ($0, fit[process].sigma!) } }
      #expect(found.count >= 98)
      let held = found.count { abs($0.0 - truth) <= 1.96 * $0.1 }
      #expect((90...99).contains(100 * held / found.count), "\(process): \(held) of \(found.count)")
    }
    // Missing terms are not reported, except for an occasional chance finding.
    #expect(fits.count { $0.quantization.value != nil } <= 5)
    #expect(fits.count { $0.rateRamp.value != nil } <= 5)
    for fit in fits { #expect(fit.biasInstability.value != nil || fit.biasInstability.upperLimit != nil) }
  }

  /// Returns series of white noise and a random walk.
  private static func walks(
    _ count: Int, _ length: Int, white: Double, walk: Double, period: Double, seed: UInt64 = 0
  ) -> [RegularSeries] {
    (0..<count).map { index in
      var generator = SeededGenerator(seed: seed + UInt64(index))
      var rate = 0.0
      return RegularSeries(
        (0..<length).map { _ in
          rate += walk * period.squareRoot() * generator.normal()
          return rate + white / period.squareRoot() * generator.normal()
        }, period: period)
    }
  }

  @Test("a random walk in a short series is not a ramp, and if it is not detected, its limit holds")
  func shortWalk() {
    // Typical of a phone's gyroscope, 900 s at 25 Hz.
    let walks = Self.walks(60, 22_500, white: 1.2e-4, walk: 7e-6, period: 0.04, seed: 500)
    let fits = NoiseFit.fits(of: walks).compactMap { $0 }
    #expect(fits.count == 60)
    #expect(fits.count { $0.rateRamp.value != nil } <= 1)
    let limits = fits.compactMap(\.rateRandomWalk.upperLimit)
    #expect(limits.count >= 3)
    #expect(Double(limits.count { $0 < 7e-6 }) <= 0.3 * Double(limits.count), "\(limits)")
  }

  @Test("a filter before the samples, or held values, widen the interval of white noise")
  func filtered() {
    for hold in [1, 4] {
      let series = (0..<40).map { seed in
        let values = StabilityCurveTests.noise(.white, count: 30_000, seed: UInt64(800 + seed))
        return RegularSeries(values.indices.map { values[$0 / hold * hold] }, period: 1)
      }
      let whites = NoiseFit.fits(of: series).compactMap { $0?.white }
      #expect(whites.count == 40)
      let held = whites.count { abs($0.value! - Double(hold).squareRoot()) < 1.96 * $0.sigma! }
      #expect(held >= (hold == 1 ? 36 : 24), "\(held) of 40, held for \(hold)")
    }
  }

  @Test("a step, a warm-up and a sine are distinguished from the five terms; white noise with a drift is not")
  func doubt() throws {
    let white = StabilityCurveTests.noise(.white, count: 60_000, seed: 21)
    func doubt(_ shape: (Double) -> Double) throws -> NoiseFitDiagnostic? {
      let series = RegularSeries(white.indices.map { white[$0] + shape(Double($0) / 60_000) }, period: 0.01)
      return NoiseFitDiagnostic(try #require(NoiseFit.fits(of: [series])[0]), series)
    }
    #expect(try doubt { _ in 0 } == nil)
    #expect(try doubt { 2 * $0 } == nil)
    let step = try #require(try doubt { $0 < 0.333 ? 0 : 1 })
    #expect(step.words.contains("steps at about"))
    let isStep = if case .step(let time) = step { abs(time - 200) < 10 } else { false }
    let drift = try doubt { 3 * (1 - exp(-3 * $0)) }
    let isDrift = if case .unsteadyDrift(let a, let b) = drift { a > 2 * b && b > 0 } else { false }
    let misfit = try doubt { 0.3 * sin(2 * .pi * 12 * $0) }
    let isMisfit = if case .misfit(let value) = misfit { value > 3 } else { false }
    #expect(isStep && isDrift && isMisfit, "\(step), \(String(describing: drift)), \(String(describing: misfit))")
  }

  @Test("bias instability is B, and the curve's floor 0.664 of it")
  func biasInstability() throws {
    // First-order processes an octave apart are flicker noise between their time constants: the curve is flat there.
    let values = StabilityCurveTests.noise(.flicker, count: 200_000, seed: 5)
    let series = RegularSeries(values, period: 1)
    let floor = StabilityCurve.curves(of: [series], factors: [64])[0][0].points[0].deviation
    let fit = try #require(NoiseFit.fits(of: [series])[0])
    let value = try #require(fit.biasInstability.value)
    #expect(abs(value * NoiseProcess.floorOfBiasInstability / floor - 1) < 0.1)
    #expect(abs(NoiseProcess.floorOfBiasInstability - (2 * log(2) / .pi).squareRoot()) < 1e-12)
  }

  @Test("quantisation and a drift are found in addition to white noise")
  func quantizationAndRamp() throws {
    var generator = SeededGenerator(seed: 6)
    let (quantum, white, drift, period) = (1e-3, 1e-3, 2e-5, 0.02)
    var last = generator.normal()
    let values = (0..<100_000).map { index -> Double in
      let next = generator.normal()
      defer { last = next }
      return quantum * (next - last) / period + white / period.squareRoot() * generator.normal()
        + drift * period * Double(index)
    }
    let fit = try #require(NoiseFit.fits(of: [RegularSeries(values, period: period)])[0])
    #expect(abs(try #require(fit.quantization.value) / quantum - 1) < 0.05)
    #expect(abs(try #require(fit.white.value) / white - 1) < 0.05)
    #expect(abs(try #require(fit.rateRamp.value) / drift - 1) < 0.1)
  }

  @Test("a short series gives an upper limit of a random walk, and a constant or shorter one gives nothing")
  func refusal() throws {
    let white = StabilityCurveTests.noise(.white, count: 2000, seed: 7)
    let fit = try #require(NoiseFit.fits(of: [RegularSeries(white, period: 0.01)])[0])
    #expect(fit.white.value != nil && fit.rateRandomWalk.value == nil && fit.biasInstability.value == nil)
    #expect(try #require(fit.rateRandomWalk.upperLimit) > 0)
    #expect(NoiseFit.fits(of: [RegularSeries([Double](repeating: 3, count: 1000), period: 1)]) == [nil])
    #expect(NoiseFit.fits(of: [RegularSeries(Array(white.prefix(63)), period: 1)]) == [nil])
  }

  @Test("the ADIS16405's angle random walk is within 5 % of 2.45, 2.58 and 2.32 deg/sqrt(h)", .needs(.data))
  func recording() throws {
    let fits = NoiseFit.fits(of: Array(try StaticRecording.axes().prefix(3)))
    for (fit, expected) in zip(fits, [2.45, 2.58, 2.32]) {
      let white = try #require(fit?.white.value) * 60
      print("angle random walk \(white) deg/sqrt(h), against \(expected)")
      #expect(abs(white / expected - 1) < 0.05)
    }
  }

  @Test("a profile is decoded as it was encoded, and contains the settings of a filter")
  func profile() throws {
    var fit = NoiseFit()
    fit.white = NoiseFit.TermEstimate(value: 0.00981, sigma: 1e-5)
    fit.rateRandomWalk = NoiseFit.TermEstimate(upperLimit: 1e-5)
    (fit.shortestTime, fit.longestTime, fit.misfit) = (0.01, 100, 1.2)
    let profile = NoiseProfile(
      source: "night.csv",
      sensors: [
        .init(channel: .gyroscope, rate: 100, duration: 3600, axes: [fit, fit, fit]),
        .init(channel: .accelerometer, rate: 100, duration: 3600, axes: [fit, nil, fit]),
      ])
    #expect(try savedAndRestored(profile) == profile)
    let text = String(decoding: try JSONEncoder().encode(profile), as: UTF8.self)
    for name in ["white_radPerSPerSqrtHz", "rateRandomWalkBelow_mPerS3PerSqrtHz"] {
      #expect(text.contains("\"\(name)\""))
    }
    // An axis of the accelerometer has no result, so the profile has no setting for it.
    #expect(profile.filterSettings == ["gyroscopeNoise": 0.00981])
    for words in [
      "gyroscope_noise_density: 0.00981 #rad/s/sqrt(Hz)\n", "#accelerometer_noise_density: unknown",
      "gyroscope_random_walk: 1e-05 #rad/s^2/sqrt(Hz); not shown",
    ] { #expect(profile.kalibr.contains(words)) }
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(NoiseProfile.self, from: Data("{}".utf8)) }
  }

  @Test("both unit conventions give the same values")
  func units() throws {
    let units = try #require(NoiseUnits(.gyroscope))
    #expect(abs(0.00071268 * (try #require(units.customary(.white))).perOwn - 2.45) < 1e-3)
    #expect(units.unit(.white).text == "rad/s/sqrt(Hz)")
    let accelerometer = try #require(NoiseUnits(.accelerometer))
    #expect(try #require(accelerometer.customary(.white)).perOwn == 60)
    #expect(accelerometer.valueScale == 9.80665)
    #expect(NoiseUnits(.deviceGravity) == nil)
  }
}
