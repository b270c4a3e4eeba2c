import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFilters

@Suite("A heading that the field contradicts")
struct HeadingLockTests {
  private static let north = Vector3(20, 0, -40)
  private static let other = Vector3(14, 14, -40)
  private static var believed: EarthFieldModel {
    var field = EarthFieldModel()
    (field.horizontal, field.down, field.isKnown) = (20, 40, true)
    return field
  }

  /// Adds a field for some seconds; returns `true` if the heading must then be learned again.
  @discardableResult
  private static func show(_ field: Vector3, for seconds: Double, to lock: inout HeadingLock) -> Bool {
    var isLocked = false
    for _ in 0..<Int((10 * seconds).rounded()) where !isLocked {
      isLocked = lock.add(field, believed: believed, over: 0.1)
    }
    return isLocked
  }

  @Test("equation (17): another heading is learned after it was shown for longer, and for at least 30 s")
  func majority() {
    for (first, second) in [(1.0, 30.0), (10, 30), (40, 40), (200, 60)] {
      var lock = HeadingLock()
      #expect(!Self.show(Self.north, for: first, to: &lock))
      #expect(!Self.show(Self.other, for: second - 0.5, to: &lock))
      #expect(Self.show(Self.other, for: 1, to: &lock))
      #expect(isNear(lock.field, Self.other, within: 1e-9))
    }
  }

  @Test(
    "equation (17): a field that keeps changing, is stronger than the earth's, or has another norm or dip does not count"
  )
  func others() {
    var lock = HeadingLock()
    for step in 0..<3000 {
      let angle = 0.5 + 0.03 * Double(step)
      let isLocked = lock.add(
        Vector3(20 * cos(angle), 20 * sin(angle), -40), believed: Self.believed, over: 0.1)
      #expect(!isLocked)
    }
    #expect(!Self.show(1.6 * Self.other, for: 100, to: &lock))
    var deviating = Self.believed
    deviating.updateDeviation(with: Vector3(20, 0, -36), dipWeight: 2, over: 1e9, memory: 1)
    for _ in 0..<1000 {
      let isLocked = lock.add(Self.other, believed: deviating, over: 0.1)
      #expect(!isLocked)
    }
  }

  @Test("corrections of the heading keep the field at its position from the gyroscope")
  func turning() {
    var lock = HeadingLock()
    Self.show(Self.other, for: 10, to: &lock)
    lock.turn(by: -.pi / 4)
    #expect(isNear(lock.field, Vector3(392.0.squareRoot(), 0, -40), within: 1e-9))
  }

  private static let trajectory = RandomSplineTrajectory(duration: 150, restDuration: 3, seed: 31)
  private static let samples = Simulation(
    trajectory: trajectory, sensors: .phone.forFilters(rates: (50, 50, 25)), duration: 150, seed: 4
  ).samples()

  /// Returns a recording with a field that is changed in earth axes for some time.
  private static func disturbed(in times: Range<Double>, by change: (Vector3) -> Vector3) -> [SensorSample] {
    samples.map { sample in
      guard sample.channel == .calibratedMagneticField, times.contains(sample.time) else { return sample }
      let attitude = trajectory.state(at: sample.time).attitude
      return SensorSample(
        time: sample.time, channel: sample.channel, attitude.rotateInverse(change(attitude.rotate(sample.vector))))
    }
  }

  /// Returns a recording with 20 µT from the west for some time.
  private static func disturbed(in times: Range<Double>) -> [SensorSample] {
    disturbed(in: times) { $0 + Vector3(0, 20, 0) }
  }

  @Test("a recording that begins with a north that is wrong by 45° finds the right one")
  func wrongStart() {
    var filter = MotionPriorKalman()
    var (before, after, jumps) = (Double.infinity, 0.0, 0)
    let turned = Self.disturbed(in: 0..<25) { Quaternion(angle: .pi / 4, axis: .unitZ).rotate($0) }
    filter.follow(turned, on: Self.trajectory) { time, estimate, error in
      if time > 5, time < 25 { before = min(before, abs(error.heading)) }
      if time > 100 { after = max(after, abs(error.heading)) }
      if estimate.flags.contains(.jumped), time > 5 { jumps += 1 }
    }
    #expect(before > 30 && after < 8, "\(before) \(after) \(jumps)")
    let decision = filter.decisions.first { $0.subject == "heading" }
    #expect((25...100).contains(decision?.since ?? 0))
  }

  @Test("a gap in the middle of another field discards it")
  func gapForgetsNorth() {
    var filter = MotionPriorKalman()
    for sample in Self.disturbed(in: 60..<80) where !(80..<84).contains(sample.time) {
      filter.take(sample)
      if sample.time > 84.2, sample.time < 84.3 { #expect(filter.state.headingLock == HeadingLock()) }
    }
  }

  @Test("a disturbance of 25 s in a recording does not become north, and an arbitrary frame's X never jumps")
  func disturbance() {
    for (reference, times) in [(HeadingReference.magneticNorth, 60.0..<85), (.initialHeading, 0..<25)] {
      var filter = MotionPriorKalman(parameters: with(.init()) { $0.headingReference = reference })
      var (largest, jumps) = (0.0, 0)
      var first: Double?
      filter.follow(Self.disturbed(in: times), on: Self.trajectory) { time, estimate, error in
        guard time > 5 else { return }
        if first == nil { first = error.heading }
        largest = max(largest, abs(error.heading - first!))
        if estimate.flags.contains(.jumped) { jumps += 1 }
      }
      #expect(largest < 12 && jumps == 0)
      #expect(!filter.decisions.contains { $0.subject == "heading" })
    }
  }
}
