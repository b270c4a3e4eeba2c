import Testing

@Suite("Low-pass filters") struct LowPassTests {
  /// Returns the amplitude gain for a sine, measured by projecting the settled output on sine and cosine.
  private func measuredGain(_ filter: LowPassFilter, frequency: Double, sampleRate: Double) -> Double {
    var filter = filter
    let settle = 4000
    // A whole number of periods makes the projection exact.
    let count = Int((sampleRate / frequency * 20).rounded())
    var (sine, cosine) = (0.0, 0.0)
    for n in 0..<(settle + count) {
      let phase = 2 * Double.pi * frequency * Double(n) / sampleRate
      let output = filter.update(sin(phase))
      guard n >= settle else { continue }
      sine += output * sin(phase)
      cosine += output * cos(phase)
    }
    return 2 * hypot(sine, cosine) / Double(count)
  }

  @Test("the gain is 1/√2 at the cutoff", arguments: [1.0, 5, 10, 25])
  func gainAtCutoff(cutoff: Double) {
    let filter = LowPassFilter(cutoff: cutoff, sampleRate: 100)
    #expect(isNear(measuredGain(filter, frequency: cutoff, sampleRate: 100), 0.5.squareRoot(), within: 1e-6))
  }

  @Test("the gain follows the analogue Butterworth at the warped frequency", arguments: [2.0, 5, 20, 40])
  func gainElsewhere(frequency: Double) {
    let filter = LowPassFilter(cutoff: 10, sampleRate: 100)
    let ratio = tan(.pi * frequency / 100) / tan(.pi * 10 / 100)
    let expected = 1 / (1 + pow(ratio, 4)).squareRoot()
    #expect(isNear(measuredGain(filter, frequency: frequency, sampleRate: 100), expected, within: 1e-6))
  }

  @Test("the difference equation is the bilinear transform of 1 / (s² + √2 s + 1), evaluated naively")
  func bilinearTransform() {
    let (cutoff, rate) = (7.0, 90.0)
    let c = ButterworthCoefficients(cutoff: cutoff, sampleRate: rate)
    // At z = −i and real z the transfer functions need no complex arithmetic: s = (z − 1)/(z + 1) / tan(π fc/fs).
    for z in [1.0, 0.5, 2, -3] {
      let s = (z - 1) / (z + 1) / tan(.pi * cutoff / rate)
      let analogue = 1 / (s * s + 2.0.squareRoot() * s + 1)
      let digital = (c.b0 * z * z + c.b1 * z + c.b2) / (z * z + c.a1 * z + c.a2)
      #expect(isNear(analogue, digital, within: 1e-12 * abs(analogue)))
    }
  }

  @Test("the poles of a filter with a time constant decay as exp(−t/τ)")
  func timeConstant() {
    let (tau, rate) = (0.5, 1000.0)
    let c = ButterworthCoefficients(timeConstant: tau, sampleRate: rate)
    // Both poles have the modulus √a2, and lose that factor per sample.
    let decay = -log(c.a2.squareRoot()) * rate
    #expect(isNear(decay, 1 / tau, within: 1e-5))
    #expect(isNear(ButterworthCoefficients.cutoff(timeConstant: tau), 0.450158158078553, within: 1e-12))
  }

  @Test("a constant is returned bitwise unchanged from the first sample on", arguments: [0.1, -3.7, 1e9, 1e-300])
  func constantInput(value: Double) {
    var filter = LowPassFilter(timeConstant: 3, sampleRate: 123)
    var vector = VectorLowPassFilter(timeConstant: 3, sampleRate: 123)
    for _ in 0..<500 {
      #expect(filter.update(value) == value)
      #expect(vector.update(Vector3(value, -value, 0)) == Vector3(value, -value, 0))
    }
  }

  @Test("after a step the output ends at the new value")
  func stepResponse() {
    var filter = LowPassFilter(timeConstant: 0.2, sampleRate: 100)
    filter.update(5)
    for _ in 0..<2000 { filter.update(-1) }
    #expect(isNear(filter.value!, -1, within: 1e-12))
  }

