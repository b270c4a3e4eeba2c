package import InertialEvaluation
internal import InertialNumerics

/// The errors of paths over recordings: a row per path, and summaries by filter and group. Encoded, it is the JSON
/// document of `inertial evaluate --task track`.
package struct TrackEvaluationReport: Sendable, Codable {
  /// The errors of one path. Errors that were not evaluated are `nil`; lengths are in metres, fractions from 0 to 1.
  package struct Row: Sendable, Codable {
    package var recording: String
    package var group: String?
    /// The attitude filter below the path, or the file of the estimate.
    package var filter: String
    /// The placement of the device, and the reason if the placement was automatic.
    package var on: String?
    package var reason: String?

    /// The number of evaluated reference points, and of reference points without a position.
    package var points: Int?
    package var missing = 0
    /// The length of the reference path, in metres.
    package var way: Double?
    /// The absolute trajectory error (root mean square), and its horizontal and vertical parts.
    package var ate: Double?
    package var horizontal: Double?
    package var vertical: Double?
    /// The median and maximum of the distances in the absolute trajectory error.
    package var median: Double?
    package var largest: Double?
    /// The relative trajectory error (root mean square), and its number of point pairs.
    package var rte: Double?
    package var pairs: Int?
    /// The fractions of errors within the 95 % confidence region.
    package var insideHorizontally: Double?
    package var insideVertically: Double?
    /// The yaw rotation that the alignment removed, in degrees.
    package var yaw: Double?

    /// The horizontal distance between end and start, its vertical counterpart, and the horizontal path length.
    package var closure: Double?
    package var closureVertical: Double?
    package var pathLength: Double?
    package var closurePercent: Double?
    package var closureVerticalPercent: Double?
    package var closureIsInside: Bool?
    package var closureIsInsideVertically: Bool?

    /// The outages with their errors, and the statistics of the horizontal error.
    package var outages: [TrackEvaluationJob.Outage]?
    package var outageMean: Double?
    package var outageMedian: Double?
    package var outageWorst: Double?
    package var outageVerticalMean: Double?
    package var outageInside: Double?

    /// The cost of the tracker alone.
    package var nanosecondsPerSample: Double?

    package init(recording: String, filter: String) { (self.recording, self.filter) = (recording, filter) }

    mutating func add(_ comparison: PathComparison) {
      (points, missing, way) = (comparison.points.count, comparison.missingCount, comparison.referenceLength)
      (ate, median, largest) = (comparison.absolute.rmse, comparison.absolute.median, comparison.absolute.maximum)
      (horizontal, vertical) = (comparison.horizontal.rmse, comparison.vertical?.rmse)
      (rte, pairs) = (comparison.relative?.rmse, comparison.relative?.count)
      (insideHorizontally, insideVertically) = (comparison.horizontalCoverage, comparison.verticalCoverage)
      yaw = comparison.alignment.yaw * 180 / .pi
    }

    mutating func add(_ loop: PathClosure?) {
      guard let loop else { return }
      (closure, closureVertical, pathLength) = (loop.horizontal, loop.vertical, loop.pathLength)
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

  /// The summary of one filter over all recordings, or over a group. Statistics are over the recordings that have the
  /// error; each recording has the same weight.
  package struct Summary: Sendable, Codable {
    package var group: String?
    package var filter: String
    package var recordings: Int
    package var ate: ScoreStatistics?
    package var horizontal: ScoreStatistics?
    package var vertical: ScoreStatistics?
    package var rte: ScoreStatistics?
    package var closure: ScoreStatistics?
    package var closurePercent: ScoreStatistics?
    /// The statistics of the vertical closure error's magnitude.
    package var closureVertical: ScoreStatistics?
    package var closureVerticalPercent: ScoreStatistics?
    /// The statistics of the recordings' mean and median outage errors.
    package var outageMean: ScoreStatistics?
    package var outageMedian: ScoreStatistics?
    /// The mean of the recordings' fractions; for closures, the fraction of the recordings.
    package var insideHorizontally: Double?
    package var insideVertically: Double?
    package var closureInside: Double?
    package var closureInsideVertically: Double?
    package var outageInside: Double?
    /// The numbers in all recordings.
    package var outages: Int
    package var missing: Int
    /// The number of recordings without an evaluated path.
    package var unjudged: Int
    /// The median and the minimum over the recordings.
    package var nanosecondsPerSample: Double?
    package var leastNanosecondsPerSample: Double?

    init(_ rows: [Row], filter: String, group: String? = nil, unjudged: Int) {
      (self.filter, self.group, self.unjudged, recordings) = (filter, group, unjudged, rows.count)
      func statistics(_ error: (Row) -> Double?) -> ScoreStatistics? {
        ScoreStatistics(rows.compactMap { row in error(row).map { (row.recording, $0) } })
      }
      ate = statistics(\.ate)
      horizontal = statistics(\.horizontal)
      vertical = statistics(\.vertical)
      rte = statistics(\.rte)
      closure = statistics(\.closure)
      closurePercent = statistics(\.closurePercent)
      closureVertical = statistics { $0.closureVertical.map(abs) }
      closureVerticalPercent = statistics(\.closureVerticalPercent)
      outageMean = statistics(\.outageMean)
      outageMedian = statistics(\.outageMedian)
      func fraction(_ flag: (Row) -> Bool?) -> Double? {
        Statistics.mean(rows.compactMap { flag($0).map { $0 ? 1 : 0 } })
      }
      insideHorizontally = Statistics.mean(rows.compactMap(\.insideHorizontally))
      insideVertically = Statistics.mean(rows.compactMap(\.insideVertically))
      closureInside = fraction(\.closureIsInside)
      closureInsideVertically = fraction(\.closureIsInsideVertically)
      outageInside = Statistics.mean(rows.compactMap(\.outageInside))
      outages = rows.reduce(0) { $0 + ($1.outages?.count ?? 0) }
      missing = rows.reduce(0) { $0 + $1.missing }
      let costs = rows.compactMap(\.nanosecondsPerSample)
      (nanosecondsPerSample, leastNanosecondsPerSample) = (Statistics.median(costs), costs.min())
    }
  }

  /// The subject of the evaluation.
  package private(set) var task = "track"
  package let rows: [Row]
  package let summaries: [Summary]
  /// The summaries by group and filter, in order of first appearance; empty without groups.
  package let groups: [Summary]
  /// The paths that could not be evaluated.
  package let unjudged: [EvaluationJob.Failure]
  /// The reasons that logs or filters were not evaluated, as one message per failure.
  package let failures: [String]
  /// The alignment that was fitted and removed before the absolute and relative errors.
  package let alignment: AlignmentMode
  /// The interval of the relative error, as a time in seconds or a distance in metres.
  package let rteSeconds: Double?
  package let rteMetres: Double?
  /// The duration of outages in seconds, or `nil` if no fixes were withheld.
  package let withheld: Double?

  /// - Parameters:
  ///   - failures: The messages about failures, or `nil` for one per failed evaluation.
  ///   - groups: The groups of recordings by their paths; a recording may have no group.
  ///   - job: The job that has evaluated the paths.
  package init(
    _ rows: [Row], unjudged: [EvaluationJob.Failure] = [], failures: [String]? = nil, groups: [String: String] = [:],
    job: TrackEvaluationJob
  ) {
    let rows = rows.map { row in
      var row = row
      row.group = groups[row.recording]
      return row
    }
    self.rows = rows
    self.unjudged = unjudged
    self.failures = failures ?? unjudged.map(\.message)
    (alignment, withheld) = (job.comparison.alignment, job.withheld)
    switch job.comparison.interval {
    case .time(let seconds): (rteSeconds, rteMetres) = (seconds, nil)
    case .distance(let metres): (rteSeconds, rteMetres) = (nil, metres)
    }
    let filters = EvaluationReport.inOrder(rows.map(\.filter))
    summaries = filters.map { filter in
      Summary(rows.filter { $0.filter == filter }, filter: filter, unjudged: unjudged.count { $0.filter == filter })
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
