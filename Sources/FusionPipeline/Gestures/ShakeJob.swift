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
    let kind = try FilterKind.known(filter)
    var feed = LogFeed(path: input, options: log)
    feed.neededChannels = []
    var pass: ShakePass?
    let summary = try feed.run(
      start: { (_) throws(FusionError) in
        // A second start means that the samples come again in better order.
        pass = ShakePass(
          stage: GestureStage(estimator: try kind.estimator([:], .init(), smooths: false)), detectors: fresh)
      },
      progress: progress,
      consume: { (sample) throws(FusionError) in pass?.append(sample) })
    pass?.finish()
    guard let pass, let first = pass.firstTime else {
      throw .badData("\(input): the log has no acceleration; shakes are found in an accelerometer's samples")
    }
    var report = Report(log: summary, source: pass.source, firstTime: first, lastTime: pass.lastTime)
    report.gestures = pass.gestures.sorted { $0.start < $1.start }
    for detector in pass.detectors { report.detections[detector.name] = detector.detections }
    return report
  }

  private func detector(_ name: String) throws(FusionError) -> any GestureDetector {
    guard let kind = ShakeDetectorKind.named(name) else {
      throw .usage(
        "there is no detector '\(name)'; there are \(ShakeDetectorKind.all.map(\.name).joined(separator: ", "))")
    }
    do throws(ShakeSettingError) {
      return try kind.make(
        kind.hasSensitivity ? sensitivity.map { ["sensitivity": $0] } ?? [:] : [:], options: gestures)
    } catch {
      throw .usage(error.description)
    }
  }
}

/// One reading of a log.
private struct ShakePass {
  private var stage: GestureStage
  private(set) var detectors: [any GestureDetector]
  private(set) var gestures: [GestureEvent] = []
  private(set) var firstTime: Double?
  private(set) var lastTime: Double?
  private var lowPass = VectorExponentialLowPass(timeConstant: 0.5)

  init(stage: GestureStage, detectors: [any GestureDetector]) {
    self.stage = stage
    self.detectors = detectors
  }

  var source: GestureSource? { stage.source }

  mutating func append(_ sample: SensorSample) {
    var ready: [GestureSample] = []
    stage.append(sample) { ready.append($0) }
    for sample in ready { give(sample) }
  }

  mutating func finish() {
    var ready: [GestureSample] = []
    stage.finish { ready.append($0) }
    for sample in ready { give(sample) }
    for index in detectors.indices { note(detectors[index].finish()) }
  }

  private mutating func give(_ sample: GestureSample) {
    var sample = sample
    if sample.userAcceleration == nil, let acceleration = sample.acceleration {
      sample.userAcceleration =
        acceleration - lowPass.update(acceleration, after: sample.time - (lastTime ?? sample.time))
    }
    firstTime = firstTime ?? sample.time
    lastTime = sample.time
    for index in detectors.indices { note(detectors[index].update(sample)) }
  }

  private mutating func note(_ event: GestureEvent?) {
    if let event, event.phase != .began { gestures.append(event) }
  }
}
