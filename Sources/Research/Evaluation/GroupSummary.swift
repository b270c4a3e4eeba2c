internal import InertialNumerics

/// The result of one recording for a table.
package struct RecordingScore: Sendable, Hashable, Codable {
  /// The recording's name.
  package let recording: String
  /// The group of the recording in a table, such as the kind of motion or the filter.
  package let group: String
  package let errors: ErrorSummary

  package init(recording: String, group: String, errors: ErrorSummary) {
    self.recording = recording
    self.group = group
    self.errors = errors
  }
}

/// The statistics of one kind of error over several recordings, each counted once, regardless of its length.
package struct ScoreStatistics: Sendable, Hashable, Codable {
  /// The number of recordings.
  package let recordings: Int
  package let mean: Double
  package let median: Double
  package let worst: Double
  /// The name of the recording with the worst value; the first if several are equal.
  package let worstRecording: String

  init?(_ scores: [RecordingScore], _ value: (ErrorSummary) -> Double) {
    self.init(scores.map { ($0.recording, value($0.errors)) })
  }

  /// Creates the statistics of one figure per recording, or `nil` without recordings.
  package init?(_ figures: [(recording: String, value: Double)]) {
    let values = figures.map(\.value)
    guard let mean = Statistics.mean(values), let median = Statistics.median(values),
      let worst = values.indices.max(by: { values[$0] < values[$1] || (values[$0] == values[$1] && $0 > $1) })
    else { return nil }
    recordings = values.count
    self.mean = mean
    self.median = median
    self.worst = values[worst]
    self.worstRecording = figures[worst].recording
  }
}

/// A row of a table: the RMSE figures of a group of recordings, in degrees.
package struct GroupSummary: Sendable, Hashable, Codable {
  package let group: String
  /// The number of recordings in the group.
  package let count: Int
  package let total: ScoreStatistics
  package let heading: ScoreStatistics
  package let inclination: ScoreStatistics

  /// Creates the summary of recordings under the group's name, or `nil` without recordings.
  package init?(group: String, _ scores: [RecordingScore]) {
    guard let total = ScoreStatistics(scores, \.total.rmse),
      let heading = ScoreStatistics(scores, \.heading.rmse),
      let inclination = ScoreStatistics(scores, \.inclination.rmse)
    else { return nil }
    self.group = group
    self.count = scores.count
    self.total = total
    self.heading = heading
    self.inclination = inclination
  }

  /// Returns one row per group, in the order in which the groups first appear.
  package static func rows(_ scores: [RecordingScore]) -> [GroupSummary] {
    var order: [String] = []
    for score in scores where !order.contains(score.group) { order.append(score.group) }
    return order.compactMap { group in
      GroupSummary(group: group, scores.filter { $0.group == group })
    }
  }
}
