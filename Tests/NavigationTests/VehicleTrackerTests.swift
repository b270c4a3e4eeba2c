import Foundation
import LinearAlgebra
import Rotations
import Signals
import Testing

@testable import Navigation

@Suite("A vehicle's path")
struct VehicleTrackerTests {
  /// A drive along a bent road, with changes of speed; the device's mounting does not matter.
  private struct Drive {
    var mounting = Quaternion(angle: 2, axis: Vector3(0.1, 0.2, 1).normalized!)
    var bias = Vector3(0.002, -0.001, 0.003)

    var seed: UInt64 = 8

    func course(_ t: Double) -> Double { 0.8 * sin(0.12 * t) + 0.01 * t }
    func speed(_ t: Double) -> Double { t < 5 ? 0 : 10 * (1 - exp(-(t - 5) / 6)) + 3 * sin(0.35 * (t - 5)) }

    func samples(to end: Double, wheels: Bool, without outage: ClosedRange<Double>?, keepsTrace: Bool = false)
      -> (tracker: VehicleTracker, truth: [(time: Double, position: Vector3)])
    {
      var parameters = VehicleTracker.Parameters()
      parameters.isOnWheels = wheels
      var tracker = VehicleTracker(parameters, keepsTrace: keepsTrace)
      var generator = SeededGenerator(seed: seed)
      func noise(_ sigma: Double) -> Vector3 {
        sigma * Vector3(generator.normal(), generator.normal(), generator.normal())
      }
      var position = Vector3.zero
      var truth: [(Double, Vector3)] = []
      let dt = 0.01
      for index in 0..<Int(end / dt) {
        let t = Double(index) * dt
        let velocity = speed(t) * Vector3(cos(course(t)), sin(course(t)), 0)
        position += velocity * dt
        truth.append((t, position))
        let h = 1e-4
        func v(_ t: Double) -> Vector3 { speed(t) * Vector3(cos(course(t)), sin(course(t)), 0) }
        let acceleration = (v(t + h) - v(t - h)) / (2 * h)
        let q = Quaternion(angle: course(t), axis: .unitZ) * mounting
        let turn = (course(t + h) - course(t - h)) / (2 * h)
        if index % 100 == 0, !(outage?.contains(t) ?? false) {
          tracker.update(
            PositionFix(
              time: t, position: position + noise(1), positionSigma: Vector3(1, 1, 2), velocity: velocity + noise(0.1),
              velocitySigma: 0.15))
        }
        let up = q.rotateInverse(.unitZ)
        tracker.update(
          TrackSample(
            time: t, rate: up * turn + bias + noise(0.02),
            force: q.rotateInverse(acceleration + Vector3(0, 0, InertialNavigator.gravity)) + Vector3(0.05, 0.03, -0.04)
              + noise(0.5), up: up, heading: 0))
      }
      return (tracker, truth)
    }
  }

  private func off(_ estimate: TrackEstimate, _ truth: [(time: Double, position: Vector3)]) -> Double {
    guard let place = truth.last(where: { $0.time <= estimate.time + 1e-6 }) else { return .infinity }
    let d = estimate.position - place.position
    return (d.x * d.x + d.y * d.y).squareRoot()
  }

  @Test("North and forward are found, however the device is mounted")
  func alignment() throws {
    for angle in [0.0, 1, 3, -2] {
      var drive = Drive()
      drive.mounting = Quaternion(angle: angle, axis: .unitZ) * Quaternion(angle: 1.1, axis: .unitX)
      let (tracker, truth) = drive.samples(to: 90, wheels: true, without: nil)
      #expect(off(try #require(tracker.estimate), truth) < 3)
    }
  }

  @Test("Fifteen seconds without fixes are bridged better on wheels")
  func outage() throws {
    var (plain, wheels) = (0.0, 0.0)
    for seed in UInt64(1)...6 {
      var drive = Drive()
      drive.seed = seed
      let (a, truth) = drive.samples(to: 95, wheels: false, without: 80...96)
      let (b, _) = drive.samples(to: 95, wheels: true, without: 80...96)
      plain += off(try #require(a.estimate), truth)
      wheels += off(try #require(b.estimate), truth)
      #expect(try #require(b.estimate).positionSigma.x > 0.5)
    }
    #expect(wheels < 0.8 * plain)
  }

  @Test("By the whole recording an outage in the middle is bridged better still")
  func smoothed() throws {
    let (tracker, truth) = Drive().samples(to: 120, wheels: true, without: 70...85, keepsTrace: true)
    let path = tracker.smoothed()
    let worst = path.filter { (70...85).contains($0.time) }.map { off($0, truth) }.max()
    #expect(try #require(worst) < 4)
  }

  @Test("Without fixes, or before any change of speed, nobody knows")
  func unknown() {
    var tracker = VehicleTracker()
    for index in 0..<2000 {
      let t = Double(index) / 100
      if index % 100 == 0 {
        tracker.update(PositionFix(time: t, position: .zero, positionSigma: Vector3(1, 1, 1), velocity: .zero))
      }
      tracker.update(TrackSample(time: t, rate: .zero, force: Vector3(0, 0, 9.8), up: .unitZ, heading: 0))
    }
    #expect(tracker.estimate == nil)
  }
}
