package import InertialEvaluation
public import InertialFilters
internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors
internal import InertialSimulation

/// A Monte Carlo study of a filter's covariance, over simulated sensors with exactly the noise that the filter assumes.
///
/// If the model holds, the normalised estimation error squared eᵀ P⁻¹ e (NEES) is χ² distributed with as many degrees
/// of freedom as the error has (Bar-Shalom, Li and Kirubarajan, "Estimation with applications to tracking and
/// navigation", 2001, section 5.4), and the errors' own spread over the runs matches the covariance. Every run gives
/// one sample at each time, so that the samples at a time are independent.
///
/// The device rotates randomly without linear acceleration. The handling of rest, motion and magnetic disturbance is a
/// heuristic, not noise, so it is disabled by the parameters that have the same names in all Kalman filters here.
public struct ConsistencyStudy: Sendable {
  /// The number of independent runs.
  public var runCount = 100
  /// The times at which errors are sampled, in seconds from the start.
  public var times = [3.0, 5.0, 8.0]
  /// The sample rate of every sensor, in Hz.
  public var rate = 10.0
  /// The seed of the random numbers of all runs.
  public var seed: UInt64 = 1
  /// The gyroscope's angle random walk, in rad/√s.
  public var gyroscopeNoise = 0.001
  /// The random walk of the gyroscope's bias, in rad/s/√s.
  public var biasNoise = 0.0002
  /// The standard deviation of the bias at the start, in rad/s.
  public var biasSigma = 0.003
  /// The accelerometer noise, in g√s.
  public var accelerationNoise = 0.004
  /// The magnetometer noise, in µT√s.
  public var magneticNoise = 1.0

  /// Further parameters by name, which every studied filter must have.
  public var settings: [String: Double] = [:]

  /// Creates a study with the defaults.
  public init() {}

  /// Returns the study of a kind of filter at each of the times, or an empty array for a filter that reports no
  /// covariance.
  public func run(_ kind: FilterKind) throws(SettingError) -> [ConsistencyResult] {
    var results = times.map { ConsistencyResult(time: $0) }
    for run in 0..<runCount {
      let filter = try kind.make(settings(of: kind))
      add(run: run, of: filter, to: &results)
    }
    return results.filter { $0.attitude.count > 0 }
  }

  /// Returns the outcomes of a filter's measurements in all runs, by kind, or an empty array for a filter that does not
  /// report them.
  package func measurements(_ kind: FilterKind) throws(SettingError) -> [MeasurementStatistics] {
    var all: [MeasurementStatistics] = []
    for run in 0..<runCount {
      guard var filter = try kind.make(settings(of: kind)).reporting() else { return [] }
      var tallies: [MeasurementStatistics] = []
      for sample in simulation(run) {
        take(sample, &filter)
        // The mean of the start-up contains the measurements just after it, too.
        guard sample.channel == .gyroscope, sample.time > 1 else { continue }
        tallies.add(filter.outcomes, at: sample.time)
      }
      all.add(tallies)
    }
    return all
  }

  private func take(_ sample: SensorSample, _ filter: inout any AttitudeFilter) {
    switch sample.channel {
    case .accelerometer: filter.update(accelerometer: sample.vector, at: sample.time)
    case .calibratedMagneticField: filter.update(magneticField: sample.vector, at: sample.time)
    case .gyroscope: filter.update(gyroscope: sample.vector, at: sample.time)
    default: break
    }
  }

  /// Returns the settings of a kind of filter: the study's own, as far as it has these parameters, and all others.
  private func settings(of kind: FilterKind) -> [String: Double] {
    let known = Set(kind.parameters.map(\.name))
    return ownSettings.filter { known.contains($0.key) }.merging(settings) { _, own in own }
  }

