internal import InertialFilters
public import InertialLogs
public import InertialRecognition
internal import InertialRotations
public import InertialSensors
internal import InertialSystem

/// Detects the shakes in a log with one or more detectors.
public struct ShakeJob: Sendable {
  /// File, folder, or "-" for standard input.
  public var input: String
  /// The properties of the log that only the user can specify.
  public var log = LogOptions()
  /// The names of the detectors; `ShakeDetectorKind.all` lists them.
  package var detectors = [ShakeDetectorKind.standard]
  /// The parameters of the detectors; `sensitivity` belongs to the reference detector.
  public var settings = ParameterSettings()
  /// The quiet time, the minimum interval and the maximum duration of a gesture.
  public var gestures = GestureOptions()
  /// The filter that fuses a raw log.
  public var filter = FilterKind.standard

  /// A job for one log.
  public init(input: String) { self.input = input }

  /// The shakes of a log.
  public struct Report: Sendable {
    /// The contents of the log and its problems.
    public var log: LogSummary
    /// The source of the motion, or `nil` for a log without acceleration.
    public var source: MotionSource?
    /// The names of the detectors in the order of the request.
    package var detectors: [String]
    /// The timestamp of the first sample that the detectors received, in seconds.
    public var firstTime: Double
    /// The timestamp of the last sample that the detectors received, in seconds.
    public var lastTime: Double
    /// All gestures in their final state, sorted by start; those with the same start have the order of the detectors.
    public var gestures: [GestureEvent] = []
    /// All beginnings, ends and cancellations, sorted by the time of detection.
    public var phases: [GestureEvent] = []
    /// The number of samples at which the rule of a detector reported a shake.
    public var detections: [String: Int] = [:]
  }

  /// Detects the shakes.
  ///
  /// - Parameter progress: Called periodically with the fraction of the log that has been read, 0...1.
  public func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    let kinds = try detectors.map { (name) throws(FusionError) in try ShakeDetectorKind.known(name) }
    let fresh = try zip(kinds, try settings.resolved(for: kinds)).map { (kind, settings) throws(FusionError) in
      try kind.detector(settings, options: gestures)
    }
    var pass = ShakePass(detectors: fresh)
    let (summary, source) = try feed.run(
      restart: { pass = ShakePass(detectors: fresh) }, progress: progress, consume: { pass.give($0) })
    pass.finish()
    guard let first = pass.firstTime, let last = pass.lastTime else { throw feed.nothing }
    var report = Report(log: summary, source: source, detectors: detectors, firstTime: first, lastTime: last)
    report.gestures = pass.phases.filter { $0.phase != .began }.sorted { $0.start < $1.start }
    report.phases = pass.phases
    for detector in pass.detectors { report.detections[detector.name] = detector.detections }
    return report
  }

  /// Returns the detectors' input from the log.
  public func samples() throws(FusionError) -> [MotionSample] { try feed.samples() }

  private var feed: MotionSampleFeed {
    MotionSampleFeed(
      path: input, options: log, filter: filter,
      lack: "no acceleration; shake detection needs accelerometer samples")
  }
}

extension ShakeJob.Report: Encodable {
  /// Encodes the document of `inertial shake --json`.
  public func encode(to encoder: any Encoder) throws {
    let events = gestures.map { event in
      EncodedObject([
        "start": event.start, "end": event.end, "phase": event.phase, "status": event.phase.shakeStatusName,
        "method": event.phase.motionMethodName, "detector": event.detector, "score": event.score,
        "axis": [event.axis.x, event.axis.y, event.axis.z], "count": event.count,
        "reason": event.reason.map(Self.object),
      ])
    }
    let phases = phases.map { event in
      EncodedObject([
        "time": event.time, "detector": event.detector, "phase": event.phase, "status": event.phase.shakeStatusName,
        "method": event.phase.motionMethodName, "count": event.count,
      ])
    }
    try EncodedObject([
      "input": log.description.path, "format": log.description.format, "source": source, "firstTime": firstTime,
      "lastTime": lastTime, "events": events, "phases": phases, "detections": detections, "warnings": log.warnings,
    ]).encode(to: encoder)
  }

  private static func object(_ reason: ShakeReason) -> EncodedObject {
    EncodedObject([
      "frequency": reason.frequency, "reversals": reason.reversals, "displacement": reason.displacement,
      "energy": reason.energy, "axisShare": reason.axisFraction, "periodicity": reason.periodicity,
      "rotationPeriodicity": reason.rotationPeriodicity,
    ])
  }
}

extension ShakeDetectorKind {
  /// Returns the detector with a name given by a user.
  public static func known(_ name: String) throws(FusionError) -> ShakeDetectorKind {
    guard let kind = named(name) else {
      throw .usage("there is no detector '\(name)'; there are \(all.map(\.name).joined(separator: ", "))")
    }
    return kind
  }

  /// Returns a detector of this kind with a user's settings.
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

/// Runs the detectors over a log.
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
