public import InertialNumerics
internal import InertialSystem

/// The earth's magnetic field at a place, in a frame whose x axis points to magnetic north.
public struct EarthField: Sendable, Hashable, Codable {
  /// µT; 22 to 67 on the earth's surface.
  public var strength: Double
  /// Inclination in radians, positive where the field points down (northern hemisphere).
  public var dip: Double

  /// The default is about the field of central Europe: 49 µT, 66°.
  public init(strength: Double = 49, dip: Double = 1.15) {
    self.strength = strength
    self.dip = dip
  }

  /// µT, north-west-up: (B cos dip, 0, −B sin dip).
  public var vector: Vector3 { Vector3(strength * cos(dip), 0, -strength * sin(dip)) }
}

/// A field that comes and goes beside the earth's: a steel desk walked past, a magnet near the device.
public struct MagneticDisturbance: Sendable, Hashable, Codable {
  /// What the source of the disturbance stands still against.
  public enum Frame: String, Sendable, Codable, CaseIterable {
    /// The source stands in the room: the field is constant in north-west-up.
    case earth
    /// The source moves with the device.
    case device
  }

  /// Seconds; full strength holds from `start` + `ramp` to `end` − `ramp`.
  public var start: Double
  /// Seconds; the field is gone from here on.
  public var end: Double
  /// µT, in `frame`.
  public var field: Vector3
  /// What the source stands still against.
  public var frame: Frame
  /// Seconds in which the field comes and goes, linearly; 0 = at once.
  public var ramp: Double

  /// A disturbance: seconds, µT in `frame`, seconds; the ramp not below 0.
  public init(start: Double, end: Double, field: Vector3, frame: Frame = .earth, ramp: Double = 0) {
    precondition(ramp >= 0, "a ramp of \(ramp) s")
    self.start = start
    self.end = end
    self.field = field
    self.frame = frame
    self.ramp = ramp
  }

  /// The share of the field that is there at a time, 0 to 1.
  public func strength(at time: Double) -> Double {
    guard time >= start, time <= end else { return 0 }
    guard ramp > 0 else { return 1 }
    return min(1, (time - start) / ramp, (end - time) / ramp)
  }
}
