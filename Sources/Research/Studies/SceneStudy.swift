internal import InertialEvaluation
public import InertialFilters
public import InertialJobs
internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors
public import InertialSimulation

/// A comparison of filters on simulated scenes with ground truth in closed form.
///
/// A filter receives the samples with their timestamps, and its estimate at a gyroscope sample is compared with the
/// true attitude at that timestamp. Errors of all seeds of a scene have equal weight.
public struct SceneStudy: Sendable {
  /// The scenes.
  public var scenes = BenchmarkScene.all
  /// The seeds, with one device and one motion each.
  public var seeds: [UInt64] = [1, 2, 3, 4, 5]
  /// Whether filters get the spreads and noise densities of the sensors, as far as they have parameters for them.
  public var setsNoiseParameters = false

  /// Creates a study of all scenes, with five seeds.
  public init() {}

  /// The result of a filter in one scene.
  public struct Score: Sendable, Codable {
    /// The scene's name.
    public var scene: String
    /// The filter's name.
    public var filter: String
    /// Whether the filter is the offline smoother.
    public var isOffline: Bool
    /// The root mean square of the whole error, in degrees.
    public var total: Double
    /// The root mean square of the heading error, in degrees.
    public var heading: Double
    /// The root mean square of the inclination error, in degrees.
    public var inclination: Double
    /// The coverage of the sigmas, without counts if the filter states no sigma.
    public var coverage: SigmaCoverage
    /// The number of evaluated estimates.
    public var count: Int
  }

  /// Returns the scores of a filter, scene by scene, or an empty array if the offline smoother is requested for a
  /// filter without one.
  ///
  /// - Throws: `SettingError` for an unknown name or a value out of range.
  public func run(_ filter: ConfiguredFilter, smooths: Bool = false) throws(SettingError) -> [Score] {
    var scores: [Score] = []
    for scene in scenes {
      var sums = Sums()
      for seed in seeds {
        let simulation = scene.simulation(seed: seed)
        var configured = ConfiguredFilter(filter.kind, settings: settings(of: filter, in: scene, simulation.sensors))
        configured.settings.merge(filter.settings) { _, own in own }
        guard let run = try FilterRun(configured, smooths: smooths) else { return [] }
        run.estimates(of: simulation) { time, estimate in
          guard scene.window.contains(time) else { return }
          let truth = simulation.trajectory.state(at: time).attitude
          sums.errors.append(OrientationError(estimate: estimate.earthFromDevice, reference: truth))
          guard let sigma = estimate.attitudeSigma else { return }
          sums.coverage.add((truth * estimate.earthFromDevice.conjugate).rotationVector, sigma)
        }
      }
      guard let summary = ErrorSummary(sums.errors) else { continue }
      scores.append(
        Score(
          scene: scene.name, filter: filter.kind.name, isOffline: smooths, total: summary.total.rmse,
          heading: summary.heading.rmse, inclination: summary.inclination.rmse, coverage: sums.coverage,
          count: sums.errors.count))
    }
    return scores
  }

  private struct Sums {
    var errors: [OrientationError] = []
    var coverage = SigmaCoverage()
  }

  /// Returns the settings that a user of such a device would choose.
  private func settings(
    of filter: ConfiguredFilter, in scene: BenchmarkScene, _ sensors: SensorSuite
  ) -> [String: Double] {
    var settings: [String: Double] = [:]
    if scene.declaresRange { settings["gyroscopeRange"] = sensors.gyroscope?.range ?? 0 }
    if setsNoiseParameters { settings.merge(Self.noise(of: scene.devices)) { own, _ in own } }
    let known = Set(filter.kind.parameters.map(\.name))
    return settings.filter { known.contains($0.key) }
  }

  /// Returns the properties of a population, under the names shared by the Kalman filters.
  package static func noise(of devices: DevicePopulation) -> [String: Double] {
    [
      "gyroscopeNoise": devices.gyroscopeNoise, "gyroscopeScaleNoise": 0, "biasNoise": devices.gyroscopeBiasWalk,
      // The standard deviation of a uniform distribution.
      "initialBiasSigma": devices.gyroscopeBias / 3.0.squareRoot(),
      "scaleSigma": devices.gyroscopeScale, "accelerationNoise": devices.accelerationNoise,
      "accelerationBiasSigma": devices.accelerationBias,
      "magneticNoise": devices.fieldNoise, "fieldSigma": devices.fieldBias,
      "fieldDelaySigma": max(devices.fieldDelay, 0.001),
    ]
  }
}
