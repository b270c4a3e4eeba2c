package import Evaluation
package import MotionLogs
internal import Recognition
internal import Sensors

/// Judges shake detectors by labels, and by recordings in which nobody shakes.
package struct EventEvaluationJob: Sendable {
  package var inputs: [String]
  package var log = LogOptions()
  /// By name; `ShakeDetectorKind.all` lists them.
  package var detectors = ShakeDetectorKind.all.map(\.name)
  /// Parameters of the detectors.
  package var settings = ParameterSettings()
  /// Of the detectors that have one, 0 to 1: a row for each; empty: one row at the default or as `settings` has it.
  package var sensitivities: [Double] = []
  /// nil: nobody shakes in any of the recordings.
  package var labels: EventLabels?
  /// The label of what is to be found.
  package var event = "shake"
  /// Seconds.
  package var window = 3.0
  /// Whether each window is judged by itself, by a detector that has seen nothing before it and is told nothing after.
  package var judgesWindowsAlone = false

  package init(inputs: [String]) { self.inputs = inputs }

  /// One detector over all recordings.
  package struct Row: Sendable {
    package var detector: String
    /// nil: the default, or the detector has none.
    package var sensitivity: Double?
    package var score: EventScore
    /// What the detector alone takes, over all samples of all recordings, in memory.
    package var nanosecondsPerSample: Double { sampleCount > 0 ? nanoseconds / Double(sampleCount) : 0 }
    package internal(set) var nanoseconds = 0.0
    package internal(set) var sampleCount = 0
  }

  /// - Parameter progress: called with the share of the recordings that are judged, 0 to 1.
  package func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> [Row] {
    guard labels == nil || labels!.namesRecordings || inputs.count == 1 else {
      throw .usage("labels of several recordings need the column recording, with the name of each one's file or folder")
    }
    var rows: [Row] = []
    var fresh: [any GestureDetector] = []
    let kinds = try detectors.map { (name) throws(FusionError) in try ShakeDetectorKind.known(name) }
    for (kind, settings) in zip(kinds, try settings.resolved(for: kinds)) {
      for sensitivity in kind.hasSensitivity && !sensitivities.isEmpty ? sensitivities.map(Optional.some) : [nil] {
        var options = GestureOptions()
        // Every shake counts, of detectors that stop themselves as well.
        options.isOneShot = false
        var settings = settings
        if let sensitivity { settings["sensitivity"] = sensitivity }
        fresh.append(try kind.detector(settings, options: options))
        rows.append(
          Row(detector: kind.name, sensitivity: sensitivity, score: EventScore(event: event, window: window)))
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
        let touches = { (start: Double, end: Double) in Self.detects(fresh[index], in: samples, start, end) }
        rows[index].score.add(
          labels: stretches, events: events, from: samples[0].time, to: samples.last!.time,
          touches: judgesWindowsAlone ? touches : nil)
        rows[index].nanoseconds += nanoseconds
        rows[index].sampleCount += samples.count
      }
    }
    return rows
  }

  /// Whether a detector at its start detects anything in the samples from one time to another.
  private static func detects(
    _ fresh: any GestureDetector, in samples: [MotionSample], _ start: Double, _ end: Double
  ) -> Bool {
    // Half a microsecond: a stamp that is a rounding short of the start belongs to the window.
    let first = samples.partitioningIndex { $0.time >= start - 5e-7 }
    let last = samples.partitioningIndex { $0.time >= end - 5e-7 }
    var detector = fresh
    for index in first..<last { _ = detector.advance(samples[index]) }
    return detector.detections > 0
  }

  private static func events(
    of fresh: any GestureDetector, in samples: [MotionSample]
  ) -> (events: [DetectedEvent], nanoseconds: Double) {
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
    var detector = fresh
    for sample in samples { note(detector.update(sample)) }
    note(detector.finish())
    return (events, Self.nanoseconds(of: fresh, over: samples))
  }

  /// The lesser of two passes: what else the machine does only adds.
  private static func nanoseconds(of fresh: any GestureDetector, over samples: [MotionSample]) -> Double {
    let clock = ContinuousClock()
    var least = Double.infinity
    for _ in 0..<2 {
      var detector = fresh
      let start = clock.now
      for index in samples.indices { _ = detector.advance(samples[index]) }
      least = min(least, start.duration(to: clock.now) / .seconds(1) * 1e9)
    }
    return least
  }
}
