import CoreMotion
import Foundation

/// A motion as a value, for reducers and their tests.
public struct MotionValue: Equatable {
  public var timestamp: TimeInterval
  public var roll: Double
  public var gravity: [Double]

  public init(timestamp: TimeInterval, roll: Double, gravity: [Double]) {
    self.timestamp = timestamp
    self.roll = roll
    self.gravity = gravity
  }

  init(_ motion: CMDeviceMotion) {
    timestamp = motion.timestamp
    roll = motion.attitude.roll
    gravity = [motion.gravity.x, motion.gravity.y, motion.gravity.z]
  }
}

/// A dependency with closures in place of methods, as composable apps wrap a manager.
public struct MotionClient {
  public enum Failure: Error, Equatable { case notAvailable }

  public var isAvailable: () -> Bool
  public var updates: (_ interval: TimeInterval) -> AsyncThrowingStream<MotionValue, Error>
  public var latest: () -> MotionValue?

  public init(
    isAvailable: @escaping () -> Bool,
    updates: @escaping (_ interval: TimeInterval) -> AsyncThrowingStream<MotionValue, Error>,
    latest: @escaping () -> MotionValue?
  ) {
    self.isAvailable = isAvailable
    self.updates = updates
    self.latest = latest
  }

  /// The client of the device's sensors.
  public static var live: MotionClient {
    let manager = CMMotionManager()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    return MotionClient(
      isAvailable: { manager.isDeviceMotionAvailable },
      updates: { interval in
        AsyncThrowingStream { continuation in
          guard manager.isDeviceMotionAvailable else {
            return continuation.finish(throwing: Failure.notAvailable)
          }
          manager.deviceMotionUpdateInterval = interval
          manager.startDeviceMotionUpdates(using: .xArbitraryZVertical, to: queue) { motion, error in
            if let error = error { return continuation.finish(throwing: error) }
            if let motion = motion { continuation.yield(MotionValue(motion)) }
          }
          continuation.onTermination = { _ in manager.stopDeviceMotionUpdates() }
        }
      },
      latest: { manager.deviceMotion.map(MotionValue.init) })
  }

  /// A client of fixed values, for previews and tests.
  public static func stub(_ values: [MotionValue]) -> MotionClient {
    MotionClient(
      isAvailable: { true },
      updates: { _ in
        AsyncThrowingStream { continuation in
          for value in values { continuation.yield(value) }
          continuation.finish()
        }
      }, latest: { values.last })
  }
}
