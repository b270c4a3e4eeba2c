import Foundation
import InertialNumerics
import InertialRecognition
import InertialSensors
import InertialSimulation

/// A ride or climb with an altitude in closed form, and the measurements of a barometer and an accelerometer.
struct VerticalSimulation {
  /// The height of the ride in metres, which starts at `start` and lasts `duration`: v = H/T (1 − cos(2π t/T)).
  var rise = 9.0
  var start = 20.0
  var duration = 10.0
  /// A constant vertical speed, in m/s.
  var drift = 0.0
  /// The interval of a walk, in seconds.
  var walk = 0.0..<0.0
  var rate = 100.0
  var barometerRate = 1.0
  /// The time constant of the barometer's first-order lag, in seconds.
  var lag = 3.0
  /// The standard deviation of the barometer, in metres.
  var barometerSigma = 0.05
  /// The noise density of the acceleration, in m/s²/√Hz.
  var accelerationNoise = 0.05
  /// The bias of the acceleration, in m/s².
  var bias = 0.1
  var seed: UInt64 = 1
  var end = 60.0

  struct Truth {
    var altitude = 0.0
    var speed = 0.0
    var acceleration = 0.0
  }

  func truth(_ time: Double) -> Truth {
    let t = min(max(time - start, 0), duration)
    let omega = 2 * Double.pi / duration
    var truth = Truth(
      altitude: drift * time + rise / duration * (t - sin(omega * t) / omega),
      speed: drift + rise / duration * (1 - cos(omega * t)), acceleration: rise / duration * omega * sin(omega * t))
    if walk.contains(time) {
      let step = WalkTrajectory().state(at: time)
      truth.altitude += step.position.z
      truth.speed += step.velocity.z
      truth.acceleration += step.acceleration.z
    }
    return truth
  }

  /// Passes on all measurements in chronological order: vertical accelerations and barometric altitudes.
  func run(
    acceleration: (_ time: Double, _ value: Double) -> Void, barometer: (_ time: Double, _ value: Double) -> Void
  ) {
    var random = SeededGenerator(seed: seed)
    var lagged = truth(0).altitude
    var next = 0.0
    let parts = max(1, Int((400 / rate).rounded(.up)))
    let part = 1 / rate / Double(parts)
    for index in 0..<Int(end * rate) {
      let time = Double(index) / rate
      if time >= next - 1e-9 {
        barometer(time, (lag > 0 ? lagged : truth(time).altitude) + barometerSigma * random.normal())
        next += 1 / barometerRate
      }
      let noise = accelerationNoise * rate.squareRoot() * random.normal()
      acceleration(time, truth(time).acceleration + bias + noise)
      guard lag > 0 else { continue }
      for piece in 0..<parts {
        lagged -= expm1(-part / lag) * (truth(time + (Double(piece) + 0.5) * part).altitude - lagged)
      }
    }
  }

  /// Passes on all measurements to a tracker: motions of a device that lies face up, and altitudes relative to any zero.
  func run(_ tracker: inout AltitudeTracker, each: (_ time: Double, AltitudeTracker) -> Void) {
    run(
      acceleration: { time, value in
        tracker.update(MotionSample(time: time, verticalAcceleration: value))
        each(time, tracker)
      },
      barometer: { time, value in _ = tracker.update(BarometerSample(time: time, relativeAltitude: value + 1)) })
  }

  /// Returns all estimates of a filter at the motion's rate.
  func filtered(_ parameters: VerticalFilter.Parameters = VerticalFilter.Parameters()) -> [VerticalFilter.Estimate] {
    run(VerticalFilter(parameters: parameters)).estimates
  }

  /// Returns a filter after the simulation, and all its estimates at the motion's rate.
  func run(_ filter: VerticalFilter) -> (filter: VerticalFilter, estimates: [VerticalFilter.Estimate]) {
    var filter = filter
    var estimates: [VerticalFilter.Estimate] = []
    var pending: [(time: Double, value: Double)] = []
    run(
      acceleration: { time, value in
        for altitude in pending { filter.update(barometricAltitude: altitude.value, at: altitude.time) }
        pending.removeAll()
        filter.update(verticalAcceleration: value, at: time)
        if let estimate = filter.estimate { estimates.append(estimate) }
      }, barometer: { pending.append(($0, $1)) })
    return (filter, estimates)
  }

  /// Returns the floor changes detected from the filter's altitudes, or from the barometer alone.
  func floors(hasMotion: Bool = true) -> [FloorEvent] {
    var tracker = VerticalFilter()
    var detector = FloorDetector()
    var events: [FloorEvent] = []
    run(
      acceleration: { time, value in
        guard hasMotion else { return }
        tracker.update(verticalAcceleration: value, at: time)
        detector.update(verticalAcceleration: value, at: time)
      },
      barometer: { time, value in
        tracker.update(barometricAltitude: value, at: time)
        detector.barometerLag = tracker.state?.lag ?? 0
        guard let estimate = tracker.estimate else { return }
        let event = detector.update(
          altitude: value, filtered: estimate.altitude, noise: estimate.barometerSigma, at: time)
        if let event { events.append(event) }
      })
    return events + detector.finish()
  }
}

extension MotionSample {
  /// Creates the sample of a device that lies face up and is accelerated vertically, in m/s².
  init(time: Double, verticalAcceleration: Double) {
    let user = Vector3(0, 0, -verticalAcceleration / 9.80665)
    self.init(time: time, acceleration: Vector3(0, 0, -1) + user, userAcceleration: user)
  }
}
