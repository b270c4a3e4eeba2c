import Foundation

#if canImport(CoreMotion)
  import CoreMotion
#else
  import CoreMotionCompatibility
#endif

/// The rotation of the device from its first pose, as for parallax, a level or a game's steering wheel.
final class TiltView: @unchecked Sendable {
  private let motionManager = CMMotionManager()
  private var reference: CMAttitude?
  private(set) var updates = 0
  /// The largest angles so far, in degrees.
  private(set) var largest = (roll: 0.0, pitch: 0.0, yaw: 0.0)
  /// Gravity in the first pose. Later values rotated back to this pose must match it.
  private var firstGravity: CMAcceleration?
  private(set) var gravityDeviation = 0.0

  func start() {
    guard motionManager.isDeviceMotionAvailable else { return }
    motionManager.deviceMotionUpdateInterval = 1.0 / 60.0
    motionManager.showsDeviceMovementDisplay = true
    motionManager.startDeviceMotionUpdates(to: .main) { [weak self] (data, error) in
      guard let self = self, let data = data else { return }
      if self.reference == nil {
        self.reference = data.attitude.copy() as? CMAttitude
        self.firstGravity = data.gravity
      }
      let attitude = data.attitude
      attitude.multiply(byInverseOf: self.reference!)
      self.show(attitude)
      self.compare(attitude, data.gravity)
    }
  }

  func stop() { motionManager.stopDeviceMotionUpdates() }

  private func show(_ attitude: CMAttitude) {
    updates += 1
    largest.roll = max(largest.roll, abs(attitude.roll) * 180 / .pi)
    largest.pitch = max(largest.pitch, abs(attitude.pitch) * 180 / .pi)
    largest.yaw = max(largest.yaw, abs(attitude.yaw) * 180 / .pi)
  }

  /// Compares gravity with the first value. The matrix maps the first pose to this one; its transpose rotates gravity back.
  private func compare(_ attitude: CMAttitude, _ g: CMAcceleration) {
    guard let first = firstGravity else { return }
    let m = attitude.rotationMatrix
    let x = m.m11 * g.x + m.m21 * g.y + m.m31 * g.z - first.x
    let y = m.m12 * g.x + m.m22 * g.y + m.m32 * g.z - first.y
    let z = m.m13 * g.x + m.m23 * g.y + m.m33 * g.z - first.z
    gravityDeviation = max(gravityDeviation, sqrt(x * x + y * y + z * z))
  }
}
