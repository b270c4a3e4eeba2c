import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import Testing

@testable import InertialNavigation

extension FootTracker {
  /// Returns the causal path of samples, and the smoothed one if there is a trace.
  fileprivate static func paths(
    _ samples: [TrackSample], _ parameters: Parameters = .init(), keepsTrace: Bool = true
  ) -> (causal: [TrackEstimate], smoothed: [TrackEstimate]) {
    var tracker = FootTracker(parameters, keepsTrace: keepsTrace)
    var estimates: [TrackEstimate] = []
    for sample in samples {
      tracker.update(sample)
      if let estimate = tracker.estimate, estimate.time != estimates.last?.time { estimates.append(estimate) }
    }
    return (estimates, keepsTrace ? tracker.smoothed() : [])
  }
}

@Suite("Foot tracker")
struct FootTrackerTests {
  private func track(
    _ samples: [TrackSample], smooth: Bool = true, _ parameters: FootTracker.Parameters = .init()
  ) -> [TrackEstimate] {
    let paths = FootTracker.paths(samples, parameters, keepsTrace: smooth)
    return smooth ? paths.smoothed : paths.causal
  }

  @Test("A loop without noise returns to its start, causal and smoothed", arguments: [false, true])
  func exactReturn(smooth: Bool) throws {
    let strides = StridesTrajectory(side: 6, mounting: onTheShoe)
    let path = track(strides.samples(), smooth: smooth)
    let end = try #require(path.last)
    #expect(end.position.norm < 0.05)
    for estimate in path where estimate.isStanding {
      #expect((estimate.position - strides.state(at: estimate.time).position).norm < 0.08)
    }
    #expect(end.stepCount == 24)
  }

  @Test("A run with short stances is tracked with the parameters of a walk")
  func running() throws {
    var strides = StridesTrajectory(side: 6, mounting: onTheShoe)
    (strides.swing, strides.stance, strides.pitch) = (0.45, 0.12, 1.2)
    let end = try #require(track(strides.samples()).last)
    #expect(end.position.norm < 0.3)
  }

  @Test("Stairs have their height, and a level floor stays level")
  func stairs() throws {
    let strides = StridesTrajectory(side: 5, rise: 0.17, mounting: onTheShoe)
    let path = track(strides.samples(seed: 3))
    let top = try #require(path.map(\.position.z).max())
    // Ten steps up and ten down.
    #expect(abs(top - 1.7) < 0.25)
    #expect(abs(try #require(path.last).position.z) < 0.2)
    let level = track(StridesTrajectory(side: 5, mounting: onTheShoe).samples(seed: 3))
    #expect(abs(try #require(level.last).position.z) < 0.02)
    for (rise, isLevel) in [(0.17, false), (0, true)] {
      var tracker = FootTracker()
      StridesTrajectory(side: 5, rise: rise, mounting: onTheShoe).samples(seed: 3).forEach { tracker.update($0) }
      let floors = try #require(tracker.decisions.first).values
      #expect((floors["same"]! > 9 * floors["new"]!) == isLevel, "\(floors)")
    }
  }

  @Test("The error of the end is within the 95 % region in at least 17 of 20 runs with biases")
  func consistency() {
    var (inside, worst) = (0, 0.0)
    for seed in UInt64(1)...20 {
      let samples = StridesTrajectory(side: 5, mounting: onTheShoe).samples(
        seed: seed, gyroscopeBias: Vector3(0.004, -0.006, 0.005), accelerometerBias: Vector3(0.05, -0.03, 0.06))
      guard let end = track(samples).last else { continue }
      let (p, s) = (end.position, end.positionSigma)
      if p.x * p.x / (s.x * s.x) + p.y * p.y / (s.y * s.y) < 5.99 { inside += 1 }
      worst = max(worst, end.distance)
    }
    #expect(inside >= 17 && worst < 0.8)
  }

  @Test("A gyroscope bias of several degrees per second causes little error")
  func rawGyroscope() throws {
    for seed in UInt64(1)...4 {
      let samples = StridesTrajectory(side: 5, mounting: onTheShoe).samples(
        seed: seed, gyroscopeBias: Vector3(0.05, -0.04, 0.07))
      #expect(try #require(track(samples).last).distance < 0.8)
    }
  }

  @Test("A loop that is known to be closed ends at its start, with smaller errors along the path")
  func closed() throws {
    let strides = StridesTrajectory(side: 12, mounting: onTheShoe)
    var (open, closed) = (0.0, 0.0)
    for seed in UInt64(1)...3 {
      var tracker = FootTracker(keepsTrace: true)
      for sample in strides.samples(seed: seed, gyroscopeBias: Vector3(0.01, -0.02, 0.015)) { tracker.update(sample) }
      let (found, reported) = (tracker.smoothed(), tracker.smoothed(isClosed: true))
      #expect(reported.map(\.time) == found.map(\.time))
      let end = try #require(reported.last)
      #expect(end.position.norm < 0.2 && end.positionSigma.x < 0.11)
      for (a, b) in zip(found, reported) where b.isStanding {
        let truth = strides.state(at: b.time).position
        open += (a.position - truth).norm
        closed += (b.position - truth).norm
        #expect(b.positionSigma.x <= a.positionSigma.x + 1e-9)
      }
    }
    #expect(closed < 0.8 * open, "\(closed), \(open)")
  }

