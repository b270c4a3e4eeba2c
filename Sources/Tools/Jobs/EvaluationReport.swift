package import InertialEvaluation
internal import InertialNumerics

/// The scores of filters over recordings: a row for each, and what they come to for each filter and group.
package struct EvaluationReport: Sendable, Codable {
  /// One filter on one recording.
  package struct Row: Sendable, Codable {
    package var recording: String
    package var group: String?
    package var filter: String
    /// Root mean square errors, degrees.
    package var total: Double
    package var heading: Double
    package var inclination: Double
    /// The largest error of a sample, degrees; of inclination, where X is arbitrary and nothing is known of heading.
    package var largest: Double
    /// The largest parts of it, degrees.
    package var largestHeading: Double
    package var largestInclination: Double
    package var samples: Int
    /// Reference samples for which there was no finite estimate.
    package var missing: Int
    package var clockShift: Double?
    package var nanosecondsPerSample: Double?
    /// Slope of the heading error, degrees per minute, positive counter-clockwise; nil in less than half a minute, and
    /// where nothing is known of heading.
    package var headingDrift: Double?
    /// How often the error changed by more than 3° from one sample to the next.
    package var jumps: Int
    /// What the filter made of its measurements, by kind; nil where that was not asked for.
    package var measurements: [MeasurementTally]?
  }

  /// One filter over all recordings that it could be judged on. Errors are root mean squares in degrees, each
  /// recording counted once.
  package struct Summary: Sendable, Codable {
    package var filter: String
    package var recordings: Int
    package var meanTotal: Double
    package var medianTotal: Double
    package var worstTotal: Double
    package var worstRecording: String
    package var meanHeading: Double
    package var medianHeading: Double
    package var worstHeading: Double
    package var worstHeadingRecording: String
    package var meanInclination: Double
    package var medianInclination: Double
    package var worstInclination: Double
    package var worstInclinationRecording: String
    /// Median and minimum over the recordings.
    package var nanosecondsPerSample: Double?
    package var leastNanosecondsPerSample: Double?
    /// Whether no other filter is better in mean error or cost without being worse in the other.
    package var isOnParetoFront: Bool
    /// Recordings on which the filter could not be judged at all.
    package var unjudged: Int
    /// Reference samples without a finite estimate, over all recordings.
    package var missing: Int
    /// Recordings in which an error was larger than `lostAngle`.
    package var lost: Int
    /// Mean over the recordings of the heading drift's magnitude, degrees per minute; nil where there is none.
    package var meanHeadingDrift: Double?
    /// Jumps in all recordings.
    package var jumps: Int
    /// What the filter made of all measurements, by kind; nil where that was not asked for.
    package var measurements: [MeasurementTally]?
  }

  /// One filter over the recordings of a group.
  package struct Group: Sendable, Codable {
    package var group: String
    package var filter: String
    package var recordings: Int
    package var meanTotal: Double
    package var meanHeading: Double
    package var meanInclination: Double
    package var worstTotal: Double
    package var worstRecording: String
  }

  /// An error above this is no inaccuracy: the filter has lost its orientation. Degrees.
  package static let lostAngle = 45.0

  package let rows: [Row]
  package let summaries: [Summary]
  /// In the order in which groups and filters first appear; empty where there are no groups.
  package let groups: [Group]
  /// What could not be judged.
  package let unjudged: [EvaluationJob.Failure]
  /// Whether total and heading errors mean something.
  package let judgesHeading: Bool

  /// - `groups`: the group of each recording by its path; nil = none.
  /// - `judgesHeading`: see `EvaluationJob.Options.judgesHeading`.
  package init(
    _ scores: [EvaluationJob.Score], unjudged: [EvaluationJob.Failure] = [], groups: [String: String] = [:],
    judgesHeading: Bool = true
  ) {
    self.unjudged = unjudged
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
      guard let figures = GroupSummary(group: filter, records) else { continue }
      let costs = own.compactMap(\.1.nanosecondsPerSample)
      summaries.append(
        Summary(
          filter: filter, recordings: figures.count,
          meanTotal: figures.total.mean, medianTotal: figures.total.median, worstTotal: figures.total.worst,
          worstRecording: figures.total.worstRecording,
          meanHeading: figures.heading.mean, medianHeading: figures.heading.median,
          worstHeading: figures.heading.worst, worstHeadingRecording: figures.heading.worstRecording,
          meanInclination: figures.inclination.mean, medianInclination: figures.inclination.median,
          worstInclination: figures.inclination.worst,
          worstInclinationRecording: figures.inclination.worstRecording,
          nanosecondsPerSample: Statistics.median(costs), leastNanosecondsPerSample: costs.min(),
          isOnParetoFront: false, unjudged: unjudged.count { $0.filter == filter },
          missing: own.reduce(0) { $0 + $1.1.missing },
          lost: own.count { $0.1.largest > Self.lostAngle },
          meanHeadingDrift: Statistics.mean(own.compactMap { $0.1.headingDrift.map(abs) }),
          jumps: own.reduce(0) { $0 + $1.1.jumps },
          measurements: own.contains { $0.0.measurements != nil }
            ? own.reduce(into: []) { $0.add($1.0.measurements ?? []) } : nil))
    }
    // A filter that was not judged on all recordings has an easier mean.
    let fullCount = summaries.map(\.recordings).max() ?? 0
    let front = ParetoFront.members(
      summaries.map { summary in
        let error = judgesHeading ? summary.meanTotal : summary.meanInclination
        return (summary.recordings == fullCount ? error : nil, summary.nanosecondsPerSample)
      })
    for (index, isMember) in front.enumerated() { summaries[index].isOnParetoFront = isMember }
    self.summaries = summaries
    self.groups = Self.groupRows(scores, groups)
  }

  private static func groupRows(_ scores: [EvaluationJob.Score], _ groups: [String: String]) -> [Group] {
    let names = inOrder(scores.compactMap { groups[$0.recording] })
    let filters = inOrder(scores.map(\.filter))
    return names.flatMap { name in
      filters.compactMap { filter in
        let own = scores.filter { $0.filter == filter && groups[$0.recording] == name }
        let records = own.map { RecordingScore(recording: $0.recording, group: name, errors: $0.errors) }
        return GroupSummary(group: name, records).map {
          Group(
            group: name, filter: filter, recordings: $0.count, meanTotal: $0.total.mean,
            meanHeading: $0.heading.mean, meanInclination: $0.inclination.mean, worstTotal: $0.total.worst,
            worstRecording: $0.total.worstRecording)
        }
      }
    }
  }

  static func inOrder(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}
