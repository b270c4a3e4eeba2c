/// Activities of the past, smoother and surer than they were live: what came later is used too.
package struct ActivityHistory: Sendable {
  package let parameters: ActivityClassifier.Parameters
  /// Of each window, in order of time.
  package private(set) var evidence: [ActivityEvidence] = []
  /// Times of the steps, seconds, in order.
  private var steps: [Double] = []
  /// Whether somebody counts steps, so that where there is none nobody walks.
  private let hasPedometer: Bool

  /// Seconds without a step in which nobody walks or runs.
  static let longestHalt = 10.0

  package init(parameters: ActivityClassifier.Parameters = .init(), hasPedometer: Bool = false) {
    (self.parameters, self.hasPedometer) = (parameters, hasPedometer)
  }

  /// Takes a classifier's evidence, window by window.
  package mutating func append(_ evidence: ActivityEvidence) { self.evidence.append(evidence) }

  /// Takes a step of the pedometer, seconds, in order.
  package mutating func append(step: Double) { steps.append(step) }

  /// The activities between two times, in order; each lasts as long as its flags stay the same.
  ///
  /// Nothing is said of times without samples, nor of stretches shorter than a window of 2.56 s. Each window decides on
  /// its middle 1.28 s; the first and the last of a stretch reach to its ends.
  package func segments(from start: Double = -.infinity, to end: Double = .infinity) -> [MotionActivity] {
    let evidence = explained
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
        last.add(activity, isExcluded: window.excludes(activity.flags))
        segments[segments.count - 1] = last
      } else {
        segments.append(Segment(activity, isExcluded: window.excludes(activity.flags)))
      }
    }
    return segments.map { $0.activity(parameters) }
  }

  /// The most probable activity of each window, for judging.
  package func classes() -> [(window: ActivityEvidence, probabilities: ActivityProbabilities)] {
    let evidence = explained
    return zip(evidence, ActivityCourse.smoothed(evidence)).map { ($0, ActivityCourse.probabilities($1)) }
  }

  /// The stretches in which somebody is carried by wheels.
  package var rides: [ClosedRange<Double>] { segments().filter(\.flags.isRide).map { $0.start...$0.end } }

  /// The windows, those marked that lie in a walk or a run without a step for longer than one halts.
  ///
  /// Marks change what is told of the windows beside, so that it is looked at again, some times at the most.
  private var explained: [ActivityEvidence] {
    var result = evidence
    guard hasPedometer else { return result }
    slowGaits(&result)
    for _ in 0..<8 {
      let states = ActivityCourse.smoothed(result)
      var (isChanged, first) = (false, 0)
      while first < result.count {
        var last = first
        guard Self.isGait(states[first]) else {
          first += 1
          continue
        }
        while last + 1 < result.count, Self.isGait(states[last + 1]), !result[last + 1].isFirst { last += 1 }
        if markHalts(first...last, &result) { isChanged = true }
        first = last + 1
      }
      if !isChanged { break }
    }
    return result
  }

  /// A run whose steps are slower than any run's is a walk, and a rest in which somebody steps is one, too.
  private func slowGaits(_ windows: inout [ActivityEvidence]) {
    for index in windows.indices {
      let (window, likelihoods) = (windows[index], windows[index].likelihoods)
      if likelihoods[.running] > likelihoods[.walking],
        isSlow(place(of: window.start - 1.28)..<place(of: window.end + 1.28))
      {
        windows[index].likelihoods.walkRatherThanRun()
      }
      if likelihoods[.stationary] > likelihoods[.walking], isStepping(at: 0.5 * (window.start + window.end)) {
        windows[index].likelihoods.walkRatherThanRest()
      }
    }
  }

  /// Whether steps of 5.12 s follow each other slower than in any run.
  private func isSlow(_ steps: Range<Int>) -> Bool {
    guard steps.count > Self.fewestSteps else { return false }
    let intervals = steps.dropFirst().map { self.steps[$0] - self.steps[$0 - 1] }.sorted()
    return 1 / intervals[intervals.count / 2] < parameters.vehicle.slowestCadence
  }

  /// Whether two steps before a time and two behind it follow each other: a window decides on its middle.
  private func isStepping(at time: Double) -> Bool {
    let next = place(of: time)
    guard next >= 2, next + 1 < steps.count else { return false }
    return (next - 1...next + 1).allSatisfy { steps[$0] - steps[$0 - 1] < Self.slowestStep }
  }

  /// Steps in 5.12 s that say how fast they follow each other.
  private static let fewestSteps = 4
  /// Seconds.
  private static let slowestStep = 1.5

  private static func isGait(_ states: SIMD8<Double>) -> Bool {
    let best = ActivityCourse.probabilities(states).best
    return best == .walking || best == .running
  }

  /// Marks the windows of a walk that lie in a halt that is too long for it; whether any was not marked yet.
  private func markHalts(_ walk: ClosedRange<Int>, _ windows: inout [ActivityEvidence]) -> Bool {
    let (start, end) = (windows[walk.lowerBound].start, windows[walk.upperBound].end)
    let times = [start] + steps[place(of: start)..<place(of: end)] + [end]
    var isChanged = false
    for (before, after) in zip(times, times.dropFirst()) where after - before > Self.longestHalt {
      for index in walk where !windows[index].isStepless {
        let quarter = (windows[index].end - windows[index].start) / 4
        let isInside = windows[index].start + quarter > before - 1 && windows[index].end - quarter < after + 1
        guard isInside else { continue }
        windows[index].isStepless = true
        isChanged = true
      }
    }
    return isChanged
  }

  /// Of the first step that is not before a time.
  private func place(of time: Double) -> Int {
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
    /// Probabilities times seconds.
    var sums: [Double]
    /// Seconds in which the motion cannot be that.
    var excluded = 0.0

    init(_ activity: MotionActivity, isExcluded: Bool) {
      (start, end, flags) = (activity.start, activity.start, activity.flags)
      sums = Array(repeating: 0, count: ActivityClass.allCases.count)
      add(activity, isExcluded: isExcluded)
    }

    mutating func add(_ activity: MotionActivity, isExcluded: Bool) {
      if isExcluded { excluded += activity.end - activity.start }
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
        confidence: parameters.confidence(
          flags, probabilities[probabilities.best], isExcluded: 2 * excluded > end - start),
        probabilities: probabilities)
    }
  }
}
