internal import InertialFilters
public import InertialLogs
public import InertialRecognition
public import InertialSensors

/// Tells the activities of a log.
public struct ActivityJob: Sendable {
  /// File, folder, or "-" for standard input.
  public var input: String
  /// What only the user can know about the log.
  public var log = LogOptions()
  package var model = ActivityModel.builtIn
  package var parameters = ActivityClassifier.Parameters()
  /// Where the device is worn; nil: not known, and no posture is told.
  public var placement: PosturePlacement?
  /// What fuses a raw log.
  public var filter = FilterKind.standard

  /// A job for one log.
  public init(input: String) { self.input = input }

  /// The activities of a log.
  public struct Report: Sendable {
    /// What was read, and what was wrong with it.
    public var log: LogSummary
    /// nil for a log without acceleration.
    public var source: MotionSource?
    /// Time of the first and the last moment that the classifier was given, seconds.
    public var firstTime: Double?
    /// The last moment that the classifier was given, seconds.
    public var lastTime: Double?
    /// By all of the log: what a query of the past gives.
    public var segments: [MotionActivity] = []
    /// What the classifier told as the log went on, by what came before alone.
    public var updates: [MotionActivity] = []
    /// The falls, in order of time.
    public var falls: [FallEvent] = []
    /// Without gaps between them; nil without a placement.
    public var postures: [PostureSegment]?
  }

  /// - Parameter progress: called now and then with the share of the log that was read, 0 to 1.
  public func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    let fresh = ActivityPass(ActivityClassifier(model: model, parameters: parameters))
    var pass = fresh
    var body = BodyPass(placement: placement)
    var (first, last): (Double?, Double?) = (nil, nil)
    var updates: [MotionActivity] = []
    let (summary, source) = try feed.run(
      restart: {
        pass = fresh
        body = BodyPass(placement: placement)
        (first, last) = (nil, nil)
        updates.removeAll()
      }, progress: progress, auxiliary: { pass.add($0) },
      consume: { sample in
        first = first ?? sample.time
        last = sample.time
        body.update(sample)
        if let activity = pass.update(sample) { updates.append(activity) }
      })
    guard first != nil else { throw feed.nothing }
    _ = pass.finish()
    body.finish()
    return Report(
      log: summary, source: source, firstTime: first, lastTime: last, segments: pass.history.segments(),
      updates: updates,
      falls: body.falls, postures: body.postures)
  }

  /// What the classifier is given of the log, in memory, without what other channels tell.
  public func samples() throws(FusionError) -> [MotionSample] { try feed.samples() }

  private var feed: MotionSampleFeed {
    MotionSampleFeed(
      path: input, options: log, filter: filter, auxiliary: ActivityPass.channels,
      lack: "no acceleration; activities are told from an accelerometer's samples")
  }
}
