import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialRecognition

/// Tests that activities and steps agree, in the combination that all commands use.
@Suite("Consistency of activities and steps")
struct ActivityStepConsistencyTests {
  private struct Story {
    var segments: [MotionActivity]
    var steps: [Double]

    /// Returns the fraction of the time after ten seconds that has flags.
    func fraction(of flags: ActivityFlags) -> Double {
      let (start, end) = (segments[0].start + 10, segments.last!.end)
      let reported = segments.filter { $0.flags.isSuperset(of: flags) }
      return reported.reduce(0) { $0 + max(0, $1.end - max($1.start, start)) } / (end - start)
    }
  }

  private func story(_ samples: [MotionSample], _ parameters: ActivityClassifier.Parameters = .init()) -> Story {
    var (pass, history) = (ActivityPass(ActivityClassifier(parameters: parameters)), PedometerHistory())
    for sample in samples { for output in pass.take(sample).steps { history.append(output) } }
    for output in pass.finish() { history.append(output) }
    return Story(segments: pass.history.segments(), steps: history.leavingOut(pass.history.rides).steps.map(\.time))
  }

  @Test("a pedalling thigh is a ride without steps, in any orientation, at 25 to 100 Hz", arguments: [25.0, 50, 100])
  func pedalling(rate: Double) {
    for (mount, frequency) in [(Vector3(1, 0, 0), 1.0), (Vector3(0, 1, 0.4), 1.2), (Vector3(-1, 2, 3), 1.45)] {
      var thigh = SimulatedThigh.pedalling
      (thigh.mount, thigh.rate, thigh.frequency) = (.init(angle: 2, axis: mount), rate, frequency)
      let story = story(thigh.samples(seconds: 60))
      #expect(story.fraction(of: .cycling) > 0.9, "\(rate) Hz, \(frequency): \(story.segments.map(\.flags.names))")
      #expect(story.steps.count <= 8)
    }
  }

  @Test("a thigh that swings as far, but is lifted at each step, walks", arguments: [25.0, 50, 100])
  func walking(rate: Double) {
    var thigh = SimulatedThigh.walking
    thigh.rate = rate
    let story = story(thigh.samples(seconds: 60))
    #expect(story.fraction(of: .walking) > 0.95, "\(story.segments.map(\.flags.names))")
    #expect(abs(story.steps.count - 108) <= 3, "\(story.steps.count)")
  }

  @Test(
    "a thigh that walks in one plane walks for a slow sensor, too, because of two beats per swing",
    arguments: [15.0, 25])
  func slowSensor(rate: Double) {
    var thigh = SimulatedThigh.walking
    (thigh.radius, thigh.pelvis, thigh.bounce) = (0.33, 0.25, 0.14)
    // Each sample is the mean since the previous one.
    let fine = thigh.samples(seconds: 60)
    var samples: [MotionSample] = []
    var rest = fine[...]
    for index in 1...Int(60 * rate) {
      let part = rest.prefix { $0.time < Double(index) / rate }
      rest = rest.dropFirst(part.count)
      let fraction = 1 / Double(part.count)
      samples.append(
        MotionSample(
          time: Double(index) / rate, acceleration: fraction * part.reduce(.zero) { $0 + $1.acceleration! },
          userAcceleration: fraction * part.reduce(.zero) { $0 + $1.userAcceleration! },
          rotationRate: fraction * part.reduce(.zero) { $0 + $1.rotationRate! }))
    }
    let story = story(samples)
    #expect(story.fraction(of: .walking) > 0.9, "\(story.segments.map(\.flags.names))")
    #expect(abs(story.steps.count - 108) <= 8, "\(story.steps.count)")
  }

  @Test("a person with slow and soft steps walks, and is at rest when standing afterwards")
  func slowSteps() {
    let gait = SimulatedGait(cadence: 0.8, amplitude: 0.05, asymmetry: 0.1, swing: 0.01, noise: 0.004)
    let story = story(gait.samples(rate: 100, 60, 30))
    #expect(abs(story.steps.count - 48) <= 2, "\(story.steps.count)")
    let walking = story.segments.filter { $0.flags.contains(.walking) }.reduce(0) { $0 + $1.end - $1.start }
    let still = story.segments.filter { $0.flags == .stationary }.reduce(0) { $0 + $1.end - $1.start }
    #expect(abs(walking - 60) < 8 && abs(still - 30) < 8, "\(walking), \(still)")
  }

  @Test("a cyclist who stops at a light is still on the bicycle")
  func light() {
    var thigh = SimulatedThigh.pedalling
    var samples = thigh.samples(seconds: 40)
    (thigh.swing, thigh.shaking) = (0, 0.003)
    samples += thigh.samples(from: 40, seconds: 15)
    samples += SimulatedThigh.pedalling.samples(from: 55, seconds: 40)
    let story = story(samples)
    #expect(story.fraction(of: .cycling) > 0.9, "\(story.segments.map(\.flags.names))")
    #expect(story.segments.contains { $0.flags == [.cycling, .stationary] && $0.end - $0.start > 5 })
  }

