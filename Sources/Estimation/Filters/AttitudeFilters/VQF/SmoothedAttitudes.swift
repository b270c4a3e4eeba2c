public import InertialRotations

/// What a smoother makes of a recording: a row for each good sample of the gyroscope.
public struct SmoothedAttitudes: Sendable, Equatable {
  /// Seconds.
  public internal(set) var times: [Double] = []
  /// Unit quaternions, device to earth.
  public internal(set) var attitudes: [Quaternion] = []
  /// rad/s, device axes.
  public internal(set) var gyroscopeBiases: [Vector3] = []
  /// An upper bound of the bias's standard deviation about any axis, rad/s.
  public internal(set) var gyroscopeBiasSigmas: [Double] = []
  /// Whether the device is at rest, for each row.
  public internal(set) var isResting: [Bool] = []
  /// Whether the field differs from the learned one; true as long as none was learned.
  public internal(set) var isFieldDisturbed: [Bool] = []
  /// Whether a field was learned that others can differ from.
  public internal(set) var isFieldKnown: [Bool] = []

  /// Rows.
  public var count: Int { times.count }
}
