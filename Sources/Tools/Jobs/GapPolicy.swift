/// What to do where the gyroscope pauses for longer than a gap's length (`FusionOptions.gap`).
///
/// Without a policy the filter goes on behind a gap with the attitude from before it, held, as uncertain as the pause
/// was long; no row is made up, so a fixed rate has no rows there. `nan` is nearest to that: it differs only in the
/// empty rows at a fixed rate.
public enum GapPolicy: String, Sendable, CaseIterable, Codable {
  /// A new segment: the filter starts afresh behind the gap, and the dataset's last column says which segment a row is
  /// of. Time keeps the hole. In an arbitrary frame every segment has its own yaw, 0 at its start.
  case split
  /// The last rate is held across gaps of up to ten seconds, so that the attitude turns on; across longer ones the
  /// attitude is held. A fixed rate has rows there, flagged `gap`; without one, none is added.
  case hold
  /// A fixed rate has rows in a gap, with a time and nothing else; without one, none is added.
  case nan

  /// Longest gap that rows at a fixed rate are written for, seconds: a clock that jumps by years is no pause.
  public static let longestFilled = 3600.0
}
