import Foundation
import InertialNumerics
import TestSupport
import Testing

@testable import InertialRecognition

/// A motion of 2.56 s with given measures.
private struct Motion: Sendable {
  /// The accelerations from 5 to 18 Hz and from 0.3 to 3.5 Hz, in g (root mean square).
  var fast = 0.001
  var slow = 0.001
  /// The ratio of the vertical to the horizontal acceleration.
  var lift = 1.5
  /// The mean angle between gravity and its mean, in radians.
  var tilt = 0.01
  /// The kurtosis of the vertical acceleration: steady shaking, or bursts.
  var isSteady = true
  /// The frequency of the only line of the fast acceleration, and of the slow acceleration, in Hz; `nil` spreads them.
  var fastLine: Double?
  var slowLine: Double?
  var rotation: RotationMeasure?
  var rate = 100.0

  var window: ActivityWindow {
    var generator = SeededGenerator(seed: 4)
    func wave(_ frequencies: [Double], _ level: Double) -> [Double] {
      var values = [Double](repeating: 0, count: WindowSpectrum.size)
      let scale = level * (2 / Double(frequencies.count)).squareRoot()
      for frequency in frequencies {
        let phase = 6 * generator.uniform()
        for index in values.indices {
          let time = Double(index) * ActivityBins.period
          values[index] += scale * sin(2 * Double.pi * frequency * time + phase)
        }
      }
      return values
    }
    let fastLines: [Double] = fastLine.map { [$0] } ?? Array(stride(from: 6.25, to: 17, by: 1.171_875))
    let slowLines: [Double] = slowLine.map { [$0] } ?? [0.78, 1.17, 1.95, 2.34, 3.1]
    let up = lift / (1 + lift * lift).squareRoot()
    let across = 1 / (1 + lift * lift).squareRoot()
    var vertical = zip(wave(fastLines, up * fast), wave(slowLines, up * slow)).map { $0 + $1 }
    let horizontal = zip(wave(fastLines, across * fast), wave(slowLines, across * slow)).map { $0 + $1 }
    if !isSteady { vertical = vertical.enumerated().map { $0 % 32 < 4 ? 2.83 * $1 : 0.01 * $1 } }
    let cells = (0..<WindowSpectrum.size).map { index in
      // A square wave has the same distance from its mean everywhere.
      let angle = (index / 16).isMultiple(of: 2) ? tilt : -tilt
      return ActivityBin(
        SIMD8(Float(vertical[index]), Float(horizontal[index]), 0, 0, 1, Float(sin(angle)), 0, Float(-cos(angle))))
    }
    var window = ActivityWindow(cells, rotation: rotation, start: 0, isFirst: true)
    window.rate = rate
    return window
  }

  func with(_ change: (inout Motion) -> Void) -> Motion {
    var motion = self
    change(&motion)
    return motion
  }
}

@Suite("Limits of recognition")
struct RecognitionLimitsTests {
  /// A car's, a road's and a crank's motion, beyond none of the limits.
  private static let car = Motion(fast: 0.05, slow: 0.02)
  private static let road = Motion(
    fast: 0.12, slow: 0.1, tilt: 0.08, rotation: RotationMeasure(strength: 0.6, total: 0.6))
  private static let pedals = Motion(
    fast: 0.03, slow: 0.15,
    rotation: RotationMeasure(strength: 1, total: 1, planarity: 0.82, regularity: 0.9, period: 1))

  /// A limit: the activity that it decides, and the likelihoods of that activity on its two sides.
  private struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var state: ActivityState
    var inside: Motion
    var outside: Motion
    /// The probabilities of stationary, walking, running and other motion by the model, and the speed in m/s.
    var model = SIMD4<Float>(0.25, 0.25, 0.25, 0.25)
    var speeds: (Double?, Double?) = (nil, nil)
    var testDescription: String { name }

    init(_ name: String, _ state: ActivityState, _ inside: Motion, _ change: (inout Motion) -> Void) {
      (self.name, self.state, self.inside, outside) = (name, state, inside, inside.with(change))
    }

