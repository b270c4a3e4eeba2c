/// What a filter is doing and what it did not use. Rejections hold until the channel's next good sample.
public struct AttitudeFlags: OptionSet, Sendable, Hashable, Codable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Start-up: the first second, or the time after a gap.
  public static let converging = AttitudeFlags(rawValue: 1 << 0)
  /// The device is at rest.
  public static let resting = AttitudeFlags(rawValue: 1 << 1)
  /// The field differs from the expected one, in strength, dip or heading, so it counts less or not at all.
  public static let magneticDisturbance = AttitudeFlags(rawValue: 1 << 2)
  /// The last gyroscope sample was skipped: not finite or impossible.
  public static let gyroscopeRejected = AttitudeFlags(rawValue: 1 << 3)
  /// The last accelerometer sample was skipped: not finite, zero or impossible.
  public static let accelerometerRejected = AttitudeFlags(rawValue: 1 << 4)
  /// The last magnetic sample was skipped: not finite, zero or impossible for the earth's field.
  public static let magneticFieldRejected = AttitudeFlags(rawValue: 1 << 5)
  /// Time jumped by more than the filter integrates over; the attitude was held and its uncertainty grown.
  public static let gap = AttitudeFlags(rawValue: 1 << 6)

  /// The flags' words in reports, in the order of their bits.
  public static let names: [(flag: AttitudeFlags, name: String)] = [
    (.converging, "converging"), (.resting, "resting"), (.magneticDisturbance, "magneticDisturbance"),
    (.gyroscopeRejected, "gyroscopeRejected"), (.accelerometerRejected, "accelerometerRejected"),
    (.magneticFieldRejected, "magneticFieldRejected"), (.gap, "gap"),
  ]
}
