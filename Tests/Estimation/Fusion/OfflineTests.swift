import Foundation
import InertialFilters
import InertialFusion
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

/// A filter's own estimates, delayed: the estimator's results must equal those of the filter.
private struct Late: AttitudeSmoother {
  var filter: any AttitudeFilter
  /// The delay of an estimate, in seconds; if it is infinite, all are delayed until the end.
  var delay: Double
  private var open: Double?
  private var pending: [TimedAttitudeEstimate] = []
  private var latest = -Double.infinity

  init(delay: Double, _ reference: HeadingReference = .magneticNorth) {
    self.delay = delay
    var parameters = MEKF.Parameters()
    parameters.headingReference = reference
    filter = MEKFFilter(parameters: parameters)
  }

  private mutating func reach(_ time: Double) {
    latest = time
    guard let open, time > open else { return }
    pending.append(TimedAttitudeEstimate(time: open, estimate: filter.estimate!))
    self.open = nil
  }

  mutating func update(gyroscope: Vector3, at time: Double) {
    reach(time)
    filter.update(gyroscope: gyroscope, at: time)
    open = time
  }

  mutating func update(accelerometer: Vector3, at time: Double) {
    reach(time)
    filter.update(accelerometer: accelerometer, at: time)
  }

  mutating func update(magneticField: Vector3, at time: Double) {
    reach(time)
    filter.update(magneticField: magneticField, at: time)
  }

  mutating func finish() {
    reach(.infinity)
    delay = 0
  }

  mutating func next() -> TimedAttitudeEstimate? {
    guard let first = pending.first, first.time + delay <= latest else { return nil }
    return pending.removeFirst()
  }
}

@Suite("Offline estimates")
struct OfflineTests {
  private func samples(rates: (Double, Double, Double) = (100, 94, 25)) -> [SensorSample] {
    var suite = SensorSuite.perfect()
    suite.gyroscope!.rate = rates.0
    suite.accelerometer!.rate = rates.1
    suite.magnetometer!.sensor.rate = rates.2
    let trajectory = RandomSplineTrajectory(duration: 8, restDuration: 0, knotInterval: 1, seed: 5)
    return Simulation(trajectory: trajectory, sensors: suite, duration: 6).samples()
  }

  @Test(
    "a delayed estimate is assigned to the motion of its time, in every frame",
    arguments: [0, 0.3, Double.infinity],
    [AttitudeReferenceFrame.xMagneticNorthZVertical, .xArbitraryCorrectedZVertical, .xArbitraryZVertical])
  func late(delay: Double, frame: AttitudeReferenceFrame) throws {
    let samples = samples()
    let online = motions(samples, configuration(frame), filter: MEKFFilter.name)
    let reference: HeadingReference = frame.isNorthReferenced ? .magneticNorth : .initialHeading
    var estimator = DeviceMotionEstimator(smoother: Late(delay: delay, reference), configuration: configuration(frame))
    let late = estimator.motions(of: samples)
    #expect(late.map(\.time) == online.map(\.time))
    // Online, the first motions are propagated back, and a filter's own frame differs by a yaw from the initial one.
    let (a, b) = (late.last!.attitude, online.last!.attitude)
    let turn = b.quaternion * a.quaternion.conjugate
    #expect(turn.rotate(.unitZ).angle(to: .unitZ) < 1e-9)
    for (late, online) in zip(late, online) where online.time > 1.1 {
      #expect(isSameRotation(turn * late.attitude.quaternion, online.attitude.quaternion, within: 1e-9))
      #expect(isNear(late.gravity, online.gravity, within: 1e-9))
      #expect(
        isNear(late.userAcceleration ?? .zero, online.userAcceleration ?? .zero, within: 1e-9)
          && (late.userAcceleration == nil) == (online.userAcceleration == nil))
      #expect(late.rotationRate == online.rotationRate && late.magneticField == online.magneticField)
    }
  }

  @Test("a motion is ready as soon as its estimate, acceleration and field are available")
  func latency() {
    var estimator = DeviceMotionEstimator(
      smoother: Late(delay: 0.3), configuration: configuration(.xMagneticNorthZVertical))
    var latest = 0.0
    for sample in samples() {
      estimator.append(sample)
      while let motion = estimator.next() { latest = motion.time }
      // The field's sampling interval is 0.04 s.
      if sample.time > 1 { #expect(sample.time - latest < 0.3 + 0.06) }
    }
  }

  @Test("if north becomes known midway, it is known from the start")
  func northFromTheStart() {
    let samples = samples().filter { $0.channel != .calibratedMagneticField || $0.time > 3 }
    var estimator = DeviceMotionEstimator(
      smoother: Late(delay: .infinity), configuration: configuration(.xMagneticNorthZVertical))
    let motions = estimator.motions(of: samples)
    #expect(motions.allSatisfy { $0.heading >= 0 })
  }

  @Test("an offline estimator cannot be saved midway and reports this; not every filter has an offline form")
  func limits() throws {
    let estimator = DeviceMotionEstimator(smoother: Late(delay: 1))
    let error = #expect(throws: EncodingError.self) { try JSONEncoder().encode(estimator) }
    #expect("\(try #require(error))".contains("cannot be saved midway"))
    for kind in FilterKind.all {
      #expect(try (DeviceMotionEstimator(smoothing: kind) != nil) == kind.canSmooth)
      #expect(kind.canSmooth == kind.traits.contains(.offline))
    }
  }

  @Test("offline VQF flags rest and gaps, and a disturbed field only if a field is known")
  func flags() throws {
    let kind = try #require(FilterKind.all["vqf"])
    let simulation = Simulation(
      trajectory: TurnTrajectory(angle: 2, start: 6, duration: 2), sensors: .perfect(), duration: 20)
    let samples = simulation.samples().filter { !(12..<14).contains($0.time) }
    for frame in [AttitudeReferenceFrame.xArbitraryZVertical, .xMagneticNorthZVertical] {
      var estimator = try #require(try DeviceMotionEstimator(smoothing: kind, configuration: configuration(frame)))
      for motion in estimator.motions(of: samples) {
        #expect(!motion.flags.contains(.magneticDisturbance), "at \(motion.time) s")
        #expect(motion.flags.contains(.gap) == (14..<14.999).contains(motion.time), "at \(motion.time) s")
        if (6.5..<7.5).contains(motion.time) { #expect(!motion.flags.contains(.resting)) }
        if (3..<5).contains(motion.time) { #expect(motion.flags.contains(.resting)) }
      }
    }
  }
}