    init(_ name: String, _ state: ActivityState, inside: Double, outside: Double, _ motion: Motion = Motion()) {
      (self.name, self.state, self.inside, self.outside, speeds) = (name, state, motion, motion, (inside, outside))
    }
  }

  private static let rows: [Row] = [
    Row("minimumVibration", .automotive, car) { ($0.fast, $0.slow) = (0.012, 0.005) },
    Row("minimumFastRatio", .cycling, road) { $0.slow = 0.4 },
    Row("bicycleLevel", .cycling, road) { $0.slow = 0.035 },
    Row("carLimit", .automotive, car) { $0.fast = 0.4 },
    Row("carTilt", .automotive, car) { $0.tilt = 0.08 },
    Row("rideTilt", .cycling, road) { $0.tilt = 0.4 },
    Row("rideTurning", .cycling, road) { $0.rotation?.strength = 4 },
    Row("steadyKurtosis", .automotive, car) { $0.isSteady = false },
    Row("rideLift", .automotive, car) { $0.lift = 0.3 },
    Row("rideLift", .cycling, pedals) { $0.lift = 0.3 },
    Row("pedalPlanarity", .cycling, pedals) { $0.rotation?.planarity = 0.5 },
    Row("pedalRadius", .cycling, pedals) { $0.slow = 0.5 },
    Row("pedalJolts", .cycling, pedals) { $0.fast = 0.3 },
    Row("joltRate", .cycling, pedals.with { ($0.slow, $0.slowLine) = (0.25, 1.95) }) { $0.rate = 25 },
    Row("pedalBeats", .cycling, pedals.with { ($0.rate, $0.slow, $0.slowLine) = (25, 0.25, 1.17) }) {
      $0.slowLine = 1.95
    },
    Row("pedalSwing", .cycling, pedals) {
      $0.rotation?.strength = 3.5
      $0.slow = 0.5
    },
    Row("pedalRegularity", .cycling, pedals) { $0.rotation?.regularity = 0.5 },
    Row("carriedRatio", .automotive, Motion(slow: 0.05, rotation: RotationMeasure(strength: 0.08))) {
      $0.rotation?.strength = 0.3
    },
    Row("carriedLevel", .automotive, Motion(slow: 0.02, rotation: RotationMeasure(strength: 0.01))) { $0.slow = 0.005 },
    Row("fastestWalk", .walking, inside: 2, outside: 3.5),
    Row("fastestRun", .running, inside: 6, outside: 9),
    Row("fastestRide", .cycling, inside: 11, outside: 15, pedals),
    Row("slowestWalk", .walking, inside: 1.2, outside: 0.2),
    Row("slowestRun", .running, inside: 2, outside: 0.5),
    Row("slowestRide", .cycling, inside: 3, outside: 0.5, pedals),
    Row("carriedSpeed", .automotive, inside: 2, outside: 0.5),
    Row("carSpeed", .cycling, inside: 6, outside: 10, road),
    Row("restSpeed", .stationary, inside: 0.1, outside: 1),
  ]

  @Test("each limit of a ride decides: beyond it, the activity is at most half as likely", arguments: rows)
  private func decides(row: Row) {
    let rules = VehicleRules()
    let inside = rules.likelihoods(of: row.inside.window, model: row.model, speed: row.speeds.0)
    let outside = rules.likelihoods(of: row.outside.window, model: row.model, speed: row.speeds.1)
    #expect(outside[row.state] <= 0.5 * inside[row.state], "\(inside[row.state]) \(outside[row.state])")
  }

  @Test("a gait that the model is certain of is not a ride, and one that it is not certain of can be")
  func certainGait() {
    func cycling(_ gait: Float) -> Double {
      let rest = (1 - gait) / 3
      return VehicleRules().likelihoods(
        of: Self.pedals.window, model: SIMD4(rest, gait, rest, rest), speed: nil)[.cycling]
    }
    #expect(cycling(0.99) < 0.3 * cycling(0.85))
    #expect(cycling(0.5) == cycling(0.1) || abs(cycling(0.5) / cycling(0.1) - 1) < 0.01)
  }

  @Test("the weights of other motion, within and outside of a ride, and of a road scale their likelihoods")
  func weights() {
    var rules = VehicleRules()
    let other = SIMD4<Float>(0, 0, 0, 1)
    func likelihoods(_ motion: Motion) -> ActivityLikelihoods {
      rules.likelihoods(of: motion.window, model: other, speed: nil)
    }
    let (still, road) = (likelihoods(Motion()), likelihoods(Self.road))
    (rules.otherMotion, rules.rideOther) = (rules.otherMotion / 2, rules.rideOther / 2)
    let halved = likelihoods(Motion())
    #expect(abs(halved[.other] / still[.other] - 0.5) < 0.02)
    #expect(abs(halved[.cycling] / still[.cycling] - 0.25) < 0.02)
    rules.roadCertainty /= 2
    #expect(abs(likelihoods(Self.road)[.cycling] / road[.cycling] - 0.5) < 0.02)
  }

  @Test("every limit of a ride has a test")
  func isComplete() {
    let names = Mirror(reflecting: VehicleRules()).children.compactMap(\.label)
    let tested = Self.rows.map(\.name) + ["certainGait", "otherMotion", "rideOther", "roadCertainty"]
    #expect(Set(names) == Set(tested))
  }

  @Test("each limit of strength and rotation excludes its activity, and only beyond the limit")
  func strength() {
    let limits = PhysicalLimits()
    let activities: [(ActivityFlags, PhysicalLimits.Limit)] = [
      (.stationary, limits.stationary), (.walking, limits.walking), (.running, limits.running),
      (.cycling, limits.cycling), (.automotive, limits.automotive),
    ]
    for (activity, limit) in activities {
      for (factor, isExcluded) in [(0.9, false), (1.1, true)] {
        // Both bands have equal parts, so that only the level is beyond a limit.
        let level = factor * Double(limit.level) / 2.0.squareRoot()
        let still = RotationMeasure(strength: 0.01)
        let motions = [
          Motion(fast: level, slow: level, rotation: still),
          Motion(rotation: RotationMeasure(strength: 0.01, total: factor * limit.turning)),
          Motion(rotation: RotationMeasure(strength: 0.01, steady: factor * limit.steadyTurning)),
        ]
        for motion in motions {
          #expect(limits.excluded(by: motion.window).contains(activity) == isExcluded, "\(activity.names) \(factor)")
        }
      }
    }
  }

  @Test("each limit of the spectrum excludes its activities, and only beyond the limit")
  func spectrum() {
    let limits = PhysicalLimits()
    func excludes(_ activity: ActivityFlags, _ motion: Motion) -> Bool {
      limits.excluded(by: motion.window).contains(activity)
    }
    // purestMotion and minimumMotion: a pendulum of sufficient strength.
    let pendulum = Motion(fast: 0.008, slow: 0.15, slowLine: 1.171_875)
    #expect(excludes(.walking, pendulum) && !excludes(.walking, pendulum.with { $0.slowLine = nil }))
    #expect(!excludes(.cycling, pendulum.with { ($0.fast, $0.slow) = (0.002, 0.02) }))
    // purestVibration, minimumVibration and minimumRate: a motor.
    let motor = Motion(fast: 0.1, slow: 0.01, fastLine: 12.5)
    #expect(excludes(.automotive, motor) && !excludes(.automotive, motor.with { $0.fastLine = nil }))
    #expect(!excludes(.automotive, motor.with { ($0.fast, $0.slow) = (0.015, 0.002) }))
    #expect(!excludes(.automotive, motor.with { $0.rate = 25 }))
    // minimumRoughness: motion without heel strikes or a road.
    let smooth = Motion(fast: 0.002, slow: 0.2)
    #expect(excludes(.cycling, smooth) && !excludes(.cycling, smooth.with { $0.fast = 0.03 }))
    // gaitRoughness: a tool.
    let tool = Motion(fast: 0.2, slow: 0.05)
    #expect(excludes(.running, tool) && !excludes(.running, tool.with { $0.slow = 0.2 }))
    // steadiestSway: a device that sways is not in a vehicle.
    let sway = Motion(fast: 0.05, slow: 0.1, slowLine: 1.171_875)
    #expect(excludes(.automotive, sway) && !excludes(.automotive, sway.with { $0.slowLine = nil }))
  }
}
