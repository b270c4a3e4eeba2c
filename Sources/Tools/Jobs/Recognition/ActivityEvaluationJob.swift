package import InertialEvaluation
package import InertialLogs
package import InertialRecognition
internal import InertialSensors
internal import InertialSystem

/// Evaluates the activity classifier against labels, over consecutive windows: each has the label and the answer that
/// cover most of it. Pure windows, which one label almost fills, are also counted separately, as no answer is right for
/// a window with a transition. `ActivityCategories` classifies the errors of whole segments.
package struct ActivityEvaluationJob: Sendable {
  package var inputs: [String]
  package var log = LogOptions()
  package var labels: EventLabels
  package var model = ActivityModel.builtIn
  package var parameters = ActivityClassifier.Parameters()
  /// The duration of a window, in seconds.
  package var window = 2.56
  /// The duration at a log's start that is not evaluated, in seconds.
  package var skip = 0.0
  /// The minimum fraction of a pure window that one label covers.
  package var singleLabelFraction = 0.8
  /// The only label to evaluate, against all other labels, or `nil` to evaluate each activity. With `nil`, windows
  /// without an activity's label are left out.
  package var event: String?

  package init(inputs: [String], labels: EventLabels) { (self.inputs, self.labels) = (inputs, labels) }

  /// The agreement of the activities with the labels.
  package struct Report: Sendable {
    /// The number of recordings.
    package var logs: Int
    /// The duration of a window, in seconds.
    package var window: Double
    /// The causal answers, and those from the whole log.
    package var live: ConfusionMatrix
    package var smoothed: ConfusionMatrix
    /// The same for pure windows.
    package var pureLive: ConfusionMatrix
    package var pureSmoothed: ConfusionMatrix
    /// The detected segments compared with the labelled ones, by activity.
    package var liveCategories: [String: ActivityCategories] = [:]
    package var smoothedCategories: [String: ActivityCategories] = [:]
    /// The number of windows without a label, or with a label that is not an activity.
    package var unjudged = 0
    /// The cost of the classifier alone, over samples in memory; the minimum of the recordings.
    package var nanosecondsPerSample = Double.infinity
  }

  package func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    try labels.check(inputs)
    var report = emptyReport()
    for (position, input) in inputs.enumerated() {
      progress(Double(position) / Double(inputs.count))
      var job = ActivityJob(input: input)
      (job.log, job.model, job.parameters) = (log, model, parameters)
      let result = try job.run()
      let stretches = labels.stretches(of: input)
      judge(
        stretches, updates: result.updates, segments: result.segments, from: result.firstTime, to: result.lastTime,
        &report)
      report.nanosecondsPerSample = min(report.nanosecondsPerSample, cost(try job.samples()))
    }
    return report
  }

  /// Returns the time that the classifier takes, in nanoseconds per sample.
  private func cost(_ samples: [MotionSample]) -> Double {
    var classifier = ActivityClassifier(model: model, parameters: parameters)
    let duration = ContinuousClock().measure { for sample in samples { _ = classifier.update(sample) } }
    return duration / .seconds(1) * 1e9 / Double(samples.count)
  }

  /// Returns an empty report with the classes by which windows are counted.
  func emptyReport() -> Report {
    let words = event.map { [$0, Self.other] } ?? ActivityClass.allCases.map(\.rawValue)
    let empty = ConfusionMatrix(labels: words)
    return Report(
      logs: inputs.count, window: window, live: empty, smoothed: empty, pureLive: empty, pureSmoothed: empty)
  }

  /// Counts the windows of a recording between the times of its first and last samples.
  func judge(
    _ labels: [LabelledSegment], updates: [MotionActivity], segments: [MotionActivity], from first: Double,
    to last: Double, _ report: inout Report
  ) {
    let stretches: [Stretch] = labels.map { ($0.start, $0.end, word($0.label)) }
    // A live answer covers the time since the previous one.
    let live = updates.indices.map { index in
      (index > 0 ? updates[index - 1].end : first, updates[index].end, answer(updates[index].flags))
    }
    let smoothed = segments.map { ($0.start, $0.end, answer($0.flags)) }
    for position in labelledPlaces(stretches, from: first + skip, to: last) {
      categorise(stretches, live, position, &report.liveCategories)
      categorise(stretches, smoothed, position, &report.smoothedCategories)
    }
    var start = first + skip
    while start + window <= last {
      let end = start + window
      defer { start = end }
      guard let (found, seconds) = Self.dominant(stretches, start, end), let label = found else {
        report.unjudged += 1
        continue
      }
      let now = Self.dominant(live, start, end)?.word ?? Self.other
      let later = Self.dominant(smoothed, start, end)?.word ?? Self.other
      report.live.add(label: label, answer: now)
      report.smoothed.add(label: label, answer: later)
      guard seconds >= singleLabelFraction * window else { continue }
      report.pureLive.add(label: label, answer: now)
      report.pureSmoothed.add(label: label, answer: later)
    }
  }

  /// A labelled segment with its class, or `nil` if the label is not an activity.
  private typealias Stretch = (start: Double, end: Double, word: String?)

  /// Returns the intervals in which evaluated labels follow each other without a gap.
  private func labelledPlaces(_ stretches: [Stretch], from first: Double, to last: Double) -> [ClosedRange<Double>] {
    var places: [ClosedRange<Double>] = []
    for stretch in stretches.sorted(by: { $0.start < $1.start }) where stretch.word != nil {
      let (start, end) = (max(stretch.start, first), min(stretch.end, last))
      guard end > start else { continue }
      if let position = places.last, start <= position.upperBound + ActivityCategories.rounding {
        places[places.count - 1] = position.lowerBound...max(position.upperBound, end)
      } else {
        places.append(start...end)
      }
    }
    return places
  }

  private func categorise(
    _ labels: [Stretch], _ answers: [(start: Double, end: Double, word: String)], _ position: ClosedRange<Double>,
    _ categories: inout [String: ActivityCategories]
  ) {
    for word in event.map({ [$0] }) ?? ActivityClass.allCases.map(\.rawValue) {
      categories[word, default: ActivityCategories()].add(
        labelled: labels.filter { $0.word == word && $0.end >= $0.start }.map { $0.start...$0.end },
        reported: answers.filter { $0.word == word && $0.end >= $0.start }.map { $0.start...$0.end },
        from: position.lowerBound, to: position.upperBound)
    }
  }

  /// The class of motion without any flag.
  private static let other = ActivityClass.other.rawValue

  /// Returns the class of a label, or `nil` if the label is not evaluated.
  private func word(_ label: String) -> String? {
    let activity = ActivityClass(label: label)?.rawValue
    if let event { return activity == event || label == event ? event : Self.other }
    return activity
  }

  private func answer(_ flags: ActivityFlags) -> String {
    // A stopped vehicle sets both flags and counts as a vehicle.
    let order: [ActivityClass] = [.automotive, .cycling, .running, .walking, .stationary]
    let found = order.first { flags.contains(ActivityFlags($0)) }?.rawValue
    if let event { return found == event ? event : Self.other }
    return found ?? Self.other
  }

  /// Returns the class that covers most of a window, or the later of two equals, and its duration; `nil` without any.
  private static func dominant<Word: Hashable>(
    _ stretches: [(start: Double, end: Double, word: Word)], _ start: Double, _ end: Double
  ) -> (word: Word, seconds: Double)? {
    var found: [(word: Word, seconds: Double)] = []
    for stretch in stretches {
      let shared = min(stretch.end, end) - max(stretch.start, start)
      guard shared > 0 else { continue }
      let position = found.firstIndex { $0.word == stretch.word }
      let before = position.map { found.remove(at: $0).seconds } ?? 0
      found.append((stretch.word, before + shared))
    }
    // A rounding error does not make a majority.
    let maximum = found.map(\.seconds).max() ?? 0
    return found.last { $0.seconds > maximum - 1e-6 }
  }
}

extension ActivityEvaluationJob.Report: Encodable {
  /// Encodes the document of `inertial evaluate-events --task activity --json`.
  package func encode(to encoder: any Encoder) throws {
    try EncodedObject([
      "task": "activity", "logs": logs, "window": window, "activities": live.labels, "live": live,
      "smoothed": smoothed,
      "pure": EncodedObject(["windows": pureLive.total, "live": pureLive, "smoothed": pureSmoothed]),
      "categories": ["live": liveCategories, "smoothed": smoothedCategories], "unjudged": unjudged,
      "nanosecondsPerSample": nanosecondsPerSample,
    ]).encode(to: encoder)
  }
}