  @Test("a device that moves without rotation is in a vehicle, and a still device is at rest")
  func train() {
    var generator = SeededGenerator(seed: 3)
    func samples(_ sway: Double) -> [MotionSample] {
      var level = Vector3.zero
      return (0..<9000).map { index in
        // A sway with a period of about a second, in all directions.
        let push = Vector3(generator.normal(), generator.normal(), 0.5 * generator.normal())
        level = 0.94 * level + (sway * 0.34) * push
        let user = level + generator.vector(0.002)
        let turning = generator.vector(0.004)
        return MotionSample(
          time: Double(index) / 100, acceleration: Vector3(0, 0, -1) + user, userAcceleration: user,
          rotationRate: turning)
      }
    }
    #expect(story(samples(0.03)).fraction(of: .automotive) > 0.9)
    #expect(story(samples(0.001)).fraction(of: .automotive) < 0.05)
  }

  @Test("steps decide between walking and other motion")
  func stepsAsEvidence() {
    func flags(_ walking: Double, isStepping: Bool?) -> [ActivityFlags] {
      var history = ActivityHistory(hasPedometer: isStepping != nil)
      for index in 0..<40 {
        var likelihoods = ActivityLikelihoods()
        for state in ActivityState.allCases { likelihoods[state] = 0.01 }
        (likelihoods[.walking], likelihoods[.other]) = (walking, 1 - walking)
        let start = 1.28 * Double(index)
        history.append(
          ActivityEvidence(start: start, end: start + 2.56, isFirst: index == 0, likelihoods: likelihoods))
      }
      if isStepping == true { for index in 0..<60 { history.append(step: 0.9 * Double(index)) } }
      return history.segments().map(\.flags)
    }
    #expect(flags(0.4, isStepping: true) == [.walking] && flags(0.4, isStepping: nil) == [[]])
    #expect(flags(0.55, isStepping: false) == [[]] && flags(0.55, isStepping: nil) == [.walking])
    #expect(flags(0.6, isStepping: false) == [[]] && flags(0.02, isStepping: true) == [[]])
  }

  @Test("a walk has a cadence, and rest does not")
  func evidence() {
    for amplitude in [0.25, 0] {
      var gait = SimulatedGait(noise: 0.003)
      gait.amplitude = amplitude
      var pedometer = Pedometer()
      for sample in gait.samples(rate: 50, 20) { _ = pedometer.update(sample) }
      #expect((pedometer.gait.cadence != nil) == (amplitude > 0))
    }
  }
}

@Suite("Rotation window")
struct RotationWindowTests {
  private func measure(_ seconds: Double, rate: Double = 100, _ turning: (Double) -> Vector3) -> RotationMeasure? {
    var window = RotationWindow()
    for index in 0..<Int(seconds * rate) { window.add(turning(Double(index) / rate), at: Double(index) / rate) }
    return window.measure()
  }

  @Test(
    "a rotation back and forth about one axis is planar and regular, with its period, at any rate",
    arguments: [25.0, 100, 200])
  func planar(rate: Double) throws {
    let found = try #require(
      measure(12, rate: rate) { (2 * sin(2 * .pi * 0.9 * $0) + 0.1) * Vector3(0.6, 0, 0.8) })
    #expect(found.planarity > 0.99 && found.regularity > 0.95 && abs(found.strength - 1.34) < 0.05)
    #expect(abs(try #require(found.period) - 1.11) < 0.05)
  }

  @Test("tumbling is neither planar nor regular, slight rotation has no period, and 5 s yield no measure")
  func others() throws {
    var generator = SeededGenerator(seed: 2)
    var level = Vector3.zero
    let tumbling = try #require(
      measure(12) { _ in
        level = 0.97 * level + generator.vector(0.3)
        return level
      })
    #expect(tumbling.planarity < 0.8 && tumbling.regularity < 0.7)
    let still = try #require(measure(12) { Vector3(0.01 * sin(6 * $0), 0.2, 0) })
    #expect(still.period == nil && still.strength < 0.02)
    #expect(measure(5) { _ in .zero } == nil)
  }

  @Test("a rate that is not a number affects only its own cell")
  func notANumber() throws {
    var window = RotationWindow()
    for index in 0..<1500 {
      let time = Double(index) / 100
      let rate = index == 200 ? Vector3(.nan, 0, 0) : Vector3(sin(2 * .pi * time), 0, 0)
      window.add(rate, at: time)
    }
    #expect(try #require(window.measure()).regularity > 0.9)
  }
}
