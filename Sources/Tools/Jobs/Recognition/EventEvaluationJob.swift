package import InertialEvaluation
package import InertialLogs
internal import InertialRecognition
internal import InertialSensors

/// Judges shake detectors or the fall detector by labels, and by recordings in which there is nothing to be found.
package struct EventEvaluationJob: Sendable {
  /// What is looked for.
  package enum Task: Sendable {
    case shakes
    case falls
  }

  package var inputs: [String]
  package var task = Task.shakes
  package var log = LogOptions()
  /// Of shakes, by name; `ShakeDetectorKind.all` lists them.
  package var detectors = ShakeDetectorKind.all.map(\.name)
  /// Parameters of the shake detectors.
  package var settings = ParameterSettings()
  /// Of the detectors that have one, 0 to 1: a row for each; empty: one row at the default or as `settings` has it.
  package var sensitivities: [Double] = []
  /// nil: there is nothing to be found in any of the recordings.
  package var labels: EventLabels?
  /// The label of what is to be found.
  package var event = "shake"
  /// Seconds.
  package var window = 3.0
  /// Seconds between a label and an event that still belong together.
  package var tolerance = 1.0
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
    let contenders = try task == .falls ? fallDetectors : shakeDetectors()
    var rows = contenders.map { contender in
      Row(
        detector: contender.name, sensitivity: contender.sensitivity,
        score: EventScore(event: event, window: window, tolerance: tolerance))
    }
    for (place, input) in inputs.enumerated() {
      progress(Double(place) / Double(inputs.count))
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

  /// What is judged: a detector that begins anew for each recording and each window.
  private struct Contender {
    var name: String
    var sensitivity: Double?
    var events: ([MotionSample]) -> (events: [DetectedEvent], nanoseconds: Double)
    /// Whether it detects anything in samples of which it has seen nothing before, without being told that they end.
    var detects: (ArraySlice<MotionSample>) -> Bool
  }

  private func samples(of input: String) throws(FusionError) -> [MotionSample] {
    switch task {
    case .shakes:
      var job = ShakeJob(input: input)
      job.log = log
      return try job.samples()
    case .falls:
      var job = ActivityJob(input: input)
      job.log = log
      return try job.samples()
    }
  }

  private func shakeDetectors() throws(FusionError) -> [Contender] {
    var contenders: [Contender] = []
    let kinds = try detectors.map { (name) throws(FusionError) in try ShakeDetectorKind.known(name) }
    for (kind, settings) in zip(kinds, try settings.resolved(for: kinds)) {
      for sensitivity in kind.hasSensitivity && !sensitivities.isEmpty ? sensitivities.map(Optional.some) : [nil] {
        var options = GestureOptions()
        // Every shake counts, of detectors that stop themselves as well.
        options.isOneShot = false
        var settings = settings
        if let sensitivity { settings["sensitivity"] = sensitivity }
        let fresh = try kind.detector(settings, options: options)
        contenders.append(
          Contender(
            name: kind.name, sensitivity: sensitivity, events: { Self.events(of: fresh, in: $0) },
            detects: { Self.detects(fresh, in: $0) }))
      }
    }
    return contenders
  }

  private var fallDetectors: [Contender] {
    (sensitivities.isEmpty ? [nil] : sensitivities.map(Optional.some)).map { sensitivity in
      var parameters = FallDetector.Parameters()
      if let sensitivity { parameters.sensitivity = sensitivity }
      let fresh = FallDetector(parameters: parameters)
      return Contender(
        name: "falls", sensitivity: sensitivity, events: { Self.events(of: fresh, in: $0) },
        detects: { samples in
          var detector = fresh
          return samples.contains { detector.update($0) != nil }
        })
    }
  }

  /// The samples from one time to another.
  private static func cut(_ samples: [MotionSample], _ start: Double, _ end: Double) -> ArraySlice<MotionSample> {
    // Half a microsecond: a stamp that is a rounding short of the start belongs to the window.
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
      if let fall { events.append(DetectedEvent(start: fall.start, end: fall.end, told: time)) }
    }
    var detector = fresh
    let clock = ContinuousClock()
    let start = clock.now
    for sample in samples { note(detector.update(sample), at: sample.time) }
    let duration = start.duration(to: clock.now) / .seconds(1) * 1e9
    if let last = samples.last { note(detector.finish(), at: last.time) }
    return (events, duration)
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
