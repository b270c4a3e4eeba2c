import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialRecognition

@Suite("Physical limits of activities")
struct PhysicalLimitsTests {
  /// A motion without activity: acceleration in g, including gravity, and rotation rate in rad/s.
  struct Motion: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var rate = 50.0
    var at: @Sendable (Double, inout SeededGenerator) -> (user: Vector3, gravity: Vector3, rotation: Vector3)
  }

  private static let down = Vector3(0, 0, -1)

  static let motions: [Motion] = [
    Motion(testDescription: "a device that tumbles") { t, _ in
      (.zero, Vector3(sin(1.7 * t), 0.7 * cos(1.7 * t), -0.7 * cos(1.7 * t)), Vector3(0, 1.7, 1.2))
    },
    Motion(testDescription: "a device that turns slowly about a level axis") { t, _ in
      (.zero, Vector3(sin(0.7 * t), 0, -cos(0.7 * t)), Vector3(0, 0.7, 0))
    },
    Motion(testDescription: "a hand that waves") { t, noise in
      let angle = 1.2 * sin(7.5 * t)
      return (noise.vector(0.005), Vector3(sin(angle), 0, -cos(angle)), Vector3(0, 1.2 * 7.5 * cos(7.5 * t), 0.1))
    },
    Motion(testDescription: "a device that a hand swings") { t, noise in
      let phase = 2 * Double.pi * 2.2 * t
      return (
        Vector3(0.8 * sin(phase), 0.3 * sin(phase + 1), 0.2 * sin(phase)) + 0.005 * Vector3(noise.normal(), 0, 0), down,
        Vector3(3 * sin(phase), cos(phase), 0.3 * sin(9 * t))
      )
    },
    Motion(testDescription: "a washing machine that spins", rate: 100) { t, noise in
      let phase = 2 * Double.pi * 13 * t
      return (
        Vector3(0.15 * sin(phase), 0.15 * cos(phase), 0.05 * sin(2 * phase)) + noise.vector(0.005), down,
        Vector3(0.05 * sin(phase), 0.05 * cos(phase), 0.01)
      )
    },
    Motion(testDescription: "a drum that turns slowly") { t, noise in
      let phase = 2 * Double.pi * 0.8 * t
      return (
        Vector3(0.1 * sin(phase), 0.1 * cos(phase), 0) + noise.vector(0.03),
        down, noise.vector(0.03)
      )
    },
    Motion(testDescription: "a power tool") { _, noise in
      (
        noise.vector(0.5), down,
        noise.vector(0.3)
      )
    },
  ]

  @Test("a motion other than a walk, a ride or a rest never has high confidence, live or smoothed", arguments: motions)
  func none(motion: Motion) {
    var generator = SeededGenerator(seed: 11)
    var pass = ActivityPass()
    var (high, counted) = (0, 0)
    for index in 0..<Int(60 * motion.rate) {
      let time = Double(index) / motion.rate
      let now = motion.at(time, &generator)
      let sample = MotionSample(
        time: time, acceleration: now.user + now.gravity, userAcceleration: now.user, rotationRate: now.rotation)
      let activity = pass.update(sample)
      // The window of the rotation has 5.12 s.
      guard let activity, time > 8 else { continue }
      counted += 1
      if activity.confidence == .high { high += 1 }
    }
    _ = pass.finish()
    #expect(counted > 15)
    #expect(high == 0, "\(high) of \(counted)")
    for segment in pass.history.segments() where segment.end - segment.start > 12 {
      #expect(segment.confidence != .high, "\(segment.flags.names)")
    }
  }

  @Test("a person who waits in a vehicle has the limits of a rest")
  func waiting() {
    var evidence = ActivityEvidence(start: 0, end: 2.56, isFirst: true, likelihoods: ActivityLikelihoods())
    evidence.excluded = .automotive
    #expect(evidence.excludes(.automotive) && !evidence.excludes([.automotive, .stationary]))
    evidence.excluded = .stationary
    #expect(evidence.excludes([.automotive, .stationary]) && !evidence.excludes(.automotive))
    #expect(!evidence.excludes([]))
  }

  @Test("an activity that the motion contradicts counts as other motion")
  func excluded() {
    var likelihoods = ActivityLikelihoods()
    likelihoods.exclude([.walking, .automotive])
    for state in ActivityState.allCases {
      let expected = state == .other ? 2.8 : [.walking, .automotive].contains(state) ? 0.1 : 1
      #expect(abs(likelihoods[state] - expected) < 1e-12)
    }
    likelihoods.restRatherThanOther()
    #expect(abs(likelihoods[.stationary] - 3.52) < 1e-12 && abs(likelihoods[.other] - 0.28) < 1e-12)
  }

  @Test("a device within 0.1 g and 0.5 rad/s is at rest, and one beyond is not stationary")
  func rest() throws {
    func window(_ level: Double, _ turning: Double) throws -> ActivityWindow {
      var windows = ActivityWindows()
      var last: ActivityWindow?
      for index in 0..<1000 {
        let time = Double(index) / 100
        let user = Vector3(0, level * 2.0.squareRoot() * sin(9 * time), 0)
        last =
          windows.update(
            MotionSample(
              time: time, acceleration: Vector3(0, 0, -1) + user, userAcceleration: user,
              rotationRate: Vector3(turning * 2.0.squareRoot() * cos(9 * time), 0, 0))) ?? last
      }
      return try #require(last)
    }
    let limits = PhysicalLimits()
    for (level, turning, isAtRest) in [(0.09, 0.4, true), (0.12, 0.4, false), (0.09, 0.6, false)] {
      let window = try window(level, turning)
      #expect(limits.isAtRest(window) == isAtRest)
    }
  }
}
