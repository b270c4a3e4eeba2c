package import InertialEvaluation
package import InertialLogs
internal import InertialNumerics
package import InertialRecognition
internal import InertialSensors
internal import InertialSystem

/// Evaluates the pedometer against true counts, and on recordings without walking.
package struct StepEvaluationJob: Sendable {
  package var inputs: [String]
  package var log = LogOptions()
  package var pedometer = Pedometer.Parameters()
  /// The true counts, or `nil` if no recording contains walking.
  package var labels: StepLabels?
  /// The maximum distance between a true step and a matching detected step, in seconds.
  package var tolerance = 0.2

  package init(inputs: [String]) { self.inputs = inputs }

  /// The result for one recording.
  package struct Row: Sendable, Codable {
    package var input: String
    /// The duration of the whole recording.
    package var seconds: Double
    /// The detected steps within the labelled segments, or in the whole recording without labels.
    package var counted: Int
    /// The true count, or `nil` if the recording contains no walking.
    package var steps: Int?
    /// The error relative to the true count, or `nil` if that is 0 or missing.
    package var errorPercent: Double?
    /// The cost of the pedometer alone, over samples in memory.
    package var nanosecondsPerSample: Double
  }

  /// Detected steps compared with true steps.
  package struct Report: Sendable {
    package var rows: [Row]
    /// The step-by-step matches, in the recordings with the time of each true step.
    package var matches: EventMatches

    private var labelled: [Row] { rows.filter { $0.steps != nil } }
    private var unlabelled: [Row] { rows.filter { $0.steps == nil } }

    package var counted: Int { labelled.reduce(0) { $0 + $1.counted } }
    package var steps: Int { labelled.reduce(0) { $0 + $1.steps! } }
    /// The mean absolute error in percent, over the recordings with true counts.
    package var meanAbsoluteError: Double? { Statistics.mean(rows.compactMap { $0.errorPercent.map(abs) }) }
    package var meanError: Double? { Statistics.mean(rows.compactMap(\.errorPercent)) }
    /// The number of steps detected in the recordings without true counts.
    package var falseSteps: Int { unlabelled.reduce(0) { $0 + $1.counted } }
    package var minutesWithoutSteps: Double { unlabelled.reduce(0) { $0 + $1.seconds } / 60 }
    package var falseStepsPerMinute: Double? {
      minutesWithoutSteps > 0 ? Double(falseSteps) / minutesWithoutSteps : nil
    }
    /// The median over the recordings.
    package var nanosecondsPerSample: Double? { Statistics.percentile(50, of: rows.map(\.nanosecondsPerSample)) }
  }

  /// - Parameter progress: Called with the fraction of the recordings that have been evaluated, 0...1.
  package func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    guard labels == nil || labels!.namesRecordings || inputs.count == 1 else {
      throw .usage(
        "counts of several recordings need the column recording, with the name of the file or folder of each")
    }
    var report = Report(rows: [], matches: EventMatches(tolerance: tolerance))
    for (index, input) in inputs.enumerated() {
      progress(Double(index) / Double(inputs.count))
      report.rows.append(try row(of: input, &report.matches))
    }
    return report
  }

  private func row(of input: String, _ matches: inout EventMatches) throws(FusionError) -> Row {
    var job = StepsJob(input: input)
    job.log = log
    let samples = try job.samples()
    let (history, nanoseconds) = walk(samples)
    let (first, last) = (samples[0].time, samples[samples.count - 1].time)
    var row = Row(input: input, seconds: last - first, counted: history.steps.count, nanosecondsPerSample: nanoseconds)
    if let times = labels?.times(of: input) {
      matches.add(labels: times.map { $0...$0 }, events: history.steps.map { $0.time...$0.time })
    }
    let stretches = labels?.stretches(of: input) ?? []
    guard !stretches.isEmpty else { return row }
    row.counted = stretches.reduce(0) { sum, stretch in
      sum + history.query(from: stretch.start ?? -.infinity, to: stretch.end ?? .infinity).numberOfSteps
    }
    let steps = stretches.reduce(0) { $0 + $1.steps }
    row.steps = steps
    if steps > 0 { row.errorPercent = 100 * Double(row.counted - steps) / Double(steps) }
    return row
  }

  /// Counts steps as `StepsJob` does, without other channels, and returns the cost of the pedometer alone.
  private func walk(_ samples: [MotionSample]) -> (PedometerHistory, nanosecondsPerSample: Double) {
    var record = StepsRecord(pedometer)
    for sample in samples { record.update(sample) }
    var alone = Pedometer(parameters: pedometer)
    let duration = ContinuousClock().measure {
      for sample in samples { _ = alone.update(sample) }
      _ = alone.finish()
    }
    record.finish()
    return (record.history, duration / .seconds(1) * 1e9 / Double(samples.count))
  }
}

extension StepEvaluationJob.Report: Encodable {
  /// Encodes the document of `inertial evaluate-events --task steps --json`.
  package func encode(to encoder: any Encoder) throws {
    try EncodedObject([
      "task": "steps", "recordings": rows, "counted": counted, "steps": steps,
      "meanAbsoluteErrorPercent": meanAbsoluteError, "meanErrorPercent": meanError, "falseSteps": falseSteps,
      "minutesWithoutSteps": minutesWithoutSteps, "falseStepsPerMinute": falseStepsPerMinute,
      "nanosecondsPerSample": nanosecondsPerSample, "matches": matches.labelled > 0 ? matches : nil,
    ]).encode(to: encoder)
  }
}
