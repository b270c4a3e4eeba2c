internal import InertialEvaluation
public import InertialFilters
public import InertialJobs
internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors
public import InertialSimulation

/// Filters compared on simulated scenes with truth in closed form.
///
/// A filter gets the samples as they are stamped, and its estimate at a gyroscope sample is judged by the true attitude at
/// that stamp. Errors of all seeds of a scene count alike.
public struct SceneStudy: Sendable {
  /// The scenes that filters are compared on.
  public var scenes = BenchmarkScene.all
  /// One device and one motion each.
  public var seeds: [UInt64] = [1, 2, 3, 4, 5]
  /// Whether filters are told the spreads and noise densities of the sensors, as far as they have parameters for them.
  public var tellsNoise = false

  /// All scenes, with five seeds.
  public init() {}

  /// What a filter made of one scene.
  public struct Score: Sendable, Codable {
    /// The scene's name.
    public var scene: String
    /// The filter's name.
    public var filter: String
    /// Whether it is the filter's offline form.
    public var isOffline: Bool
    /// Root mean squares in degrees.
    public var total: Double
    /// Root mean square of the heading's error, degrees.
    public var heading: Double
    /// Root mean square of the inclination's error, degrees.
    public var inclination: Double
    /// Without counts where the filter states no sigma.
    public var coverage: SigmaCoverage
    /// Estimates that were judged.
    public var count: Int
  }

  /// The scores of a filter, scene by scene; empty for the offline form of a filter that has none.
  ///
  /// - Throws: `FilterSettingError` for an unknown name or a value out of range.
  public func run(_ filter: ConfiguredFilter, smooths: Bool = false) throws(FilterSettingError) -> [Score] {
    var scores: [Score] = []
    for scene in scenes {
      var sums = Sums()
      for seed in seeds {
        let simulation = scene.simulation(seed: seed)
        var told = ConfiguredFilter(filter.kind, settings: settings(of: filter, in: scene, simulation.sensors))
        told.settings.merge(filter.settings) { _, own in own }
        guard let run = try FilterRun(told, smooths: smooths) else { return [] }
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

  /// What the user of such a device would set.
  private func settings(
    of filter: ConfiguredFilter, in scene: BenchmarkScene, _ sensors: SensorSuite
  ) -> [String: Double] {
    var settings: [String: Double] = [:]
    if scene.declaresRange { settings["gyroscopeRange"] = sensors.gyroscope?.range ?? 0 }
    if tellsNoise { settings.merge(Self.noise(of: scene.devices)) { own, _ in own } }
    let known = Set(filter.kind.parameters.map(\.name))
    return settings.filter { known.contains($0.key) }
  }

  /// What is known of a population, under the names that the Kalman filters share.
  private static func noise(of devices: DevicePopulation) -> [String: Double] {
    [
      "gyroscopeNoise": devices.gyroscopeNoise, "gyroscopeScaleNoise": 0, "biasNoise": devices.gyroscopeBiasWalk,
      // A uniform distribution's.
      "initialBiasSigma": devices.gyroscopeBias / 3.0.squareRoot(),
      "leastBiasSigma": devices.gyroscopeBias / 3.0.squareRoot(),
      "scaleSigma": devices.gyroscopeScale, "accelerationNoise": devices.accelerationNoise,
      "accelerationBiasSigma": devices.accelerationBias, "sensorMemory": 1e9,
      "magneticNoise": devices.fieldNoise, "fieldSigma": devices.fieldBias, "fieldNoise": 0,
      "fieldDelaySigma": max(devices.fieldDelay, 0.001),
    ]
  }
}
