/// Past activities, more accurate than live because later windows are used too.
package struct ActivityHistory: Sendable, Codable {
  package let parameters: ActivityClassifier.Parameters
  /// The evidence of each window, in chronological order.
  package private(set) var evidence: [ActivityEvidence] = []
  /// The times of the steps, in seconds, in chronological order.
  private var steps: [Double] = []
  /// The time of the newest sample, in seconds, or `nil` if it is unknown.
  package var lastTime: Double?
  /// Whether there is a pedometer, so that walking requires steps.
  private let hasPedometer: Bool

  package init(parameters: ActivityClassifier.Parameters = .init(), hasPedometer: Bool = false) {
    (self.parameters, self.hasPedometer) = (parameters, hasPedometer)
  }

  /// Appends a classifier's evidence of the next window.
  package mutating func append(_ evidence: ActivityEvidence) { self.evidence.append(evidence) }

  /// Appends a step of the pedometer, in seconds. Steps must be in chronological order.
  package mutating func append(step: Double) { steps.append(step) }

  /// Returns the activities between two times, in chronological order. Each has constant flags.
  ///
  /// There are no activities at times without samples, and in segments shorter than a window of 2.56 s. Each window
  /// decides about its middle 1.28 s; the first and the last window of a segment extend to its ends, and the very last
  /// one to the newest sample.
  package func segments(from start: Double = -.infinity, to end: Double = .infinity) -> [MotionActivity] {
    let evidence = explained
    let smoothed = ActivityTransitionModel.smoothed(evidence)
    var segments: [Segment] = []
    for (index, window) in evidence.enumerated() {
      let isNewest = index + 1 == evidence.count
      let isLast = isNewest || evidence[index + 1].isFirst
      let quarter = (window.end - window.start) / 4
      let from = max(start, window.isFirst ? window.start : window.start + quarter)
      // Samples after the last window are too few for another one.
      let rest = isNewest ? min(max(0, (lastTime ?? window.end) - window.end), 2 * quarter) : 0
      let to = min(end, isLast ? window.end + rest : window.end - quarter)
      guard from < to else { continue }
      var activity = parameters.activity(smoothed[index], window)
      (activity.start, activity.end) = (from, to)
      if !window.isFirst, var last = segments.last, last.flags == activity.flags {
        last.add(activity, isExcluded: window.excludes(activity.flags))
        segments[segments.count - 1] = last
      } else {
        segments.append(Segment(activity, isExcluded: window.excludes(activity.flags)))
      }
    }
    return segments.map { $0.activity(parameters) }
  }

  /// Returns the evidence and the probabilities of each window, for evaluation.
  package func classes() -> [(window: ActivityEvidence, probabilities: ActivityProbabilities)] {
    let evidence = explained
    return zip(evidence, ActivityTransitionModel.smoothed(evidence)).map {
      ($0, ActivityTransitionModel.probabilities($1))
    }
  }

  /// The intervals in which the person is carried on wheels.
  package var rides: [ClosedRange<Double>] { segments().filter(\.flags.isRide).map { $0.start...$0.end } }

  /// The windows, weighed by the steps in them.
  private var explained: [ActivityEvidence] {
    guard hasPedometer else { return evidence }
    return evidence.map { window in
      var window = window
      let middle = 0.5 * (window.start + window.end)
      let near = position(of: middle - Self.maximumHalt)..<position(of: middle + Self.maximumHalt)
      window.likelihoods.weigh(bySteps: isStepping(at: middle), isFar: near.isEmpty)
      return window
    }
  }

  /// Whether two steps before and two steps after a time follow each other; a window decides about its middle.
  private func isStepping(at time: Double) -> Bool {
    let next = position(of: time)
    guard next >= 2, next + 1 < steps.count else { return false }
    return (next - 1...next + 1).allSatisfy { steps[$0] - steps[$0 - 1] < Self.slowestStep }
  }

  /// The maximum distance of a step in a walk, in seconds.
  private static let maximumHalt = 5.0
  /// The maximum interval between adjacent steps, in seconds.
  private static let slowestStep = 1.5

  /// Returns the index of the first step that is not before a time.
  private func position(of time: Double) -> Int {
    var (low, high) = (0, steps.count)
    while low < high {
      let middle = (low + high) / 2
      if steps[middle] < time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private struct Segment {
    let start: Double
    let flags: ActivityFlags
    var end: Double
    /// The sums of probability times duration, in seconds.
    var sums: [Double]
    /// The duration in which the motion does not contradict the activity, in seconds.
    var possible = 0.0

    init(_ activity: MotionActivity, isExcluded: Bool) {
      (start, end, flags) = (activity.start, activity.start, activity.flags)
      sums = Array(repeating: 0, count: ActivityClass.allCases.count)
      add(activity, isExcluded: isExcluded)
    }

    mutating func add(_ activity: MotionActivity, isExcluded: Bool) {
      if !isExcluded { possible += activity.end - activity.start }
      for (position, kind) in ActivityClass.allCases.enumerated() {
        sums[position] += activity.probabilities[kind] * (activity.end - activity.start)
      }
      end = activity.end
    }

    func activity(_ parameters: ActivityClassifier.Parameters) -> MotionActivity {
      var probabilities = ActivityProbabilities()
      for (position, kind) in ActivityClass.allCases.enumerated() {
        probabilities[kind] = sums[position] / (end - start)
      }
      return MotionActivity(
        start: start, end: end, flags: flags,
        confidence: parameters.confidence(flags, probabilities[probabilities.best] * possible / (end - start)),
        probabilities: probabilities)
    }
  }
}
