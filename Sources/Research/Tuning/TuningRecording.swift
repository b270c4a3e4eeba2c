public import InertialEvaluation
public import InertialFilters
public import InertialFusion
internal import InertialRotations
public import InertialSensors

/// The error that a search minimizes.
public enum TuningObjective: String, Sendable, Codable, CaseIterable {
  /// The error of the attitude with the case's name.
  case total, heading, inclination
}

/// The root mean square errors of one filter on one recording, in degrees.
public struct ErrorFigures: Sendable, Codable, Equatable {
  /// The error of the whole attitude.
  public var total: Double
  /// The error about the vertical.
  public var heading: Double
  /// The error of the vertical.
  public var inclination: Double

  /// The figure for an objective.
  public subscript(objective: TuningObjective) -> Double {
    switch objective {
    case .total: total
    case .heading: heading
    case .inclination: inclination
    }
  }
}

/// A recording with its reference, in memory, for many evaluations of filters.
///
/// Its figures equal those from `OrientationComparison` on the motions of a `DeviceMotionEstimator`, as in `inertial
/// evaluate`.
public struct TuningRecording: Sendable {
  /// The name in reports.
  public let name: String
  /// The group that is left out together in cross-validation, such as a person, or `nil` for the recording on its own.
  public let group: String?
  /// The number of evaluated samples of the reference.
  public let judgedCount: Int
  /// The number of estimates from a filter.
  let rowCount: Int
  private let samples: [SensorSample]
  private let configuration: DeviceMotionEstimator.Configuration
  private let reference: OrientationTrack
  private let movement: [Bool]?
  private var comparison: OrientationComparison.Options

  /// Creates a recording.
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - group: The group in cross-validation.
  ///   - samples: The samples.
  ///   - reference: The reference.
  ///   - movement: One flag per sample of the reference, or `nil` if all samples count.
  ///   - configuration: The configuration of the estimator.
  ///   - comparison: The options of the evaluation. A search for the clock offset is not repeated for every estimate:
  ///     perform it beforehand, and pass its result as `clockShift`.
  /// - Throws: `noCommonSamples` if no sample can be evaluated.
  public init(
    name: String, group: String? = nil, samples: [SensorSample], reference: OrientationTrack,
    movement: [Bool]? = nil, configuration: DeviceMotionEstimator.Configuration,
    comparison: OrientationComparison.Options = OrientationComparison.Options()
  ) throws(EvaluationError) {
    self.name = name
    self.group = group
    self.samples = samples
    self.reference = reference
    self.movement = movement
    self.configuration = configuration
    self.comparison = comparison
    self.comparison.clockAlignment = nil
    // The estimator makes an estimate for every valid gyroscope sample, with every filter.
    var times: [Double] = []
    for sample in samples where sample.channel == .gyroscope && configuration.limits.allowsRotationRate(sample.vector) {
      if times.last.map({ $0 < sample.time }) ?? true { times.append(sample.time) }
    }
    rowCount = times.count
    let estimates = try OrientationTrack(
      times: times, quaternions: times.map { _ in .identity }, frame: .nwu)
    judgedCount = try OrientationComparison(
      estimate: estimates, reference: reference, movement: movement, options: self.comparison
    ).errors.count
  }

  /// Returns the figures of a filter with given settings, or `nil` if it has no finite estimate at one of the evaluated
  /// times.
  public func figures(of kind: FilterKind, settings: [String: Double] = [:]) throws(SettingError) -> ErrorFigures? {
    var estimator = try DeviceMotionEstimator(filter: kind, settings: settings, configuration: configuration)
    var (times, quaternions): ([Double], [Quaternion]) = ([], [])
    func take() {
      while let motion = estimator.next() {
        times.append(motion.time)
        quaternions.append(motion.attitude.quaternion)
      }
    }
    for sample in samples {
      estimator.append(sample)
      take()
    }
    estimator.finish()
    take()
    guard
      let estimate = try? OrientationTrack(times: times, quaternions: quaternions, frame: .nwu),
      let found = try? OrientationComparison(
        estimate: estimate, reference: reference, movement: movement, options: comparison),
      found.errors.count == judgedCount
    else { return nil }
    return ErrorFigures(
      total: found.summary.total.rmse, heading: found.summary.heading.rmse,
      inclination: found.summary.inclination.rmse)
  }

  /// Returns the error of a filter with given settings, or infinity if it has no finite estimate or does not accept the
  /// settings.
  func error(of kind: FilterKind, settings: [String: Double], _ objective: TuningObjective) -> Double {
    ((try? figures(of: kind, settings: settings)) ?? nil)?[objective] ?? .infinity
  }
}
