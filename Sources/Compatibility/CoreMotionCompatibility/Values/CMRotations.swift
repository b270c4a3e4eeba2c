/// A Hamilton quaternion x i + y j + z k + w.
public struct CMQuaternion: Sendable {
  /// The coefficient of i.
  public var x: Double
  /// The coefficient of j.
  public var y: Double
  /// The coefficient of k.
  public var z: Double
  /// The scalar part.
  public var w: Double

  /// Creates a quaternion with all components 0.
  public init() { self.init(x: 0, y: 0, z: 0, w: 0) }

  /// Creates a quaternion from its components.
  public init(x: Double, y: Double, z: Double, w: Double) { (self.x, self.y, self.z, self.w) = (x, y, z, w) }
}

/// A rotation matrix that maps reference coordinates to device coordinates; `mRC` is row R, column C, from 1.
public struct CMRotationMatrix: Sendable {
  /// The first row.
  public var m11: Double, m12: Double, m13: Double
  /// The second row.
  public var m21: Double, m22: Double, m23: Double
  /// The third row.
  public var m31: Double, m32: Double, m33: Double

  /// Creates a matrix with all elements 0.
  public init() {
    self.init(m11: 0, m12: 0, m13: 0, m21: 0, m22: 0, m23: 0, m31: 0, m32: 0, m33: 0)
  }

  /// Creates a matrix from its elements, row by row.
  public init(
    m11: Double, m12: Double, m13: Double, m21: Double, m22: Double, m23: Double, m31: Double, m32: Double,
    m33: Double
  ) {
    (self.m11, self.m12, self.m13) = (m11, m12, m13)
    (self.m21, self.m22, self.m23) = (m21, m22, m23)
    (self.m31, self.m32, self.m33) = (m31, m32, m33)
  }
}

/// The reference frame of an attitude; all frames are right-handed, with Z up.
public struct CMAttitudeReferenceFrame: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// X is horizontal in the direction of the device at the start; yaw drifts. The default.
  public static let xArbitraryZVertical = CMAttitudeReferenceFrame(rawValue: 1)
  /// Same as `xArbitraryZVertical`, but with yaw corrected by the magnetometer.
  public static let xArbitraryCorrectedZVertical = CMAttitudeReferenceFrame(rawValue: 2)
  /// X points to magnetic north, Y to the west.
  public static let xMagneticNorthZVertical = CMAttitudeReferenceFrame(rawValue: 4)
  /// X points to geographic north, Y to the west; requires a place.
  public static let xTrueNorthZVertical = CMAttitudeReferenceFrame(rawValue: 8)
}
