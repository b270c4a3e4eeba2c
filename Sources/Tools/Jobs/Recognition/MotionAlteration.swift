internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

/// A change of a motion that keeps its activity: the sample rate, the cadence, the strength, noise, and the gyroscope.
struct MotionAlteration: Sendable {
  /// The sample rate, in Hz; samples are averaged over an interval, or dropped.
  var rate: Double
  var averages: Bool
  /// The factor of time: a motion that is slower by this factor is weaker by its square.
  var slowness: Double
  /// The factor of the acceleration.
  var gain: Double
  /// The standard deviation of the noise of the acceleration, in g, and of the rotation rate, in rad/s.
  var noise: Double
  var rotationNoise: Double
  var hasGyroscope: Bool

  init(_ generator: inout SeededGenerator) {
    func uniform(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &generator) }
    rate = exp(uniform(log(15)...log(110)))
    averages = uniform(0...1) < 0.5
    slowness = exp(uniform(log(0.714)...log(1.4)))
    gain = exp(0.3 * min(max(generator.normal(), -2), 2))
    noise = exp(uniform(log(0.0005)...log(0.01)))
    rotationNoise = exp(uniform(log(0.001)...log(0.02)))
    hasGyroscope = uniform(0...1) < 0.8
  }

  /// Returns the time in the original motion.
  func original(_ time: Double, _ samples: [MotionSample]) -> Double {
    samples[0].time + (time - samples[0].time) / slowness
  }

  func apply(to samples: [MotionSample], _ generator: inout SeededGenerator) -> [MotionSample] {
    var result: [MotionSample] = []
    var (sums, count) = ([Vector3.zero, .zero, .zero], 0.0)
    var next = samples[0].time
    for sample in samples {
      guard let total = sample.acceleration, let user = sample.userAcceleration else { continue }
      let time = samples[0].time + (sample.time - samples[0].time) * slowness
      let moved = (gain / (slowness * slowness)) * user
      if !averages { (sums, count) = ([.zero, .zero, .zero], 0) }
      sums[0] += moved
      sums[1] += total - user + moved
      sums[2] += (1 / slowness) * (sample.rotationRate ?? .zero)
      count += 1
      guard time >= next else { continue }
      next = max(next + 1 / rate, time)
      func normal(_ deviation: Double) -> Vector3 {
        deviation * Vector3(generator.normal(), generator.normal(), generator.normal())
      }
      let shared = normal(noise)
      result.append(
        MotionSample(
          time: time, acceleration: (1 / count) * sums[1] + shared, userAcceleration: (1 / count) * sums[0] + shared,
          rotationRate: hasGyroscope && sample.rotationRate != nil
            ? (1 / count) * sums[2] + normal(rotationNoise) : nil))
      (sums, count) = ([.zero, .zero, .zero], 0)
    }
    return result
  }
}