  @Test("A pause during a walk increases the sigma by the possible displacement")
  func pause() throws {
    let samples = StridesTrajectory(side: 4, mounting: onTheShoe).samples()
    let whole = try #require(track(samples).last)
    let broken = try #require(track(samples.filter { !(8..<11).contains($0.time) }).last)
    #expect(broken.positionSigma.x > whole.positionSigma.x + 2)
  }

  @Test("A sensor without stances has a large sigma")
  func thrown() throws {
    let samples = (0..<4000).map { index -> TrackSample in
      let time = Double(index) / 200
      let wild = time > 2 ? 20.0 : 0
      return TrackSample(
        time: time, rate: wild / 4 * Vector3(cos(7 * time), sin(5 * time), cos(3 * time)),
        force: Vector3(0, 0, 9.80665) + wild * Vector3(sin(9 * time), cos(11 * time), sin(13 * time)), up: .unitZ,
        heading: 0)
    }
    let end = try #require(track(samples, smooth: false).last)
    #expect(end.positionSigma.x > 1 && end.positionSigma.x.isFinite)
  }

  @Test("A clipped gyroscope increases the sigma")
  func clipping() throws {
    var samples = StridesTrajectory(side: 4, mounting: onTheShoe).samples()
    let whole = try #require(track(samples).last)
    for index in samples.indices where samples[index].rate.norm > 3 { samples[index].rate = Vector3(0, 8.727, 0) }
    #expect(try #require(track(samples).last).positionSigma.x > 1.5 * whole.positionSigma.x)
  }
}

@Suite("Strapdown integration")
struct InertialNavigatorTests {
  /// Returns the position error after a coning motion, with simultaneous rotation and force.
  private func error(steps: Int) -> Double {
    func attitude(_ t: Double) -> Quaternion {
      Quaternion(angle: 2 * t, axis: .unitZ) * Quaternion(angle: 0.3 * sin(3 * t), axis: .unitX)
        * Quaternion(angle: 0.2 * cos(4 * t), axis: .unitY)
    }
    func position(_ t: Double) -> Vector3 { Vector3(sin(2 * t), 1 - cos(2 * t), 0.3 * sin(t)) }
    let h = 1e-4
    func force(_ t: Double) -> Vector3 {
      let a = (position(t + h) - 2 * position(t) + position(t - h)) / (h * h)
      return attitude(t).rotateInverse(a + Vector3(0, 0, InertialNavigator.gravity))
    }
    func rate(_ t: Double) -> Vector3 {
      (attitude(t - h).conjugate * attitude(t + h)).rotationVector / (2 * h)
    }
    var navigator = InertialNavigator(
      state: NavigationState(
        earthFromDevice: attitude(0), velocity: (position(h) - position(-h)) / (2 * h), position: position(0)),
      kalman: .navigation(keepsTrace: false), noise: NavigationNoise(), rate: rate(0), force: force(0), at: 0)
    for step in 1...steps {
      let t = 2 * Double(step) / Double(steps)
      navigator.integrate(rate: rate(t), force: force(t), to: t)
    }
    return (navigator.state.position - position(2)).norm
  }

  @Test("equation 4: the integration error decreases with the square of the interval")
  func order() {
    let errors = [100, 200, 400].map(error)
    #expect((3.4...4.7).contains(errors[0] / errors[1]))
    #expect((3.4...4.7).contains(errors[1] / errors[2]))
    #expect(errors[2] < 2e-3)
  }

  @Test("Smoothing never increases the sigma, and does not change the last position")
  func smoother() throws {
    let (forward, smoothed) = FootTracker.paths(StridesTrajectory(side: 3, mounting: onTheShoe).samples(seed: 5))
    // The samples of the initial attitude are processed all at once.
    let known = smoothed.filter { $0.time >= forward[0].time }
    // The smoothed path has the ends of epochs, and the causal one every sample.
    let ends = forward.filter { estimate in known.contains { $0.time == estimate.time } }
    #expect(ends.count == known.count && known.count > 500)
    #expect(zip(ends, known).allSatisfy { $1.positionSigma.x <= $0.positionSigma.x + 1e-6 })
    let (a, b) = (try #require(ends.last), try #require(smoothed.last))
    #expect((a.position - b.position).norm < 1e-9)
  }

  @Test("stairs with floors at other heights have a height whose error the standard deviation covers")
  func stairs() throws {
    let (forward, _) = FootTracker.paths(StridesTrajectory(side: 3, rise: 0.15, mounting: onTheShoe).samples(seed: 5))
    let last = try #require(forward.last)
    // The climb ends at the height of its start.
    #expect(last.positionSigma.z > 0.03 && abs(last.position.z) < 2 * last.positionSigma.z, "\(last)")
  }

  @Test("a sample that no sensor has measured changes nothing")
  func impossible() throws {
    let samples = StridesTrajectory(side: 3, mounting: onTheShoe).samples(seed: 5)
    var (clean, faulty) = (FootTracker(), FootTracker())
    for (index, sample) in samples.enumerated() {
      clean.update(sample)
      faulty.update(sample)
      guard index % 100 == 50 else { continue }
      var fault = sample
      fault.time += 1e-4
      switch index / 100 % 4 {
      case 0: fault.force.x = .nan
      case 1: fault.rate.y = .infinity
      case 2: fault.force.z = 1e200
      default: fault.time = .nan
      }
      faulty.update(fault)
    }
    #expect(clean.estimate == faulty.estimate && clean.estimate != nil)
  }
}
