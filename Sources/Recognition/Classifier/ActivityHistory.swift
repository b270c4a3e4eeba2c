/// Activities of the past, smoother and surer than they were live: what came later is used too.
package struct ActivityHistory: Sendable {
  package let parameters: ActivityClassifier.Parameters
  /// Of each window, in order of time.
  package private(set) var evidence: [ActivityEvidence] = []

  package init(parameters: ActivityClassifier.Parameters = .init()) { self.parameters = parameters }

  /// Takes a classifier's evidence, window by window.
  package mutating func append(_ evidence: ActivityEvidence) { self.evidence.append(evidence) }

  /// The activities between two times, in order; each lasts as long as its flags stay the same.
  ///
  /// Nothing is said of times without samples, nor of stretches shorter than a window of 2.56 s. Each window decides on
  /// its middle 1.28 s; the first and the last of a stretch reach to its ends.
  package func segments(from start: Double = -.infinity, to end: Double = .infinity) -> [MotionActivity] {
    let smoothed = ActivityCourse.smoothed(evidence)
    var segments: [Segment] = []
    for (index, window) in evidence.enumerated() {
      let isLast = index + 1 == evidence.count || evidence[index + 1].isFirst
      let quarter = (window.end - window.start) / 4
      let from = max(start, window.isFirst ? window.start : window.start + quarter)
      let to = min(end, isLast ? window.end : window.end - quarter)
      guard from < to else { continue }
      var activity = parameters.activity(smoothed[index], window)
      (activity.start, activity.end) = (from, to)
      if !window.isFirst, var last = segments.last, last.flags == activity.flags {
        last.add(activity)
        segments[segments.count - 1] = last
      } else {
        segments.append(Segment(activity))
      }
    }
    return segments.map { $0.activity(parameters) }
  }

  /// The most probable activity of each window, for judging.
  package func classes() -> [(window: ActivityEvidence, probabilities: ActivityProbabilities)] {
    zip(evidence, ActivityCourse.smoothed(evidence)).map { ($0, ActivityCourse.probabilities($1)) }
  }

  private struct Segment {
    let start: Double
    let flags: ActivityFlags
    var end: Double
    /// Probabilities times seconds.
    var sums: [Double]

    init(_ activity: MotionActivity) {
      (start, end, flags) = (activity.start, activity.start, activity.flags)
      sums = Array(repeating: 0, count: ActivityClass.allCases.count)
      add(activity)
    }

    mutating func add(_ activity: MotionActivity) {
      for (place, kind) in ActivityClass.allCases.enumerated() {
        sums[place] += activity.probabilities[kind] * (activity.end - activity.start)
      }
      end = activity.end
    }

    func activity(_ parameters: ActivityClassifier.Parameters) -> MotionActivity {
      var probabilities = ActivityProbabilities()
      for (place, kind) in ActivityClass.allCases.enumerated() { probabilities[kind] = sums[place] / (end - start) }
      return MotionActivity(
        start: start, end: end, flags: flags,
        confidence: parameters.confidence(flags, probabilities[probabilities.best]), probabilities: probabilities)
    }
  }
}
