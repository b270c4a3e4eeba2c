import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialNavigation

@Suite("Vehicle tracker")
struct VehicleTrackerTests {
  /// A drive along a winding road with speed changes, with any mounting of the device.
  private struct Drive {
    var mounting = Quaternion(angle: 2, axis: Vector3(0.1, 0.2, 1).normalized!)
    var bias = Vector3(0.002, -0.001, 0.003)

    var seed: UInt64 = 8
    /// The distance of the device ahead of the axle that does not slide, in metres, and the gyroscope's scale error.
    var lever = 0.0
    var scale = 0.0
    /// The start of the log, in seconds.
    var begin = 0.0
    /// Whether the vehicle stands from 60 to 70 s and then pulls away at 0.4 m/s², with as little vibration as before.
    var stops = false
    /// The time constant of the fixes' errors, in seconds, or 0 for independent errors.
    var fixTime = 0.0
    /// The largest angle between the direction of motion and the vehicle's forward axis, in radians, and its descent per
    /// metre. The device remains level.
    var slide = 0.0
    var descent = 0.0

    /// Returns the direction of the road, which is constant while the vehicle stands.
    func course(_ t: Double) -> Double {
      let driven = max(0, stops ? min(t, 60) + max(0, t - 70) - 5 : t - 5)
      let road = driven * driven / (driven + 3)
      return 0.8 * sin(0.12 * road) + 0.01 * road
    }
    func speed(_ t: Double) -> Double {
      guard stops, t > 50 else { return driven(t) }
      return t < 60 ? driven(50) * (60 - t) / 10 : 0.4 * max(0, t - 70)
    }

    func driven(_ t: Double) -> Double { t < 5 ? 0 : 10 * (1 - exp(-(t - 5) / 6)) + 3 * sin(0.35 * (t - 5)) }

    func samples(to end: Double, wheels: Bool = true, without outage: ClosedRange<Double>?, keepsTrace: Bool = false)
      -> (tracker: VehicleTracker, truth: [(time: Double, position: Vector3)])
    {
      var tracker = VehicleTracker(with(.init()) { $0.isOnWheels = wheels }, keepsTrace: keepsTrace)
      var generator = SeededGenerator(seed: seed)
      func noise(_ sigma: Double) -> Vector3 { generator.vector(sigma) }
      func v(_ t: Double) -> Vector3 {
        let turn = (course(t + 1e-4) - course(t - 1e-4)) / 2e-4
        let direction = course(t) + slide * sin(0.25 * t)
        return speed(t) * Vector3(cos(direction), sin(direction), -descent)
          + lever * turn * Vector3(-sin(course(t)), cos(course(t)), 0)
      }
      var fixError = noise(1)
      var position = Vector3.zero
      var truth: [(Double, Vector3)] = []
      let dt = 0.01
      for index in 0..<Int(end / dt) {
        let t = Double(index) * dt
        let velocity = v(t)
        position += velocity * dt
        guard t >= begin else { continue }
        truth.append((t, position))
        let h = 1e-4
        let acceleration = (v(t + h) - v(t - h)) / (2 * h)
        let q = Quaternion(angle: course(t), axis: .unitZ) * mounting
        let turn = (course(t + h) - course(t - h)) / (2 * h)
        if index % 100 == 0, !(outage?.contains(t) ?? false) {
          let left = fixTime > 0 ? exp(-1 / fixTime) : 0
          fixError = left * fixError + noise((1 - left * left).squareRoot())
          tracker.update(
            PositionFix(
              time: t, position: position + fixError, positionSigma: Vector3(1, 1, 2), velocity: velocity + noise(0.1),
              velocitySigma: 0.15))
        }
        let up = q.rotateInverse(.unitZ)
        // The noise includes vibration from the road, or only that of the sensors.
        let shaking = stops && t > 60 ? 0.1 : 1
        tracker.update(
          TrackSample(
            time: t, rate: up * (turn * (1 + scale)) + bias + shaking * noise(0.02),
            force: q.rotateInverse(acceleration + Vector3(0, 0, InertialNavigator.gravity)) + Vector3(0.05, 0.03, -0.04)
              + shaking * noise(0.5), up: up, heading: 0))
      }
      return (tracker, truth)
    }
  }

