/// Limits beyond which a motion cannot be an activity. An activity that is found beyond them has low confidence.
///
/// The classifier compares activities with each other and has no class for other motions, so it is sure of a washing machine
/// or a tumbling device. A limit is beyond the values of 99 % of the windows of 2.56 s of that activity in the labelled
/// recordings (1,254 at rest, 2,127 walking, 468 running, 1,750 cycling, 237 in vehicles).
package struct PhysicalLimits: Sendable, Hashable, Codable {
  /// The limits of one activity.
  package struct Limit: Sendable, Hashable, Codable {
    /// g: root mean square of the acceleration in all directions.
    package var level: Float
    /// rad/s: root mean square of the rotation rate.
    package var turning: Double
    /// rad/s: amount of the mean rotation rate over 5.12 s. A person does not keep turning.
    package var steadyTurning: Double
  }

  package var stationary = Limit(level: 0.2, turning: 0.7, steadyTurning: 0.5)
  package var walking = Limit(level: 1.6, turning: 3.5, steadyTurning: 1.2)
  package var running = Limit(level: 3.6, turning: 6.5, steadyTurning: 1.6)
  package var cycling = Limit(level: 0.75, turning: 3, steadyTurning: 0.7)
  package var automotive = Limit(level: 0.45, turning: 0.9, steadyTurning: 0.3)

  /// 1: the fraction of all power in one line below 5 Hz. A gait and pedals have harmonics (0.93 at the most), a device that is
  /// shaken by hand or that spins is a pendulum.
  package var purestMotion: Float = 0.96
  /// 1: the fraction of the power from 5 to 18 Hz in one line there: roads and steps spread it (0.81 at the most), a motor does
  /// not.
  package var purestVibration: Float = 0.85
  /// 1: the acceleration from 5 to 18 Hz by that below 3.5 Hz. Heels and roads are rough (0.06 at the least) ...
  package var leastRoughness: Float = 0.05
  /// ... and a gait has most of its power below (1.6 at the most); the white noise of a tool has 2.
  package var gaitRoughness: Float = 1.8
  /// 1: the fraction of all power in one line from 0.7 Hz on, in a vehicle: it does not sway (0.8 % of windows).
  package var steadiestSway: Float = 0.6
  /// g: weaker accelerations have no useful spectrum.
  package var leastMotion: Float = 0.05
  package var leastVibration: Float = 0.02
  /// Hz: a slower sensor does not have the band from 5 to 18 Hz.
  package var leastRate = 36.0

  package init() {}

  /// The activities that the motion of a window cannot be.
  func excluded(by window: ActivityWindow) -> ActivityFlags {
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
    if window.slowLine > purestMotion, window.level > leastMotion { excluded.formUnion(moves.union(.stationary)) }
    if window.rate > leastRate {
      if window.fastLine > purestVibration, window.fast > max(leastVibration, window.slow) {
        excluded.formUnion(moves.union(.stationary))
      }
      if window.slow > leastMotion, window.fast < leastRoughness * window.slow { excluded.formUnion(moves) }
      if window.level > leastMotion, window.fast > gaitRoughness * window.slow {
        excluded.formUnion([.walking, .running])
      }
    }
    if window.slowLineFrequency > 0.5, window.slowLineFrequency < 4, window.slow > leastMotion,
      window.slowLine > steadiestSway
    {
      excluded.insert(.automotive)
    }
    return excluded
  }
}
