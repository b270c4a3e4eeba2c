/// The policy for gyroscope gaps that are longer than `FusionOptions.gap`.
///
/// Without a policy the filter continues after a gap with the previous attitude, whose uncertainty grows with the
/// length of the gap. No rows are added, so a fixed output rate has no rows in the gap. `hold` and `nan` differ from
/// this only at a fixed rate, by rows in the gap.
public enum GapPolicy: String, Sendable, CaseIterable, Codable {
  /// Starts a new segment: the filter restarts after the gap, and the dataset's last column contains the segment
  /// number. Times are not changed. In an arbitrary frame, the yaw of every segment is 0 at its start.
  case split
  /// Adds rows with the flag `gap` in gaps at a fixed rate: the attitude continues with the last rate for up to ten
  /// seconds, without a standard deviation, and other quantities are unknown. Otherwise no rows are added.
  case hold
  /// Adds rows with only a time in gaps at a fixed rate; otherwise no rows are added.
  case nan

  /// The maximum gap, in seconds, that is filled with rows at a fixed rate. A longer one is a clock jump, not a pause.
  public static let maximumFilledGap = 3600.0
}
