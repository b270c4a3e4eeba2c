public import Evaluation
internal import Gestures
public import MotionLogs
internal import Sensors

/// Judges shake detectors by labels, and by recordings in which nobody shakes.
public struct EventEvaluationJob: Sendable {
  public var inputs: [String]
  public var log = LogOptions()
  /// By name; `ShakeDetectorKind.all` lists them.
  public var detectors = ShakeDetectorKind.all.map(\.name)
  /// Of the detectors that have one, 0 to 1: a row for each; empty: one row at the default.
  public var sensitivities: [Double] = []
  /// nil: nobody shakes in any of the recordings.
  public var labels: EventLabels?
  /// The label of what is to be found.
  public var event = "shake"
  /// Seconds.
  public var window = 3.0

  public init(inputs: [String]) { self.inputs = inputs }

  /// One detector over all recordings.
  public struct Row: Sendable {
    public var detector: String
    /// nil: the default, or the detector has none.
    public var sensitivity: Double?
    public var score: EventScore
    /// Of the detector alone, over samples in memory; the least of the recordings.
    public var nanosecondsPerSample: Double
  }

  /// - Parameter progress: called with the share of the recordings that are judged, 0 to 1.
  public func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> [Row] {
    guard labels == nil || labels!.namesRecordings || inputs.count == 1 else {
      throw .usage("labels of several recordings need the column recording, with the name of each one's file or folder")
    }
    var rows: [Row] = []
    var fresh: [any GestureDetector] = []
    for name in detectors {
      let kind = try ShakeDetectorKind.known(name)
      for sensitivity in kind.hasSensitivity && !sensitivities.isEmpty ? sensitivities.map(Optional.some) : [nil] {
        var options = GestureOptions()
        // Every shake counts, of detectors that stop themselves as well.
        options.isOneShot = false
        fresh.append(try kind.detector(sensitivity: sensitivity, options: options))
        rows.append(
          Row(
            detector: name, sensitivity: sensitivity, score: EventScore(event: event, window: window),
            nanosecondsPerSample: .infinity))
      }
    }
    for (place, input) in inputs.enumerated() {
      progress(Double(place) / Double(inputs.count))
      var job = ShakeJob(input: input)
      job.log = log
      let samples = try job.samples()
      let stretches = labels?.stretches(of: input) ?? []
      for index in rows.indices {
        let (events, nanoseconds) = Self.events(of: fresh[index], in: samples)
        rows[index].score.add(labels: stretches, events: events, from: samples[0].time, to: samples.last!.time)
        rows[index].nanosecondsPerSample = min(rows[index].nanosecondsPerSample, nanoseconds)
      }
    }
    return rows
  }

  private static func events(
    of detector: any GestureDetector, in samples: [MotionSample]
  ) -> (events: [DetectedEvent], nanosecondsPerSample: Double) {
    var detector = detector
    var events: [DetectedEvent] = []
    var told = 0.0
    func note(_ event: GestureEvent?) {
      guard let event else { return }
      if event.phase == .began {
        told = event.time
      } else {
        events.append(DetectedEvent(start: event.start, end: event.end, told: told))
      }
    }
    let clock = ContinuousClock()
    let start = clock.now
    for sample in samples { note(detector.update(sample)) }
    note(detector.finish())
    let seconds = start.duration(to: clock.now) / .seconds(1)
    return (events, seconds * 1e9 / Double(samples.count))
  }
}
