/// The tracked states. A waiting vehicle and a pausing bicycle are separate states, since their motion is the same as
/// at rest.
enum ActivityState: Int, CaseIterable {
  case stationary
  case walking
  case running
  case cycling
  case automotive
  case waiting
  case pausing
  case other
}

/// The likelihoods of the states for a window. Only their ratios matter.
package struct ActivityLikelihoods: Sendable, Hashable, Codable {
  /// The values in the order of the states.
  private(set) var values = SIMD8<Double>(repeating: 1)

  /// Creates equal likelihoods, which provide no information.
  package init() {}

  subscript(state: ActivityState) -> Double {
    get { values[state.rawValue] }
    set { values[state.rawValue] = newValue }
  }

  /// Moves most of the likelihood of running to walking, for steps that are slower than in any run.
  mutating func walkRatherThanRun() {
    self[.walking] += 0.9 * self[.running]
    self[.running] *= 0.1
  }

  /// Moves most of the likelihood of the given activities to other motion.
  mutating func exclude(_ activities: ActivityFlags) {
    let states: [(ActivityFlags, ActivityState)] = [
      (.stationary, .stationary), (.walking, .walking), (.running, .running), (.cycling, .cycling),
      (.automotive, .automotive),
    ]
    for (activity, state) in states where activities.contains(activity) {
      self[.other] += 0.9 * self[state]
      self[state] *= 0.1
    }
    guard activities.contains(.stationary) else { return }
    for state in [ActivityState.waiting, .pausing] { self[state] *= 0.1 }
  }

  /// Moves most of the likelihood of other motion to rest.
  mutating func restRatherThanOther() {
    self[.stationary] += 0.9 * self[.other]
    self[.other] *= 0.1
  }

  /// Weighs the states by whether the pedometer counts steps: the probabilities of steps in the states, relative to
  /// walking. Pedals and gestures are as regular as steps for some seconds, rest is not.
  ///
  /// - Parameter isFar: Whether the next step is too far away for a halt in a walk.
  mutating func weigh(bySteps isStepping: Bool, isFar: Bool = false) {
    guard isStepping else {
      // A step may be missed, above all at the start of a walk.
      let factor = isFar ? 0.2 : 0.6
      self[.walking] *= factor
      self[.running] *= factor
      return
    }
    for state in [ActivityState.stationary, .waiting, .pausing] { self[state] *= 0.05 }
    self[.automotive] *= 0.1
    self[.other] *= 0.05
    self[.cycling] *= 0.5
  }

  /// The likelihoods of motion that is known to be none of the activities.
  static var none: ActivityLikelihoods {
    var likelihoods = ActivityLikelihoods()
    likelihoods.values = SIMD8(repeating: 0.05)
    likelihoods[.other] = 1
    return likelihoods
  }

  mutating func weigh(bySpeed factors: ActivityLikelihoods) { values *= factors.values }
}

/// The evidence of a window about the activity.
package struct ActivityEvidence: Sendable, Hashable, Codable {
  /// The start and end of the window, in seconds on the log's clock.
  package var start: Double
  package var end: Double
  /// Whether the previous time is unknown, for instance after a gap.
  package var isFirst: Bool
  package var likelihoods: ActivityLikelihoods
  /// The activities that the motion contradicts; see `PhysicalLimits`.
  package var excluded: ActivityFlags = []
  /// Whether the motion contradicts a combination of flags. Waiting in a vehicle is evaluated as stationary.
  func excludes(_ flags: ActivityFlags) -> Bool {
    let ride = flags.intersection([.cycling, .automotive])
    return !excluded.isDisjoint(
      with: flags.contains(.stationary) && !ride.isEmpty ? flags.intersection(.stationary) : flags)
  }
  /// The rotation of the device, or `nil` without a gyroscope.
  package var rotation: RotationMeasure?
  /// The upward vertical speed by the barometer, in m/s, or `nil` without a barometer.
  package var verticalSpeed: Double?
}

/// A chain of activity states from window to window, every 1.28 s, as in a hidden Markov model (Rabiner 1989).
///
/// The weights describe everyday life and are not fitted to recordings: people enter and leave a vehicle on foot, a
/// waiting vehicle usually continues, and a pausing bicycle continues after about twenty seconds. Bouts of walking
/// are short, mostly below about ten steps (Orendurff et al., "How humans walk: bout duration, steps per bout, and
/// rest duration", 2008): a rest can become a walk in the next second, while a walk continues after a halt of a
/// second or two. A window yields probabilities of activities instead of the probability of the window, so the
/// weights are potentials (Lafferty, McCallum and Pereira, "Conditional random fields", 2001): a row need not sum to
/// 1, and the short duration of walks does not penalise them against long rides.
enum ActivityTransitionModel {
  typealias Lanes = SIMD8<Double>

  /// The weights of transitions, by source state (row) and target state (lane).
  static let transitions: [Lanes] = [
    Lanes(0.930, 0.200, 0.010, 0.005, 0.005, 0, 0, 0.020),
    Lanes(0.020, 0.930, 0.010, 0.005, 0.005, 0, 0, 0.020),
    Lanes(0.010, 0.025, 0.930, 0.005, 0.005, 0, 0, 0.010),
    Lanes(0.005, 0.020, 0.003, 0.935, 0.007, 0, 0.030, 0.010),
    Lanes(0.003, 0.005, 0.001, 0.006, 0.935, 0.050, 0, 0.005),
    Lanes(0.010, 0.010, 0.001, 0.001, 0.060, 0.925, 0, 0.005),
    Lanes(0.005, 0.005, 0.001, 0.045, 0.001, 0, 0.940, 0.005),
    Lanes(0.030, 0.040, 0.010, 0.010, 0.005, 0, 0, 0.930),
  ]

  /// The prior weights: awake people mostly sit and stand, and spend an hour or two in vehicles.
  static let prior = Lanes(0.60, 0.18, 0.02, 0.04, 0.06, 0.04, 0, 0.06)

  /// Returns the probabilities of the states after a window, from this and previous windows only.
  static func step(_ before: Lanes?, _ evidence: ActivityEvidence) -> Lanes {
    var after = Lanes.zero
    if let before, !evidence.isFirst {
      for (row, transition) in transitions.enumerated() { after += before[row] * transition }
    } else {
      after = prior
    }
    after *= evidence.likelihoods.values
    return after / after.sum()
  }

  /// Returns the probabilities of the states in each window, from all windows (forward and backward pass).
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
      let seen = evidence[index].likelihoods.values * later
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
    result.other = states[ActivityState.other.rawValue]
    return result
  }
}
