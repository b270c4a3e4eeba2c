/// Limits beyond which a motion cannot be an activity. A detected activity beyond its limits has low confidence.
///
/// The classifier compares activities with each other and has no class for other motions, so a washing machine or a
/// tumbling device can have high confidence. A limit exceeds the values of 99 % of the windows of 2.56 s of that
/// activity in the labelled recordings (1,254 at rest, 2,127 walking, 468 running, 1,750 cycling, 237 in vehicles).
package struct PhysicalLimits: Sendable, Hashable, Codable {
  /// The limits of one activity.
  package struct Limit: Sendable, Hashable, Codable {
    /// The maximum root mean square of the acceleration in all directions, in g.
    package var level: Float
    /// The maximum root mean square of the rotation rate, in rad/s.
    package var turning: Double
    /// The maximum magnitude of the mean rotation rate over 5.12 s, in rad/s. A person does not rotate permanently.
    package var steadyTurning: Double
  }

  package var stationary = Limit(level: 0.1, turning: 0.5, steadyTurning: 0.5)
  package var walking = Limit(level: 1.6, turning: 3.5, steadyTurning: 1.2)
  package var running = Limit(level: 3.6, turning: 6.5, steadyTurning: 1.6)
  package var cycling = Limit(level: 0.75, turning: 3, steadyTurning: 0.7)
  package var automotive = Limit(level: 0.45, turning: 0.9, steadyTurning: 0.3)

  /// The maximum fraction of the total power in one line below 5 Hz. Gait and pedalling have harmonics (at most
  /// 0.93), whereas a device that is shaken by hand or spins is a pendulum.
  package var purestMotion: Float = 0.96
  /// The maximum fraction of the power from 5 to 18 Hz in one line of this band. Roads and steps spread it (at most
  /// 0.81), a motor does not.
  package var purestVibration: Float = 0.85
  /// The minimum ratio of the acceleration from 5 to 18 Hz to that below 3.5 Hz. Heel strikes and roads are rough (at
  /// least 0.06).
  package var minimumRoughness: Float = 0.05
  /// The maximum of this ratio for gait, which has most of its power in the lower band (at most 1.6); the white noise
  /// of a tool has 2.
  package var gaitRoughness: Float = 1.8
  /// The maximum fraction of the total power in one line from 0.7 Hz on, in a vehicle, which does not sway (0.8 % of
  /// windows).
  package var steadiestSway: Float = 0.6
  /// The minimum accelerations with a useful spectrum, in g.
  package var minimumMotion: Float = 0.05
  package var minimumVibration: Float = 0.02
  /// The minimum root mean square of walking and running, in g: the weakest walk with a device before the eyes.
  package var minimumGait: Float = 0.03
  /// The minimum sample rate at which the band from 5 to 18 Hz is complete, in Hz.
  package var minimumRate = 36.0

  package init() {}

  /// Whether the device moves too little for another motion than a gait or a ride.
  package func isAtRest(_ window: ActivityWindow) -> Bool {
    window.level < stationary.level && (window.rotation?.total ?? 0) < stationary.turning
  }

  /// Returns the activities that the motion of a window contradicts.
  package func excluded(by window: ActivityWindow) -> ActivityFlags {
    var excluded: ActivityFlags = []
    let limits: [(ActivityFlags, Limit)] = [
      (.stationary, stationary), (.walking, walking), (.running, running), (.cycling, cycling),
      (.automotive, automotive),
    ]
    for (activity, limit) in limits {
      let turns = window.rotation.map { $0.total > limit.turning || $0.steady > limit.steadyTurning } ?? false
      if window.level > limit.level || turns { excluded.insert(activity) }
    }
    let moves: ActivityFlags = [.walking, .running, .cycling, .automotive]
    if window.slowLine > purestMotion, window.level > minimumMotion { excluded.formUnion(moves.union(.stationary)) }
    if window.rate > minimumRate {
      if window.fastLine > purestVibration, window.fast > max(minimumVibration, window.slow) {
        excluded.formUnion(moves.union(.stationary))
      }
      if window.slow > minimumMotion, window.fast < minimumRoughness * window.slow { excluded.formUnion(moves) }
      if window.level > minimumMotion, window.fast > gaitRoughness * window.slow {
        excluded.formUnion([.walking, .running])
      }
    }
    if window.slowLineFrequency > 0.5, window.slowLineFrequency < 4, window.slow > minimumMotion,
      window.slowLine > steadiestSway
    {
      excluded.insert(.automotive)
    }
    return excluded
  }

  /// The keys of saved values, which keep their names.
  private enum CodingKeys: String, CodingKey {
    case stationary, walking, running, cycling, automotive, purestMotion, purestVibration
    case minimumRoughness = "leastRoughness", gaitRoughness, steadiestSway, minimumMotion = "leastMotion"
    case minimumVibration = "leastVibration", minimumRate = "leastRate"
    case minimumGait
  }
}
