public import InertialJobs

/// What a report shows of a log.
public struct ReportOptions: Sendable {
  /// How the log is read and fused, as for a dataset; the filter is the first of `filters`.
  public var fusion = FusionOptions()
  /// The filter that is shown, and those that are compared with it.
  public var filters: [ConfiguredFilter]
  /// How filters are judged where the log has a reference, or one is given here.
  public var evaluation = EvaluationJob.Options()
  /// Whether the frame of `evaluation` was asked for; else one is chosen in which the log's filters can be judged.
  public var isFrameGiven = false
  /// Whether every sample is in the page; else as many as fit into its size.
  public var hasAllSamples = false
  /// The most bytes of a page that has not all samples.
  public var largestPage = 4_900_000
  /// The command that makes the same report, as the page's foot shows it; empty where there is none.
  public var command = ""
  /// Overwrite an existing report.
  public var force = false

  /// - Parameter filters: one or more.
  public init(filters: [ConfiguredFilter]) {
    precondition(!filters.isEmpty, "a report shows at least one filter")
    self.filters = filters
  }
}
