import Foundation
import InertialNumerics
import InertialRecognition
import InertialSensors
import TestSupport

/// A simulated acceleration with gravity, built of segments with a rotating direction and any norm, with noise.
struct SimulatedFall {
  /// The acceleration of a phone upright in a pocket, with Core Motion's sign.
  static let upright = Vector3(0, -1, 0)
  static let level = between(Vector3(0.2, -0.2, -1), Vector3(0, 0, -1))

  var rate = 100.0
  private(set) var samples: [MotionSample] = []
  private var generator: SeededGenerator
  private var direction = Self.upright
  private var count = 0

  init(rate: Double = 100, seed: UInt64 = 1) {
    self.rate = rate
    generator = SeededGenerator(seed: seed)
  }

  /// Returns the unit vector along the sum.
  static func between(_ a: Vector3, _ b: Vector3) -> Vector3 { (a + b) / max((a + b).norm, 1e-9) }

  var time: Double { Double(count) / rate }

  /// Adds samples up to a time, with an even rotation to another direction. The norm in g is a function of the seconds
  /// since the segment's start.
  mutating func go(
    until end: Double, to target: Vector3? = nil, noise: Double = 0.004, norm: (Double) -> Double = { _ in 1 }
  ) {
    let (start, from) = (time, direction)
    while time < end - 1e-9 {
      let fraction = (time - start) / (end - start)
      if let target { direction = Self.between((1 - fraction) * from, fraction * target) }
      let random = generator.vector()
      samples.append(MotionSample(time: time, acceleration: norm(time - start) * direction + noise * random))
      count += 1
    }
    if let target { direction = target }
  }

  /// Adds an impact that lasts 0.12 s.
  mutating func hit(_ peak: Double) { go(until: time + 0.12) { 1 + (peak - 1) * max(0, sin(.pi * $0 / 0.12)) } }

  /// Adds steps, or jolts of any kind.
  mutating func walk(until end: Double, amplitude: Double = 0.35, frequency: Double = 1.9) {
    go(until: end, noise: 0.03) { 1 + amplitude * sin(2 * .pi * frequency * $0) }
  }

  /// Returns the fall of a standing person: half a second down at 0.55 g, an impact, a quarter turn, and rest.
  static func fall(
    rate: Double = 100, at start: Double = 5, peak: Double = 6, support: Double = 0.55, rest: Double = 3,
    to target: Vector3 = Self.level
  ) -> SimulatedFall {
    var motion = SimulatedFall(rate: rate)
    motion.go(until: start, noise: 0.02)
    let halfway = between(upright, target)
    motion.go(until: start + 0.5, to: halfway, noise: 0.02) { _ in support }
    motion.hit(peak)
    motion.go(until: start + 1.1, to: target, noise: 0.15) { _ in 1.15 }
    motion.go(until: start + 1.1 + rest, noise: 0.01)
    return motion
  }

  func events(_ parameters: FallDetector.Parameters = .init()) -> [FallEvent] {
    var detector = FallDetector(parameters: parameters)
    var events = samples.compactMap { detector.update($0) }
    if let last = detector.finish() { events.append(last) }
    return events
  }

  /// Returns the reason for the result of the last impact.
  func reason() -> FallReason? {
    var detector = FallDetector()
    for sample in samples { _ = detector.update(sample) }
    return detector.reason
  }
}
