public import InertialFilters
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
  /// The names of the detectors in `detectorRegistry`.
  public var detectors = [ShakeDetectorKind.standard.name]
  /// The detectors that can be named: the built-in ones, and those that a program adds.
  public var detectorRegistry = ShakeDetectorKind.all
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
    let kinds = try detectors.map(detectorRegistry.requested)
    let fresh = try zip(kinds, try settings.resolved(for: kinds, of: detectorRegistry)).map {
      (kind, settings) throws(FusionError) in
      try kind.detector(settings, options: gestures)
    }
    var (current, phases) = (fresh, [GestureEvent]())
    let (summary, source, times) = try feed.runMotion(
      filter: filter, restart: { (current, phases) = (fresh, []) }, progress: progress,
      consume: { sample in
        for index in current.indices {
          if let event = current[index].update(sample) { phases.append(event) }
        }
      })
    for index in current.indices {
      if let event = current[index].finish() { phases.append(event) }
    }
    guard let times else { throw nothing }
    return Report(
      log: summary, source: source, detectors: detectors, firstTime: times.first, lastTime: times.last,
      gestures: phases.filter { $0.phase != .began }.sorted { $0.start < $1.start }, phases: phases,
      detections: Dictionary(current.map { ($0.name, $0.detections) }) { $1 })
  }

  /// Returns the detectors' input from the log.
  public func samples() throws(FusionError) -> [MotionSample] {
    try feed.motionSamples(filter: filter, orThrow: nothing)
  }

  private var feed: LogFeed { LogFeed(motionOf: input, options: log) }

  private var nothing: FusionError {
    .badData("\(input): the log has no acceleration; shake detection needs accelerometer samples")
  }
}

extension ShakeJob {
  /// Sets the sensitivity of the reference detector, if it is requested; it has no effect on other detectors.
  ///
  /// - Throws: ``FusionError`` if the settings contain the sensitivity, too.
  package mutating func set(sensitivity: Double?) throws(FusionError) {
    guard let sensitivity, detectors.contains(ReferenceRule.name) else { return }
    guard settings.own[ReferenceRule.name, default: [:]].updateValue(sensitivity, forKey: "sensitivity") == nil,
      settings.common["sensitivity"] == nil
    else { throw .usage("--sensitivity and --set sensitivity are the same; give one of them") }
  }

  /// - Throws: ``FusionError`` if the maximum duration of a shake, in seconds, is not positive.
  package static func checkDuration(_ duration: Double?) throws(FusionError) {
    if let duration, !(duration > 0) { throw .usage("--maximum-duration takes seconds above 0, not \(duration)") }
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
  /// Returns the names of detectors; "all" alone stands for all.
  package static func names(_ names: [String]) -> [String] { names == ["all"] ? all.map(\.name) : names }

  /// Returns a detector of this kind with a user's settings.
  func detector(
    _ settings: [String: Double], options: GestureOptions = GestureOptions()
  ) throws(FusionError) -> any GestureDetector {
    do throws(SettingError) { return try make(settings, options: options) } catch { throw FusionError(error) }
  }
}
