internal import InertialFilters
package import InertialJobs
package import InertialLogs
internal import InertialSystem

/// The plot of a log or a dataset as a publication figure.
package struct PlotJob: Sendable {
  /// The path of a file or folder, or "-" for standard input if one pass suffices.
  package var input: String
  /// The path and the format of the figure, which the caller writes.
  package var output = ""
  package var format = Figure.Format.svg
  /// The quantities, with one panel for each unit. Panels over time come first.
  package var quantities: [PlotQuantity]
  /// The names of the filters to compare; empty for the filter in `options`.
  package var filters: [String] = []
  /// The parameters of the filters, or of a single filter by its name.
  package var settings = ParameterSettings()
  /// The options for reading and fusing the log.
  package var options = FusionOptions()
  /// The reference for errors, and the options of the comparison.
  package var evaluation = EvaluationJob.Options()
  /// The first and the last displayed time on the log's clock, in seconds. With `options.startsAtZero` they are
  /// relative to the first sample.
  package var from: Double?
  package var to: Double?
  package var marks: [PlotMark] = []
  /// The half width of the band around an attitude, in the filter's standard deviations; 0 for no band.
  package var sigma = 1.0
  /// Whether angles are in radians, as in datasets, instead of degrees.
  package var isRadian = false
  /// Whether angles are unwrapped at full turns.
  package var unwraps = false
  package var style = Figure.Style()

  package init(input: String, quantities: [PlotQuantity]) { (self.input, self.quantities) = (input, quantities) }

  /// All input files.
  package var inputs: [String] {
    FusionJob(input: input, options: options).inputs + [evaluation.referencePath(of: input)].compactMap(\.self)
  }

  /// A figure and the messages about it.
  package struct Report: Sendable, Encodable {
    /// The job, with the input, the output and its format.
    package var job: PlotJob
    package var figure: Figure
    /// The summary of the log and its problems, or `nil` if a dataset's columns were drawn unchanged.
    package var log: LogSummary?
    /// Messages for the user.
    package var notes: [String] = []
    /// The log's time that is 0 on the axis, in seconds.
    package var timeOrigin = 0.0
    /// The number of drawn samples.
    package var sampleCount = 0

    /// Encodes the result, as the command `plot --json` prints it. The width is in millimetres.
    package func encode(to encoder: any Encoder) throws {
      let panels = figure.panels.map {
        EncodedObject(["x": $0.x.label, "y": $0.y.label, "series": $0.seriesNames])
      }
      let object = EncodedObject([
        "input": job.input, "output": job.output, "format": job.format.rawValue, "width": figure.style.width,
        "panels": panels, "samples": sampleCount, "timeOrigin": timeOrigin, "warnings": log?.warnings ?? [],
        "notes": notes,
      ])
      try object.encode(to: encoder)
    }
  }

  /// The time above which a first sample is a date, in seconds. Times are then relative to the first sample.
  private static let latestStart = 1e5

  /// - Parameter progress: Called periodically with the completed fraction, 0...1.
  package func run(progress: (Double) -> Void = { _ in }) async throws(FusionError) -> Report {
    guard !quantities.isEmpty else { throw .usage("no quantity is listed") }
    var material = try PlotData(job: self)
    try material.gather(progress: progress)
    try await material.judge()
    let first = material.firstTime ?? 0
    let isRelative = options.startsAtZero || abs(first) > Self.latestStart
    var report = Report(job: self, figure: Figure([], style: style), log: material.log, notes: material.notes)
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

  /// Returns the filters and the fusion options of each.
  func fusions() throws(FusionError) -> [(name: String, options: FusionOptions)] {
    let names = filters.isEmpty ? [options.filter] : filters
    for (index, name) in names.enumerated() where names[..<index].contains(name) {
      throw .usage("the filter \(name) is named twice")
    }
    let kinds = try names.map(options.filterRegistry.requested)
    let settings = try settings.resolved(for: kinds, of: options.filterRegistry)
    return zip(names, settings).map { name, settings in
      var own = options
      (own.filter, own.settings) = (name, settings)
      return (name, own)
    }
  }
}

extension Figure.Panel {
  /// The names of the lines and points; points with labels are named by these.
  package var seriesNames: [String] {
    lines.map(\.name) + points.flatMap { $0.labels.isEmpty ? [$0.name] : $0.labels }
  }
}
