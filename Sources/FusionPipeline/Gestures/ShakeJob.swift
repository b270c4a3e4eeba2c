internal import AttitudeFilters
internal import DeviceMotionEstimation
public import Gestures
internal import LinearAlgebra
public import MotionLogs
internal import Sensors
internal import Signals

/// Finds the shakes of a log with one or more detectors.
public struct ShakeJob: Sendable {
  /// File, folder, or "-" for standard input.
  public var input: String
  public var log = LogOptions()
  /// Detectors by name; `ShakeDetectorKind.all` lists them.
  public var detectors = [ShakeDetectorKind.standard]
  /// Of the detectors that have one, 0 to 1; nil: their default.
  public var sensitivity: Double?
  public var gestures = GestureOptions()
  /// What fuses a raw log.
  public var filter = FilterKind.standard

  public init(input: String) { self.input = input }

  public struct Report: Sendable {
    public var log: LogSummary
    /// nil for a log without acceleration.
    public var source: GestureSource?
    /// Time of the first and the last moment that detectors were given, seconds.
    public var firstTime: Double?
    public var lastTime: Double?
    /// Every gesture in its final state, in order of its start; those of one start in the order of the detectors.
    public var gestures: [GestureEvent] = []
    /// Samples that a detector's rule reported a shake with.
    public var detections: [String: Int] = [:]
  }

  /// - Parameter progress: called now and then with the share of the log that was read, 0 to 1.
  public func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    let fresh = try detectors.map { (name) throws(FusionError) in try detector(name) }
    var pass = ShakePass(detectors: fresh)
    let (summary, source) = try read(
      restart: { pass = ShakePass(detectors: fresh) }, progress: progress, consume: { pass.give($0) })
    pass.finish()
    guard let first = pass.firstTime else { throw noAcceleration }
    var report = Report(log: summary, source: source, firstTime: first, lastTime: pass.lastTime)
    report.gestures = pass.gestures.sorted { $0.start < $1.start }
    for detector in pass.detectors { report.detections[detector.name] = detector.detections }
    return report
  }

  /// What detectors are given of the log, in memory.
  public func samples() throws(FusionError) -> [GestureSample] {
    var samples: [GestureSample] = []
    _ = try read(restart: { samples.removeAll() }, consume: { samples.append($0) })
    guard !samples.isEmpty else { throw noAcceleration }
    return samples
  }

  private var noAcceleration: FusionError {
    .badData("\(input): the log has no acceleration; shakes are found in an accelerometer's samples")
  }

  /// Reads the log and hands on what detectors take; `restart` is called where the samples come again in better order.
  private func read(
    restart: () -> Void, progress: (Double) -> Void = { _ in }, consume: (GestureSample) -> Void
  ) throws(FusionError) -> (LogSummary, GestureSource?) {
    let kind = try FilterKind.known(filter)
    var feed = LogFeed(path: input, options: log)
    feed.neededChannels = []
    var stage: GestureStage?
    var gravity = GravityLowPass()
    var ready: [GestureSample] = []
    let summary = try feed.run(
      start: { (_) throws(FusionError) in
        if stage != nil { restart() }
        stage = GestureStage(estimator: try kind.estimator([:], .init(), smooths: false))
        gravity = GravityLowPass()
      },
      progress: progress,
      consume: { (sample) throws(FusionError) in
        stage?.append(sample) { ready.append($0) }
        for sample in ready { consume(gravity.completed(sample)) }
        ready.removeAll(keepingCapacity: true)
      })
    stage?.finish { ready.append($0) }
    for sample in ready { consume(gravity.completed(sample)) }
    return (summary, stage?.source)
  }

  private func detector(_ name: String) throws(FusionError) -> any GestureDetector {
    let kind = try ShakeDetectorKind.known(name)
    return try kind.detector(sensitivity: kind.hasSensitivity ? sensitivity : nil, options: gestures)
  }
}

extension ShakeDetectorKind {
  /// The detector of a name that a user gave.
  static func known(_ name: String) throws(FusionError) -> ShakeDetectorKind {
    guard let kind = named(name) else {
      throw .usage("there is no detector '\(name)'; there are \(all.map(\.name).joined(separator: ", "))")
    }
    return kind
  }

  /// A detector of this kind, at its default sensitivity where none is given.
  func detector(sensitivity: Double?, options: GestureOptions) throws(FusionError) -> any GestureDetector {
    do throws(ShakeSettingError) {
      return try make(sensitivity.map { ["sensitivity": $0] } ?? [:], options: options)
    } catch {
      throw .usage(error.description)
    }
  }
}

/// Takes gravity off where nothing better does, by a low-pass of half a second.
private struct GravityLowPass {
  private var lowPass = VectorExponentialLowPass(timeConstant: 0.5)
  private var lastTime: Double?

  mutating func completed(_ sample: GestureSample) -> GestureSample {
    defer { lastTime = sample.time }
    guard sample.userAcceleration == nil, let acceleration = sample.acceleration else { return sample }
    var sample = sample
    let gravity = lowPass.update(acceleration, after: sample.time - (lastTime ?? sample.time))
    sample.userAcceleration = acceleration - gravity
    return sample
  }
}

/// The detectors over a log.
private struct ShakePass {
  private(set) var detectors: [any GestureDetector]
  private(set) var gestures: [GestureEvent] = []
  private(set) var firstTime: Double?
  private(set) var lastTime: Double?

  init(detectors: [any GestureDetector]) { self.detectors = detectors }

  mutating func give(_ sample: GestureSample) {
    firstTime = firstTime ?? sample.time
    lastTime = sample.time
    for index in detectors.indices { note(detectors[index].update(sample)) }
  }

  mutating func finish() {
    for index in detectors.indices { note(detectors[index].finish()) }
  }

  private mutating func note(_ event: GestureEvent?) {
    if let event, event.phase != .began { gestures.append(event) }
  }
}
