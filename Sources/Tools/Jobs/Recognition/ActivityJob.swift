public import InertialFilters
public import InertialLogs
public import InertialRecognition
public import InertialSensors
internal import InertialSystem

/// Classifies the activities in a log.
public struct ActivityJob: Sendable {
  /// File, folder, or "-" for standard input.
  public var input: String
  /// The properties of the log that only the user can specify.
  public var log = LogOptions()
  package var model = ActivityModel.builtIn
  package var parameters = ActivityClassifier.Parameters()
  /// Whether the result lists the causal activities instead of those from the whole log.
  package var isLive = false
  /// The placement of the device on the body, or `nil` if unknown; no postures are reported then.
  public var placement: PosturePlacement?
  /// The filter that fuses a raw log.
  public var filter = FilterKind.standard

  /// A job for one log.
  public init(input: String) { self.input = input }

  /// The activities of a log.
  public struct Report: Sendable {
    /// The contents of the log and its problems.
    public var log: LogSummary
    /// The source of the motion, or `nil` for a log without acceleration.
    public var source: MotionSource?
    /// The name of the model.
    package var model: String
    /// Whether the result lists `updates` instead of `segments`.
    package var isLive: Bool
    /// The timestamp of the first sample that the classifier received, in seconds.
    public var firstTime: Double
    /// The timestamp of the last sample that the classifier received, in seconds.
    public var lastTime: Double
    /// The activities from the whole log, as in a query of the past.
    public var segments: [MotionActivity] = []
    /// The causal activities, as the classifier reports them live.
    public var updates: [MotionActivity] = []
    /// The falls in chronological order.
    public var falls: [FallEvent] = []
    /// The postures, without gaps between them, or `nil` without a placement.
    public var postures: [PostureSegment]?

    /// The listed activities. A live one extends from the start of its activity to the time of its report.
    package var listed: [MotionActivity] { isLive ? updates : segments }
  }

  /// Classifies the log.
  ///
  /// - Parameter progress: Called periodically with the fraction of the log that has been read, 0...1.
  public func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    let fresh = ActivityPass(ActivityClassifier(model: model, parameters: parameters))
    let freshEstimator = placement.map { PostureEstimator(placement: $0) }
    var (pass, detector, estimator) = (fresh, FallDetector(), freshEstimator)
    var (updates, falls, postures): ([MotionActivity], [FallEvent], [PostureSegment]) = ([], [], [])
    let (summary, source, times) = try feed.runMotion(
      filter: filter,
      restart: {
        (pass, detector, estimator) = (fresh, FallDetector(), freshEstimator)
        (updates, falls, postures) = ([], [], [])
      }, progress: progress, auxiliary: { pass.add($0) },
      consume: { sample in
        if let fall = detector.update(sample) { falls.append(fall) }
        if let posture = estimator?.update(sample) { postures.append(posture) }
        if let activity = pass.update(sample) { updates.append(activity) }
      })
    guard let times else { throw nothing }
    _ = pass.finish()
    if let fall = detector.finish() { falls.append(fall) }
    if let posture = estimator?.finish() { postures.append(posture) }
    return Report(
      log: summary, source: source, model: model.name, isLive: isLive, firstTime: times.first,
      lastTime: times.last, segments: pass.history.segments(), updates: updates, falls: falls,
      postures: placement == nil ? nil : postures)
  }

  /// Returns the classifier's input from the log, without the samples of other channels.
  public func samples() throws(FusionError) -> [MotionSample] {
    try feed.motionSamples(filter: filter, orThrow: nothing)
  }

  private var feed: LogFeed { LogFeed(motionOf: input, options: log, auxiliary: ActivityPass.channels) }

  private var nothing: FusionError {
    .badData("\(input): the log has no acceleration; activity recognition needs accelerometer samples")
  }
}

extension ActivityJob.Report: Encodable {
  /// Encodes the document of `inertial activity --json`.
  public func encode(to encoder: any Encoder) throws {
    try EncodedObject([
      "input": log.description.path, "format": log.description.format, "source": source, "model": model,
      "firstTime": firstTime, "lastTime": lastTime, "segments": listed, "falls": falls, "posture": postures,
      "warnings": log.warnings,
    ]).encode(to: encoder)
  }
}
