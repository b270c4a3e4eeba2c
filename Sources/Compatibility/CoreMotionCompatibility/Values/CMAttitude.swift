public import Foundation
internal import InertialNumerics
public import InertialRotations

/// The orientation of the device relative to a reference frame.
///
/// On Apple's platforms only Core Motion can create one; here it has initializers. An attitude is an object that
/// `multiply(byInverseOf:)` changes: copy it first to keep the original. It may be used from several threads.
open class CMAttitude: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let monitor = Monitor()
  private var value: Attitude

  /// Creates an attitude from a quaternion that maps device to reference. Added to Apple's interface.
  public init(quaternion: CMQuaternion) {
    value = Attitude(
      quaternion: Quaternion(x: quaternion.x, y: quaternion.y, z: quaternion.z, w: quaternion.w))
  }

  /// Creates an attitude from a matrix that maps reference to device. Added to Apple's interface.
  public init(rotationMatrix m: CMRotationMatrix) {
    value = Attitude(
      rotationMatrix: RotationMatrix(
        m11: m.m11, m12: m.m12, m13: m.m13, m21: m.m21, m22: m.m22, m23: m.m23, m31: m.m31, m32: m.m32, m33: m.m33))
  }

  /// Creates an attitude from Core Motion's angles, in radians. Added to Apple's interface.
  public init(roll: Double, pitch: Double, yaw: Double) {
    value = Attitude(eulerAngles: EulerAngles(roll: roll, pitch: pitch, yaw: yaw))
  }

  /// Creates an attitude from a value. Added to Apple's interface.
  public init(_ attitude: Attitude) { value = attitude }

  /// Creates the attitude of a device that is flat, face up and with yaw 0. On Apple's platforms such an attitude
  /// cannot be read.
  public override init() { value = .identity }

  /// The attitude as a value. Added to Apple's interface.
  public var attitude: Attitude { monitor.withLock { value } }

  /// The rotation about the device's Y axis, in radians, (−π, π].
  open var roll: Double { attitude.roll }

  /// The rotation about the device's X axis, in radians, [−π/2, π/2].
  open var pitch: Double { attitude.pitch }

  /// The rotation about the vertical, counter-clockwise seen from above, in radians, (−π, π].
  open var yaw: Double { attitude.yaw }

  /// The matrix that maps reference coordinates to device coordinates.
  open var rotationMatrix: CMRotationMatrix {
    let m = attitude.rotationMatrix
    return CMRotationMatrix(
      m11: m.m11, m12: m.m12, m13: m.m13, m21: m.m21, m22: m.m22, m23: m.m23, m31: m.m31, m32: m.m32, m33: m.m33)
  }

  /// The quaternion that maps device coordinates to reference coordinates: v_reference = q ⊗ v_device ⊗ q⁻¹.
  open var quaternion: CMQuaternion {
    let q = attitude.quaternion
    return CMQuaternion(x: q.x, y: q.y, z: q.z, w: q.w)
  }

  /// Makes this attitude relative to another: a := b⁻¹ ⊗ a, the rotation from `attitude` to this one.
  open func multiply(byInverseOf attitude: CMAttitude) {
    // Read first: an attitude may be made relative to itself.
    let reference = attitude.attitude
    monitor.withLock { value.multiply(byInverseOf: reference) }
  }

  open func copy(with zone: NSZone? = nil) -> Any { CMAttitude(attitude) }

  /// Whether the class supports secure coding. Always true.
  open class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    let v = coder.decodeVector(forKey: "quaternion")
    let w = coder.decodeDouble(forKey: "quaternion.w")
    value = Attitude(quaternion: Quaternion(x: v.x, y: v.y, z: v.z, w: w))
    super.init()
  }

  open func encode(with coder: NSCoder) {
    let q = attitude.quaternion
    coder.encode(vector: q.x, q.y, q.z, forKey: "quaternion")
    coder.encode(q.w, forKey: "quaternion.w")
  }

  /// Returns whether the other object is an attitude with the same quaternion.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CMAttitude else { return false }
    return other === self || other.attitude == attitude
  }

  open override var hash: Int { attitude.hashValue }

  /// A description in Apple's format: degrees, with a line break.
  open override var description: String {
    let degrees = 180 / Double.pi
    return String(format: "CMAttitude Pitch: %f, Roll: %f, Yaw: %f\n", pitch * degrees, roll * degrees, yaw * degrees)
  }
}
