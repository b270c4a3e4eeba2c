internal import InertialFilters
public import InertialLogs
public import InertialRecognition
public import InertialSensors

/// Finds the shakes of a log with one or more detectors.
public struct ShakeJob: Sendable {
  /// File, folder, or "-" for standard input.
  public var input: String
  /// What only the user can know about the log.
  public var log = LogOptions()
  /// Detectors by name; `ShakeDetectorKind.all` lists them.
  public var detectors = [ShakeDetectorKind.standard]
  /// Parameters of the detectors; `sensitivity` is the reference detector's.
  public var settings = ParameterSettings()
  /// Quiet time, least interval and longest duration of a gesture.
  public var gestures = GestureOptions()
  /// What fuses a raw log.
  public var filter = FilterKind.standard

  /// A job for one log.
  public init(input: String) { self.input = input }

  /// The shakes of a log.
  public struct Report: Sendable {
    /// What was read, and what was wrong with it.
    public var log: LogSummary
    /// nil for a log without acceleration.
    public var source: MotionSource?
    /// Time of the first and the last moment that detectors were given, seconds.
    public var firstTime: Double?
    /// The last moment that detectors were given, seconds.
    public var lastTime: Double?
    /// Every gesture in its final state, in order of its start; those of one start in the order of the detectors.
    public var gestures: [GestureEvent] = []
    /// Every beginning, end and cancellation, in order of the time at which it was known.
    public var phases: [GestureEvent] = []
    /// Samples that a detector's rule reported a shake with.
    public var detections: [String: Int] = [:]
  }

  /// - Parameter progress: called now and then with the share of the log that was read, 0 to 1.
  public func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    let kinds = try detectors.map { (name) throws(FusionError) in try ShakeDetectorKind.known(name) }
    let fresh = try zip(kinds, try settings.resolved(for: kinds)).map { (kind, settings) throws(FusionError) in
      try kind.detector(settings, options: gestures)
    }
    var pass = ShakePass(detectors: fresh)
    let (summary, source) = try feed.run(
      restart: { pass = ShakePass(detectors: fresh) }, progress: progress, consume: { pass.give($0) })
    pass.finish()
    guard let first = pass.firstTime else { throw feed.nothing }
    var report = Report(log: summary, source: source, firstTime: first, lastTime: pass.lastTime)
    report.gestures = pass.phases.filter { $0.phase != .began }.sorted { $0.start < $1.start }
    report.phases = pass.phases
    for detector in pass.detectors { report.detections[detector.name] = detector.detections }
    return report
  }

  /// What detectors are given of the log, in memory.
  public func samples() throws(FusionError) -> [MotionSample] { try feed.samples() }

  private var feed: MotionSampleFeed {
    MotionSampleFeed(
      path: input, options: log, filter: filter,
      lack: "no acceleration; shakes are found in an accelerometer's samples")
  }
}

extension ShakeDetectorKind {
  /// The detector of a name that a user gave.
  public static func known(_ name: String) throws(FusionError) -> ShakeDetectorKind {
    guard let kind = named(name) else {
      throw .usage("there is no detector '\(name)'; there are \(all.map(\.name).joined(separator: ", "))")
    }
    return kind
  }

  /// A detector of this kind with a user's settings.
  func detector(
    _ settings: [String: Double], options: GestureOptions = GestureOptions()
  ) throws(FusionError) -> any GestureDetector {
    do throws(ShakeSettingError) {
      return try make(settings, options: options)
    } catch {
      throw .usage(error.description)
    }
  }
}

/// The detectors over a log.
private struct ShakePass {
  private(set) var detectors: [any GestureDetector]
  private(set) var phases: [GestureEvent] = []
  private(set) var firstTime: Double?
  private(set) var lastTime: Double?

  init(detectors: [any GestureDetector]) { self.detectors = detectors }

  mutating func give(_ sample: MotionSample) {
    firstTime = firstTime ?? sample.time
    lastTime = sample.time
    for index in detectors.indices { note(detectors[index].update(sample)) }
  }

  mutating func finish() {
    for index in detectors.indices { note(detectors[index].finish()) }
  }

  private mutating func note(_ event: GestureEvent?) {
    if let event { phases.append(event) }
  }
}
