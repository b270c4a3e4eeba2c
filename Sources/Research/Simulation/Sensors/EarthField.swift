public import InertialNumerics
internal import InertialSystem

/// The earth's magnetic field at a location, in a frame whose x axis points to magnetic north.
public struct EarthField: Sendable, Hashable, Codable {
  /// The field strength, in µT; 22 to 67 on the earth's surface.
  public var strength: Double
  /// The inclination in radians, positive if the field points down (northern hemisphere).
  public var dip: Double

  /// Creates a field. The default is approximately the field in central Europe: 49 µT, 66°.
  public init(strength: Double = 49, dip: Double = 1.15) {
    self.strength = strength
    self.dip = dip
  }

  /// The field in north-west-up, in µT: (B cos dip, 0, −B sin dip).
  public var vector: Vector3 { Vector3(strength * cos(dip), 0, -strength * sin(dip)) }
}

/// A temporary field in addition to the earth's, such as from a steel desk or a magnet near the device.
public struct MagneticDisturbance: Sendable, Hashable, Codable {
  /// The frame in which the source of the disturbance is fixed.
  public enum Frame: String, Sendable, Codable, CaseIterable {
    /// The source is fixed in the room: the field is constant in north-west-up.
    case earth
    /// The source moves with the device.
    case device
  }

  /// The start, in seconds; full strength holds from `start` + `ramp` to `end` − `ramp`.
  public var start: Double
  /// The end, in seconds; the field is zero afterwards.
  public var end: Double
  /// The field in `frame`, in µT.
  public var field: Vector3
  /// The frame in which the source is fixed.
  public var frame: Frame
  /// The duration of the linear rise and fall, in seconds; 0 = immediate.
  public var ramp: Double

  /// Creates a disturbance; times in seconds, the field in µT in `frame`. The ramp must not be negative.
  public init(start: Double, end: Double, field: Vector3, frame: Frame = .earth, ramp: Double = 0) {
    precondition(ramp >= 0, "a ramp of \(ramp) s")
    self.start = start
    self.end = end
    self.field = field
    self.frame = frame
    self.ramp = ramp
  }

  /// Returns the fraction of the field that is present at a time, 0...1.
  public func strength(at time: Double) -> Double {
    guard time >= start, time <= end else { return 0 }
    guard ramp > 0 else { return 1 }
    return min(1, (time - start) / ramp, (end - time) / ramp)
  }
}
