package import InertialEvaluation
package import InertialLogs
internal import InertialRecognition
internal import InertialSensors
package import InertialSystem

/// Evaluates shake detectors or the fall detector against labels, and on recordings without events.
package struct EventEvaluationJob: Sendable {
  package var inputs: [String]
  /// Whether the fall detector is evaluated instead of shake detectors.
  package var detectsFalls = false
  package var log = LogOptions()
  /// The names of the shake detectors; `ShakeDetectorKind.all` lists them.
  package var detectors = ShakeDetectorKind.all.map(\.name)
  /// Parameters of the shake detectors.
  package var settings = ParameterSettings()
  /// The sensitivities, 0...1, one row per value. If empty, one row with the default or the value in `settings`.
  package var sensitivities: [Double] = []
  /// The labels, or `nil` if no recording contains events.
  package var labels: EventLabels?
  /// The label of the events to detect.
  package var event = "shake"
  /// The duration of a window, in seconds.
  package var window = 3.0
  /// The maximum distance between a label and a matching event, in seconds.
  package var tolerance = 1.0
  /// Whether each window is evaluated alone, by a detector that receives no other samples.
  package var judgesWindowsAlone = false

  package init(inputs: [String]) { self.inputs = inputs }

  /// The score of one detector over all recordings.
  package struct Row: Sendable {
    package var detector: String
    /// The sensitivity, or `nil` for the default or a detector without one.
    package var sensitivity: Double?
    package var score: EventScore
    /// The cost of the detector alone, over all samples of all recordings, in memory.
    package var nanosecondsPerSample: Double { sampleCount > 0 ? nanoseconds / Double(sampleCount) : 0 }
    package internal(set) var nanoseconds = 0.0
    package internal(set) var sampleCount = 0
  }

  /// Evaluates the detectors.
  ///
  /// - Parameter progress: Called with the fraction of the recordings that have been evaluated, 0...1.
  /// - Returns: The scores, with one row per detector and sensitivity.
  package func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> [Row] {
    try labels?.check(inputs)
    let contenders = try detectsFalls ? fallDetectors : shakeDetectors()
    var rows = contenders.map { contender in
      Row(
        detector: contender.name, sensitivity: contender.sensitivity,
        score: EventScore(event: event, window: window, tolerance: tolerance))
    }
    for (position, input) in inputs.enumerated() {
      progress(Double(position) / Double(inputs.count))
      let samples = try samples(of: input)
      let stretches = labels?.stretches(of: input) ?? []
      for (index, contender) in contenders.enumerated() {
        let (events, nanoseconds) = contender.events(samples)
        let touches = { (start: Double, end: Double) in contender.detects(Self.cut(samples, start, end)) }
        rows[index].score.add(
          labels: stretches, events: events, from: samples[0].time, to: samples.last!.time,
          touches: judgesWindowsAlone ? touches : nil)
        rows[index].nanoseconds += nanoseconds
        rows[index].sampleCount += samples.count
      }
    }
    return rows
  }

  /// Returns the document of `inertial evaluate-events --json`.
  package func document(of rows: [Row]) -> EncodedObject {
    EncodedObject([
      "task": detectsFalls ? "falls" : "shake", "event": event, "logs": inputs.count, "detectors": rows,
    ])
  }

  /// A detector to evaluate, which starts over for each recording and each window.
  ///
  /// `detects` returns whether a new detector detects an event within the samples, before it is finished.
  private typealias Candidate = (
    name: String, sensitivity: Double?,
    events: ([MotionSample]) -> (events: [DetectedEvent], nanoseconds: Double),
    detects: (ArraySlice<MotionSample>) -> Bool
  )

  private func samples(of input: String) throws(FusionError) -> [MotionSample] {
    if detectsFalls {
      var job = ActivityJob(input: input)
      job.log = log
      return try job.samples()
    }
    var job = ShakeJob(input: input)
    job.log = log
    return try job.samples()
  }

  private func shakeDetectors() throws(FusionError) -> [Candidate] {
    var contenders: [Candidate] = []
    let kinds = try detectors.map(ShakeDetectorKind.all.requested)
    for (kind, settings) in zip(kinds, try settings.resolved(for: kinds, of: ShakeDetectorKind.all)) {
      for sensitivity in kind.hasSensitivity && !sensitivities.isEmpty ? sensitivities.map(Optional.some) : [nil] {
        var options = GestureOptions()
        // Every shake counts, even for detectors that stop after the first.
        options.isOneShot = false
        var settings = settings
        if let sensitivity { settings["sensitivity"] = sensitivity }
        let fresh = try kind.detector(settings, options: options)
        contenders.append((kind.name, sensitivity, { Self.events(of: fresh, in: $0) }, { Self.detects(fresh, in: $0) }))
      }
    }
    return contenders
  }

  private var fallDetectors: [Candidate] {
    (sensitivities.isEmpty ? [nil] : sensitivities.map(Optional.some)).map { sensitivity in
      var parameters = FallDetector.Parameters()
      if let sensitivity { parameters.sensitivity = sensitivity }
      let fresh = FallDetector(parameters: parameters)
      return (
        "falls", sensitivity, { Self.events(of: fresh, in: $0) },
        { samples in
          var detector = fresh
          return samples.contains { detector.update($0) != nil }
        }
      )
    }
  }

  /// Returns the samples of an interval.
  private static func cut(_ samples: [MotionSample], _ start: Double, _ end: Double) -> ArraySlice<MotionSample> {
    // Half a microsecond: a timestamp just before the start, because of rounding, belongs to the window.
    let first = samples.partitioningIndex { $0.time >= start - 5e-7 }
    let last = samples.partitioningIndex { $0.time >= end - 5e-7 }
    return samples[first..<max(first, last)]
  }

  private static func detects(_ fresh: any GestureDetector, in samples: ArraySlice<MotionSample>) -> Bool {
    var detector = fresh
    for sample in samples { _ = detector.advance(sample) }
    return detector.detections > 0
  }

  private static func events(
    of fresh: FallDetector, in samples: [MotionSample]
  ) -> (events: [DetectedEvent], nanoseconds: Double) {
    var events: [DetectedEvent] = []
    func note(_ fall: FallEvent?, at time: Double) {
      if let fall { events.append(DetectedEvent(start: fall.start, end: fall.end, reportTime: time)) }
    }
    var detector = fresh
    let duration = ContinuousClock().measure {
      for sample in samples { note(detector.update(sample), at: sample.time) }
    }
    if let last = samples.last { note(detector.finish(), at: last.time) }
    return (events, duration / .seconds(1) * 1e9)
  }

  private static func events(
    of fresh: any GestureDetector, in samples: [MotionSample]
  ) -> (events: [DetectedEvent], nanoseconds: Double) {
    var events: [DetectedEvent] = []
    var reportTime = 0.0
    func note(_ event: GestureEvent?) {
      guard let event else { return }
      if event.phase == .began {
        reportTime = event.time
      } else {
        events.append(DetectedEvent(start: event.start, end: event.end, reportTime: reportTime))
      }
    }
    var detector = fresh
    for sample in samples { note(detector.update(sample)) }
    note(detector.finish())
    return (events, Self.nanoseconds(of: fresh, over: samples))
  }

  /// Returns the minimum of two runs, as other processes only add time.
  private static func nanoseconds(of fresh: any GestureDetector, over samples: [MotionSample]) -> Double {
    var minimum = Double.infinity
    for _ in 0..<2 {
      var detector = fresh
      let duration = ContinuousClock().measure { for sample in samples { _ = detector.advance(sample) } }
      minimum = min(minimum, duration / .seconds(1) * 1e9)
    }
    return minimum
  }
}

extension EventEvaluationJob.Row: Encodable {
  /// Encodes the counts and rates of the score, with confidence intervals and bounds at 95 %.
  package func encode(to encoder: any Encoder) throws {
    try EncodedObject([
      "detector": detector, "sensitivity": sensitivity, "stretches": score.stretches, "found": score.found,
      "detectionRate": score.detectionRate,
      "detectionInterval": score.detectionInterval.map { [$0.lowerBound, $0.upperBound] },
      "medianDelay": score.medianDelay, "delay90": score.lateDelay, "falseAlarms": score.falseAlarms,
      "hours": score.otherTime / 3600, "falseAlarmsPerHour": score.falseAlarmsPerHour,
      "falseAlarmsPerHourBound": score.falseAlarmBound, "windows": score.windows,
      "matches": score.stretches > 0 ? score.matches : nil, "samples": sampleCount,
      "nanosecondsPerSample": nanosecondsPerSample,
    ]).encode(to: encoder)
  }
}
