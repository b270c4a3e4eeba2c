internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors
internal import InertialSystem

/// A generator of the samples of one channel of a simulated log.
///
/// Every sample draws the same number of random numbers for all parameters of the model, so a gap, a changed range or a
/// changed noise leaves every other sample and error unchanged.
struct SensorStreamGenerator {
  let channel: SensorChannel
  private let model: SensorModel
  private let measure: @Sendable (Double) -> Truth
  private let duration: Double
  private var generator: SeededGenerator
  private var walk = Vector3.zero
  private var index = 0

  /// The reading of a sensor without errors.
  enum Truth {
    /// A vector, with the acceleration that acts on the device, in g, for sensors that are sensitive to it.
    case vector(Vector3, acceleration: Vector3 = .zero)
    /// A sample without any error: reference attitude and movement.
    case exact(SensorSample)
  }

  /// - Parameter streamSeed: The seed of the noise; streams with the same seed share their noise.
  init(
    channel: SensorChannel, model: SensorModel, duration: Double, seed: UInt64, streamSeed: UInt64,
    measure: @escaping @Sendable (Double) -> Truth
  ) {
    self.channel = channel
    self.model = model
    self.duration = duration
    self.measure = measure
    // The multiplier differs from SplitMix64's own increment, with which adjacent streams would share states.
    generator = SeededGenerator(seed: seed ^ ((streamSeed &+ 1) &* 0xD1B5_4A32_D192_ED03))
  }

  mutating func next() -> SensorSample? {
    while true {
      let period = 1 / model.rate
      let nominal = model.startOffset + Double(index) / model.rate
      guard nominal < duration else { return nil }
      index += 1

      let interval = jitter(model.intervalJitter, period: period)
      let clock = jitter(model.clockJitter, period: period)
      let isLost = generator.uniform() < model.lossProbability
      let noise = model.noiseDensity * model.rate.squareRoot() * normalVector()
      defer { walk += model.biasWalk * period.squareRoot() * normalVector() }

      let time = nominal + interval
      guard !isLost, !model.gaps.contains(where: { $0.contains(time) }) else { continue }
      switch measure(time - model.delay) {
      case .vector(let truth, let acceleration):
        let value = corrupted(truth, noise: noise, own: ownBias(at: time, acceleration))
        return SensorSample(time: stamp(time, clock), channel: channel, value, w: accuracy)
      case .exact(var sample):
        sample.time = stamp(time, clock)
        return sample
      }
    }
  }

  /// A device that calibrates its field reports a high accuracy.
  private var accuracy: Double { channel == .calibratedMagneticField ? 2 : 0 }

  private func stamp(_ time: Double, _ error: Double) -> Double { time * (1 + model.clockDrift) + error }

  /// Returns the effect of acceleration and temperature on the bias.
  private func ownBias(at time: Double, _ acceleration: Vector3) -> Vector3 {
    guard model.warming != 0 || model.accelerationSensitivity != .zero else { return .zero }
    let warmth = model.warming * (1 - exp(-max(0, time) / model.warmingTime))
    return model.accelerationSensitivity * acceleration + warmth * model.temperatureSlope
  }

  private func corrupted(_ truth: Vector3, noise: Vector3, own: Vector3) -> Vector3 {
    let scaled = Vector3(truth.x * model.scale.x, truth.y * model.scale.y, truth.z * model.scale.z)
    let analogue = model.misalignment * scaled + model.bias + walk + noise + own
    return Vector3(digital(analogue.x), digital(analogue.y), digital(analogue.z))
  }

  private func digital(_ value: Double) -> Double {
    // Division by 1/quantum, instead of multiplication by the quantum, makes 519 steps of 0.001 exactly 0.519.
    let rounded = model.quantum > 0 ? (value / model.quantum).rounded() / (1 / model.quantum) : value
    guard let range = model.range else { return rounded }
    return min(max(rounded, -range), range)
  }

  private mutating func jitter(_ deviation: Double, period: Double) -> Double {
    // Two jitters of at most a fifth of the period each keep the timestamps in order.
    min(max(deviation * generator.normal(), -period / 5), period / 5)
  }

  private mutating func normalVector() -> Vector3 {
    Vector3(generator.normal(), generator.normal(), generator.normal())
  }
}
