internal import InertialNumerics

/// One recording's result for a table.
package struct RecordingScore: Sendable, Hashable, Codable {
  /// The recording's name.
  package let recording: String
  /// What the table groups by, such as the kind of motion or the filter.
  package let group: String
  package let errors: ErrorSummary

  package init(recording: String, group: String, errors: ErrorSummary) {
    self.recording = recording
    self.group = group
    self.errors = errors
  }
}

/// One kind of error over several recordings, each counted once whatever its length.
package struct ScoreStatistics: Sendable, Hashable, Codable {
  package let mean: Double
  package let median: Double
  package let worst: Double
  /// The name of the recording with the worst figure; the first of equals.
  package let worstRecording: String

  init?(_ scores: [RecordingScore], _ value: (ErrorSummary) -> Double) {
    self.init(scores.map { ($0.recording, value($0.errors)) })
  }

  /// Of a figure of each recording; nil for none.
  package init?(_ figures: [(recording: String, value: Double)]) {
    let values = figures.map(\.value)
    guard let mean = Statistics.mean(values), let median = Statistics.median(values),
      let worst = values.indices.max(by: { values[$0] < values[$1] || (values[$0] == values[$1] && $0 > $1) })
    else { return nil }
    self.mean = mean
    self.median = median
    self.worst = values[worst]
    self.worstRecording = figures[worst].recording
  }
}

/// A row of a table: the RMSE figures of a group of recordings, degrees.
package struct GroupSummary: Sendable, Hashable, Codable {
  package let group: String
  /// How many recordings are in the group.
  package let count: Int
  package let total: ScoreStatistics
  package let heading: ScoreStatistics
  package let inclination: ScoreStatistics

  /// The summary of recordings under a name of the group's own; nil for none.
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

  /// One row a group, in the order in which the groups first appear.
  package static func rows(_ scores: [RecordingScore]) -> [GroupSummary] {
    var order: [String] = []
    for score in scores where !order.contains(score.group) { order.append(score.group) }
    return order.compactMap { group in
      GroupSummary(group: group, scores.filter { $0.group == group })
    }
  }
}
