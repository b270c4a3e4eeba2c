internal import InertialNumerics
public import InertialRotations

/// One measurement of one channel: its own time in seconds and up to four components, in the channel's unit.
///
/// Two samples are equal if their times, channels and components are, regardless of their source.
public struct SensorSample: Sendable, BitwiseCopyable, Hashable, Codable {
  /// The time, in seconds on the log's clock.
  public var time: Double
  /// The measured channel.
  public var channel: SensorChannel
  /// The line of the sample in its file, from 1, for messages; 0 if it has no line.
  public var line: UInt32 = 0
  /// The first component, or a quaternion's x.
  public var x: Double
  /// The second component, or a quaternion's y; 0 if the channel has one component.
  public var y: Double
  /// The third component, or a quaternion's z; 0 if the channel has fewer components.
  public var z: Double
  /// The quaternion's scalar part, or the accuracy of a calibrated field; otherwise 0.
  public var w: Double

  /// Creates a sample from its components, in the channel's unit.
  @inlinable
  @inline(__always)
  public init(time: Double, channel: SensorChannel, x: Double, y: Double = 0, z: Double = 0, w: Double = 0) {
    self.time = time
    self.channel = channel
    self.x = x
    self.y = y
    self.z = z
    self.w = w
  }

  /// Creates a sample of a vector.
  ///
  /// - Parameters:
  ///   - time: The time, in seconds on the log's clock.
  ///   - channel: The measured channel.
  ///   - vector: The components, in the channel's unit.
  ///   - w: The accuracy of a calibrated field, or `nil` if it is unknown.
  @inlinable
  public init(time: Double, channel: SensorChannel, _ vector: Vector3, w: Double? = nil) {
    let w = w ?? (channel == .calibratedMagneticField ? .nan : 0)
    self.init(time: time, channel: channel, x: vector.x, y: vector.y, z: vector.z, w: w)
  }

  /// Creates a sample of an attitude.
  public init(time: Double, channel: SensorChannel, _ quaternion: Quaternion) {
    self.init(
      time: time, channel: channel, x: quaternion.x, y: quaternion.y, z: quaternion.z, w: quaternion.w)
  }

  /// The first three components.
  @inlinable
  @inline(__always)
  public var vector: Vector3 { Vector3(x, y, z) }
  /// The quaternion of all four components, for channels of attitudes.
  public var quaternion: Quaternion { Quaternion(x: x, y: y, z: z, w: w) }

  public static func == (a: SensorSample, b: SensorSample) -> Bool {
    a.time == b.time && a.channel == b.channel && a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(time)
    hasher.combine(channel)
    for value in [x, y, z, w] { hasher.combine(value) }
  }
}
