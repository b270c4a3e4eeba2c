public import InertialEvaluation
public import InertialFusion
internal import InertialNumerics
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

/// A recording with its reference, in memory and prepared for many evaluations of filters.
///
/// Its figures match those of `OrientationComparison` on the motions of a `DeviceMotionEstimator`. Everything
/// independent of the filter is computed once: the samples that reach it, the times of its estimates, and their matches
/// with the reference. Only the filter itself and the errors remain.
public struct TuningRecording: Sendable {
  /// The name in reports.
  public let name: String
  /// The group that is left out together in cross-validation, such as a person, or `nil` for the recording on its own.
  public let group: String?
  let samples: [SensorSample]
  let configuration: DeviceMotionEstimator.Configuration
  let alignment: AlignmentMode
  let feed: FilterFeed
  let meetings: [ReferenceMatch]

  /// The match of a reference sample that counts with the estimates.
  struct ReferenceMatch: Sendable {
    /// The index of the first estimate at or after the reference's time.
    var after: Int
    /// The fraction of the interval between the previous estimate and this one, 0...1, or `nil` if this estimate has
    /// exactly the reference's time.
    var fraction: Double?
    var reference: Quaternion
  }

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
    if let movement, movement.count != reference.times.count {
      throw .countMismatch(times: reference.times.count, values: movement.count)
    }
    self.name = name
    self.group = group
    self.samples = samples
    self.configuration = configuration
    alignment = comparison.alignment
    feed = FilterFeed(of: samples, configuration)
    meetings = Self.meetings(
      feed.rowTimes, reference.converted(to: .nwu).shifted(by: -comparison.clockShift), movement, comparison)
    guard !meetings.isEmpty else { throw .noCommonSamples }
  }

  /// The number of evaluated samples of the reference.
  public var judgedCount: Int { meetings.count }

  /// The number of estimates from a filter.
  var rowCount: Int { feed.rowTimes.count }

  private static func meetings(
    _ times: [Double], _ reference: OrientationTrack, _ movement: [Bool]?,
    _ options: OrientationComparison.Options
  ) -> [ReferenceMatch] {
    guard let first = times.first, let firstReference = reference.times.first else { return [] }
    let start = max(first, firstReference) + options.skip
    var meetings: [ReferenceMatch] = []
    var after = 0
    for (index, time) in reference.times.enumerated() {
      while after < times.count, times[after] < time { after += 1 }
      guard after < times.count else { break }
      guard time >= start, reference.isValid(index), movement?[index] ?? true else { continue }
      var meeting = ReferenceMatch(after: after, fraction: nil, reference: reference.quaternions[index])
      if times[after] != time {
        guard after > 0 else { continue }
        let gap = times[after] - times[after - 1]
        guard gap <= options.maximumGap else { continue }
        meeting.fraction = (time - times[after - 1]) / gap
      }
      meetings.append(meeting)
    }
    return meetings
  }
}
