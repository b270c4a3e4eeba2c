import Foundation
import InertialNumerics
import InertialRecognition
import InertialSensors

/// Returns the times of the samples at which a rule reports a shake, for raw or user acceleration.
func detections<Rule: ShakeRule>(_ rule: Rule, raw: [(Double, Vector3)]) -> [Double] {
  detections(rule, raw.map { MotionSample(time: $0.0, acceleration: $0.1) })
}

func detections<Rule: ShakeRule>(_ rule: Rule, user: [(Double, Vector3)]) -> [Double] {
  detections(rule, user.map { MotionSample(time: $0.0, userAcceleration: $0.1) })
}

func detections<Rule: ShakeRule>(_ rule: Rule, _ samples: [MotionSample]) -> [Double] {
  var rule = rule
  return samples.compactMap { rule.update($0).isDetected ? $0.time : nil }
}

/// Returns whether a rule detects a sample after others, without and with a pause before it.
func isDetected<Rule: ShakeRule>(
  _ next: MotionSample, after samples: [MotionSample], by rule: Rule
) -> (directly: Bool, afterPause: Bool) {
  var rule = rule
  for sample in samples { _ = rule.update(sample) }
  var paused = rule
  paused.forgetSamples()
  return (rule.update(next).isDetected, paused.update(next).isDetected)
}

/// Returns the samples of a raw acceleration along x.
func raw(_ values: [Double], every interval: Double) -> [MotionSample] {
  alongX(values, every: interval).map { MotionSample(time: $0.0, acceleration: $0.1) }
}

/// Returns samples with the given x values, one every `interval` seconds from `start`.
func alongX(_ values: [Double], every interval: Double, from start: Double = 0) -> [(Double, Vector3)] {
  values.enumerated().map { (start + Double($0.offset) * interval, Vector3($0.element, 0, 0)) }
}

/// A motion back and forth: user acceleration along one axis, and rotation about another.
struct SyntheticMotion {
  /// The frequency in Hz and the peak acceleration in g.
  var frequency = 4.0
  var amplitude = 2.0
  var axis = Vector3.unitX
  /// The peak rotation rate about `turningAxis` in rad/s, and its frequency in Hz.
  var rotation = 4.0
  var rotationFrequency: Double?
  var turningAxis = Vector3.unitZ
  var rest = 2.0
  var duration = 3.0

  /// Returns samples of rest, motion and rest at a sample rate.
  func samples(rate: Double, from start: Double = 0, hasGyroscope: Bool = true) -> [MotionSample] {
    (0..<Int((2 * rest + duration) * rate)).map { index in
      let t = Double(index) / rate
      let phase = 2 * Double.pi * (t - rest)
      let isMoving = t >= rest && t < rest + duration
      let a = isMoving ? amplitude * sin(frequency * phase) : 0
      let w = isMoving ? rotation * cos((rotationFrequency ?? frequency) * phase) : 0
      return MotionSample(
        time: start + t, userAcceleration: a * axis, rotationRate: hasGyroscope ? w * turningAxis : nil)
    }
  }
}

/// Returns all events of a stream, including those at its end.
func events(_ detector: some GestureDetector, _ samples: [MotionSample]) -> [GestureEvent] {
  var detector = detector
  return samples.compactMap { detector.update($0) } + [detector.finish()].compactMap { $0 }
}
