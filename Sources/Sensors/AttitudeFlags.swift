/// The state of a filter and the measurements it did not use. Rejections hold until the channel's next valid sample.
public struct AttitudeFlags: BitwiseCopyable, OptionSet, Sendable, Hashable, Codable {
  public let rawValue: UInt16
  @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The filter is converging: the first second, or the time after a gap.
  @inlinable
  public static var converging: AttitudeFlags { AttitudeFlags(rawValue: 1 << 0) }
  /// The device is at rest.
  @inlinable
  public static var resting: AttitudeFlags { AttitudeFlags(rawValue: 1 << 1) }
  /// The field differs from the expected field in strength, dip or heading, so its weight is reduced or zero.
  @inlinable
  public static var magneticDisturbance: AttitudeFlags { AttitudeFlags(rawValue: 1 << 2) }
  /// The last gyroscope sample was skipped because it is not finite or is impossible; or the samples just before it
  /// have now been identified as a glitch.
  @inlinable
  public static var gyroscopeRejected: AttitudeFlags { AttitudeFlags(rawValue: 1 << 3) }
  /// The last accelerometer sample was skipped because it is not finite, zero or impossible.
  @inlinable
  public static var accelerometerRejected: AttitudeFlags { AttitudeFlags(rawValue: 1 << 4) }
  /// The last magnetic sample was skipped because it is not finite, zero or impossible for the earth's field.
  @inlinable
  public static var magneticFieldRejected: AttitudeFlags { AttitudeFlags(rawValue: 1 << 5) }
  /// The time jumped by more than the filter integrates over: the attitude was held and its uncertainty increased.
  @inlinable
  public static var gap: AttitudeFlags { AttitudeFlags(rawValue: 1 << 6) }
  /// The attitude was corrected by more than 3° at once, in addition to the rotation measured by the gyroscope.
  @inlinable
  public static var jumped: AttitudeFlags { AttitudeFlags(rawValue: 1 << 7) }

  /// The smallest correction that counts as a jump, in radians: 3°.
  package static let jumpAngle = 0.0524

  /// The names of the flags in reports, in the order of their bits.
  public static let names: [(flag: AttitudeFlags, name: String)] = [
    (.converging, "converging"), (.resting, "resting"), (.magneticDisturbance, "magneticDisturbance"),
    (.gyroscopeRejected, "gyroscopeRejected"), (.accelerometerRejected, "accelerometerRejected"),
    (.magneticFieldRejected, "magneticFieldRejected"), (.gap, "gap"), (.jumped, "jumped"),
  ]
}
