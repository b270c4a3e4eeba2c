public import Foundation
internal import InertialNumerics
public import InertialRotations

/// The orientation of the device against a reference frame.
///
/// On Apple's platforms nobody but Core Motion can make one; here it has initialisers. An attitude is an object that
/// `multiply(byInverseOf:)` changes: who needs both takes a copy first. It may be used from several threads.
open class CMAttitude: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let monitor = Monitor()
  private var value: Attitude

  /// The attitude of a quaternion that maps device to reference. Added to Apple's interface.
  public init(quaternion: CMQuaternion) {
    value = Attitude(
      quaternion: Quaternion(x: quaternion.x, y: quaternion.y, z: quaternion.z, w: quaternion.w))
  }

  /// The attitude of a matrix that maps reference to device. Added to Apple's interface.
  public init(rotationMatrix m: CMRotationMatrix) {
    value = Attitude(
      rotationMatrix: RotationMatrix(
        m11: m.m11, m12: m.m12, m13: m.m13, m21: m.m21, m22: m.m22, m23: m.m23, m31: m.m31, m32: m.m32, m33: m.m33))
  }

  /// The attitude of Core Motion's angles, radians. Added to Apple's interface.
  public init(roll: Double, pitch: Double, yaw: Double) {
    value = Attitude(eulerAngles: EulerAngles(roll: roll, pitch: pitch, yaw: yaw))
  }

  /// The attitude of a value. Added to Apple's interface.
  public init(_ attitude: Attitude) { value = attitude }

  /// The device flat, face up and with yaw 0. On Apple's platforms such an attitude cannot be read.
  public override init() { value = .identity }

  /// The attitude as a value. Added to Apple's interface.
  public var attitude: Attitude { monitor.withLock { value } }

  /// The turn about the device's Y axis, radians in (−π, π].
  open var roll: Double { attitude.roll }

  /// The turn about the device's X axis, radians in [−π/2, π/2].
  open var pitch: Double { attitude.pitch }

  /// The turn about the vertical, counter-clockwise seen from above, radians in (−π, π].
  open var yaw: Double { attitude.yaw }

  /// Maps reference coordinates to device coordinates.
  open var rotationMatrix: CMRotationMatrix {
    let m = attitude.rotationMatrix
    return CMRotationMatrix(
      m11: m.m11, m12: m.m12, m13: m.m13, m21: m.m21, m22: m.m22, m23: m.m23, m31: m.m31, m32: m.m32, m33: m.m33)
  }

  /// Maps device coordinates to reference coordinates: v_reference = q ⊗ v_device ⊗ q⁻¹.
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

  /// Always true.
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

  /// Whether the other is an attitude of the same quaternion.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CMAttitude else { return false }
    return other === self || other.attitude == attitude
  }

  open override var hash: Int { attitude.hashValue }

  /// As Apple prints it: degrees, in a line of its own.
  open override var description: String {
    let degrees = 180 / Double.pi
    return String(format: "CMAttitude Pitch: %f, Roll: %f, Yaw: %f\n", pitch * degrees, roll * degrees, yaw * degrees)
  }
}
