package import InertialEvaluation
internal import InertialNumerics

/// The errors of paths over recordings: a row for each, and what they come to for each filter and group.
package struct TrackEvaluationReport: Sendable, Codable {
  /// One path. What was not judged is nil; lengths are in m, shares from 0 to 1.
  package struct Row: Sendable, Codable {
    package var recording: String
    package var group: String?
    /// The attitude filter below the path, or the estimate's file.
    package var filter: String
    /// What the device is on; and why, where nobody said it.
    package var on: String?
    package var reason: String?

    /// Points of the reference that count, and those for which there was no position.
    package var points: Int?
    package var missing = 0
    /// m along the reference.
    package var way: Double?
    /// The absolute trajectory error, root mean square; its parts over the ground and in height.
    package var ate: Double?
    package var horizontal: Double?
    package var vertical: Double?
    /// Of the distances that the ATE is of.
    package var median: Double?
    package var largest: Double?
    /// The relative trajectory error, root mean square, and the pairs of points that it is of.
    package var rte: Double?
    package var pairs: Int?
    /// Shares of errors inside the stated 95 %.
    package var insideHorizontally: Double?
    package var insideVertically: Double?
    /// The turn about the vertical that was taken out, degrees.
    package var yaw: Double?

    /// End against start, and the way in between, over the ground.
    package var closure: Double?
    package var closureVertical: Double?
    package var pathLength: Double?
    package var closurePercent: Double?
    package var closureVerticalPercent: Double?
    package var closureIsInside: Bool?
    package var closureIsInsideVertically: Bool?

    /// The error over the ground at the end of each outage.
    package var outages: [TrackEvaluationJob.Outage]?
    package var outageMean: Double?
    package var outageMedian: Double?
    package var outageWorst: Double?
    package var outageVerticalMean: Double?
    package var outageInside: Double?

    /// Of the tracker alone.
    package var nanosecondsPerSample: Double?

    package init(recording: String, filter: String) { (self.recording, self.filter) = (recording, filter) }

    mutating func add(_ comparison: PathComparison) {
      (points, missing, way) = (comparison.points.count, comparison.missingCount, comparison.way)
      (ate, median, largest) = (comparison.absolute.rmse, comparison.absolute.median, comparison.absolute.maximum)
      (horizontal, vertical) = (comparison.horizontal.rmse, comparison.vertical?.rmse)
      (rte, pairs) = (comparison.relative?.rmse, comparison.relative?.count)
      (insideHorizontally, insideVertically) = (comparison.insideHorizontally, comparison.insideVertically)
      yaw = comparison.alignment.yaw * 180 / .pi
    }

    mutating func add(_ loop: PathClosure?) {
      guard let loop else { return }
      (closure, closureVertical, pathLength) = (loop.horizontal, loop.vertical, loop.way)
      (closurePercent, closureVerticalPercent) = (loop.horizontalPercent, loop.verticalPercent)
      (closureIsInside, closureIsInsideVertically) = (loop.isInsideHorizontally, loop.isInsideVertically)
    }

    mutating func add(_ outages: [TrackEvaluationJob.Outage]) {
      self.outages = outages
      let errors = ErrorStatistics(outages.map(\.horizontal))
      (outageMean, outageMedian, outageWorst) = (errors?.mean, errors?.median, errors?.maximum)
      outageVerticalMean = Statistics.mean(outages.compactMap { $0.vertical.map(abs) })
      outageInside = Statistics.mean(outages.compactMap { $0.isInsideHorizontally.map { $0 ? 1 : 0 } })
    }
  }

  /// A figure over the recordings that have it, each counted once.
  package struct Figure: Sendable, Codable {
    package var recordings: Int
    package var mean: Double
    package var median: Double
    package var worst: Double
    package var worstRecording: String

    init?(_ rows: [Row], _ value: (Row) -> Double?) {
      let figures = rows.compactMap { row in value(row).map { (recording: row.recording, value: $0) } }
      guard let statistics = ScoreStatistics(figures) else { return nil }
      (recordings, mean, median) = (figures.count, statistics.mean, statistics.median)
      (worst, worstRecording) = (statistics.worst, statistics.worstRecording)
    }
  }

  /// One filter over all recordings, or over those of a group.
  package struct Summary: Sendable, Codable {
    package var group: String?
    package var filter: String
    package var recordings: Int
    package var ate: Figure?
    package var horizontal: Figure?
    package var vertical: Figure?
    package var rte: Figure?
    package var closure: Figure?
    package var closurePercent: Figure?
    /// Of the height's magnitude.
    package var closureVertical: Figure?
    package var closureVerticalPercent: Figure?
    /// Of the recordings' means and medians.
    package var outageMean: Figure?
    package var outageMedian: Figure?
    /// Means of the recordings' shares; of closures the share of the recordings.
    package var insideHorizontally: Double?
    package var insideVertically: Double?
    package var closureInside: Double?
    package var closureInsideVertically: Double?
    package var outageInside: Double?
    /// In all recordings.
    package var outages: Int
    package var missing: Int
    /// Recordings on which no path could be judged.
    package var unjudged: Int
    /// Median and minimum over the recordings.
    package var nanosecondsPerSample: Double?
    package var leastNanosecondsPerSample: Double?

    init(_ rows: [Row], filter: String, group: String? = nil, unjudged: Int) {
      (self.filter, self.group, self.unjudged, recordings) = (filter, group, unjudged, rows.count)
      ate = Figure(rows, \.ate)
      horizontal = Figure(rows, \.horizontal)
      vertical = Figure(rows, \.vertical)
      rte = Figure(rows, \.rte)
      closure = Figure(rows, \.closure)
      closurePercent = Figure(rows, \.closurePercent)
      closureVertical = Figure(rows) { $0.closureVertical.map(abs) }
      closureVerticalPercent = Figure(rows, \.closureVerticalPercent)
      outageMean = Figure(rows, \.outageMean)
      outageMedian = Figure(rows, \.outageMedian)
      func share(_ flag: (Row) -> Bool?) -> Double? { Statistics.mean(rows.compactMap { flag($0).map { $0 ? 1 : 0 } }) }
      insideHorizontally = Statistics.mean(rows.compactMap(\.insideHorizontally))
      insideVertically = Statistics.mean(rows.compactMap(\.insideVertically))
      closureInside = share(\.closureIsInside)
      closureInsideVertically = share(\.closureIsInsideVertically)
      outageInside = Statistics.mean(rows.compactMap(\.outageInside))
      outages = rows.reduce(0) { $0 + ($1.outages?.count ?? 0) }
      missing = rows.reduce(0) { $0 + $1.missing }
      let costs = rows.compactMap(\.nanosecondsPerSample)
      (nanosecondsPerSample, leastNanosecondsPerSample) = (Statistics.median(costs), costs.min())
    }
  }

  package let rows: [Row]
  package let summaries: [Summary]
  /// In the order in which groups and filters first appear; empty where there are no groups.
  package let groups: [Summary]
  /// What could not be judged.
  package let unjudged: [EvaluationJob.Failure]
  /// What the figures were made by.
  package let alignment: AlignmentMode
  /// The relative error's time, s, or distance, m.
  package let rteSeconds: Double?
  package let rteMetres: Double?
  /// Seconds; nil where no fixes were withheld.
  package let withheld: Double?

  /// - Parameter groups: the group of each recording by its path; none: no group.
  package init(
    _ rows: [Row], unjudged: [EvaluationJob.Failure] = [], groups: [String: String] = [:],
    options: TrackEvaluationJob.Options
  ) {
    let rows = rows.map { row in
      var row = row
      row.group = groups[row.recording]
      return row
    }
    self.rows = rows
    self.unjudged = unjudged
    (alignment, withheld) = (options.comparison.alignment, options.withheld)
    switch options.comparison.interval {
    case .time(let seconds): (rteSeconds, rteMetres) = (seconds, nil)
    case .distance(let metres): (rteSeconds, rteMetres) = (nil, metres)
    }
    let filters = EvaluationReport.inOrder(rows.map(\.filter))
    summaries = filters.map { filter in
      Summary(
        rows.filter { $0.filter == filter }, filter: filter, unjudged: unjudged.count { $0.filter == filter })
    }
    self.groups = EvaluationReport.inOrder(rows.compactMap(\.group)).flatMap { name in
      filters.compactMap { filter in
        let own = rows.filter { $0.filter == filter && $0.group == name }
        guard !own.isEmpty else { return nil }
        return Summary(
          own, filter: filter, group: name,
          unjudged: unjudged.count { $0.filter == filter && groups[$0.recording] == name })
      }
    }
  }
}