  /// The settings for the simulated sensors, under the names that the Kalman filters share.
  package var ownSettings: [String: Double] {
    [
      "gyroscopeNoise": gyroscopeNoise, "biasNoise": biasNoise, "initialBiasSigma": biasSigma,
      "accelerationNoise": accelerationNoise, "magneticNoise": magneticNoise,
      // The error of the start-up's mean over half a second with these noises; its effect has decayed by the first of
      // the times.
      "startUpDuration": 0.5, "initialTiltSigma": 0.006, "startUpTiltFactor": 0, "initialHeadingSigma": 0.07,
      "gyroscopeScaleNoise": 0, "motionWeight": 0, "disturbanceWeight": 0, "restRateThreshold": 0,
      "epochDuration": 1 / rate, "fieldStrength": EarthField().strength, "fieldDip": EarthField().dip,
      // Parameters of filters with more states, for sensors without these errors and a device without linear
      // acceleration; their field is the mean of the start-up's field.
      "velocityNoise": 1e-3, "scaleSigma": 0, "accelerationBiasSigma": 0,
      "innovationWeight": 0, "fieldSigma": 1.4 * magneticNoise, "fieldDelaySigma": 0,
    ]
  }

  private func add(run: Int, of filter: any AttitudeFilter, to results: inout [ConsistencyResult]) {
    var filter = filter
    let simulation = simulation(run)
    var biases = biases(of: simulation).makeIterator()
    var next = 0
    for sample in simulation where next < times.count {
      take(sample, &filter)
      guard sample.channel == .gyroscope, let bias = biases.next(), sample.time >= times[next] - 1e-9 else { continue }
      if let report = filter.reportedCovariance, let estimate = filter.estimate {
        let truth = simulation.trajectory.state(at: sample.time).attitude
        let error = (truth * estimate.earthFromDevice.conjugate).rotationVector
        results[next].attitude.add(error, report.attitudeCovariance)
        results[next].bias.add(bias - estimate.gyroscopeBias, report.biasCovariance)
      }
      next += 1
    }
  }

  private func simulation(_ run: Int) -> Simulation {
    let runSeed = seed &* 1_000_003 &+ UInt64(run)
    var generator = SeededGenerator(seed: runSeed)
    var suite = SensorSuite.ideal
    suite.referenceRate = nil
    suite.magnetometer?.output = .calibrated
    var gyroscope = SensorModel(rate: rate)
    gyroscope.noiseDensity = gyroscopeNoise
    gyroscope.biasWalk = biasNoise
    gyroscope.bias = biasSigma * Vector3(generator.normal(), generator.normal(), generator.normal())
    // A rate is the mean over the interval since the previous sample, and so are the vectors.
    gyroscope.delay = 0.5 / rate
    suite.gyroscope = gyroscope
    suite.accelerometer?.rate = rate
    suite.accelerometer?.delay = 0.5 / rate
    suite.accelerometer?.noiseDensity = accelerationNoise
    suite.magnetometer?.sensor.rate = rate
    suite.magnetometer?.sensor.delay = 0.5 / rate
    suite.magnetometer?.sensor.noiseDensity = magneticNoise
    let duration = (times.max() ?? 0) + 1 / rate
    let trajectory = RandomSplineTrajectory(
      duration: duration + 10, restDuration: 0, knotInterval: 2, rotationStep: 0.6, positionSpread: 0, seed: runSeed)
    return Simulation(trajectory: trajectory, sensors: suite, duration: duration, seed: runSeed)
  }

  /// Returns the true bias at every gyroscope sample: the reading of the same sensor without white noise, minus the
  /// true rate.
  private func biases(of simulation: Simulation) -> [Vector3] {
    var quiet = simulation
    quiet.sensors.accelerometer = nil
    quiet.sensors.magnetometer = nil
    quiet.sensors.gyroscope?.noiseDensity = 0
    return quiet.map { sample in
      sample.vector - quiet.trajectory.state(at: sample.time - 0.5 / rate).angularRate
    }
  }
}

extension AttitudeFilter {
  /// The state as a type that reports its covariances, or `nil` if it does not.
  fileprivate var reportedCovariance: (any CovarianceReporting)? { state as? any CovarianceReporting }
}
