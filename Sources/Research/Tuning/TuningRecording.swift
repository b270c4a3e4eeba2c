public import InertialEvaluation
public import InertialFusion
internal import InertialNumerics
internal import InertialRotations
public import InertialSensors

/// Which error a search makes small.
public enum TuningObjective: String, Sendable, Codable, CaseIterable {
  /// Which error of the attitude, by its name.
  case total, heading, inclination
}

/// Root mean square errors of one filter on one recording, degrees.
public struct ErrorFigures: Sendable, Codable, Equatable {
  /// Of the whole attitude.
  public var total: Double
  /// About the vertical.
  public var heading: Double
  /// Of the vertical.
  public var inclination: Double

  /// The figure that an objective names.
  public subscript(objective: TuningObjective) -> Double {
    switch objective {
    case .total: total
    case .heading: heading
    case .inclination: inclination
    }
  }
}

/// A recording with its reference, in memory and prepared to judge a filter many times.
///
/// Its figures are those of `OrientationComparison` on the motions of a `DeviceMotionEstimator`. Everything that does
/// not depend on the filter is computed once: the samples that reach it, the times of its estimates, and where they
/// meet the reference. What remains is the filter itself and the errors.
public struct TuningRecording: Sendable {
  /// What reports call it.
  public let name: String
  /// What is left out together in cross-validation, such as a person; nil = the recording on its own.
  public let group: String?
  let samples: [SensorSample]
  let configuration: DeviceMotionEstimator.Configuration
  let alignment: AlignmentMode
  let feed: FilterFeed
  let meetings: [Meeting]

  /// Where a reference sample that counts meets the estimates.
  struct Meeting: Sendable {
    /// The first estimate at or after the reference's time.
    var after: Int
    /// Between the estimate before and this one, 0 to 1; nil where this one is at the very time.
    var fraction: Double?
    var reference: Quaternion
  }

  /// - `movement`: one flag for each sample of the reference; all count where absent.
  /// - `comparison`: how errors are judged. A search of the clock's offset is not repeated for every estimate: it is
  ///   made beforehand, and its result given as `clockShift`.
  /// - Throws: `noCommonSamples` where nothing is left to judge.
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

  /// How many samples of the reference are judged.
  public var judgedCount: Int { meetings.count }

  /// How many estimates a filter gives.
  var rowCount: Int { feed.rowTimes.count }

  private static func meetings(
    _ times: [Double], _ reference: OrientationTrack, _ movement: [Bool]?,
    _ options: OrientationComparison.Options
  ) -> [Meeting] {
    guard let first = times.first, let firstReference = reference.times.first else { return [] }
    let start = max(first, firstReference) + options.skip
    var meetings: [Meeting] = []
    var after = 0
    for (index, time) in reference.times.enumerated() {
      while after < times.count, times[after] < time { after += 1 }
      guard after < times.count else { break }
      guard time >= start, reference.isValid(index), movement?[index] ?? true else { continue }
      var meeting = Meeting(after: after, fraction: nil, reference: reference.quaternions[index])
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
