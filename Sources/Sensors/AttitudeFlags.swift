/// What a filter is doing and what it did not use. Rejections hold until the channel's next good sample.
public struct AttitudeFlags: OptionSet, Sendable, Hashable, Codable {
  public let rawValue: UInt16
  @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Start-up: the first second, or the time after a gap.
  @inlinable
  public static var converging: AttitudeFlags { AttitudeFlags(rawValue: 1 << 0) }
  /// The device is at rest.
  @inlinable
  public static var resting: AttitudeFlags { AttitudeFlags(rawValue: 1 << 1) }
  /// The field differs from the expected one, in strength, dip or heading, so it counts less or not at all.
  @inlinable
  public static var magneticDisturbance: AttitudeFlags { AttitudeFlags(rawValue: 1 << 2) }
  /// The last gyroscope sample was skipped: not finite or impossible; or the ones just before are known for a glitch now.
  @inlinable
  public static var gyroscopeRejected: AttitudeFlags { AttitudeFlags(rawValue: 1 << 3) }
  /// The last accelerometer sample was skipped: not finite, zero or impossible.
  @inlinable
  public static var accelerometerRejected: AttitudeFlags { AttitudeFlags(rawValue: 1 << 4) }
  /// The last magnetic sample was skipped: not finite, zero or impossible for the earth's field.
  @inlinable
  public static var magneticFieldRejected: AttitudeFlags { AttitudeFlags(rawValue: 1 << 5) }
  /// Time jumped by more than the filter integrates over; the attitude was held and its uncertainty grown.
  @inlinable
  public static var gap: AttitudeFlags { AttitudeFlags(rawValue: 1 << 6) }
  /// The attitude was corrected by more than 3° at once, beyond what the gyroscope turned.
  @inlinable
  public static var jumped: AttitudeFlags { AttitudeFlags(rawValue: 1 << 7) }

  /// The flags' words in reports, in the order of their bits.
  public static let names: [(flag: AttitudeFlags, name: String)] = [
    (.converging, "converging"), (.resting, "resting"), (.magneticDisturbance, "magneticDisturbance"),
    (.gyroscopeRejected, "gyroscopeRejected"), (.accelerometerRejected, "accelerometerRejected"),
    (.magneticFieldRejected, "magneticFieldRejected"), (.gap, "gap"), (.jumped, "jumped"),
  ]
}
