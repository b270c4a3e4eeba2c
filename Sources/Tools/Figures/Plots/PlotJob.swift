internal import InertialFilters
package import InertialJobs
package import InertialLogs

/// A log, or a dataset, to a figure for a paper.
package struct PlotJob: Sendable {
  /// File, folder, or "-" for standard input where it is read but once.
  package var input: String
  /// A panel each, or several where it has several units; those over time come first.
  package var quantities: [PlotQuantity]
  /// Filters to be compared; empty = that of the options.
  package var filters: [String] = []
  /// Parameters of the filters; of one alone by its name.
  package var settings = ParameterSettings()
  /// How the log is read and fused.
  package var options = FusionOptions()
  /// What errors are judged against, and how.
  package var evaluation = EvaluationJob.Options()
  /// The first and the last second that are shown, on the log's clock; with `options.startsAtZero` from its first sample
  /// on.
  package var from: Double?
  package var to: Double?
  package var marks: [PlotMark] = []
  /// Half the width of the band around an attitude, in standard deviations of the filter's own; 0 = no band.
  package var sigma = 1.0
  /// Angles in radians, as in datasets; else in degrees.
  package var isRadian = false
  /// Whether angles go on after a turn instead of beginning anew.
  package var unwraps = false
  package var style = Figure.Style()

  package init(input: String, quantities: [PlotQuantity]) { (self.input, self.quantities) = (input, quantities) }

  /// Every file that is read.
  package var inputs: [String] {
    FusionJob(input: input, options: options).inputs + [evaluation.referencePath(of: input)].compactMap(\.self)
  }

  /// A figure, and what is to be said of it.
  package struct Report: Sendable {
    package var figure: Figure
    /// What was read, and what was wrong with it; nil where a dataset's columns were drawn as they are.
    package var log: LogSummary?
    /// Things that a user may want to know.
    package var notes: [String] = []
    /// The log's time that is 0 on the axis, seconds.
    package var timeOrigin = 0.0
    /// Samples of what was drawn.
    package var sampleCount = 0
  }

  /// A first sample later than this is a date: its time is told from that sample on.
  private static let latestStart = 1e5

  /// - Parameter progress: called now and then with the share that is done, 0 to 1.
  package func run(progress: (Double) -> Void = { _ in }) async throws(FusionError) -> Report {
    guard !quantities.isEmpty else { throw .usage("no quantity is asked for") }
    var material = try PlotMaterial(job: self)
    try material.gather(progress: progress)
    try await material.judge()
    let first = material.firstTime ?? 0
    let isRelative = options.startsAtZero || abs(first) > Self.latestStart
    var report = Report(figure: Figure([], style: style), log: material.log, notes: material.notes)
    report.timeOrigin = isRelative ? first : 0
    if isRelative, !options.startsAtZero {
      report.notes.append(
        "times count from the first sample, at \(first) s of the log's clock, as with --relative-time; so do --from and --to"
      )
    }
    let panels = PlotPanels(job: self, material: material, origin: report.timeOrigin)
    report.figure = try panels.figure()
    report.sampleCount = material.sampleCount
    return report
  }

  /// The filters, each with what the job fuses by.
  func fusions() throws(FusionError) -> [(name: String, options: FusionOptions)] {
    let names = filters.isEmpty ? [options.filter] : filters
    for (index, name) in names.enumerated() where names[..<index].contains(name) {
      throw .usage("the filter \(name) is named twice")
    }
    let kinds = try names.map(FilterKind.known)
    let settings = try settings.resolved(for: kinds)
    return zip(names, settings).map { name, settings in
      var own = options
      (own.filter, own.settings) = (name, settings)
      return (name, own)
    }
  }
}
