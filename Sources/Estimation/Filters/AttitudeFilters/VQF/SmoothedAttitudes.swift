public import InertialRotations

/// The results of a smoother for a recording: one row per valid sample of the gyroscope.
public struct SmoothedAttitudes: Sendable, Equatable {
  /// The timestamps, in seconds.
  public internal(set) var times: [Double] = []
  /// The unit quaternions, device to earth.
  public internal(set) var attitudes: [Quaternion] = []
  /// The gyroscope biases, in rad/s, in device axes.
  public internal(set) var gyroscopeBiases: [Vector3] = []
  /// The upper bounds of the bias's standard deviation about any axis, in rad/s.
  public internal(set) var gyroscopeBiasSigmas: [Double] = []
  /// Whether the device is at rest, for each row.
  public internal(set) var isResting: [Bool] = []
  /// Whether the field differs from the learned one; `true` before a field was learned.
  public internal(set) var isFieldDisturbed: [Bool] = []
  /// Whether a field was learned as a reference.
  public internal(set) var isFieldKnown: [Bool] = []

  /// The number of rows.
  public var count: Int { times.count }
}
