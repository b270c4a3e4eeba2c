/// What is followed over time; a vehicle that waits, and a bicycle, are states of their own, as they show no more than rest
/// does.
enum ActivityState: Int, CaseIterable {
  case stationary
  case walking
  case running
  case cycling
  case automotive
  case waiting
  case pausing
}

/// How well a window fits each state; only their ratios count.
package struct ActivityLikelihoods: Sendable, Hashable, Codable {
  /// In the order of the states; the last lane is 0.
  private(set) var values = SIMD8<Double>(1, 1, 1, 1, 1, 1, 1, 0)

  /// Alike: the window says nothing.
  package init() {}

  subscript(state: ActivityState) -> Double {
    get { values[state.rawValue] }
    set { values[state.rawValue] = newValue }
  }

  /// Somebody steps slower than one runs: most of what speaks for running speaks for walking.
  mutating func walkRatherThanRun() {
    self[.walking] += 0.9 * self[.running]
    self[.running] *= 0.1
  }

  /// Somebody steps: most of what speaks for a rest speaks for walking.
  mutating func walkRatherThanRest() {
    self[.walking] += 0.9 * self[.stationary]
    self[.stationary] *= 0.1
  }

  mutating func weigh(bySpeed factors: ActivityLikelihoods) { values *= factors.values }
}

/// A window's contribution to what is known of the activity.
package struct ActivityEvidence: Sendable, Hashable, Codable {
  /// First and last moment of the window, seconds on the log's clock.
  package var start: Double
  package var end: Double
  /// Whether nothing is known of the time before, as after a gap.
  package var isFirst: Bool
  package var likelihoods: ActivityLikelihoods
  /// Whether the motion was another one than those that are told apart, such as shaking the device.
  package var isOtherMotion: Bool
  /// Whether the motion cannot be these activities together; who waits in a vehicle is in one.
  func excludes(_ flags: ActivityFlags) -> Bool {
    let ride = flags.intersection([.cycling, .automotive])
    return !excluded.isDisjoint(
      with: flags.contains(.stationary) && !ride.isEmpty ? flags.intersection(.stationary) : flags)
  }
  /// The share of walking and running in the likelihoods.
  var gait: Double { (likelihoods[.walking] + likelihoods[.running]) / likelihoods.values.sum() }
  /// The activities that the motion cannot be; see `PhysicalLimits`.
  package var excluded: ActivityFlags = []
  /// Whether the device turned faster than the limb of somebody who steps as fast as the pedometer sees.
  var isGesture = false
  /// Whether this is in a stretch without a step that is too long for a walk.
  package var isStepless = false
  /// Period of a limb's swing that can be a walk's, seconds; nil where there is none.
  package var swing: Double?
  /// m/s upwards by the barometer; nil where there is none.
  package var verticalSpeed: Double?
}

/// How activities follow each other: a chain of states, from window to window of 1.28 s, as in a hidden Markov model
/// (Rabiner 1989).
///
/// The weights are of everyday life, not of any recording: one gets in and out of a vehicle on foot, and a vehicle that
/// waits goes on more often than not, a bicycle after some twenty seconds. Bouts of walking are short, most of them below
/// some ten steps (Orendurff et al., "How humans walk: bout duration, steps per bout, and rest duration", 2008): who rests
/// may walk in the next second, while a walk with a halt of a second or two goes on. As windows tell how probable an
/// activity is rather than how probable they are, the weights are potentials (Lafferty, McCallum and Pereira, "Conditional
/// random fields", 2001): a row need not add up to 1, and that walks are short costs them nothing against rides, which are
/// long.
enum ActivityCourse {
  typealias Lanes = SIMD8<Double>

  /// Rows: from; lanes: to.
  static let transitions: [Lanes] = [
    Lanes(0.940, 0.200, 0.010, 0.005, 0.005, 0, 0, 0),
    Lanes(0.020, 0.940, 0.010, 0.005, 0.005, 0, 0, 0),
    Lanes(0.010, 0.025, 0.940, 0.005, 0.005, 0, 0, 0),
    Lanes(0.005, 0.020, 0.003, 0.935, 0.007, 0, 0.030, 0),
    Lanes(0.003, 0.005, 0.001, 0.006, 0.935, 0.050, 0, 0),
    Lanes(0.010, 0.010, 0.001, 0.001, 0.070, 0.908, 0, 0),
    Lanes(0.005, 0.005, 0.001, 0.045, 0.001, 0, 0.940, 0),
  ]

  /// Before anything is known: of their waking time people sit and stand most, and are in vehicles an hour or two.
  static let prior = Lanes(0.66, 0.18, 0.02, 0.04, 0.06, 0.04, 0, 0)

  /// Nobody walks or runs without steps.
  private static let stepless = Lanes(1, 1e-6, 1e-6, 1, 1, 1, 1, 0)
  /// What fits none of the others well says little of which it is; least that somebody pedals, which looks like nothing
  /// else.
  private static let unclear = Lanes(0.2, 0, 0, 0.05, 0.2, 0.2, 0.2, 0)

  private static func weight(_ evidence: ActivityEvidence) -> Lanes {
    let values = evidence.isOtherMotion ? Lanes(repeating: 1) : evidence.likelihoods.values
    return evidence.isStepless ? values * stepless + evidence.gait * unclear : values
  }

  /// The probabilities of the states after a window, by what came before it alone.
  static func step(_ before: Lanes?, _ evidence: ActivityEvidence) -> Lanes {
    var after = Lanes.zero
    if let before, !evidence.isFirst {
      for (row, transition) in transitions.enumerated() { after += before[row] * transition }
    } else {
      after = prior
    }
    after *= weight(evidence)
    return after / after.sum()
  }

  /// The probabilities of the states in each window, by all that came before and after (forward and backward).
  static func smoothed(_ evidence: [ActivityEvidence]) -> [Lanes] {
    var result: [Lanes] = []
    result.reserveCapacity(evidence.count)
    for window in evidence { result.append(step(result.last, window)) }
    var later = Lanes(repeating: 1)
    for index in evidence.indices.reversed() {
      let joint = result[index] * later
      result[index] = joint / joint.sum()
      guard !evidence[index].isFirst else {
        later = Lanes(repeating: 1)
        continue
      }
      let seen = weight(evidence[index]) * later
      later = .zero
      for (row, transition) in transitions.enumerated() { later[row] = (transition * seen).sum() }
      later /= later.max()
    }
    return result
  }

  static func probabilities(_ states: Lanes) -> ActivityProbabilities {
    var result = ActivityProbabilities()
    result.stationary = states[ActivityState.stationary.rawValue]
    result.walking = states[ActivityState.walking.rawValue]
    result.running = states[ActivityState.running.rawValue]
    result.cycling = states[ActivityState.cycling.rawValue] + states[ActivityState.pausing.rawValue]
    result.automotive = states[ActivityState.automotive.rawValue] + states[ActivityState.waiting.rawValue]
    return result
  }
}
