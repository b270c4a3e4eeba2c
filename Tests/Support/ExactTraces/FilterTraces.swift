import InertialFilters
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation

/// The traces of every filter on every scene, online and smoothed: quaternion, bias, sigma, flags, and the outcomes of
/// the measurements.
enum FilterTraces {
  /// A simulated log.
  struct Scene {
    let name: String
    let samples: [SensorSample]

    private init(_ name: String, _ suite: SensorSuite, _ change: ([SensorSample]) -> [SensorSample] = { $0 }) {
      self.name = name
      let motion = RandomSplineTrajectory(duration: 36, restDuration: 2, seed: 5)
      samples = change(Simulation(trajectory: motion, sensors: suite, duration: 40, seed: 6).samples())
    }

    private static let phone: SensorSuite = {
      var suite = SensorSuite.phone
      suite.referenceRate = nil
      suite.magnetometer?.output = .calibrated
      // The rate in the middle of an interval is the mean over it, to second order.
      suite.gyroscope?.delay = 0.005
      return suite
    }()

    static var all: [Scene] {
      var (clipped, disturbed, sixAxes) = (phone, phone, phone)
      clipped.gyroscope?.range = 1.5
      clipped.accelerometer?.range = 1.05
      disturbed.disturbances = [
        MagneticDisturbance(start: 10, end: 18, field: Vector3(0, 15, 5), ramp: 1),
        MagneticDisturbance(start: 25, end: 28, field: Vector3(20, -60, 10)),
      ]
      sixAxes.magnetometer = nil
      return [
        Scene("random spline", phone),
        Scene("late field", phone) { $0.removing([.calibratedMagneticField], in: -1...12) },
        Scene("gap", phone) {
          $0.removing(in: 15...19).removing([.accelerometer], in: 24...26).removing([.gyroscope], in: 28...28.2)
            .injecting(.notANumber, into: .gyroscope, at: 31, count: 3)
        },
        rest,
        Scene("clipped", clipped),
        Scene("disturbed north", disturbed),
        Scene("six axes", sixAxes),
      ]
    }

    private static var rest: Scene {
      let attitude = Quaternion(rotationVector: Vector3(0.4, -0.3, 1.1))
      return Scene("rest", phone) { _ in
        Simulation(trajectory: RestTrajectory(attitude: attitude), sensors: phone, duration: 30, seed: 7).samples()
      }
    }
  }

  static func all() throws -> [Trace] {
    var traces: [Trace] = []
    let scenes = Scene.all
    for kind in FilterKind.all {
      for scene in scenes {
        traces.append(Trace(name: "\(kind.name), \(scene.name)", rows: filtered(try kind.make(), scene)))
        guard let smoother = try kind.makeSmoother() else { continue }
        traces.append(Trace(name: "\(kind.name), \(scene.name), smoothed", rows: smoothed(smoother, scene)))
      }
    }
    return traces
  }

  private static func filtered(_ filter: any AttitudeFilter, _ scene: Scene) -> [[Double]] {
    var filter = filter.reporting() ?? filter
    var rows: [[Double]] = []
    for sample in scene.samples {
      switch sample.channel {
      case .gyroscope: filter.update(gyroscope: sample.vector, at: sample.time)
      case .accelerometer: filter.update(accelerometer: sample.vector, at: sample.time)
      default: filter.update(magneticField: sample.vector, at: sample.time)
      }
      guard sample.channel == .gyroscope else { continue }
      rows.append([sample.time] + (filter.estimate.map { numbers($0, filter.outcomes) } ?? []))
    }
    return rows.everySeventh
  }

  private static func smoothed(_ smoother: any AttitudeSmoother, _ scene: Scene) -> [[Double]] {
    var smoother = smoother.reporting() ?? smoother
    var rows: [[Double]] = []
    func readEstimates() {
      while let next = smoother.next() { rows.append([next.time] + numbers(next.estimate, next.outcomes)) }
    }
    for sample in scene.samples {
      switch sample.channel {
      case .gyroscope: smoother.update(gyroscope: sample.vector, at: sample.time)
      case .accelerometer: smoother.update(accelerometer: sample.vector, at: sample.time)
      default: smoother.update(magneticField: sample.vector, at: sample.time)
      }
      readEstimates()
    }
    smoother.finish()
    readEstimates()
    return rows.everySeventh
  }

  private static func numbers(_ estimate: AttitudeEstimate, _ outcomes: [MeasurementOutcome]?) -> [Double] {
    let (q, bias) = (estimate.earthFromDevice, estimate.gyroscopeBias)
    var numbers = [q.x, q.y, q.z, q.w, bias.x, bias.y, bias.z, Double(estimate.flags.rawValue)]
    if let sigma = estimate.attitudeSigma { numbers += [sigma.x, sigma.y, sigma.z] }
    for outcome in outcomes ?? [] {
      let kind = MeasurementKind.allCases.firstIndex(of: outcome.kind) ?? -1
      let (z, s) = (outcome.innovation, outcome.variance ?? Vector3(repeating: .nan))
      numbers += [Double(kind), Double(outcome.count), Double(outcome.verdict.rawValue), outcome.weight, outcome.gate]
      numbers += [z.x, z.y, z.z, s.x, s.y, s.z, outcome.normalizedSquared ?? .nan]
    }
    return numbers
  }
}
