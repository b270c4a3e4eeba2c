package import InertialEvaluation
package import InertialLogs
package import InertialRecognition
internal import InertialSensors

/// Judges the activity classifier by labels: windows cut one after the other, each by the label and the answer that
/// fill most of it; and those windows by themselves that one label all but fills, as none is right where it changes. And
/// whole stretches by the kind of error, as `ActivityCategories` has them.
package struct ActivityEvaluationJob: Sendable {
  package var inputs: [String]
  package var log = LogOptions()
  package var labels: EventLabels
  package var model = ActivityModel.builtIn
  package var parameters = ActivityClassifier.Parameters()
  /// Seconds.
  package var window = 2.56
  /// Seconds at a log's start that are not judged.
  package var skip = 0.0
  /// A window is pure where one label has this share of it at the least.
  package var pureShare = 0.8
  /// Only whether it is this label or another: all labels count then. nil = every activity by itself, and windows
  /// whose label is none are left out.
  package var event: String?

  package init(inputs: [String], labels: EventLabels) { (self.inputs, self.labels) = (inputs, labels) }

  /// How the activities agree with the labels.
  package struct Report: Sendable {
    /// By what came before alone, and by all of the log.
    package var live: ConfusionMatrix
    package var smoothed: ConfusionMatrix
    /// The same of pure windows.
    package var pureLive: ConfusionMatrix
    package var pureSmoothed: ConfusionMatrix
    /// By activity: the stretches that are told beside those that are labelled.
    package var liveCategories: [String: ActivityCategories] = [:]
    package var smoothedCategories: [String: ActivityCategories] = [:]
    /// Windows without a label, or with one that means no activity.
    package var unjudged = 0
    /// Of the classifier alone, over samples in memory; the least of the recordings.
    package var nanosecondsPerSample = Double.infinity
  }

  private static let none = "none"

  package func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    guard labels.namesRecordings || inputs.count == 1 else {
      throw .usage("labels of several recordings need the column recording, with the name of each one's file or folder")
    }
    var report = emptyReport()
    for (place, input) in inputs.enumerated() {
      progress(Double(place) / Double(inputs.count))
      var job = ActivityJob(input: input)
      (job.log, job.model, job.parameters) = (log, model, parameters)
      let result = try job.run()
      let stretches = labels.stretches(of: input)
      judge(
        stretches, updates: result.updates, segments: result.segments, from: result.firstTime ?? 0,
        to: result.lastTime ?? 0, &report)
      report.nanosecondsPerSample = min(report.nanosecondsPerSample, cost(try job.samples()))
    }
    return report
  }

  /// Nanoseconds per sample.
  private func cost(_ samples: [MotionSample]) -> Double {
    var classifier = ActivityClassifier(model: model, parameters: parameters)
    let clock = ContinuousClock()
    let start = clock.now
    for sample in samples { _ = classifier.update(sample) }
    return start.duration(to: clock.now) / .seconds(1) * 1e9 / Double(samples.count)
  }

  /// An empty report, with the words that windows are counted by.
  func emptyReport() -> Report {
    let words = event.map { [$0, "other"] } ?? ActivityClass.allCases.map(\.rawValue) + [Self.none]
    let empty = ConfusionMatrix(labels: words)
    return Report(live: empty, smoothed: empty, pureLive: empty, pureSmoothed: empty)
  }

  /// Counts the windows of a recording whose first and last samples are at these times.
  func judge(
    _ labels: [LabelledStretch], updates: [MotionActivity], segments: [MotionActivity], from first: Double,
    to last: Double, _ report: inout Report
  ) {
    let stretches: [Stretch] = labels.map { ($0.start, $0.end, word($0.label)) }
    // A live answer is about the time since the one before.
    let live = updates.indices.map { index in
      (index > 0 ? updates[index - 1].end : first, updates[index].end, answer(updates[index].flags))
    }
    let smoothed = segments.map { ($0.start, $0.end, answer($0.flags)) }
    for place in labelledPlaces(stretches, from: first + skip, to: last) {
      categorise(stretches, live, place, &report.liveCategories)
      categorise(stretches, smoothed, place, &report.smoothedCategories)
    }
    var start = first + skip
    while start + window <= last {
      let end = start + window
      defer { start = end }
      guard let (found, seconds) = Self.most(stretches, start, end), let label = found else {
        report.unjudged += 1
        continue
      }
      let now = Self.most(live, start, end)?.word ?? other
      let later = Self.most(smoothed, start, end)?.word ?? other
      report.live.add(label: label, answer: now)
      report.smoothed.add(label: label, answer: later)
      guard seconds >= pureShare * window else { continue }
      report.pureLive.add(label: label, answer: now)
      report.pureSmoothed.add(label: label, answer: later)
    }
  }

  /// A stretch with its word; nil where the label means no activity.
  private typealias Stretch = (start: Double, end: Double, word: String?)

  /// Where labels that are judged follow each other without a gap.
  private func labelledPlaces(_ stretches: [Stretch], from first: Double, to last: Double) -> [ClosedRange<Double>] {
    var places: [ClosedRange<Double>] = []
    for stretch in stretches.sorted(by: { $0.start < $1.start }) where stretch.word != nil {
      let (start, end) = (max(stretch.start, first), min(stretch.end, last))
      guard end > start else { continue }
      if let place = places.last, start <= place.upperBound + ActivityCategories.rounding {
        places[places.count - 1] = place.lowerBound...max(place.upperBound, end)
      } else {
        places.append(start...end)
      }
    }
    return places
  }

  private func categorise(
    _ labels: [Stretch], _ answers: [(start: Double, end: Double, word: String)], _ place: ClosedRange<Double>,
    _ categories: inout [String: ActivityCategories]
  ) {
    for word in event.map({ [$0] }) ?? ActivityClass.allCases.map(\.rawValue) {
      categories[word, default: ActivityCategories()].add(
        labelled: labels.filter { $0.word == word && $0.end >= $0.start }.map { $0.start...$0.end },
        told: answers.filter { $0.word == word && $0.end >= $0.start }.map { $0.start...$0.end },
        from: place.lowerBound, to: place.upperBound)
    }
  }

  private var other: String { event == nil ? Self.none : "other" }

  /// nil: the label is not judged.
  private func word(_ label: String) -> String? {
    let activity = ActivityWords.activity(label)?.rawValue
    if let event { return activity == event || label == event ? event : "other" }
    return activity
  }

  private func answer(_ flags: ActivityFlags) -> String {
    // In a vehicle that waits both flags are set: the vehicle is meant.
    let order: [ActivityClass] = [.automotive, .cycling, .running, .walking, .stationary]
    let found = order.first { flags.contains(ActivityFlags($0)) }?.rawValue
    if let event { return found == event ? event : "other" }
    return found ?? Self.none
  }

  /// What fills most of a window, and for how long; nil where nothing does. Of two that fill as much, the later.
  private static func most<Word: Hashable>(
    _ stretches: [(start: Double, end: Double, word: Word)], _ start: Double, _ end: Double
  ) -> (word: Word, seconds: Double)? {
    var found: [(word: Word, seconds: Double)] = []
    for stretch in stretches {
      let shared = min(stretch.end, end) - max(stretch.start, start)
      guard shared > 0 else { continue }
      let place = found.firstIndex { $0.word == stretch.word }
      let before = place.map { found.remove(at: $0).seconds } ?? 0
      found.append((stretch.word, before + shared))
    }
    // A rounding is no majority.
    let most = found.map(\.seconds).max() ?? 0
    return found.last { $0.seconds > most - 1e-6 }
  }
}