  @Test("a filter with a cutoff of at least half the rate passes the signal")
  func cutoffAboveNyquist() {
    var (filter, below) = (LowPassFilter(cutoff: 50, sampleRate: 100), LowPassFilter(cutoff: 49, sampleRate: 100))
    var generator = SeededGenerator(seed: 3)
    filter.update(0)
    below.update(0)
    var differs = false
    for _ in 0..<100 {
      let x = generator.normal()
      #expect(isNear(filter.update(x), x, within: 1e-15))
      differs = differs || abs(below.update(x) - x) > 1e-6
    }
    #expect(differs)
  }

  @Test("a sample that is not finite changes nothing", arguments: [Double.nan, .infinity, -.infinity])
  func badSample(bad: Double) {
    var clean = LowPassFilter(cutoff: 5, sampleRate: 100)
    #expect(clean.value == nil)
    clean.update(bad)
    #expect(clean.value == nil)
    var vector = VectorLowPassFilter(cutoff: 5, sampleRate: 100)
    for x in [1.0, 2, -4] {
      clean.update(x)
      vector.update(Vector3(x, 0, 0))
    }
    let before = clean
    let vectorBefore = vector
    #expect(clean.update(bad) == before.value)
    #expect(vector.update(Vector3(0, bad, 0)) == vectorBefore.value)
    #expect(clean == before && vector == vectorBefore)
  }

  @Test("the vector filter is the scalar filter on each component, and a reset restarts it")
  func vectorEqualsScalars() {
    var generator = SeededGenerator(seed: 4)
    var vector = VectorLowPassFilter(cutoff: 8, sampleRate: 100)
    var scalars = [LowPassFilter](repeating: LowPassFilter(cutoff: 8, sampleRate: 100), count: 3)
    for _ in 0..<100 {
      let v = Vector3(generator.normal(), generator.normal(), generator.normal())
      let filtered = vector.update(v)
      for axis in 0..<3 { #expect(scalars[axis].update(v[axis]) == filtered[axis]) }
    }
    vector.reset()
    #expect(vector == VectorLowPassFilter(cutoff: 8, sampleRate: 100))
    scalars[0].reset()
    #expect(scalars[0].value == nil)
  }

  @Test("the first-order low-pass does not depend on the sampling of a constant segment")
  func irregularIntervals() {
    var (coarse, fine) = (ExponentialLowPass(timeConstant: 0.7), ExponentialLowPass(timeConstant: 0.7))
    coarse.update(2, after: 0)
    fine.update(2, after: 0)
    coarse.update(10, after: 1)
    for interval in [0.1, 0.25, 0.05, 0.6] { fine.update(10, after: interval) }
    #expect(isNear(coarse.value!, fine.value!, within: 1e-14))
    #expect(isNear(coarse.value!, 10 - 8 * exp(-1 / 0.7), within: 1e-14))
  }

  @Test("the first-order low-pass starts at its first sample, and skips bad samples and bad intervals")
  func exponentialEdges() {
    var filter = ExponentialLowPass(timeConstant: 1)
    #expect(filter.update(7, after: -5) == 7 && filter.update(100, after: 0) == 7)
    #expect(filter.update(100, after: -1) == 7 && filter.update(.nan, after: 1) == 7)
    #expect(filter.update(100, after: .infinity) == 100)
    var direct = ExponentialLowPass(timeConstant: 0)
    direct.update(1, after: 1)
    #expect(direct.update(5, after: 1e-9) == 5)
    filter.reset()
    #expect(filter.value == nil)

    var vector = VectorExponentialLowPass(timeConstant: 1)
    vector.update(Vector3(1, 2, 3), after: 0)
    vector.update(Vector3(1, .nan, 3), after: 1)
    #expect(vector.value == Vector3(1, 2, 3))
    vector.update(.zero, after: 1)
    #expect(isNear(vector.value!, exp(-1) * Vector3(1, 2, 3), within: 1e-14))
  }

  @Test("the gain for a tiny interval keeps its precision")
  func gainDigits() {
    #expect(isNear(ExponentialLowPass.gain(after: 1e-12, timeConstant: 1), 1e-12, within: 1e-24))
    #expect(ExponentialLowPass.gain(after: .infinity, timeConstant: 1) == 1)
    #expect(ExponentialLowPass.gain(after: .nan, timeConstant: 1) == 0)
  }
}
