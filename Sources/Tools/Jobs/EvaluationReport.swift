package import InertialEvaluation
internal import InertialNumerics
internal import InertialSystem

/// The scores of filters over recordings: one row for each, and summaries by filter and by group. Encoded, it is the
/// JSON document of `inertial evaluate`.
package struct EvaluationReport: Sendable, Encodable {
  /// The result of one filter on one recording.
  package struct Row: Sendable, Encodable {
    package var recording: String
    package var group: String?
    package var filter: String
    /// The root mean square errors, in degrees.
    package var total: Double
    package var heading: Double
    package var inclination: Double
    /// The maximum error of a sample, in degrees; the inclination error if X is arbitrary and the heading is unknown.
    package var largest: Double
    /// The maximum heading and inclination errors, in degrees.
    package var largestHeading: Double
    package var largestInclination: Double
    package var samples: Int
    /// The number of reference samples without a finite estimate.
    package var missing: Int
    package var clockShift: Double?
    package var nanosecondsPerSample: Double?
    /// The slope of the heading error, in degrees per minute, positive counter-clockwise, or `nil` for less than half a
    /// minute or an unknown heading.
    package var headingDrift: Double?
    /// The number of error changes by more than 3° between consecutive samples.
    package var jumps: Int
    /// The statistics of the filter's measurements by kind, or `nil` if they are not requested.
    package var measurements: [MeasurementStatistics]?
  }

  /// The summary of one filter over all recordings on which it was evaluated. Errors are root mean squares in degrees;
  /// each recording has the same weight.
  package struct Summary: Sendable, Encodable {
    /// The errors. The group is the filter.
    package var errors: GroupSummary
    /// The median and the minimum over the recordings.
    package var nanosecondsPerSample: Double?
    package var leastNanosecondsPerSample: Double?
    /// Whether no other filter is better in mean error or processing time without being worse in the other.
    package var isOnParetoFront: Bool
    /// The number of recordings on which the filter could not be evaluated.
    package var unjudged: Int
    /// The number of reference samples without a finite estimate, over all recordings.
    package var missing: Int
    /// The number of recordings with an error above `lostAngle`.
    package var lost: Int
    /// The mean magnitude of the heading drift over the recordings, in degrees per minute, or `nil` without heading
    /// drifts.
    package var meanHeadingDrift: Double?
    /// The number of jumps in all recordings.
    package var jumps: Int
    /// The statistics of all measurements by kind, or `nil` if they are not requested.
    package var measurements: [MeasurementStatistics]?

    /// The name of the filter.
    package var filter: String { errors.group }

    /// Encodes the summary.
    package func encode(to encoder: any Encoder) throws {
      let (total, heading, inclination) = (errors.total, errors.heading, errors.inclination)
      try EncodedObject([
        "filter": filter, "recordings": errors.count, "meanTotal": total.mean, "medianTotal": total.median,
        "worstTotal": total.worst, "worstRecording": total.worstRecording, "meanHeading": heading.mean,
        "medianHeading": heading.median, "worstHeading": heading.worst,
        "worstHeadingRecording": heading.worstRecording, "meanInclination": inclination.mean,
        "medianInclination": inclination.median, "worstInclination": inclination.worst,
        "worstInclinationRecording": inclination.worstRecording, "nanosecondsPerSample": nanosecondsPerSample,
        "leastNanosecondsPerSample": leastNanosecondsPerSample, "isOnParetoFront": isOnParetoFront,
        "unjudged": unjudged, "missing": missing, "lost": lost, "meanHeadingDrift": meanHeadingDrift, "jumps": jumps,
        "measurements": measurements,
      ]).encode(to: encoder)
    }
  }

  /// The error, in degrees, above which the filter is considered to have lost its orientation.
  package static let lostAngle = 45.0

  package let rows: [Row]
  package let summaries: [Summary]
  /// The summaries by group, each with a filter and its errors in a group, in the order in which groups and filters first
  /// appear; empty without groups.
  package let groups: [(filter: String, errors: GroupSummary)]
  /// The filters that are not surpassed by another one in both accuracy and cost.
  package let pareto: [String]
  /// The failed evaluations.
  package let unjudged: [EvaluationJob.Failure]
  /// The reasons that logs or filters were not evaluated, as one message per failure.
  package let failures: [String]
  /// Whether the heading is evaluated; `false` if the direction of X is arbitrary, so that total and heading errors are
  /// meaningless.
  package let judgesHeading: Bool

  /// - Parameters:
  ///   - failures: The messages about failures, or `nil` for one per failed evaluation.
  ///   - groups: The group of each recording, by path.
  ///   - judgesHeading: See `EvaluationJob.Options.judgesHeading`.
  package init(
    _ scores: [EvaluationJob.Score], unjudged: [EvaluationJob.Failure] = [], failures: [String]? = nil,
    groups: [String: String] = [:], judgesHeading: Bool = true
  ) {
    self.unjudged = unjudged
    self.failures = failures ?? unjudged.map(\.message)
    self.judgesHeading = judgesHeading
    rows = scores.map { score in
      Row(
        recording: score.recording, group: groups[score.recording], filter: score.filter,
        total: score.errors.total.rmse, heading: score.errors.heading.rmse,
        inclination: score.errors.inclination.rmse,
        largest: (judgesHeading ? score.errors.total : score.errors.inclination).maximum,
        largestHeading: score.errors.heading.maximum, largestInclination: score.errors.inclination.maximum,
        samples: score.errors.total.count, missing: score.missingCount, clockShift: score.clockShift,
        nanosecondsPerSample: score.nanosecondsPerSample,
        headingDrift: judgesHeading ? score.course.headingDrift : nil, jumps: score.course.jumps,
        measurements: score.measurements)
    }
    var summaries: [Summary] = []
    for filter in Self.inOrder(scores.map(\.filter)) {
      let own = zip(scores, rows).filter { $0.0.filter == filter }
      let records = own.map { RecordingScore(recording: $0.0.recording, group: filter, errors: $0.0.errors) }
      guard let errors = GroupSummary(group: filter, records) else { continue }
      let costs = own.compactMap(\.1.nanosecondsPerSample)
      summaries.append(
        Summary(
          errors: errors, nanosecondsPerSample: Statistics.median(costs), leastNanosecondsPerSample: costs.min(),
          isOnParetoFront: false, unjudged: unjudged.count { $0.filter == filter },
          missing: own.reduce(0) { $0 + $1.1.missing },
          lost: own.count { $0.1.largest > Self.lostAngle },
          meanHeadingDrift: Statistics.mean(own.compactMap { $0.1.headingDrift.map(abs) }),
          jumps: own.reduce(0) { $0 + $1.1.jumps },
          measurements: own.contains { $0.0.measurements != nil }
            ? own.reduce(into: []) { $0.add($1.0.measurements ?? []) } : nil))
    }
    // The mean of a filter without all recordings is not comparable.
    let fullCount = summaries.map(\.errors.count).max() ?? 0
    let front = ParetoFront.members(
      summaries.map { summary in
        let errors = judgesHeading ? summary.errors.total : summary.errors.inclination
        return (summary.errors.count == fullCount ? errors.mean : nil, summary.nanosecondsPerSample)
      })
    for (index, isMember) in front.enumerated() { summaries[index].isOnParetoFront = isMember }
    self.summaries = summaries
    pareto = summaries.filter(\.isOnParetoFront).map(\.filter)
    self.groups = Self.groupRows(scores, groups)
  }

  /// Encodes the report.
  package func encode(to encoder: any Encoder) throws {
    let groups = groups.map { filter, errors in
      EncodedObject([
        "group": errors.group, "filter": filter, "recordings": errors.count, "meanTotal": errors.total.mean,
        "meanHeading": errors.heading.mean, "meanInclination": errors.inclination.mean,
        "worstTotal": errors.total.worst, "worstRecording": errors.total.worstRecording,
      ])
    }
    try EncodedObject([
      "rows": rows, "summaries": summaries, "groups": groups, "pareto": pareto, "unjudged": unjudged,
      "failures": failures, "judgesHeading": judgesHeading,
    ]).encode(to: encoder)
  }

  private static func groupRows(
    _ scores: [EvaluationJob.Score], _ groups: [String: String]
  ) -> [(filter: String, errors: GroupSummary)] {
    let names = inOrder(scores.compactMap { groups[$0.recording] })
    let filters = inOrder(scores.map(\.filter))
    return names.flatMap { name in
      filters.compactMap { filter in
        let own = scores.filter { $0.filter == filter && groups[$0.recording] == name }
        let records = own.map { RecordingScore(recording: $0.recording, group: name, errors: $0.errors) }
        return GroupSummary(group: name, records).map { (filter, $0) }
      }
    }
  }

  static func inOrder(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}
