import Foundation
import InertialNavigation
import InertialNumerics
import InertialRecognition
import InertialRotations
import InertialSensors
import InertialSimulation

/// The traces of the trackers of paths and of the altitude, online and smoothed.
enum TrackerTraces {
  static func all() -> [Trace] { foot() + vehicle() + steps() + altitude(lag: 0) + altitude(lag: 1.2) }

  // MARK: Paths

  private static func foot() -> [Trace] {
    let strides = StridesTrajectory(side: 8)
    let samples = samples(of: strides, rate: 200, duration: strides.end + strides.rest)
    var tracker = FootTracker(keepsTrace: true)
    let online = samples.map { sample in
      tracker.update(sample)
      return tracker.estimate
    }
    return [
      trace("foot", online), trace("foot, smoothed", tracker.smoothed()),
      trace("foot, smoothed, closed", tracker.smoothed(isClosed: true)),
    ]
  }

  private static func vehicle() -> [Trace] {
    var speed = SpeedProfile()
    for turn in 0..<8 { speed.change(to: turn.isMultiple(of: 3) ? 0 : 12, at: Double(10 * turn + 3), within: 5) }
    let road = LevelPath(length: 1200, spacing: 60, bend: 0.5, seed: 3)
    let drive = TravelTrajectory(path: road, speed: speed)
    var tracker = VehicleTracker(keepsTrace: true)
    var generator = SeededGenerator(seed: 2)
    var next = 0.0
    let online = samples(of: drive, rate: 100, duration: 90).map { sample in
      // There is no fix for 15 s.
      if sample.time >= next {
        if !(40..<55).contains(next) {
          let state = drive.state(at: next)
          let noise = Vector3(generator.normal(), generator.normal(), 2 * generator.normal())
          tracker.update(
            PositionFix(
              time: next, position: state.position + noise, positionSigma: Vector3(1, 1, 2),
              velocity: state.velocity, velocitySigma: 0.15))
        }
        next += 1
      }
      tracker.update(sample)
      return tracker.estimate
    }
    return [trace("vehicle", online), trace("vehicle, smoothed", tracker.smoothed())]
  }

  private static func steps() -> [Trace] {
    let walk = WalkTrajectory()
    let samples = samples(of: walk, rate: 100, duration: 60)
    var tracker = StepTracker(keepsTrace: true)
    var next = 1.0
    let online = samples.map { sample in
      tracker.update(sample)
      if next / walk.cadence <= sample.time {
        tracker.step(at: next / walk.cadence, duration: 1 / walk.cadence, length: 0.39 * walk.cadence)
        next += 1
      }
      return tracker.estimate
    }
    return [trace("steps", online), trace("steps, smoothed", tracker.smoothed(at: samples.map(\.time)))]
  }

  private static func trace(_ name: String, _ estimates: [TrackEstimate?]) -> Trace {
    Trace(name: name, rows: estimates.everySeventh.map { $0.map(numbers) ?? [.nan] })
  }

  private static func numbers(_ estimate: TrackEstimate) -> [Double] {
    let vectors = [estimate.position, estimate.velocity, estimate.positionSigma, estimate.velocitySigma]
    return [estimate.time] + vectors.flatMap { [$0.x, $0.y, $0.z] }
      + [estimate.isStanding ? 1 : 0, Double(estimate.stepCount)]
  }

  private static func samples(of trajectory: some Trajectory, rate: Double, duration: Double) -> [TrackSample] {
    var generator = SeededGenerator(seed: 1)
    func noise(_ sigma: Double) -> Vector3 {
      sigma * Vector3(generator.normal(), generator.normal(), generator.normal())
    }
    return (0..<Int(duration * rate)).map { index in
      let time = Double(index) / rate
      let state = trajectory.state(at: time)
      let q = state.attitude
      let up = q.rotateInverse(.unitZ)
      return TrackSample(
        time: time, rate: state.angularRate + noise(0.003),
        force: q.rotateInverse(state.acceleration + Vector3(0, 0, standardGravity)) + noise(0.03), up: up,
        heading: TrackSample.heading(of: q, up: up))
    }
  }

  // MARK: Altitude

  /// - Parameter lag: The time constant of the barometer, in seconds.
  private static func altitude(lag: Double) -> [Trace] {
    var generator = SeededGenerator(seed: 9)
    var tracker = AltitudeTracker(keeping: .all)
    var possible: [VerticalFilterBank.Hypotheses] = []
    var online: [VerticalFilter.Estimate?] = []
    var (lagged, next) = (0.0, 0.0)
    let (rate, period, height) = (50.0, 24.0, 3.0)
    for index in 0..<Int(90 * rate) {
      let time = Double(index) / rate
      let phase = 2 * Double.pi * time / period
      let altitude = height * (1 - cos(phase))
      lagged = lag > 0 ? lagged + (1 - exp(-1 / (rate * lag))) * (altitude - lagged) : altitude
      let acceleration = height * cos(phase) * pow(2 * .pi / period, 2) + 0.05 + 0.1 * generator.normal()
      let user = Vector3(0, 0, -acceleration / standardGravity)
      tracker.update(MotionSample(time: time, acceleration: Vector3(0, 0, -1) + user, userAcceleration: user))
      if time >= next {
        let outlier = index == 2000 ? 30.0 : 0
        _ = tracker.update(
          BarometerSample(time: time, relativeAltitude: lagged + 0.15 * generator.normal() + outlier))
        next += 0.5
      }
      online.append(tracker.estimate)
      if let hypotheses = tracker.possible { possible.append(hypotheses) }
    }
    let name = lag > 0 ? "altitude, barometer with a lag" : "altitude"
    return [
      Trace(name: name, rows: online.everySeventh.map { $0.map(numbers) ?? [.nan] }),
      Trace(name: name + ", smoothed", rows: tracker.smoothed(possible).everySeventh.map(numbers)),
    ]
  }

  private static func numbers(_ estimate: VerticalFilter.Estimate) -> [Double] {
    [
      estimate.time, estimate.altitude, estimate.verticalSpeed, estimate.accelerationBias, estimate.altitudeSigma,
      estimate.verticalSpeedSigma, estimate.barometerSigma,
    ]
  }
}
