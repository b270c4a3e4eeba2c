public import InertialJobs

/// The options of a report.
public struct ReportOptions: Sendable {
  /// The options for reading and fusing the log, as for a dataset; the filter is the first of `filters`.
  public var fusion = FusionOptions()
  /// Whether the recognitions of `fusion` were requested; otherwise those of a person are left out for a robot.
  package var isRecognitionGiven = false
  /// The filter that is shown, and the filters that are compared with it.
  public var filters: [ConfiguredFilter]
  /// The options for evaluating filters if the log has a reference, or one is given here.
  public var evaluation = EvaluationJob.Options()
  /// Whether the frame of `evaluation` was requested; otherwise a frame is chosen in which the log's filters can be
  /// evaluated.
  public var isFrameGiven = false
  /// The file or folder of a second recording, which is drawn in the same plots from its own start, or `nil` for none.
  public var overlay: String?
  /// The evaluation of the path if its reference is given: the map then shows the errors.
  package var track = TrackEvaluationJob()
  /// Whether the filter's innovations are drawn, with the range of three standard deviations.
  public var showsInnovations = false
  /// Whether the page contains every sample, instead of as many as its size permits.
  public var hasAllSamples = false
  /// The maximum size of a page that does not contain all samples, in bytes.
  public var largestPage = 4_900_000
  /// The command that generates the same report, shown in the page's footer; empty for none.
  public var command = ""
  /// Whether to overwrite an existing report.
  public var force = false

  /// Creates options.
  ///
  /// - Parameter filters: The filters, at least one.
  public init(filters: [ConfiguredFilter]) {
    precondition(!filters.isEmpty, "a report shows at least one filter")
    self.filters = filters
  }
}