  private func off(_ estimate: TrackEstimate, _ truth: [(time: Double, position: Vector3)]) -> Double {
    guard let place = truth.last(where: { $0.time <= estimate.time + 1e-6 }) else { return .infinity }
    let d = estimate.position - place.position
    return (d.x * d.x + d.y * d.y).squareRoot()
  }

  @Test("The tracker finds north and forward for any mounting of the device")
  func alignment() throws {
    for angle in [0.0, 1, 3, -2] {
      let drive = Drive(mounting: Quaternion(angle: angle, axis: .unitZ) * Quaternion(angle: 1.1, axis: .unitX))
      let (tracker, truth) = drive.samples(to: 90, without: nil)
      #expect(off(try #require(tracker.estimate), truth) < 3)
    }
  }

  @Test("A gyroscope bias of several degrees per second costs little in a vehicle that already accelerates")
  func rawGyroscope() throws {
    for direction in [0.3, 2.4, -1.3] {
      var drive = Drive()
      (drive.bias, drive.begin) = (Vector3(0.05, -0.04, 0.07), 6)
      drive.mounting = Quaternion(angle: direction, axis: .unitZ) * Quaternion(angle: 1.1, axis: .unitX)
      let (tracker, truth) = drive.samples(to: 95, without: 80...96)
      let end = try #require(tracker.estimate)
      #expect(off(end, truth) < 15 && off(end, truth) < 3.5 * max(end.positionSigma.x, end.positionSigma.y))
    }
  }

