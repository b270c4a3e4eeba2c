import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialNavigation

@Suite("Step tracker")
struct StepTrackerTests {
  /// Returns a tracker after a walk of legs with steps of 0.55 s, for a device with an attitude and a gyroscope drift.
  private func walk(
    _ legs: [(course: Double, steps: Int)], held: Quaternion = .identity, drift: Double = 0, grid: Bool = true,
    keepsTrace: Bool = true
  ) -> StepTracker {
    var tracker = StepTracker(with(.init()) { $0.usesStraightWays = grid }, keepsTrace: keepsTrace)
    let dt = 0.02
    var (time, heading) = (0.0, legs[0].course)
    func sample(_ rate: Double) {
      time += dt
      heading += rate * dt
      let q = Quaternion(angle: heading, axis: .unitZ) * held
      let up = q.rotateInverse(.unitZ)
      tracker.update(
        TrackSample(
          time: time, rate: up * (rate + drift) + 0.1 * sin(12 * time) * held.rotateInverse(.unitX),
          force: up * (9.80665 + 2 * sin(11.4 * time)), up: up, heading: legs[0].course))
    }
    for leg in legs {
      let turn = (leg.course - heading).remainder(dividingBy: 2 * .pi)
      for _ in 0..<50 { sample(turn) }
      for _ in 0..<leg.steps {
        for _ in 0..<27 { sample(0) }
        tracker.step(at: time, duration: 0.54, length: 0.722)
      }
    }
    return tracker
  }

  private let square = (0..<8).map { (course: Double($0) * .pi / 2, steps: 25) }

  @Test(
    "The path does not depend on the device's orientation",
    arguments: [
      Quaternion.identity, Quaternion(angle: 1.5, axis: .unitX), Quaternion(angle: 3, axis: .unitY),
      Quaternion(angle: 2, axis: Vector3(1, 1, 1).normalized!),
    ])
  func orientation(held: Quaternion) throws {
    let end = try #require(walk(square, held: held).smoothed(at: [0.02, 140]).last)
    #expect(end.distance < 1 && end.stepCount == 200)
  }

  @Test("A path begins at the first sample, also within a step, of which the part after it counts")
  func startWithinAStep() throws {
    for elapsed in [0.1, 0.27, 0.54, 0.8] {
      var tracker = StepTracker(keepsTrace: true)
      for index in 0...100 {
        let time = 5 + 0.02 * Double(index)
        tracker.update(TrackSample(restingAt: time))
        if index == Int(elapsed / 0.02) { tracker.step(at: 5 + elapsed, duration: 0.54, length: 0.72) }
      }
      let part = min(1, elapsed / 0.54)
      #expect(abs(tracker.way - 0.72 * part) < 1e-9, "\(elapsed)")
      let path = tracker.smoothed(at: [5, 5.05, 5 + elapsed])
      #expect(path[0].position == .zero && abs(path[2].distance - 0.72 * part) < 1e-9, "\(elapsed)")
      let walked = max(0, 0.05 - max(0, elapsed - 0.54)) / 0.54
      #expect(abs(path[1].distance - 0.72 * walked) < 1e-9, "\(elapsed)")
    }
  }

  @Test("The height is relative to the first barometer reading, causal and smoothed; without a barometer it is 0")
  func height() throws {
    var tracker = StepTracker(keepsTrace: true)
    for index in 0...6000 {
      let time = Double(index) / 50
      // The height rises by 0.3 m/s from 10 to 40 s, relative to an arbitrary zero.
      if index % 10 == 0, time >= 5 {
        let (height, speed) = (250 + 0.3 * min(max(time - 10, 0), 30), (10...40).contains(time) ? 0.3 : 0)
        tracker.update(HeightEstimate(time: time, height: height, sigma: 0.2, speed: speed, speedSigma: 0.05))
      }
      tracker.update(TrackSample(restingAt: time))
      let z = try #require(tracker.estimate).position.z
      #expect(abs(z - 0.3 * min(max(time - 10, 0), 30)) < 0.061, "\(time)")
    }
    let end = try #require(tracker.estimate)
    // The sigma contains two readings and the weather of two minutes.
    #expect(end.positionSigma.z > 0.4 && end.positionSigma.z < 0.7 && end.velocitySigma.z == 0.05)
    let path = tracker.smoothed(at: [0, 5, 10.1, 25.05, 40.15, 110, 130])
    for (estimate, height) in zip(path, [0, 0, 0.03, 4.515, 9, 9, 9]) {
      #expect(abs(estimate.position.z - height) < 0.01, "\(estimate.time)")
    }
    #expect(path[3].velocity.z == 0.3 && path[5].positionSigma.z > path[1].positionSigma.z)

    let without = try #require(walk(square).smoothed(at: [140]).last)
    #expect(without.position.z == 0 && without.positionSigma.z > 2)
  }

  @Test("Straight segments at right angles correct the drift, and the remaining error is within the sigma")
  func straightWays() throws {
    let drifted = try #require(walk(square, drift: 0.006, grid: false).smoothed(at: [0.02, 140]).last)
    let corrected = try #require(walk(square, drift: 0.006).smoothed(at: [0.02, 140]).last)
    #expect(drifted.distance > 1.5 * corrected.distance)
    #expect(corrected.distance < 1.5 && corrected.distance < 2.5 * corrected.positionSigma.x)
    for keepsTrace in [false, true] {
      let decisions = walk(square, drift: 0.006, keepsTrace: keepsTrace).decisions
      #expect(decisions.map(\.subject) == ["straight segments"] && decisions[0].values["evidence"]! > 3)
      #expect(walk(square, drift: 0.006, grid: false, keepsTrace: keepsTrace).decisions.isEmpty)
    }
  }