  @Test("An outage of 15 s has smaller errors with wheel constraints")
  func outage() throws {
    var (plain, wheels) = (0.0, 0.0)
    for seed in UInt64(1)...6 {
      let drive = Drive(seed: seed)
      let (a, truth) = drive.samples(to: 95, wheels: false, without: 80...96)
      let end = try #require(drive.samples(to: 95, without: 80...96).tracker.estimate)
      plain += off(try #require(a.estimate), truth)
      wheels += off(end, truth)
      #expect(end.positionSigma.x > 0.5)
    }
    #expect(wheels < 0.8 * plain)
  }

  @Test("The error after an outage is within the 95 % region in at least 17 of 20 runs")
  func consistency() throws {
    var (inside, sum) = (0, 0.0)
    for seed in UInt64(1)...20 {
      var drive = Drive()
      (drive.seed, drive.lever, drive.scale) = (seed, 1.5, seed % 2 == 0 ? 0.01 : -0.01)
      drive.mounting = Quaternion(angle: Double(seed), axis: Vector3(0.3, -0.2, 1).normalized!)
      let (tracker, truth) = drive.samples(to: 95, without: 80...96)
      let end = try #require(tracker.estimate)
      let s = end.positionSigma
      let error = off(end, truth)
      let square = error * error / ((s.x * s.x + s.y * s.y) / 2)
      inside += square < 5.99 ? 1 : 0
      sum += square / 2
      #expect(s.x < 40)
    }
    #expect(inside >= 17)
    // The expected mean over 20 runs is 1, and less if the drive is smoother than the parameters assume.
    #expect((0.1...1.7).contains(sum / 20))
  }

  @Test(
    "85 % of a path or more are within the 95 % region if the errors of fixes persist", arguments: [0.0, 10, 60, 200])
  func persistentErrors(_ time: Double) {
    var (inside, count) = (0, 0)
    for seed in UInt64(1)...12 {
      let (tracker, truth) = Drive(seed: seed, fixTime: time).samples(to: 95, without: 60...75, keepsTrace: true)
      for estimate in tracker.smoothed() {
        let s = estimate.positionSigma
        let error = off(estimate, truth)
        inside += error * error < 5.99 * (s.x * s.x + s.y * s.y) / 2 ? 1 : 0
        count += 1
      }
    }
    #expect(Double(inside) >= 0.85 * Double(count), "\(inside) of \(count)")
  }

  @Test("Fixes reveal a vehicle that slides, so that its errors are within the 95 % region in at least 17 of 20 runs")
  func sliding() throws {
    var inside = (horizontal: 0, vertical: 0)
    for seed in UInt64(1)...20 {
      var drive = Drive(seed: seed)
      (drive.slide, drive.descent) = (0.5, 0.3)
      for keepsTrace in [false, true] {
        let (tracker, truth) = drive.samples(to: 95, without: nil, keepsTrace: keepsTrace)
        #expect(tracker.isSliding, "\(seed)")
        #expect(tracker.decisions.map(\.basis) == ["the fixes contradict wheels"])
        let end = try #require(tracker.estimate)
        let s = end.positionSigma
        let error = off(end, truth)
        guard !keepsTrace else { continue }
        inside.horizontal += error * error < 5.99 * (s.x * s.x + s.y * s.y) / 2 ? 1 : 0
        inside.vertical += abs(end.position.z - truth.last!.position.z) < 1.96 * s.z ? 1 : 0
      }
      // A car that steers does not slide.
      drive = Drive(seed: seed)
      (drive.lever, drive.scale) = (1.5, seed % 2 == 0 ? 0.01 : -0.01)
      let steered = drive.samples(to: 95, without: nil, keepsTrace: true).tracker
      #expect(!steered.isSliding, "\(seed)")
      #expect(steered.decisions.map(\.basis) == ["the fixes do not contradict wheels"])
    }
    #expect(inside.horizontal >= 17 && inside.vertical >= 17, "\(inside)")
  }

  @Test("A vehicle that pulls away gently does not count as standing")
  func gentleStart() throws {
    for seed in UInt64(1)...4 {
      let drive = Drive(seed: seed, stops: true)
      let (tracker, truth) = drive.samples(to: 82, without: 66...83)
      let end = try #require(tracker.estimate)
      #expect(!end.isStanding && off(end, truth) < 4)
      #expect(off(end, truth) < 3.5 * max(end.positionSigma.x, end.positionSigma.y))
      let (standing, _) = drive.samples(to: 69, without: 66...83)
      #expect(try #require(standing.estimate).isStanding)
    }
  }

  @Test("A smoothed path has small errors during an outage")
  func smoothed() throws {
    let (tracker, truth) = Drive().samples(to: 120, without: 70...85, keepsTrace: true)
    let path = tracker.smoothed()
    let worst = path.filter { (70...85).contains($0.time) }.map { off($0, truth) }.max()
    #expect(try #require(worst) < 4)
  }

  @Test("Epochs without a measurement are smoothed, too", arguments: [true, false])
  func smoothedEpochs(wheels: Bool) throws {
    let (tracker, _) = Drive().samples(to: 60, wheels: wheels, without: nil, keepsTrace: true)
    let path = tracker.smoothed()
    // Ten epochs and one fix per second.
    #expect((590...670).contains(path.count))
    #expect(zip(path, path.dropFirst()).allSatisfy { $0.time <= $1.time })
    // A car at 15 m/s moves 1.5 m per epoch; an estimate of another epoch would be that far off.
    for (a, b) in zip(path, path.dropFirst()) {
      #expect((b.position - a.position - (b.time - a.time) / 2 * (a.velocity + b.velocity)).norm < 0.1)
    }
    let (smoothed, causal) = (try #require(path.last), try #require(tracker.estimate))
    #expect((smoothed.position - causal.position).norm < 1e-9)
    #expect(path[300].positionSigma.x < causal.positionSigma.x)
  }

  @Test("The path is unknown without fixes, and before the first change of speed")
  func unknown() {
    var tracker = VehicleTracker()
    for index in 0..<2000 {
      let t = Double(index) / 100
      if index % 100 == 0 {
        tracker.update(PositionFix(time: t, position: .zero, positionSigma: Vector3(1, 1, 1), velocity: .zero))
      }
      tracker.update(TrackSample(restingAt: t))
    }
    #expect(tracker.estimate == nil)
  }
}