  @Test("Straight segments also correct the causal direction, without a trace")
  func straightWaysOnline() throws {
    let drifted = try #require(walk(square, drift: 0.006, grid: false, keepsTrace: false).estimate)
    let corrected = try #require(walk(square, drift: 0.006, keepsTrace: false).estimate)
    #expect(drifted.distance > 1.5 * corrected.distance)
    #expect(corrected.distance < 2 && corrected.distance < 2.5 * corrected.positionSigma.x)
    #expect(walk(square, keepsTrace: false).smoothed(at: [0, 140]).isEmpty)
  }

  @Test("A person whose steps are detected late has the correct position, also after a turn")
  func lateSteps() throws {
    var tracker = StepTracker()
    var reported: [Double] = []
    var worst = 0.0
    var truth = Vector3.zero
    // During the initial rest, the tracker measures the small bias of the gyroscope.
    for index in -200..<0 { tracker.update(TrackSample(restingAt: Double(index) * 0.02)) }
    for index in 0..<2500 {
      let t = Double(index) * 0.02
      let heading = t < 20 ? 0 : min((t - 20) * 1.0, .pi / 2)
      truth += 0.722 / 0.54 * 0.02 * Vector3(cos(heading), sin(heading), 0)
      let q = Quaternion(angle: heading, axis: .unitZ)
      tracker.update(
        TrackSample(
          time: t, rate: Vector3(0, 0, t > 20 && t < 20 + .pi / 2 ? 1 : 0) + Vector3(0.1 * sin(12 * t), 0, 0),
          force: q.rotateInverse(Vector3(0, 0, 9.80665 + 2 * sin(11.4 * t))), up: .unitZ, heading: 0))
      if index % 27 == 0, index > 0 { reported.append(t) }
      // Each step is 1.5 s late.
      if let first = reported.first, t - first >= 1.5 {
        tracker.step(at: first, duration: 0.54, length: 0.722)
        reported.removeFirst()
      }
      if t > 5, let now = tracker.estimate {
        let d = now.position - truth
        worst = max(worst, (d.x * d.x + d.y * d.y).squareRoot())
      }
    }
    #expect(worst < 1.2)
  }

  @Test("Straight segments determine a gyroscope bias of several degrees per second, and the sigma covers the error")
  func rawGyroscope() throws {
    for drift in [0.06, -0.04] {
      let tracker = walk(square, drift: drift, grid: false)
      let end = try #require(tracker.smoothed(at: [0.02, 140]).last)
      #expect(end.distance < 6 && end.distance < 2.5 * end.positionSigma.x)
      // In the causal path, the first segment has a wrong direction.
      let now = try #require(tracker.estimate)
      #expect(now.distance < 2.5 * now.positionSigma.x)
    }
  }

  @Test("A rest determines the bias of a raw gyroscope")
  func restingGyroscope() throws {
    var tracker = StepTracker()
    for index in 0..<3000 {
      let time = Double(index) / 50
      let walks = time > 5
      tracker.update(
        TrackSample(
          time: time, rate: Vector3(0, 0, 0.07) + (walks ? 0.1 * sin(12 * time) : 0) * .unitX,
          force: Vector3(0, 0, 9.80665 + (walks ? 2 * sin(11.4 * time) : 0)), up: .unitZ, heading: 0))
      if walks, index % 27 == 0 { tracker.step(at: time, duration: 0.54, length: 0.722) }
    }
    let end = try #require(tracker.estimate)
    #expect(abs(atan2(end.position.y, end.position.x)) < 0.1)
    #expect(end.position.x > 50)
  }

  @Test("Segments at arbitrary angles leave the path unchanged")
  func noGrid() {
    var generator = SeededGenerator(seed: 4)
    let legs = (0..<10).map { _ in (course: generator.uniform() * 2 * .pi, steps: 15) }
    let (with, without) = (walk(legs).smoothed(at: [60, 110]), walk(legs, grid: false).smoothed(at: [60, 110]))
    #expect(with.map(\.position) == without.map(\.position))
    #expect(walk(legs).decisions.isEmpty)
  }

  @Test("A standing person stays at the origin")
  func standing() throws {
    var tracker = StepTracker(keepsTrace: true)
    for index in 0..<1000 { tracker.update(TrackSample(restingAt: Double(index) / 50, heading: 0.3)) }
    let now = try #require(tracker.estimate)
    #expect(now.position == .zero && now.isStanding)
    #expect(tracker.smoothed(at: [1, 10]).allSatisfy { $0.position == .zero })
  }

  @Test("A device that rotates while it is put away does not rotate the person")
  func putAway() throws {
    var tracker = StepTracker()
    for index in 0..<1500 {
      let time = Double(index) / 50
      // The device rotates from lying flat to standing on its side, and about the vertical.
      let fraction = min(max((time - 10) / 0.6, 0), 1)
      let q = Quaternion(angle: 2 * fraction, axis: .unitZ) * Quaternion(angle: 1.5 * fraction, axis: .unitX)
      let moves = fraction > 0 && fraction < 1
      let up = q.rotateInverse(.unitZ)
      let rate = moves ? (Quaternion(angle: -2 * fraction, axis: .unitZ).rotate(.unitX) * 2.5 + 3.3 * up) : Vector3.zero
      tracker.update(TrackSample(time: time, rate: rate, force: up * 9.80665, up: up, heading: 0))
      if index % 27 == 26 { tracker.step(at: time, duration: 0.54, length: 0.722) }
    }
    let end = try #require(tracker.estimate)
    // The first tenths of a second, before the tracker detects the handling, may count.
    #expect(abs(atan2(end.velocity.y, end.velocity.x)) < 1.4)
  }
}
